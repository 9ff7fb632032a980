//! The column `needs` of the tables, held against goals of which it is known what they need, and against what their
//! bodies do.

use super::{Engine, Term};
use crate::arith::evaluable;
use crate::base::needs::Needs;
use crate::base::number::Number;
use crate::data_tests::check;
use crate::machine::builtin::{Body, Builtin, builtins};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;

fn refuse(m: &mut Machine, capability: &str) -> Result<bool, Throw> {
    let [action, kind, capability] =
        ["use", "capability", capability].map(|name| m.world.symbols.intern(name).unwrap());
    Err(m.permission_error(action, kind, Cell::atom(capability)))
}

// What stands in place of a builtin of which a need is refused.
builtins! { REFUSALS =
    /// Refuses.
    internal "read"() = |m, []| refuse(m, "read");
    /// Refuses.
    internal "write"() = |m, []| refuse(m, "write");
    /// Refuses.
    internal "environment"() = |m, []| refuse(m, "environment");
    /// Refuses.
    internal "processes"() = |m, []| refuse(m, "processes");
    /// Refuses.
    internal "clock"() = |m, []| refuse(m, "clock");
    /// Refuses.
    internal "random"() = |m, []| refuse(m, "random");
    /// Refuses.
    internal "stdin"() = |m, []| refuse(m, "stdin");
    /// Refuses.
    internal "stdout"() = |m, []| refuse(m, "stdout");
    /// Refuses.
    internal "halt"() = |m, []| refuse(m, "halt");
}

/// An engine in which nothing that needs a capability works.
fn without_capabilities() -> Engine {
    let mut engine = Engine::new().unwrap();
    for entry in &mut engine.machine.world.builtins {
        let wanted = |&&(need, _): &&(Needs, &str)| entry.needs.any(need);
        let all = Needs::ALL.iter();
        let mut capabilities = all.filter(|(need, _)| Needs::CAPABILITIES.any(*need));
        let Some((_, word)) = capabilities.find(wanted) else {
            continue;
        };
        assert!(matches!(entry.body, Body::Det(_)), "{}", entry.name);
        let refusal = REFUSALS.iter().find(|refusal| refusal.name == *word);
        let refused = Builtin {
            name: entry.name,
            modes: entry.modes,
            doc: entry.doc,
            class: entry.class,
            needs: entry.needs,
            scope_step: entry.scope_step,
            body: refusal.unwrap().body,
        };
        *entry = Box::leak(Box::new(refused));
    }
    engine
}

/// The capability whose lack stops a goal.
#[test]
fn goals_are_refused_by_what_they_need() {
    check("tests/needs", &[], |_, goal| {
        let caught =
            format!("catch(({goal}), error(permission_error(use, capability, C), _), true)");
        let found = without_capabilities().query_once(&caught);
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
        // Not all are defined for 1.
        let _ = evaluable::apply(id, &numbers, &mut *engine.machine);
        let noted = engine.machine.world.effects > before;
        assert_eq!(noted, needs.any(Needs::HISTORY), "{}", row.name);
    }
}
