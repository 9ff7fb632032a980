//! Calls every builtin and every library predicate, also the internal ones, with hard arguments: cyclic,
//! deep, large, partial, attributed. One argument at a time is hard; the others have values that fit the
//! manual. Each call must end within its limits of time and memory, without a panic, and the engine must
//! work on.
//!
//! By default a predicate gets one of the hard terms for each argument, and smaller ones; `SWEEP=all`
//! uses every hard term. `SWEEP_NAME=append` calls only predicates of that name. `SWEEP_LEVELS=1000000`
//! sets the depth and length of terms. The test writes the current call into the file `SWEEP_CASE`,
//! where it survives a crash.
#![cfg(target_os = "linux")]

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use wamlet::{Engine, ErrorKind};

/// The manual: the documented predicates, each with the names of its arguments.
const MANUAL: &str = include_str!("../../docs/builtins.md");
/// The hard terms, and the goals that make them.
const HARD: &str = include_str!("hard.txt");
/// The program that these goals use.
const PROGRAM: &str = include_str!("terms.pl");
/// Values for the argument names of the manual.
const VALUES: &str = include_str!("values.txt");
/// Predicates that are not called.
const SKIPPED: &str = include_str!("skipped.txt");

/// Processor time of a goal beyond its limit of time, in milliseconds.
const MORE_TIME: u64 = 1000;
/// Memory of an engine, in bytes.
const MEMORY: u64 = 256 << 20;
/// Number of predicates that an engine calls before a new one replaces it.
const OF_AN_ENGINE: usize = 60;

/// Number of reported panics.
static PANICS: AtomicUsize = AtomicUsize::new(0);

/// A predicate: its name, and the mode and name of each argument.
struct Predicate {
    name: String,
    arguments: Vec<String>,
}

/// Returns an environment variable.
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Returns the lines of a file of data, without comments.
fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .filter(|line| !line.starts_with('%') && !line.is_empty())
}

/// Returns the predicates of the manual.
fn documented() -> Vec<Predicate> {
    let mut found = Vec::new();
    for line in MANUAL.lines().filter(|line| line.starts_with('`')) {
        let Some((head, _)) = line[1..].split_once('`') else {
            continue;
        };
        let (head, of_grammar) = match head.strip_suffix("//") {
            Some(head) => (head, true),
            None => (head, false),
        };
        let inner = head.strip_suffix(')').and_then(|head| head.split_once('('));
        let (name, arguments) = match inner {
            Some((name, arguments)) if !name.is_empty() => (name, arguments),
            _ => (head, ""),
        };
        let mut arguments: Vec<String> = arguments
            .split(", ")
            .filter(|argument| !argument.is_empty())
            .map(|argument| argument.trim_end_matches("...").to_owned())
            .collect();
        if of_grammar {
            arguments.extend(["+Codes".to_owned(), "-Rest".to_owned()]);
        }
        found.push(Predicate {
            name: name.to_owned(),
            arguments,
        });
    }
    assert!(found.len() > 700, "the manual lists the predicates");
    found
}

/// Returns the internal predicates of the tables in `src`, which the manual does not document.
fn internal() -> Vec<Predicate> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(path).expect("a file");
                found.extend(text.lines().filter_map(internal_of));
            }
        }
    }
    found.sort_by(|one: &Predicate, other| one.name.cmp(&other.name));
    assert!(found.len() > 100, "the tables have internal predicates");
    found
}

/// Returns the internal predicate of a row `iso "$name"("+text", "-list") …`.
fn internal_of(line: &str) -> Option<Predicate> {
    let (class, row) = line.trim_start().split_once(" \"$")?;
    let (name, rest) = row.split_once("\"(")?;
    let (arguments, _) = rest.split_once(')')?;
    let is_class = ["iso", "library", "internal"].contains(&class);
    is_class.then(|| Predicate {
        name: format!("${name}"),
        arguments: arguments
            .split(", ")
            .map(|argument| argument.trim_matches('"').to_owned())
            .filter(|argument| !argument.is_empty())
            .collect(),
    })
}

/// Returns the predicates to call.
fn predicates() -> Vec<Predicate> {
    let skipped: Vec<&str> = lines(SKIPPED)
        .map(|line| line.split(": ").next().unwrap_or(line))
        .collect();
    let only = setting("SWEEP_NAME");
    documented()
        .into_iter()
        .chain(internal())
        .filter(|one| {
            let key = format!("{}/{}", one.name, one.arguments.len());
            !skipped.contains(&key.as_str()) && only.as_ref().is_none_or(|only| *only == one.name)
        })
        .collect()
}

/// Returns a plausible value of an argument, by its mode and name.
fn value<'a>(argument: &str, values: &HashMap<&str, &'a str>) -> &'a str {
    let word = argument.trim_start_matches(['+', '-', '?', ':', '@']);
    if argument.starts_with('-') {
        return "_";
    }
    match values.get(word) {
        Some(value) => value,
        None if argument.starts_with(':') => "good",
        None if argument.starts_with('+') => "a",
        None => "_",
    }
}

/// Returns a goal that calls the predicate with the hard term as argument number `hard`.
fn call(predicate: &Predicate, hard: usize, values: &HashMap<&str, &str>) -> String {
    let arguments: Vec<&str> = (0..)
        .zip(&predicate.arguments)
        .map(|(at, argument)| match at == hard {
            true => "X",
            false => value(argument, values),
        })
        .collect();
    let name = predicate.name.replace('\\', "\\\\");
    format!("'{name}'({})", arguments.join(", "))
}

fn engine(levels: usize) -> Engine {
    let mut engine = Engine::builder()
        .memory_limit(MEMORY as usize)
        .build()
        .expect("there is memory");
    engine.capture_output();
    engine.capture_error_output();
    engine.print_diagnostics(false);
    engine.set_input_text("a. b(X). 'c' \"d\". ");
    engine
        .consult_text("terms.pl", PROGRAM)
        .expect("the program is loaded");
    let kept = engine.query_once(&format!("keep({levels})"));
    assert!(matches!(kept, Ok(Some(_))), "{kept:?}");
    engine
}

/// Returns whether the engine still works.
fn works(engine: &mut Engine) -> bool {
    let goal = "X = f(1, Y), copy_term(X, Z), X = Z, atom_length(abc, N), catch(throw(X), f(A, _), true), N = 3, A = 1";
    matches!(engine.query_once(goal), Ok(Some(_)))
}

/// Returns the processor time of this thread in milliseconds.
fn processor_time() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("the times of the thread");
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    nanoseconds.unwrap_or(0_u64) / 1_000_000
}

/// Returns memory of the process in bytes: `VmRSS` is the current memory, `VmHWM` the peak.
fn memory(what: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").expect("the state of the process");
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let line = lines.find_map(|(name, value)| (name == what).then_some(value));
    let kilobytes = line.and_then(|value| value.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(0_u64) << 10
}

/// Resets the peak of memory to the current memory, if the system allows it.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Returns the fault of a call with a limit in milliseconds, if it has one. Only processor time counts,
/// so other processes do not matter.
fn fault(engine: &mut Engine, goal: &str, limit: u64) -> Option<String> {
    let limited = format!("T is {limit} / 1000.0, call_with_time_limit(T, ignore(({goal})))");
    let (start, panics) = (processor_time(), PANICS.load(Ordering::Relaxed));
    forget_peak();
    let before = memory("VmRSS");
    // The answer does not matter here.
    let result = engine
        .query(&limited)
        .and_then(|mut answers| answers.advance());
    let (time, peak) = (processor_time() - start, memory("VmHWM"));
    engine.take_output();
    engine.take_error_output();
    if PANICS.load(Ordering::Relaxed) > panics {
        return Some("a panic".to_owned());
    }
    if let Err(error) = &result {
        let text = error.to_string();
        if *error.kind() == ErrorKind::Internal || text.contains("system_error") {
            return Some(text.chars().take(300).collect());
        }
    }
    if time > limit + MORE_TIME {
        return Some(format!("{time} ms"));
    }
    // A third more is allowed for garbage and uncounted memory.
    let most = before + MEMORY / 3 * 4;
    (peak > most).then(|| format!("{} MB, {} MB of them before", peak >> 20, before >> 20))
}

/// Changes into a new folder, because calls may leave files behind. Returns its path.
fn enter_folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wamlet-sweep-{}", std::process::id()));
    fs::create_dir_all(folder.join("folder")).expect("a folder for temporary files");
    std::env::set_current_dir(&folder).expect("the folder can be entered");
    folder
}

#[test]
#[expect(clippy::print_stderr, reason = "the report of a long run")]
fn every_predicate_takes_hard_arguments() {
    std::panic::set_hook(Box::new(|info| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        eprintln!("{info}");
    }));
    let all = setting("SWEEP").is_some_and(|value| value == "all");
    let levels = setting("SWEEP_LEVELS").and_then(|value| value.parse().ok());
    let levels = levels.unwrap_or(if all { 1_000_000 } else { 10_000 });
    let limit = if all { 2000 } else { 200 };
    let note = setting("SWEEP_CASE");
    let folder = enter_folder();
    let hard: Vec<(&str, &str)> = lines(HARD)
        .filter_map(|line| line.split_once(": "))
        .collect();
    let values = lines(VALUES)
        .filter_map(|line| line.split_once(" = "))
        .collect();
    let (mut found, mut calls) = (Vec::new(), 0);
    let mut engine = self::engine(levels);
    let mut turn = 0;
    for (number, predicate) in predicates().iter().enumerate() {
        if number % OF_AN_ENGINE == OF_AN_ENGINE - 1 {
            drop(engine);
            engine = self::engine(levels);
        }
        for at in 0..predicate.arguments.len() {
            let tried = if all { hard.len() } else { 1 };
            for _ in 0..tried {
                let (what, made) = hard[turn % hard.len()];
                turn += 1;
                fs::write("file.txt", "a. b. c.\n").expect("a file");
                let goal = format!("{made}, {}", call(predicate, at, &values));
                if let Some(path) = &note {
                    fs::write(path, &goal).expect("a file for the case");
                }
                calls += 1;
                let mut fault = self::fault(&mut engine, &goal, limit);
                if !works(&mut engine) {
                    fault = fault.or_else(|| Some("the engine works no more".to_owned()));
                }
                if let Some(fault) = fault {
                    eprintln!("{what}: {goal}: {fault}");
                    found.push(format!("{goal}: {fault}"));
                    engine = self::engine(levels);
                }
            }
        }
        // The next predicate begins with another term.
        turn += 1;
    }
    let _ = fs::remove_dir_all(folder);
    eprintln!("{calls} calls");
    assert!(found.is_empty(), "{}", found.join("\n"));
}
