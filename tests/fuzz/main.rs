//! Runs random texts, terms, goals and programs. For each, an engine gives an answer or an error, and
//! works on. A seed always gives the same case.
//!
//! Each test takes a moment. With `FUZZ_SECONDS`, each test runs for that time, from the seed
//! `FUZZ_SEED` if that is set. It writes the current case into the file `FUZZ_CASE`.

mod cases;
mod clauses;
mod datalog;
mod generate;
#[path = "../support/image.rs"]
mod image;
mod programs;
#[path = "../support/random.rs"]
mod random;

use cases::Engines;
use random::Random;
use std::fs;
use std::time::{Duration, Instant};

/// Number of cases that an engine runs before a new one replaces it.
const CASES_OF_AN_ENGINE: u64 = 2000;

/// Calls `case` with a random source and its number: `moment` times, or until the time `FUZZ_SECONDS` is
/// over.
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

/// Writes the current case into a file, where it survives a crash.
fn note(case: &str) {
    if let Ok(path) = std::env::var("FUZZ_CASE") {
        fs::write(path, case).expect("a file for the case");
    }
}

#[test]
fn builtins_take_any_arguments() {
    let builtins = cases::builtins();
    let mut engine = cases::engine();
    repeat("builtins", 400, |random, number| {
        if number % CASES_OF_AN_ENGINE == 0 {
            engine = cases::engine();
        }
        let goal = random.call_of(&builtins);
        note(&goal);
        cases::check_call(&mut engine, &goal);
        // A case changes only its own terms, but may change a flag or an operator.
        if number % 50 == 0 {
            cases::check_works(&mut engine, &goal);
        }
    });
}

#[test]
fn any_text_can_be_read() {
    let mut engine = cases::engine();
    repeat("reader", 1000, |random, number| {
        if number % CASES_OF_AN_ENGINE == 0 {
            engine = cases::engine();
        }
        let text = random.text();
        note(&text);
        if random.below(2) == 0 {
            cases::reads(&mut engine, &text);
        } else {
            cases::loads(&mut engine, &text);
        }
    });
    cases::check_works(&mut engine, "reading");
}

#[test]
fn any_text_can_be_a_lolli_module() {
    let mut engine = cases::engine();
    repeat("lolli", 1000, |random, number| {
        if number % CASES_OF_AN_ENGINE == 0 {
            engine = cases::engine();
        }
        let text = random.lolli_text();
        note(&text);
        cases::reads_lolli(&mut engine, &text);
    });
    cases::check_works(&mut engine, "reading");
}

#[test]
fn written_terms_are_read_as_the_same() {
    let mut engine = cases::engine();
    repeat("round trip", 600, |random, number| {
        if number % CASES_OF_AN_ENGINE == 0 {
            engine = cases::engine();
        }
        let term = random.term(4);
        note(&term);
        cases::check_written_term(&mut engine, &term);
    });
}

#[test]
fn any_program_runs() {
    let mut engine = cases::engine();
    repeat("programs", 60, |random, number| {
        if number % 100 == 0 {
            engine = cases::engine();
        }
        let (program, goal) = (random.program(), random.program_goal());
        note(&format!("{program}\n?- {goal}."));
        cases::runs(&mut engine, &program, &goal);
    });
    cases::check_works(&mut engine, "programs");
}

#[test]
fn any_bytes_can_be_an_image() {
    let mut engine = cases::engine();
    repeat("images", 300, |random, number| {
        if number % CASES_OF_AN_ENGINE == 0 {
            engine = cases::engine();
        }
        let (program, goal) = (random.program(), random.program_goal());
        let Some(mut image) = cases::image_of(&program) else {
            return;
        };
        for _ in 0..=random.below(4) {
            let at = random.below(image.len());
            image[at] = random.below(256) as u8;
        }
        note(&format!("{program}\n?- {goal}."));
        cases::check_image(&mut engine, image, &goal);
    });
    cases::check_works(&mut engine, "images");
}

#[test]
fn programs_give_the_same_answers_whenever_garbage_is_collected() {
    let mut engines = Engines::new();
    repeat("collections", 60, |random, number| {
        if number % 100 == 0 {
            engines = Engines::new();
        }
        let (program, goal) = (random.program(), random.program_goal());
        note(&format!("{program}\n?- {goal}."));
        if !engines.agree(&program, &goal) {
            engines = Engines::new();
        }
    });
}

#[test]
fn calls_find_the_clauses_that_match() {
    repeat("clauses", 40, |random, _| {
        let (program, calls) = random.clauses_and_calls();
        note(&format!("{program}\n{}", calls.join("\n")));
        cases::finds_the_same_clauses(&program, &calls);
    });
}

#[test]
fn tabled_programs_agree_with_naive_evaluation() {
    let mut engines = [false, true].map(cases::collecting_engine);
    repeat("tabled programs", 200, |random, number| {
        if number % 100 == 0 {
            engines = [false, true].map(cases::collecting_engine);
        }
        let program = random.datalog();
        note(&program.text());
        for engine in &mut engines {
            program.check_answers(engine, random);
        }
    });
}

/// Prints the input that each target of `tests/guided` makes of the file `FUZZ_INPUT`.
#[test]
#[ignore = "wants a file"]
#[expect(
    clippy::print_stdout,
    reason = "the output of a test that is run by hand"
)]
fn show_input() {
    let path = std::env::var("FUZZ_INPUT").expect("the variable FUZZ_INPUT names a file");
    let bytes = fs::read(path).expect("the file can be read");
    println!("reader, lolli: {}", String::from_utf8_lossy(&bytes));
    println!("round_trip: {}", Random::of_bytes(&bytes).term(5));
    let call = Random::of_bytes(&bytes).call_of(&cases::builtins());
    println!("builtins: {call}");
    let mut random = Random::of_bytes(&bytes);
    let (goal, program) = (random.program_goal(), random.program());
    println!("machine, collections:\n{program}?- {goal}.");
}
