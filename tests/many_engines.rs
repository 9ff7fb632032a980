//! Engines take little address space and memory until their goals need it.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::process::Command;
use std::sync::Barrier;
use std::thread;
use wamlet::{Engine, Program};

/// Kilobytes of address space that the process of the test may take.
const ADDRESS_SPACE: u32 = 4 << 20;
const ENGINES: usize = 100;
/// Megabytes of memory that ten thousand engines may take together while none runs a goal.
const RESTING: usize = 500;

/// A goal that takes some megabytes of heap for a list, and of the stacks for its recursion.
const GOAL: &str = "numlist(1, 50000, L), foldl([X, S0, S]>>(S is S0 + X), L, 0, S), length(L, N)";
/// The same goal with a short list.
const SHORT_GOAL: &str = "numlist(1, 1000, L), foldl([X, S0, S]>>(S is S0 + X), L, 0, S)";

/// Runs an ignored test of this file in its own process, with this limit of address space in kilobytes.
fn passes_within(kilobytes: u32, name: &str) {
    let test = std::env::current_exe().expect("the test has a path");
    let limited = format!("ulimit -v {kilobytes}; exec \"$0\" --exact --ignored {name}");
    let output = Command::new("sh").arg("-c").arg(limited).arg(test).output();
    let output = output.expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("1 passed"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_hundred_engines_live_in_four_gigabytes_of_addresses() {
    passes_within(ADDRESS_SPACE, "many_engines");
}

#[test]
fn a_hundred_threads_run_goals_in_four_gigabytes_of_addresses() {
    passes_within(ADDRESS_SPACE, "many_threads");
}

#[test]
#[ignore = "run under a limit by the test above"]
fn many_engines() {
    let mut engines: Vec<Engine> = (0..ENGINES)
        .map(|_| Engine::new().expect("an engine"))
        .collect();
    for engine in &mut engines {
        let solution = engine
            .query_once(GOAL)
            .expect("no error")
            .expect("a solution");
        assert!(solution.to_string().contains("S = 1250025000"));
    }
    // All engines still work, each with an open query.
    let mut open: Vec<_> = engines
        .iter_mut()
        .map(|engine| engine.query("member(X, [1, 2])").expect("a query"))
        .collect();
    for solutions in &mut open {
        assert!(solutions.next().is_some_and(|solution| solution.is_ok()));
    }
}

#[test]
#[ignore = "run under a limit by a test above"]
fn many_threads() {
    let program = program();
    // No thread starts before all have run a goal, and none ends before all have answered.
    let all = Barrier::new(ENGINES);
    let work = |number| {
        let goal = format!("retract(seen({number})), next({number}, Next), {SHORT_GOAL}");
        let mut engine = program.engine();
        let ready = engine.as_mut().map(|engine| engine.query_once("true"));
        let ready = ready.is_ok_and(|answer| answer.is_ok());
        all.wait();
        let answer = engine.as_mut().map(|engine| engine.query_once(&goal));
        let text = match answer {
            Ok(Ok(Some(solution))) => solution.to_string(),
            other => format!("{other:?}"),
        };
        all.wait();
        assert!(ready && text.contains("S = 500500"), "{text}");
        assert!(text.contains(&format!("Next = {},", number + 1)), "{text}");
    };
    thread::scope(|scope| {
        for number in 0..ENGINES {
            let work = &work;
            scope.spawn(move || work(number));
        }
    });
}

/// Returns a program of some thousand clauses.
fn program() -> Program {
    let mut text =
        String::from(":- dynamic seen/1.\nreach(X, Y) :- next(X, Z), (Y = Z ; reach(Z, Y)).\n");
    for number in 0..2000 {
        writeln!(text, "next({number}, {}).", number + 1).expect("a text grows");
    }
    for number in 0..2000 {
        writeln!(text, "seen({number}).").expect("a text grows");
    }
    let builder = Program::builder().text("p.pl", text);
    let (program, report) = builder.build().expect("a program");
    assert!(report.is_clean(), "{report:?}");
    program
}

/// Returns the megabytes of memory of the process, if the system reports them.
fn megabytes() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = pages.split(' ').nth(1)?.parse().ok()?;
    Some((pages * 4096) >> 20)
}

#[test]
fn ten_thousand_engines_rest_in_little_memory() {
    passes_within(ADDRESS_SPACE, "resting_engines");
}

#[test]
#[ignore = "run in a process of its own by the test above"]
fn resting_engines() {
    let program = program();
    let Some(before) = megabytes() else { return };
    let mut engines: Vec<Engine> = (0..10_000)
        .map(|_| program.engine().expect("an engine"))
        .collect();
    let idle = megabytes().expect("it was there") - before;
    assert!(
        idle <= RESTING,
        "{idle} MB for engines that have run no goal; at most {RESTING} MB"
    );
    let answers = |engine: &mut Engine, number: usize| {
        let goal = format!("reach({number}, X), retract(seen({number})), assertz(seen(new))");
        let solution = engine.query_once(&goal).expect("no error");
        let answer = solution.map(|solution| solution.to_string());
        assert_eq!(answer, Some(format!("X = {}", number + 1)));
    };
    for (number, engine) in engines.iter_mut().enumerate() {
        answers(engine, number % 2000);
        engine.reset().expect("it rests");
    }
    let again = megabytes().expect("it was there") - before;
    assert!(
        again <= RESTING,
        "{again} MB for engines that rest after a goal; at most {RESTING} MB"
    );
    for (number, engine) in engines.iter_mut().enumerate().step_by(500) {
        answers(engine, number % 2000);
    }
}

#[test]
fn a_refused_heap_is_an_error_that_leaves_the_engine_whole() {
    passes_within(400_000, "refused_heap");
}

#[test]
#[ignore = "run under a limit by the test above"]
fn refused_heap() {
    let mut engine = Engine::new().expect("an engine");
    for goal in [
        "numlist(1, 100000000, L)",
        "length(L, 100000000)",
        "deep(f(_))",
        "length(L, 1000), grow(L)",
    ] {
        let program = "deep(T) :- deep(f(T)), a(T). a(_). grow(L) :- append(L, L, L2), grow(L2).";
        engine.consult_text("grow.pl", program).expect("a program");
        let error = engine.query_once(goal).expect_err("there is no memory");
        assert!(error.to_string().contains("memory"), "{goal}: {error}");
        let solution = engine
            .query_once("X = 1")
            .expect("no error")
            .expect("a solution");
        assert_eq!(solution.to_string(), "X = 1");
    }
}
