//! Compares random goals and programs with SWI-Prolog and GNU Prolog. `swipl.answers` and
//! `gprolog.answers` hold their answers. Where Wamlet differs, `explained.txt` gives the reason, or the
//! test fails.
//!
//! `DIFFERENTIAL_SEED=n cargo test --release --test differential -- --ignored` compares goals of another
//! seed with the installed systems. `DIFFERENTIAL_RECORD=1` also records their answers.

#[path = "../support/bodies.rs"]
mod bodies;
#[path = "../support/explained.rs"]
mod explained;
mod generate;
#[path = "../support/random.rs"]
mod random;

use explained::Explained;
use generate::Goal;
use random::Random;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/differential");
const DRIVER: &str = include_str!("driver.pl");
/// The seed of the goals in the suite.
const SEED: u64 = 1;
/// Number of goals of each kind.
const GOALS: usize = 1000;
/// Number of goals that one process runs.
const CHUNK: usize = 25;
/// Maximum time of a process.
const TIME: Duration = Duration::from_secs(4);

type Answers = BTreeMap<usize, String>;

/// Returns all goals of a seed.
fn goals(seed: u64) -> Vec<Goal> {
    let mut random = Random::new(seed);
    let mut goals = Vec::new();
    for number in 0..GOALS {
        goals.push(generate::arithmetic(&mut random));
        goals.push(generate::builtin(&mut random));
        goals.push(generate::program(&mut random, number as u64));
        goals.push(generate::reading(&mut random));
    }
    // These come last: the numbers and random choices of the others must match the records.
    for number in 0..GOALS {
        goals.push(generate::called(&mut random, number));
    }
    goals
}

/// Returns the program that calls the goals, in its own folder.
fn driver(folder: &Path) -> String {
    let file = folder.join("text").display().to_string();
    format!(
        ":- set_prolog_flag(double_quotes, codes).\n\
         :- dynamic(answered/1).\n\
         :- dynamic(goal/3).\n\
         :- discontiguous(goal/3).\n\
         text_file('{file}').\n\
         {DRIVER}"
    )
}

/// Returns some goals as facts, with the programs that they need.
fn source(goals: &[Goal], first: usize) -> String {
    let mut text = String::new();
    for (index, goal) in goals.iter().enumerate() {
        text.push_str(&goal.program);
        let number = first + index;
        let _ = writeln!(text, "goal({number}, ({}), {}).", goal.text, goal.variables);
    }
    text
}

/// A Prolog system: the command that loads a file and calls `run`.
#[derive(Copy, Clone)]
struct System {
    name: &'static str,
    /// The command for the driver and the goals in a folder.
    command: fn(&Path) -> Command,
}

fn wamlet(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wamlet"));
    command.args(["--traditional", "-q", "-g", "run"]);
    command
        .arg(folder.join("driver.pl"))
        .arg(folder.join("goals.pl"));
    command
}

fn swipl(folder: &Path) -> Command {
    let mut command = Command::new("swipl");
    // Lists as in ISO 13211-1.
    command.args(["--traditional", "-q", "-g", "run", "-t", "halt"]);
    command
        .arg(folder.join("driver.pl"))
        .arg(folder.join("goals.pl"));
    command
}

fn gprolog(folder: &Path) -> Command {
    let mut command = Command::new("gprolog");
    command.arg("--consult-file").arg(folder.join("driver.pl"));
    let goals = folder.join("goals.pl").display().to_string();
    command.args(["--query-goal", &format!("read_goals('{goals}'),run,halt")]);
    command
}

const OURS: System = System {
    name: "wamlet",
    command: wamlet,
};
const PEERS: [System; 2] = [
    System {
        name: "swipl",
        command: swipl,
    },
    System {
        name: "gprolog",
        command: gprolog,
    },
];

/// Returns the answers of a system. Goals that it did not finish are missing.
fn answers(system: System, goals: &[Goal]) -> Answers {
    let folder = std::env::temp_dir().join(format!(
        "differential-{}-{}",
        system.name,
        std::process::id()
    ));
    fs::create_dir_all(&folder).expect("a folder");
    let mut answers = Answers::new();
    for (chunk, goals) in goals.chunks(CHUNK).enumerate() {
        let first = chunk * CHUNK;
        fs::write(folder.join("driver.pl"), driver(&folder)).expect("a file");
        fs::write(folder.join("goals.pl"), source(goals, first)).expect("a file");
        let output = run((system.command)(&folder), &folder);
        for line in output.lines() {
            let Some((number, answer)) = line.split_once('\t') else {
                continue;
            };
            if let Ok(number) = number.parse::<usize>() {
                answers.insert(number, with_floats(answer));
            }
        }
    }
    fs::remove_dir_all(&folder).expect("the folder goes");
    answers
}

/// Returns the output of the process within its time.
fn run(mut command: Command, folder: &Path) -> String {
    let out = folder.join("out");
    let file = fs::File::create(&out).expect("a file");
    let errors = fs::File::create(folder.join("err")).expect("a file");
    let child = command
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .spawn();
    let mut child = child.expect("the system is installed");
    let start = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if start.elapsed() > TIME {
            child.kill().expect("it can be ended");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    String::from_utf8_lossy(&fs::read(&out).expect("its output")).into_owned()
}

/// Rounds floats to twelve digits: systems write them differently, and functions differ in the last
/// digits.
fn with_floats(answer: &str) -> String {
    let mut parts = answer.split('%');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let (Some(float), Some(rest)) = (parts.next(), parts.next()) {
        match float.parse::<f64>() {
            Ok(value) => {
                let _ = write!(text, "{value:.11e}");
            }
            Err(_) => text.push_str(float),
        }
        text.push_str(rest);
    }
    text
}

/// Returns the differences from the other system that `explained.txt` does not explain.
fn differences(peer: &str, goals: &[Goal], ours: &Answers, theirs: &Answers) -> String {
    let explained = Explained::all(Path::new(FOLDER));
    let mut report = String::new();
    for (index, goal) in goals.iter().enumerate() {
        let (Some(our), Some(their)) = (ours.get(&index), theirs.get(&index)) else {
            if !ours.contains_key(&index) {
                let _ = writeln!(
                    report,
                    "{}?- {}.\n  wamlet: nothing",
                    goal.program, goal.text
                );
            }
            continue;
        };
        let known = |why: &&Explained| {
            [goal.text.as_str(), goal.program.trim_end()]
                .iter()
                .any(|text| why.explains(peer, text, our, their))
        };
        if our != their && !explained.iter().any(|why| known(&why)) {
            let (program, text) = (&goal.program, &goal.text);
            let _ = writeln!(
                report,
                "{program}?- {text}.\n  wamlet: {our}\n  {peer}: {their}"
            );
        }
    }
    report
}

fn recorded(peer: &str) -> PathBuf {
    PathBuf::from(FOLDER).join(format!("{peer}.answers"))
}

#[test]
fn answers_are_those_of_other_systems() {
    let goals = goals(SEED);
    let ours = answers(OURS, &goals);
    let mut report = String::new();
    for peer in PEERS {
        let text = fs::read_to_string(recorded(peer.name)).expect("its answers");
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        let theirs: Answers = lines
            .filter_map(|(number, answer)| Some((number.parse().ok()?, answer.to_owned())))
            .collect();
        report.push_str(&differences(peer.name, &goals, &ours, &theirs));
    }
    assert!(report.is_empty(), "answers differ:\n{report}");
}

#[test]
#[ignore = "needs the other systems"]
#[expect(clippy::print_stdout, reason = "the report of a long run")]
fn answers_of_another_seed() {
    let seed = std::env::var("DIFFERENTIAL_SEED").ok();
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(SEED);
    let goals = goals(seed);
    let ours = answers(OURS, &goals);
    let mut report = String::new();
    for peer in PEERS {
        let theirs = answers(peer, &goals);
        println!(
            "{}: {} of {} goals answered",
            peer.name,
            theirs.len(),
            goals.len()
        );
        if std::env::var("DIFFERENTIAL_RECORD").is_ok() {
            let mut text = String::new();
            for (number, answer) in &theirs {
                let _ = writeln!(text, "{number}\t{answer}");
            }
            fs::write(recorded(peer.name), text).expect("a file");
        }
        report.push_str(&differences(peer.name, &goals, &ours, &theirs));
    }
    assert!(report.is_empty(), "answers differ:\n{report}");
}
