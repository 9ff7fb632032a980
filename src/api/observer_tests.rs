//! Tests that an observer sees each call of a program, and its result.

use super::engine::Engine;
use crate::base::atom_table::atoms;
use crate::base::stop::Stop;
use crate::data_tests::check;
use crate::machine::events::observer::{Event, Kinds, Observer, View};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;

/// Records the events of goals of the module user.
#[derive(Default)]
struct Ports(Vec<String>);

impl Observer<Machine> for Ports {
    fn kinds(&self) -> Kinds {
        Kinds::CALL.and(Kinds::PORTS)
    }

    fn event(&mut self, event: &Event<'_>, view: &View<'_, Machine>) -> Result<(), Stop> {
        let (port, id): (&str, PredId) = match *event {
            Event::Call(id) => ("call", id),
            Event::Exit(id) => ("exit", id),
            Event::Redo(id) => ("redo", id),
            Event::Fail(id) => ("fail", id),
            Event::Raised(id) => ("raised", id),
            _ => return Ok(()),
        };
        let world = &view.machine.world;
        let predicate = world.predicates.get(view.machine.definition(id));
        if predicate.module == atoms::USER {
            let name = world.symbols.name_text(predicate.functor);
            // Before the first call of a predicate of the system, its module is not known.
            if !matches!(name, "catch" | "freeze") {
                self.0.push(format!("{port} {name}"));
            }
        }
        Ok(())
    }
}

const PROGRAM: &str = include_str!("../../tests/ports/program.pl");

/// Returns the events of a query that runs through `once/1`.
fn events(goal: &str) -> String {
    let mut engine = Engine::new().expect("an engine");
    engine.consult_text("ports.pl", PROGRAM).expect("a program");
    engine.machine.observe(Ports::default());
    let _ = engine.query_once(goal);
    let ports = engine.machine.run.observers.observing.end::<Ports>();
    ports.expect("it is subscribed").0.join(", ")
}

#[test]
fn observer_sees_calls_and_results() {
    check("tests/ports", &[], |_, goal| events(goal));
}

/// An observer that panics.
#[cfg(panic = "unwind")]
struct Faulty;

#[cfg(panic = "unwind")]
impl Observer<Machine> for Faulty {
    fn kinds(&self) -> Kinds {
        Kinds::CALL
    }

    fn event(&mut self, _: &Event<'_>, _: &View<'_, Machine>) -> Result<(), Stop> {
        panic!("on purpose")
    }
}

/// Checks that the host gets the panic. Later calls of the engine return an error, and the engine can be
/// dropped.
#[test]
#[cfg(panic = "unwind")]
fn a_panic_within_breaks_the_engine() {
    use super::error::ErrorKind;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let mut engine = Engine::new().expect("an engine");
    engine.consult_text("ports.pl", PROGRAM).expect("a program");
    let mut solutions = engine.query("p(X)").expect("a query");
    assert!(solutions.advance().expect("a solution"));
    solutions.engine().machine.observe(Faulty);
    let inner = AssertUnwindSafe(|| solutions.engine().query_once("first"));
    assert!(catch_unwind(inner).is_err());
    let error = solutions.advance().expect_err("it is broken");
    assert_eq!(*error.kind(), ErrorKind::Internal);
    drop(solutions);
    for text in ["p(X)", "true"] {
        let error = engine.query_once(text).expect_err("it is broken");
        assert_eq!(*error.kind(), ErrorKind::Internal);
    }
    let error = engine
        .consult_text("more.pl", "q.")
        .expect_err("it is broken");
    assert_eq!(*error.kind(), ErrorKind::Internal);
    assert!(engine.parse_term("a").is_err());
}
