//! Tests of the column `needs` of the tables. They compare it with goals whose needs are known, and with the
//! effects of the bodies.

use super::{Capabilities, Engine, Term, refusals};
use crate::arith::evaluable;
use crate::base::needs::Needs;
use crate::base::number::Number;
use crate::data_tests::check;

/// Checks that each goal is refused for the capability that it needs.
#[test]
fn goals_are_refused_by_what_they_need() {
    check("tests/needs", &[], |_, goal| {
        let caught =
            format!("catch(({goal}), error(permission_error(use, capability, C), _), true)");
        let builder = Engine::builder().capabilities(Capabilities::pure());
        let found = builder.build().unwrap().query_once(&caught);
        match &found {
            Ok(Some(solution)) => solution.get("C").map_or("none".into(), Term::to_string),
            _ => format!("{found:?}"),
        }
    });
}

#[test]
fn evaluables_change_what_the_column_says() {
    let mut engine = Engine::new().unwrap();
    for (id, row) in evaluable::all() {
        let needs = match row.name {
            "random" | "random_float" => Needs::RANDOM.and(Needs::HISTORY),
            "cputime" | "realtime" => Needs::CLOCK,
            _ => Needs::NONE,
        };
        assert_eq!(row.needs, needs, "{}", row.name);
        let before = engine.machine.world.effects;
        let numbers = vec![Number::Int(1); row.arity()];
        // Some of them are undefined for 1.
        let _ = evaluable::apply(id, &numbers, &mut *engine.machine);
        let noted = engine.machine.world.effects > before;
        assert_eq!(noted, needs.any(Needs::HISTORY), "{}", row.name);
    }
}

/// Checks that each row is replaced that needs a missing capability, and no other row.
#[test]
fn rows_are_replaced_by_what_they_need() {
    let found = refusals::table(Needs::NONE).unwrap();
    assert_eq!(refusals::whole().len(), found.len());
    let decided = [
        Needs::ENVIRONMENT,
        Needs::PROCESSES,
        Needs::CLOCK,
        Needs::RANDOM,
        Needs::STDIN,
        Needs::STDOUT,
    ];
    for (row, found) in refusals::whole().iter().zip(found) {
        let lacks = decided.iter().any(|need| row.needs.any(*need));
        assert_eq!(!std::ptr::eq(*row, *found), lacks, "{}", row.name);
        assert_eq!((row.name, row.modes), (found.name, found.modes));
    }
}
