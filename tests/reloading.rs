//! A load by the host that does not finish leaves the former text unchanged.
//! `cases/loading/reloading.queries` tests loads by programs.

use std::time::Duration;
use wamlet::{Engine, ErrorKind};

/// A text of the host stays unchanged if a new version is not loaded completely.
#[test]
fn an_interrupted_load_leaves_the_former_text() {
    let mut engine = Engine::builder()
        .time_limit(Duration::from_millis(100))
        .build()
        .unwrap();
    let report = engine.consult_text("given.pl", "p(1).\n").unwrap();
    assert!(report.is_clean());
    for _ in 0..3 {
        let text = ":- repeat, fail.\np(2).\n";
        let error = engine.consult_text("given.pl", text).unwrap_err();
        assert_eq!(*error.kind(), ErrorKind::TimeLimit);
        let solution = engine.query_once("p(X)").unwrap().unwrap();
        assert_eq!(solution.to_string(), "X = 1");
    }
    // The same holds if a cleanup goal of the load has used up its time.
    let text = ":- setup_call_cleanup(true, (repeat, fail), (repeat, fail)).\np(2).\n";
    engine.consult_text("given.pl", text).unwrap_err();
    let solution = engine.query_once("p(X)").unwrap().unwrap();
    assert_eq!(solution.to_string(), "X = 1");
    assert!(
        engine
            .consult_text("given.pl", "p(3).\n")
            .unwrap()
            .is_clean()
    );
    let solution = engine.query_once("p(X)").unwrap().unwrap();
    assert_eq!(solution.to_string(), "X = 3");
}

/// A module of Lolli also stays unchanged if a new version is refused.
#[test]
fn a_refused_module_leaves_the_former_one() {
    let mut engine = Engine::new().unwrap();
    engine
        .consult_text("given.ll", "MODULE given.\np 1.\n")
        .unwrap();
    for _ in 0..2 {
        let refused = engine.consult_text("given.ll", "MODULE given.\np 2 :- .\n");
        assert!(refused.is_err());
        let mut solutions = engine.lolli_query_in(&["given"], "p X").unwrap();
        let solution = solutions.next().unwrap().unwrap();
        assert_eq!(solution.to_string(), "X <- 1");
    }
}

/// Lines are counted from the beginning of each text, even if it is at the same place in memory as a
/// former text.
#[test]
fn lines_are_counted_in_the_loaded_text() {
    let name = format!("wamlet-lines-{}.pl", std::process::id());
    let path = std::env::temp_dir().join(name);
    let mut engine = Engine::new().unwrap();
    for round in 0..300usize {
        let blank = |n: usize| if n * round % 4 == 1 { "\n" } else { "" };
        let clauses = 20 + round * 7 % 3;
        let text: String = (0..clauses)
            .map(|n| format!("r({n},{}).\n{}", round % 10, blank(n)))
            .collect();
        std::fs::write(&path, text).unwrap();
        assert!(engine.consult_file(&path).unwrap().is_clean());
        let query = "clause(r(0, _), true, R), clause_property(R, line_count(L))";
        let solution = engine.query_once(query).unwrap().unwrap();
        assert!(
            solution.to_string().ends_with("L = 1"),
            "round {round}: {solution}"
        );
    }
    std::fs::remove_file(&path).unwrap();
}
