//! Terms with goal variables are converted when they are called (ISO 13211-1, 7.6.2 and 7.8.3.1). The tests
//! run random terms in five ways: in a compiled clause, in an asserted clause, as a query, as data that is
//! called, and compiled with the values in place of the variables. All ways have the same answers and
//! effects.
//!
//! `CALLED_GOALS=100000 cargo test --release --test called_goals` runs 100000 cases, from the seed
//! `CALLED_GOALS_SEED` if that is set.

#[path = "support/bodies.rs"]
mod bodies;
#[path = "support/random.rs"]
mod random;

use bodies::{Called, called};
use random::Random;
use std::fmt::Write;
use wamlet::Engine;

/// Number of cases in the suite.
const CASES: usize = 1500;
/// Number of cases that one engine runs.
const CHUNK: usize = 250;

const DRIVER: &str = "
:- dynamic(noted/1).
:- dynamic(given/1).
:- dynamic(asserted/1).
:- discontiguous(compiled/2).
:- discontiguous(replaced/2).
:- discontiguous(data/4).

m(1).
m(2).
m(3).

note(A) :- assertz(noted(A)).

% What comes of a goal: its answers or its error, and its notes.
outcome(Answer, Goal, Result-Notes) :-
    retractall(noted(_)),
    catch(( findall(Answer, Goal, Answers), Result = answers(Answers) ), error(Error, _), Result = Error),
    findall(Note, noted(Note), Notes).

called(Number, Answer) :- data(Number, Answer, Bindings, Goal), call(Bindings), call(Goal).

outcome_of(called, Number, Outcome) :- outcome(Answer, called(Number, Answer), Outcome).
outcome_of(compiled, Number, Outcome) :- outcome(Answer, compiled(Number, Answer), Outcome).
outcome_of(replaced, Number, Outcome) :- outcome(Answer, replaced(Number, Answer), Outcome).
outcome_of(asserted, Number, Outcome) :-
    data(Number, Answer, Bindings, Goal),
    retractall(asserted(_)),
    assertz((asserted(Answer) :- Bindings, Goal)),
    outcome(Given, asserted(Given), Outcome).
outcome_of(query, _, answers(Answers)-Notes) :-
    findall(Answer, given(Answer), Answers),
    findall(Note, noted(Note), Notes).

difference(failed_query, Number, error, Right) :- !,
    outcome_of(called, Number, Right),
    Right = answers(_)-_.
difference(Way, Number, Outcome, Right) :-
    outcome_of(Way, Number, Outcome),
    outcome_of(called, Number, Right),
    \\+ Outcome =@= Right.
";

/// Returns the goal with the values of `G` and `H` in place of these variables.
fn replaced(case: &Called) -> String {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut text = String::new();
    let mut rest = case.goal.as_str();
    while !rest.is_empty() {
        let name = rest.find(|c| !letters(c)).unwrap_or(rest.len());
        let (part, after) = rest.split_at(name.max(1));
        text.push_str(match part {
            "G" if case.g != "_" => &case.g,
            "H" if case.h != "_" => &case.h,
            part => part,
        });
        rest = after;
    }
    text
}

/// Returns the clauses of a case.
fn clauses(number: usize, case: &Called) -> String {
    let (bindings, goal, replaced) = (case.bindings(), &case.goal, replaced(case));
    format!(
        "compiled({number}, X-Y-L) :- {bindings}, {goal}.\n\
         replaced({number}, X-Y-L) :- {replaced}.\n\
         data({number}, X-Y-L, ({bindings}), ({goal})).\n"
    )
}

/// Returns all differences between the ways, for some cases in a module.
fn differences(module: &str, cases: &[Called]) -> String {
    let mut text = DRIVER.to_owned();
    if module != "user" {
        text.insert_str(0, &format!(":- module({module}, []).\n"));
    }
    for (number, case) in cases.iter().enumerate() {
        text.push_str(&clauses(number, case));
    }
    let mut engine = Engine::new().expect("there is memory");
    let loaded = engine.consult_text("cases.pl", &text).expect("clauses");
    assert!(loaded.errors.is_empty(), "{:?}", loaded.errors);
    let mut report = String::new();
    for (number, case) in cases.iter().enumerate() {
        let (bindings, goal) = (case.bindings(), &case.goal);
        let query = format!(
            "{module}:( retractall(noted(_)), retractall(given(_)), \
             ( {bindings}, {goal}, assertz(given(X-Y-L)), fail ; true ) )"
        );
        let way = if engine.query_once(&query).is_ok() {
            "query"
        } else {
            "failed_query"
        };
        for way in [way, "compiled", "replaced", "asserted"] {
            let query = format!("{module}:difference({way}, {number}, Outcome, Right)");
            if let Some(solution) = engine.query_once(&query).expect("no error") {
                let _ = writeln!(
                    report,
                    "?- {bindings}, {goal}.\n% {module}, {way}\n{solution}"
                );
            }
        }
    }
    report
}

#[test]
fn called_as_compiled() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let cases = number("CALLED_GOALS").map_or(CASES, |cases| cases as usize);
    let mut random = Random::new(number("CALLED_GOALS_SEED").unwrap_or(1));
    for _ in 0..cases.div_ceil(CHUNK) {
        let cases: Vec<Called> = (0..CHUNK).map(|_| called(&mut random)).collect();
        for module in ["user", "other"] {
            let report = differences(module, &cases);
            assert!(report.is_empty(), "answers differ:\n{report}");
        }
    }
}
