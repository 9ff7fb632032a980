//! Budgets: of the engine, of a query, of work that shares one, and of loading.

#[path = "support/host.rs"]
mod host;

use host::{answer, kind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wamlet::{Budget, Capabilities, Engine, Error, ErrorKind, MemoryFiles, Program};

/// Texts whose load has no end, or none within the memory, the kind of limit that is met in any case, and the line where
/// it is. Where memory ends a load first, it is an error of a directive or clause, and the rest is loaded.
const ENDLESS: [(&str, &str, usize); 9] = [
    ("a directive", "a(1).\n:- repeat, fail.\nb(1).\n", 2),
    (
        "a directive that catches",
        "a(1).\n\n:- catch((repeat, fail), _, true).\n",
        3,
    ),
    (
        "an expansion",
        "term_expansion(a, b) :- repeat, fail.\nx(1).\na.\nc.\n",
        3,
    ),
    (
        "an expansion of goals",
        "goal_expansion(a, b) :- repeat, fail.\nx(1).\nc :- a.\n",
        3,
    ),
    (
        "an expansion into itself",
        "goal_expansion(a(X), a(f(X))).\nc :- a(1).\n",
        2,
    ),
    (
        "an initialization",
        "x(1).\n:- initialization((repeat, fail)).\ny(1).\n",
        2,
    ),
    ("a nested load", "x(1).\n:- consult('/files/endless').\n", 1),
    (
        "a condition",
        "x(1).\n:- if((repeat, fail)).\ny(1).\n:- endif.\n",
        2,
    ),
    (
        "an evaluation",
        "x(1).\nx(2).\n:- X is 7 ** (7 ** 9), print(X).\n",
        3,
    ),
];

fn engine() -> Engine {
    let files = MemoryFiles::new()
        .with("/files/endless.pl", ":- repeat, fail.\n")
        .with("/files/chain.pl", "c(1).\n:- include('/files/chain.pl').\n");
    let capabilities = Capabilities::script().files(Arc::new(files));
    let builder = Engine::builder().capabilities(capabilities);
    builder
        .memory_limit(256 << 20)
        .build()
        .expect("there is memory")
}

fn place(error: &Error) -> usize {
    error.location().map_or(0, |place| place.line)
}

#[test]
fn loads_are_bounded() {
    let budgets = [
        (Budget::new().steps(300_000), ErrorKind::InferenceLimit),
        (
            Budget::new().time(Duration::from_millis(60)),
            ErrorKind::TimeLimit,
        ),
        (
            Budget::new().cpu(Duration::from_millis(60)),
            ErrorKind::TimeLimit,
        ),
    ];
    let mut engine = engine();
    for (what, text, line) in ENDLESS {
        for (budget, limit) in &budgets {
            let load = |engine: &mut Engine| engine.consult_text("endless.pl", text);
            let begun = Instant::now();
            let error = engine.within(budget, load).expect_err(what);
            let took = begun.elapsed();
            assert_eq!((error.kind(), place(&error)), (limit, line), "{what}");
            assert!(took < Duration::from_secs(5), "{what}: {took:?}");
            // The engine goes on, without the limit.
            assert_eq!(
                answer(
                    &mut engine,
                    "numlist(1, 400000, L), last(L, X), L = [Y|_], X > Y, L = [_], !; true"
                ),
                "true"
            );
            let report = engine.consult_text("endless.pl", "fine(1).\n").expect(what);
            assert!(report.is_clean(), "{what}");
        }
    }
}
