//! Every builtin and every predicate of the libraries, the internal ones too, is called with arguments
//! that are hard to take: cyclic, deep, large, partial, attributed. One argument at a time is, the
//! others have values that the manual lets expect. Each call ends within its limits of time and
//! memory, without a panic, and the engine works on.
//!
//! A plain run has one of the hard terms for each argument, and smaller ones; `SWEEP=all` has each
//! of them. `SWEEP_NAME=append` calls predicates of that name only, `SWEEP_LEVELS=1000000` tells how
//! deep and long terms are. What is called stands in the file `SWEEP_CASE`: a crash leaves nothing else.
#![cfg(target_os = "linux")]

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use wamlet::{Engine, ErrorKind};

/// The documented predicates, each with the words for its arguments.
const MANUAL: &str = include_str!("../../docs/builtins.md");
/// The terms, and the goals that make them.
const HARD: &str = include_str!("hard.txt");
/// What they are made of.
const PROGRAM: &str = include_str!("terms.pl");
/// Values for the words of the manual.
const VALUES: &str = include_str!("values.txt");
/// Predicates that are not called.
const SKIPPED: &str = include_str!("skipped.txt");

/// What a goal is given of the processor beyond its limit of time, in milliseconds.
const MORE_TIME: u64 = 1000;
/// Bytes of an engine.
const MEMORY: u64 = 256 << 20;
/// Predicates of an engine before it gives way to a new one.
const OF_AN_ENGINE: usize = 60;

/// How many panics were told of.
static TOLD: AtomicUsize = AtomicUsize::new(0);

/// A predicate: its name, and for each argument its mode and what it is.
struct Predicate {
    name: String,
    arguments: Vec<String>,
}

/// A setting of the surroundings.
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// The lines of a file of data, without comments.
fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .filter(|line| !line.starts_with('%') && !line.is_empty())
}

/// The predicates of the manual.
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
    assert!(found.len() > 700, "the manual tells of the predicates");
    found
}

/// The internal predicates of the tables in `src`, which the manual does not tell of.
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

/// The internal predicate of a row `iso "$name"("+text", "-list") …`.
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

/// The predicates that are called.
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

/// A plausible value of an argument, by its mode and the word for it.
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

/// A goal that calls the predicate with the hard term as the argument of that number.
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

/// Does the engine work as ever?
fn works(engine: &mut Engine) -> bool {
    let goal = "X = f(1, Y), copy_term(X, Z), X = Z, atom_length(abc, N), catch(throw(X), f(A, _), true), N = 3, A = 1";
    matches!(engine.query_once(goal), Ok(Some(_)))
}

/// What this thread has had of the processor, in thousandths of a second.
fn processor_time() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("the system tells");
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    nanoseconds.unwrap_or(0_u64) / 1_000_000
}

/// Memory of the process in bytes: `VmRSS` is what it has, `VmHWM` the most that it had.
fn memory(what: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").expect("the system tells");
    let mut lines = text.lines().filter_map(|line| line.split_once(':'));
    let line = lines.find_map(|(name, value)| (name == what).then_some(value));
    let kilobytes = line.and_then(|value| value.trim().trim_end_matches(" kB").parse().ok());
    kilobytes.unwrap_or(0_u64) << 10
}

/// The most that the process had begins anew with what it has, if the system lets it.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// What is wrong with a call that has so many milliseconds, if anything is. What a busy machine gives to
/// others is no time of the call.
fn fault(engine: &mut Engine, goal: &str, limit: u64) -> Option<String> {
    let limited = format!("T is {limit} / 1000.0, call_with_time_limit(T, ignore(({goal})))");
    let (start, told) = (processor_time(), TOLD.load(Ordering::Relaxed));
    forget_peak();
    let before = memory("VmRSS");
    // What a caller sees of the answer is no matter of this.
    let result = engine
        .query(&limited)
        .and_then(|mut answers| answers.advance());
    let (time, peak) = (processor_time() - start, memory("VmHWM"));
    engine.take_output();
    engine.take_error_output();
    if TOLD.load(Ordering::Relaxed) > told {
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
    // A third more is for garbage and for what is not counted.
    let most = before + MEMORY / 3 * 4;
    (peak > most).then(|| format!("{} MB, {} MB of them before", peak >> 20, before >> 20))
}

/// Goes on in a folder of its own, which is given back: calls may leave files behind.
fn enter_folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("wamlet-sweep-{}", std::process::id()));
    fs::create_dir_all(folder.join("folder")).expect("a folder for temporary files");
    std::env::set_current_dir(&folder).expect("the folder can be entered");
    folder
}

#[test]
#[expect(clippy::print_stderr, reason = "a long run tells what it finds")]
fn every_predicate_takes_hard_arguments() {
    std::panic::set_hook(Box::new(|info| {
        TOLD.fetch_add(1, Ordering::Relaxed);
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
        // The next argument begins with other terms.
        turn += 1;
    }
    let _ = fs::remove_dir_all(folder);
    eprintln!("{calls} calls");
    assert!(found.is_empty(), "{}", found.join("\n"));
}
