//! Counts of solutions that are too many to find one by one.

use wamlet::{Engine, Error};

#[test]
fn solutions_are_counted_without_finding_each() -> Result<(), Error> {
    let mut engine = Engine::new()?;
    for (goal, number) in [
        ("between(1, 100000000000000, _)", "100000000000000"),
        (
            "(member(_, [a, b, c]), between(-9223372036854775, 9223372036854775, _))",
            "55340232221128653",
        ),
        (
            "(numlist(1, 20, L), member(_, L), between(1, 1000000000000000000, _))",
            "20000000000000000000",
        ),
        ("between(1, 9000000000000000000, _)", "9000000000000000000"),
        (
            "between(-9223372036854775808, 9223372036854775807, _)",
            "18446744073709551616",
        ),
        (
            "between(100000000000000000000, 300000000000000000000, _)",
            "200000000000000000001",
        ),
        ("between(300000000000000000000, 1, _)", "0"),
        (
            "(between(1, 2000000000000, _) ; between(1, 3, _))",
            "2000000000003",
        ),
    ] {
        let query = format!("count_solutions({goal}, N)");
        let solution = engine.query_once(&query)?.expect("a number");
        let found = solution.get("N").map(ToString::to_string);
        assert_eq!(found.as_deref(), Some(number), "{goal}");
    }
    Ok(())
}

#[test]
fn counts_of_a_module_are_remembered() -> Result<(), Error> {
    let mut engine = Engine::new()?;
    engine.consult_text(
        "paths",
        ":- module(paths, [path/2]).
         :- count_memo path/2.
         path(0, 0).
         path(X, Y) :- X > 0, Left is X - 1, path(Left, Y).
         path(X, Y) :- Y > 0, Below is Y - 1, path(X, Below).",
    )?;
    let query = "count_solutions(paths:path(50, 50), N)";
    let solution = engine.query_once(query)?.expect("a number");
    let found = solution.get("N").map(ToString::to_string);
    assert_eq!(found.as_deref(), Some("100891344545564193334812497256"));
    Ok(())
}
