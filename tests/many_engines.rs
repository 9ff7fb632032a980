//! Engines take little of the address space and of the memory until their goals need it.
#![cfg(target_os = "linux")]

use std::process::Command;
use wamlet::Engine;

/// Kilobytes of address space that the process of the test may take.
const ADDRESS_SPACE: u32 = 4 << 20;
const ENGINES: usize = 100;

/// A list that takes some megabytes of the heap, and a depth that takes some of the stacks.
const GOAL: &str = "numlist(1, 50000, L), foldl([X, S0, S]>>(S is S0 + X), L, 0, S), length(L, N)";

#[test]
fn a_hundred_engines_live_in_four_gigabytes_of_addresses() {
    let test = std::env::current_exe().expect("the test has a path");
    let limited = format!("ulimit -v {ADDRESS_SPACE}; exec \"$0\" --exact --ignored many_engines");
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
    // All of them are still there, with a goal under way each.
    let mut open: Vec<_> = engines
        .iter_mut()
        .map(|engine| engine.query("member(X, [1, 2])").expect("a query"))
        .collect();
    for solutions in &mut open {
        assert!(solutions.next().is_some_and(|solution| solution.is_ok()));
    }
}

#[test]
fn a_refused_heap_is_an_error_that_leaves_the_engine_whole() {
    let test = std::env::current_exe().expect("the test has a path");
    let limited = "ulimit -v 400000; exec \"$0\" --exact --ignored refused_heap";
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
