//! Hostile inputs. Each must end in an answer, an error that can be caught, or a clear end of the process.
//!
//! The test runs the quick inputs and compares the outcomes with the table in `docs/resilience.md`. With
//! `RESILIENCE=all` it runs all inputs, also on SWI-Prolog and GNU Prolog, and writes the new table.
//! `RESILIENCE_ONLY=TEXT` runs inputs whose name contains the text on all systems, and prints the
//! outcomes.
#![cfg(feature = "cli")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[path = "../support/process.rs"]
#[expect(dead_code, reason = "only the folder is used here")]
mod process;

use process::Folder;

/// Limit of processor time of a process, in seconds.
const TIME: u64 = 10;
/// Limit of elapsed time, for a process that waits.
const CLOCK: Duration = Duration::from_secs(40);
/// Address space of a process, in kB.
const MEMORY: u64 = 4 << 20;
/// The entry for a process that ended at its own limit.
const LIMIT: &str = "ended by its limit, status 3";
const TABLE_BEGINS: &str = "| input | Wamlet | SWI-Prolog | GNU Prolog |\n|---|---|---|---|\n";

/// The common part of all programs.
const PROGRAM: &str = "
deep(0, T, T) :- !.
deep(N, T0, T) :- N1 is N-1, deep(N1, s(T0), T).
ones(0, []) :- !.
ones(N, [1|L]) :- N1 is N-1, ones(N1, L).

main :- catch(( hostile -> R = yes ; R = no ), E, caught(E, R)), note(R), works_on.

caught(error(Formal, _), R) :- atom(Formal), !, R = Formal.
caught(error(Formal, _), R) :- !, functor(Formal, R, _).
caught(E, ball(F)) :- functor(E, F, _).

note(R) :- open(outcome, append, S), write(S, R), nl(S), close(S).

works_on :- ones(100000, L), length(L, N), N == 100000, note(works_on).
";

#[derive(Default)]
struct Input {
    name: String,
    program: String,
    goal: String,
    right: Vec<String>,
    setup: Option<String>,
    around: Option<String>,
    slow: bool,
}

fn inputs() -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for line in include_str!("inputs.txt").lines() {
        if let Some(name) = line.strip_prefix("== ") {
            let name = name.to_owned();
            inputs.push(Input {
                name,
                ..Input::default()
            });
            continue;
        }
        let Some(input) = inputs.last_mut() else {
            continue;
        };
        match line.split_once(": ") {
            Some(("goal", goal)) => goal.clone_into(&mut input.goal),
            Some(("right", right)) => input.right = right.split(' ').map(str::to_owned).collect(),
            Some(("setup", setup)) => input.setup = Some(setup.to_owned()),
            Some(("around", around)) => input.around = Some(around.to_owned()),
            Some(("slow", _)) => input.slow = true,
            _ => {
                input.program.push_str(line);
                input.program.push('\n');
            }
        }
    }
    inputs
}

#[derive(Clone, Copy, PartialEq)]
enum System {
    Wamlet,
    Swi,
    Gnu,
}

const SYSTEMS: [System; 3] = [System::Wamlet, System::Swi, System::Gnu];

impl System {
    fn command(self) -> String {
        match self {
            System::Wamlet => format!(
                "{} --max-memory 1G --timeout 8 -g main,halt input.pl",
                env!("CARGO_BIN_EXE_wamlet")
            ),
            System::Swi => "swipl -g main -t halt input.pl".to_owned(),
            System::Gnu => "gprolog --consult-file input.pl --query-goal main,halt".to_owned(),
        }
    }
}

/// The outcome of an input: the text for the table, and whether it is at least a clear end.
struct Outcome {
    text: String,
    good: bool,
    seconds: f64,
    messages: String,
}

fn run(input: &Input, system: System) -> Outcome {
    let folder = Folder::new();
    let program = format!("{}\n{PROGRAM}\nhostile :- {}.\n", input.program, input.goal);
    folder.file("input.pl", &program);
    if let Some(setup) = &input.setup {
        shell(&folder.0, setup).status().expect("a shell");
    }
    let around = input.around.as_deref().unwrap_or("$SYSTEM");
    let stdin = if around.contains(") | $SYSTEM") {
        ""
    } else {
        "exec < /dev/null; "
    };
    let script = format!(
        "ulimit -c 0; ulimit -v {MEMORY}; ulimit -t {TIME}; set -o pipefail; {stdin}{}",
        around.replace("$SYSTEM", &system.command())
    );
    let output = folder.0.join("stdout");
    let errors = folder.0.join("stderr");
    let file = |path: &PathBuf| std::fs::File::create(path).expect("a file");
    let start = Instant::now();
    // `timeout` kills the whole group of processes.
    let status = Command::new("timeout")
        .args(["-s", "KILL", &CLOCK.as_secs().to_string(), "bash", "-c"])
        .arg(&script)
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(file(&output))
        .stderr(file(&errors))
        .status()
        .expect("a shell");
    let elapsed = start.elapsed();
    let code = {
        use std::os::unix::process::ExitStatusExt;
        let signal = status.signal().map(|signal| 128 + signal);
        status.code().or(signal).unwrap_or(-1)
    };
    // SIGXCPU and SIGKILL are signals of the limits.
    let late = elapsed >= CLOCK || matches!(code, 137 | 152);
    let outcome = std::fs::read_to_string(folder.0.join("outcome")).unwrap_or_default();
    let messages = std::fs::read(&errors).unwrap_or_default();
    let messages = String::from_utf8_lossy(&messages[..messages.len().min(2000)]).into_owned();
    let has_message = system == System::Gnu || !messages.trim().is_empty();
    let (text, good) = judge(input, &outcome, code, late, has_message);
    Outcome {
        text,
        good,
        seconds: elapsed.as_secs_f64(),
        messages,
    }
}

/// Returns a command of the shell in a folder.
fn shell(folder: &Path, script: &str) -> Command {
    let mut command = Command::new("bash");
    command.arg("-c").arg(script).current_dir(folder);
    command
}

fn judge(input: &Input, outcome: &str, code: i32, late: bool, has_message: bool) -> (String, bool) {
    let mut lines = outcome.lines();
    let first = lines.next();
    let works_on = lines.next() == Some("works_on");
    let right = |what: &str| input.right.iter().any(|right| right == what);
    let (text, good) = match first {
        Some("yes" | "no") if first.is_some_and(right) => ("answers".to_owned(), true),
        Some(answer @ ("yes" | "no")) => (format!("**wrong answer**: {answer}"), false),
        Some(error) => (format!("`{error}`"), true),
        None if late => return ("**runs on**, killed after 10 s".to_owned(), false),
        None => {
            let signal = match code {
                129 => "HUP",
                130 => "INT",
                134 => "ABRT",
                135 => "BUS",
                136 => "FPE",
                139 => "SEGV",
                141 => "PIPE",
                143 => "TERM",
                _ => "",
            };
            return match code {
                _ if !signal.is_empty() && right(signal) => (format!("ends by SIG{signal}"), true),
                _ if !signal.is_empty() => (format!("**crash**: SIG{signal}"), false),
                3 if has_message => (LIMIT.to_owned(), true),
                _ if has_message => (format!("exit with a message, status {code}"), true),
                _ => (format!("**silent exit**, status {code}"), false),
            };
        }
    };
    match (works_on, late) {
        (true, _) => (text, good),
        (false, true) => (format!("{text}, then **runs on**"), false),
        (false, false) => (format!("{text}, then **ends with status {code}**"), false),
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the report of a long run")]
fn hostile_inputs_end_clearly() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/resilience.md");
    let all = std::env::var_os("RESILIENCE").is_some();
    let only = std::env::var("RESILIENCE_ONLY").ok();
    let page = std::fs::read_to_string(&path).expect("docs/resilience.md");
    let mut table = String::new();
    let mut bad = String::new();
    for input in inputs() {
        if only.as_ref().is_some_and(|only| !input.name.contains(only)) {
            continue;
        }
        let row = format!("| {} |", input.name);
        if all || only.is_some() {
            table.push_str(&row);
            for system in SYSTEMS {
                let outcome = run(&input, system);
                write!(table, " {} |", outcome.text).expect("memory");
                println!("{row} {} {:.1} s", outcome.text, outcome.seconds);
                if only.is_some() {
                    println!("{}", outcome.messages);
                }
            }
            table.push('\n');
        } else if !input.slow {
            let outcome = run(&input, System::Wamlet);
            let row = format!("{row} {} |", outcome.text);
            // On a busy machine an input may reach the time limit instead of its usual outcome.
            let known = page.contains(&row) || outcome.text == LIMIT;
            if !outcome.good || !known {
                writeln!(bad, "docs/resilience.md lacks {row} {}", outcome.messages)
                    .expect("memory");
            }
        }
    }
    if all {
        let (head, rest) = page.split_once(TABLE_BEGINS).expect("a table");
        let tail = rest.split_once("\n\n").map_or("", |(_, tail)| tail);
        let page = format!("{head}{TABLE_BEGINS}{table}\n{tail}");
        std::fs::write(&path, page).expect("a writable folder");
    }
    assert!(bad.is_empty(), "{bad}");
}
