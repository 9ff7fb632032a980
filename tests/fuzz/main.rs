//! Random texts, terms, goals and programs: whatever they are, an engine gives an answer or an error
//! and works on. A seed always gives the same case.
//!
//! Each test takes a moment. With `FUZZ_SECONDS` each goes on for so long, from the seed
//! `FUZZ_SEED`, if that is set; the case under way stands in the file `FUZZ_CASE`.

mod generate;
#[path = "../support/random.rs"]
mod random;

use random::Random;
use std::fs;
use std::time::{Duration, Instant};
use wamlet::{Engine, Error, ErrorKind};

/// What a case may take at most.
const TIME: Duration = Duration::from_millis(50);
/// Bytes of an engine.
const MEMORY: usize = 64 << 20;
/// Cases of an engine before it gives way to a new one.
const CASES_OF_AN_ENGINE: u64 = 2000;

/// Gives `case` a random source and its number, so many times as a moment allows, or for as long as
/// it is wanted.
#[expect(clippy::print_stdout, reason = "the report of a long run")]
fn repeat(name: &str, moment: u64, mut case: impl FnMut(&mut Random, u64)) {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let seconds = number("FUZZ_SECONDS");
    let first = number("FUZZ_SEED").unwrap_or(1);
    let start = Instant::now();
    let mut count = 0;
    loop {
        let goes_on = match seconds {
            Some(seconds) => start.elapsed() < Duration::from_secs(seconds),
            None => count < moment,
        };
        if !goes_on {
            break;
        }
        case(&mut Random::new(first + count), first + count);
        count += 1;
    }
    if seconds.is_some() {
        println!("{name}: {count} cases from seed {first}");
    }
}

fn engine() -> Engine {
    let builder = Engine::builder().memory_limit(MEMORY).time_limit(TIME);
    let mut engine = builder.build().expect("there is memory");
    engine.capture_output();
    engine.set_input_text("a. b(X, Y). 'c' \"d\" 0'e 1.5. ");
    engine.print_diagnostics(false);
    engine
}

/// Notes the case under way: a crash leaves nothing else behind.
fn note(case: &str) {
    if let Ok(path) = std::env::var("FUZZ_CASE") {
        fs::write(path, case).expect("a file for the case");
    }
}

/// An error that no text may lead to: a broken invariant.
fn is_fault(error: &Error) -> bool {
    let text = error.to_string();
    *error.kind() != ErrorKind::Resource
        && (text.contains("system_error") || text.contains("panicked"))
        && [
            "index out of",
            "unreachable",
            "unwrap",
            "overflow",
            "assert",
            "panicked",
            "slice",
            "char boundary",
            "RefCell",
            "capacity",
        ]
        .iter()
        .any(|sign| text.contains(sign))
}

/// Asks for up to three answers; the text of each, or of the error.
fn answers(engine: &mut Engine, goal: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut solutions = match engine.query(goal) {
        Ok(solutions) => solutions,
        Err(error) => {
            assert!(!is_fault(&error), "{goal}: {error}");
            return vec![format!("{:?}", error.kind())];
        }
    };
    for _ in 0..3 {
        match solutions.next() {
            None => break,
            Some(Ok(solution)) => texts.push(solution.to_string()),
            Some(Err(error)) => {
                assert!(!is_fault(&error), "{goal}: {error}");
                texts.push(match error.kind() {
                    ErrorKind::Uncaught => error.ball_text().to_owned(),
                    kind => format!("{kind:?}"),
                });
                break;
            }
        }
    }
    texts
}

/// The engine still does what it should.
fn works(engine: &mut Engine, after: &str) {
    let answer = engine
        .query_once("X = f(1, Y, \"s\"), atom_length(abc, N), catch(throw(X), f(A, _, _), true)");
    match answer {
        Ok(Some(solution)) => {
            let text = solution.to_string();
            assert!(
                text.contains("N = 3") && text.contains("A = 1"),
                "after {after}: {text}"
            );
        }
        other => panic!("after {after}: {other:?}"),
    }
}

/// The builtins of the manual that leave the engine and the files alone: name and arity.
fn builtins() -> Vec<(String, usize)> {
    const NOT: [&str; 26] = [
        "halt",
        "shell",
        "sleep",
        "abort",
        "prolog",
        "delete_file",
        "delete_directory",
        "rename_file",
        "make_directory",
        "working_directory",
        "chdir",
        "cd",
        "tmp_file",
        "tmp_file_stream",
        "open",
        "tell",
        "append",
        "setenv",
        "unsetenv",
        "absolute_file_name",
        "told",
        "break",
        "set_stream",
        "close",
        "set_prolog_flag",
        "op",
    ];
    let manual = include_str!("../../docs/builtins.md");
    let mut found = Vec::new();
    for line in manual.lines().filter(|line| line.starts_with('`')) {
        let Some((head, _)) = line[1..].split_once('`') else {
            continue;
        };
        let (name, args) = match head
            .rsplit_once(')')
            .and_then(|(head, _)| head.split_once('('))
        {
            Some((name, args)) if !name.is_empty() => (name, args),
            _ => (head, ""),
        };
        let arity = if args.is_empty() {
            0
        } else {
            args.split(',').count()
        };
        if !NOT.contains(&name) && !name.contains(' ') {
            found.push((name.to_owned(), arity));
        }
    }
    assert!(found.len() > 300, "the manual tells of the builtins");
    found
}

#[test]
fn builtins_take_any_arguments() {
    let builtins = builtins();
    let mut engine = engine();
    repeat("builtins", 400, |random, number| {
        if number % CASES_OF_AN_ENGINE == 0 {
            engine = self::engine();
        }
        let (name, arity) = &builtins[random.below(builtins.len())];
        let goal = random.call(name, *arity);
        note(&goal);
        answers(&mut engine, &goal);
        // What a case sets free is its own; a flag or an operator it may have changed.
        if number % 50 == 0 {
            works(&mut engine, &goal);
        }
    });
}

#[test]
fn any_text_can_be_read() {
    let mut engine = engine();
    repeat("reader", 1000, |random, number| {
        if number % CASES_OF_AN_ENGINE == 0 {
            engine = self::engine();
        }
        let text = random.text();
        note(&text);
        if random.below(2) == 0 {
            let read = engine.parse_term(&text);
            assert!(!read.is_err_and(|error| is_fault(&error)), "{text}");
        } else {
            let loaded = engine.consult_text("fuzz.pl", &text);
            match loaded {
                Ok(report) => assert!(
                    !report
                        .errors
                        .iter()
                        .any(|error| error.to_string().contains("system_error")),
                    "{text}"
                ),
                Err(error) => assert!(!is_fault(&error), "{text}: {error}"),
            }
        }
    });
    works(&mut engine, "reading");
}

#[test]
fn any_text_can_be_a_lolli_module() {
    let mut engine = engine();
    repeat("lolli", 1000, |random, number| {
        if number % CASES_OF_AN_ENGINE == 0 {
            engine = self::engine();
        }
        let text = random.lolli_text();
        note(&text);
        let goal = format!(
            "catch(call_with_time_limit(1, lolli_query({}, _)), _, true)",
            generate::quoted(&text)
        );
        answers(&mut engine, &goal);
    });
    works(&mut engine, "reading");
}

#[test]
fn what_is_written_is_read_as_the_same() {
    let mut engine = engine();
    repeat("round trip", 600, |random, number| {
        if number % CASES_OF_AN_ENGINE == 0 {
            engine = self::engine();
        }
        // What stands for a numbered variable is written as one.
        let term = random.term(4).replace("'$VAR'", "'$VAL'");
        note(&term);
        for write in ["writeq", "print", "write_canonical"] {
            let goal = format!(
                "T = {term}, ( acyclic_term(T), term_attvars(T, []) -> with_output_to(string(S), {write}(T)), \
                 term_to_atom(U, S), ( T =@= U -> true ; throw(differs(S)) ) ; true )"
            );
            let found = answers(&mut engine, &goal);
            assert!(
                !found.iter().any(|text| text.contains("differs(")),
                "{goal}: {found:?}"
            );
        }
    });
}

#[test]
fn programs_give_the_same_answers_whenever_garbage_is_collected() {
    let with = |collecting: bool, indexing: bool| {
        let builder = Engine::builder()
            .memory_limit(MEMORY)
            .inference_limit(3_000);
        let builder = builder
            .collect_at_every_call(collecting)
            .clause_indexing(indexing);
        let mut engine = builder.build().expect("there is memory");
        engine.capture_output();
        engine.set_input_text("");
        engine.print_diagnostics(false);
        engine
    };
    let mut engines = Vec::new();
    repeat("programs", 60, |random, number| {
        if number % 100 == 0 || engines.is_empty() {
            engines = vec![with(false, true), with(true, true), with(false, false)];
        }
        let program = random.program();
        let goal = random.program_goal();
        note(&format!("{program}\n?- {goal}."));
        let told: Vec<Vec<String>> = engines
            .iter_mut()
            .map(|engine| {
                let loaded = engine.consult_text("fuzz.pl", &program);
                assert!(!loaded.is_err_and(|error| is_fault(&error)), "{program}");
                let mut found = answers(engine, &goal);
                found
                    .iter_mut()
                    .for_each(|text| *text = generate::without_names(text));
                found
            })
            .collect();
        // Where the limit strikes depends on what is done without calls.
        if told
            .iter()
            .flatten()
            .any(|text| text.contains("Limit") || text.contains("Resource"))
        {
            return;
        }
        assert_eq!(told[0], told[1], "collecting: {program}\n?- {goal}.");
        assert_eq!(told[0], told[2], "without indexes: {program}\n?- {goal}.");
    });
}
