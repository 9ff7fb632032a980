//! Calls every predicate of the manual that SWI-Prolog has too, with arguments of each mode: of the right
//! type, unbound, partial, of a wrong type, cyclic, and closures with several solutions or errors. The test
//! compares the answers: solutions in order, up to names of variables, or the formal part of the error. The
//! folder `answers` holds the answers of SWI-Prolog. Where Wamlet differs, `explained.txt` gives the reason,
//! or the test fails. `table.txt` has the numbers of cases and differences of each predicate. A predicate of
//! the manual that is neither recorded nor in `skipped.txt` fails the test.
//!
//! `cases.rs` makes the arguments. `CENSUS_RECORD=1 cargo test --release --test census -- --ignored` runs
//! changed cases with the installed `swipl` and records its answers; `CENSUS_RECORD=all` runs all cases.
//! `CENSUS=lists` runs only those of one library. `UPDATE_GOLDEN=1` writes the table.
#![cfg(unix)]

mod cases;
#[path = "../support/explained.rs"]
mod explained;

use cases::{Library, Predicate};
use explained::Explained;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/census");
const DRIVER: &str = include_str!("driver.pl");
/// The longest time without output from a process.
const SILENCE: Duration = Duration::from_secs(10);
/// The entry for a predicate that the other system lacks.
const ABSENT: &str = "absent";

/// A Prolog system: its name, the limit of a case, and the command that loads files and calls `run`.
struct System {
    name: &'static str,
    limited: &'static str,
    command: fn() -> Command,
}

const OURS: System = System {
    name: "wamlet",
    limited: ":- meta_predicate(limited(0)).\n\
        limited(Goal) :-\n\
            call_with_inference_limit(Goal, 300000, Result), !,\n\
            ( Result == inference_limit_exceeded -> throw(endless) ; true ).\n\
        limited(_).\n\
        visible(Head) :- predicate_property(Head, visible), !.\n",
    command: || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wamlet"));
        command.args(["-q", "--max-memory", "256m", "-g", "run"]);
        command
    },
};

const SWIPL: System = System {
    name: "swipl",
    limited: ":- use_module(library(time)).\n\
        :- set_prolog_flag(on_error, print).\n\
        limited(Goal) :- call_with_time_limit(1, ignore(Goal)).\n\
        visible(Head) :- catch(predicate_property(user:Head, visible), _, fail), !.\n",
    command: || {
        let mut command = Command::new("swipl");
        command.args(["--stack-limit=64m", "-q", "-g", "run", "-t", "halt"]);
        command
    },
};

/// The answers to the cases of a predicate, in order; `None` if the system does not have it.
type Answers = Option<Vec<String>>;

// ---- running the systems ------------------------------------------------------------------------

/// Runs the cases of a library with the system. If a process ends or is silent for too long, a new process
/// continues after the current case.
fn ask(system: &System, library: &Library, predicates: &[&Predicate]) -> Vec<Answers> {
    let folder = std::env::temp_dir().join(format!(
        "census-{}-{}-{}",
        system.name,
        library.name.replace('/', "-"),
        std::process::id()
    ));
    fs::create_dir_all(&folder).expect("a folder");
    let mut text = format!("{}{DRIVER}", system.limited);
    for name in library.loads() {
        let _ = writeln!(text, ":- catch(use_module(library({name})), _, true).\n");
    }
    fs::write(folder.join("driver.pl"), text).expect("a file");
    let mut numbered = Vec::new();
    for (at, predicate) in predicates.iter().enumerate() {
        numbered.extend((0..predicate.cases.len()).map(|case| (at, case)));
    }
    let mut found: HashMap<usize, String> = HashMap::new();
    let mut absent = vec![false; predicates.len()];
    let mut from = 0;
    while from < numbered.len() {
        let mut text = String::from(":- discontiguous(case/3).\n");
        for (at, predicate) in predicates.iter().enumerate() {
            let _ = writeln!(
                text,
                "asked({at}) :- functor(Head, {}, {}), visible(Head).\n\
                 :- \\+ asked({at}), write('absent {at}'), nl ; true.",
                predicate.quoted_name(),
                predicate.arguments.len()
            );
        }
        let text = text.replace("asked(", "known_predicate(");
        let mut text = format!(":- discontiguous(known_predicate/1).\n{text}");
        for (number, &(at, case)) in numbered.iter().enumerate().skip(from) {
            if !absent[at] {
                let case = &predicates[at].cases[case];
                let _ = writeln!(text, "case({number}, ({}), ({})).", case.setup, case.goal);
            }
        }
        fs::write(folder.join("cases.pl"), text).expect("a file");
        let output = run(system, &folder);
        let mut last = None;
        for line in output.lines() {
            if let Some(at) = line.strip_prefix("absent ") {
                absent[at.parse::<usize>().expect("a number")] = true;
            } else if let Some((number, answer)) = line.split_once('\t')
                && let Ok(number) = number.parse::<usize>()
            {
                last = Some(number);
                found.insert(number, answer.to_owned());
            }
        }
        // If the last line is incomplete, the process ended within that case.
        match last {
            Some(number) if output.ends_with('\n') => {
                let rest = numbered.iter().enumerate().skip(number + 1);
                let left = rest.filter(|(_, (at, _))| !absent[*at]).count();
                if left == 0 {
                    break;
                }
                from = number + 1;
            }
            Some(number) => {
                found.insert(number, "ends".to_owned());
                from = number + 1;
            }
            None => break,
        }
    }
    let _ = fs::remove_dir_all(&folder);
    let mut answers = Vec::new();
    let mut number = 0;
    for (at, predicate) in predicates.iter().enumerate() {
        let all = (0..predicate.cases.len()).map(|case| found.remove(&(number + case)));
        let all = all.map(|answer| answer.unwrap_or_else(|| "nothing".to_owned()));
        let all: Vec<String> = all.map(|answer| answer.trim_end().to_owned()).collect();
        answers.push((!absent[at]).then_some(all));
        number += predicate.cases.len();
    }
    answers
}

/// Returns the output of a process before it ends or is silent for too long.
fn run(system: &System, folder: &Path) -> String {
    let out = folder.join("out");
    let file = fs::File::create(&out).expect("a file");
    let errors = fs::File::create(folder.join("err")).expect("a file");
    let mut command = (system.command)();
    let child = command
        .arg(folder.join("driver.pl"))
        .arg(folder.join("cases.pl"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(errors)
        .spawn();
    let mut child = child.expect("the system is installed");
    let (mut size, mut since) = (0, Instant::now());
    while child.try_wait().expect("it can be waited for").is_none() {
        let now = fs::metadata(&out).map_or(0, |data| data.len());
        if now != size {
            (size, since) = (now, Instant::now());
        } else if since.elapsed() > SILENCE {
            child.kill().expect("it can be ended");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    String::from_utf8_lossy(&fs::read(&out).expect("its output")).into_owned()
}

// ---- the records --------------------------------------------------------------------------------

/// Returns the recorded answers of SWI-Prolog for a library, by the key of a predicate and its cases. The file
/// has a line for each distinct answer, and a line for each predicate with the numbers of its answers.
fn kept(library: &Library) -> HashMap<String, Answers> {
    let mut all = HashMap::new();
    let mut texts = Vec::new();
    for line in fs::read_to_string(kept_file(library))
        .unwrap_or_default()
        .lines()
    {
        if let Some(text) = line.strip_prefix('=') {
            texts.push(text.to_owned());
        } else if let Some((key, numbers)) = line.split_once(": ") {
            let answers = numbers.split(' ').map(|number| {
                let number: usize = number.parse().expect("the number of an answer");
                texts[number].clone()
            });
            let answers = (numbers != ABSENT).then(|| answers.collect());
            all.insert(key.trim_start().to_owned(), answers);
        }
    }
    all
}

fn keep(library: &Library, answers: &[(String, Answers)]) {
    let (mut numbers, mut texts, mut lines) = (HashMap::new(), String::new(), String::new());
    for (key, answers) in answers {
        // Lines of answers begin with `=`. A key that begins with `=` has a blank before it.
        let blank = if key.starts_with('=') { " " } else { "" };
        let _ = write!(lines, "{blank}{key}:");
        for answer in answers.iter().flatten() {
            let next = numbers.len();
            let number = *numbers.entry(answer).or_insert_with(|| {
                let _ = writeln!(texts, "={answer}");
                next
            });
            let _ = write!(lines, " {number}");
        }
        lines.push_str(if answers.is_none() { " absent\n" } else { "\n" });
    }
    let path = kept_file(library);
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
    fs::write(path, texts + &lines).expect("a file");
}

fn kept_file(library: &Library) -> PathBuf {
    let name = library.name.to_lowercase().replace('/', "_");
    Path::new(FOLDER)
        .join("answers")
        .join(format!("{name}.txt"))
}

/// Returns the predicate with a hash of its cases.
fn key(predicate: &Predicate) -> String {
    // FNV-1a: the same in every version of the compiler.
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn write(&mut self, bytes: &[u8]) {
            for &byte in bytes {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        fn finish(&self) -> u64 {
            self.0
        }
    }
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for case in &predicate.cases {
        hash.write(case.setup.as_bytes());
        hash.write(case.goal.as_bytes());
    }
    let (name, arity) = (&predicate.name, predicate.arguments.len());
    format!("{name}/{arity} {:08x}", hash.finish() >> 32)
}

// ---- comparing --------------------------------------------------------------------------------

/// The result of a comparison.
#[derive(Default)]
struct Census {
    /// The lines of the table.
    table: String,
    /// The differences without an explanation.
    report: String,
    /// The number of differences that each explanation covers.
    used: BTreeMap<usize, usize>,
}

impl Census {
    fn compare(
        &mut self,
        library: &Library,
        predicates: &[&Predicate],
        ours: &[Answers],
        theirs: &[Answers],
        explained: &[Explained],
    ) {
        for ((predicate, ours), theirs) in predicates.iter().zip(ours).zip(theirs) {
            let Some(theirs) = theirs else { continue };
            let missing = vec!["absent".to_owned(); predicate.cases.len()];
            let ours = ours.as_ref().unwrap_or(&missing);
            let mut differ = 0;
            for (case, (our, their)) in predicate.cases.iter().zip(ours.iter().zip(theirs)) {
                // A case that the other system did not finish is not compared.
                if our == their || their == "endless" || their == "ends" {
                    continue;
                }
                differ += 1;
                let goal = case.query();
                let known = explained
                    .iter()
                    .position(|why| why.explains(&library.name, &goal, our, their));
                if let Some(known) = known {
                    *self.used.entry(known).or_default() += 1;
                } else {
                    let _ = writeln!(
                        self.report,
                        "{}: ?- {goal}.\n  wamlet: {our}\n  swipl:  {their}",
                        library.name
                    );
                }
            }
            let indicator = format!("{}/{}", predicate.name, predicate.arguments.len());
            let _ = writeln!(
                self.table,
                "{:<16} {indicator:<34} {:>5} {differ:>10}",
                library.name,
                predicate.cases.len()
            );
        }
    }
}

/// Returns the libraries to compare.
fn libraries() -> Vec<Library> {
    let only = std::env::var("CENSUS").ok();
    let all = cases::libraries().into_iter();
    all.filter(|library| only.as_ref().is_none_or(|only| *only == library.name))
        .collect()
}

#[test]
fn library_predicates_answer_as_those_of_swi_prolog() {
    let explained = Explained::all(Path::new(FOLDER));
    let mut census = Census::default();
    let mut unrecorded = String::new();
    for library in &libraries() {
        let kept = kept(library);
        let (mut predicates, mut theirs) = (Vec::new(), Vec::new());
        for predicate in &library.predicates {
            match kept.get(&key(predicate)) {
                Some(Some(answers)) => {
                    predicates.push(predicate);
                    theirs.push(Some(answers.clone()));
                }
                Some(None) => {}
                None => {
                    let _ = writeln!(unrecorded, "{}: {}", library.name, predicate.indicator());
                }
            }
        }
        let ours = ask(&OURS, library, &predicates);
        census.compare(library, &predicates, &ours, &theirs, &explained);
    }
    let Census {
        table,
        report,
        used,
    } = census;
    assert!(
        unrecorded.is_empty(),
        "record these (CENSUS_RECORD=1 with swipl), or give a reason in skipped.txt:\n{unrecorded}"
    );
    assert!(report.is_empty(), "answers differ:\n{report}");
    if std::env::var_os("CENSUS").is_some() {
        return;
    }
    let mut unused = String::new();
    for (at, why) in explained.iter().enumerate() {
        if !used.contains_key(&at) {
            let _ = writeln!(
                unused,
                "{}: {}: {}: {}",
                why.peer, why.goal, why.ours, why.theirs
            );
        }
    }
    assert!(unused.is_empty(), "these explain nothing:\n{unused}");
    let table = format!(
        "{:<16} {:<34} {:>5} {:>10}\n{table}",
        "library", "predicate", "cases", "explained"
    );
    let path = Path::new(FOLDER).join("table.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &table).expect("a file");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(written, table, "table.txt is stale: UPDATE_GOLDEN=1");
}

#[test]
#[ignore = "needs swipl"]
#[expect(clippy::print_stdout, reason = "the report of a long run")]
fn answers_of_swi_prolog_are_recorded() {
    let mode = std::env::var("CENSUS_RECORD").unwrap_or_default();
    for library in &libraries() {
        let mut kept = kept(library);
        if mode == "all" {
            kept.clear();
        }
        let all = library.predicates.iter();
        let asked: Vec<&Predicate> = all.filter(|one| !kept.contains_key(&key(one))).collect();
        println!("{}: {} predicates to ask for", library.name, asked.len());
        let answers = ask(&SWIPL, library, &asked);
        kept.extend(asked.iter().map(|one| key(one)).zip(answers));
        let all = library.predicates.iter().map(key);
        let all: Vec<(String, Answers)> = all
            .map(|key| (key.clone(), kept.remove(&key).unwrap_or_default()))
            .collect();
        keep(library, &all);
    }
}
