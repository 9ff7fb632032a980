//! Budgets of goals: primitives of `call_with_inference_limit/3`, `call_with_time_limit/2,3` and
//! `call_with_depth_limit/3`.

use crate::base::atom_table::atoms;
use crate::machine::budget::ends::Amount;
use crate::machine::builtin::builtins;
use crate::store::cell::Cell;
use std::time::Duration;

builtins! { BUDGETS =
    /// From here to the beginning of the goal with a cleanup that follows what stops the query waits
    /// a little: what is set up is cleaned up.
    iso "$begin_setup"() = always |m, []| m.begin_setup()?;
    /// There will be no such goal.
    iso "$end_setup"() = always |m, []| m.end_setup();
    /// A cleanup goal is over.
    iso "$end_cleanup"() = always |m, []| m.end_cleanup();
    /// Opens a budget of so many `inferences`, or of `time` in microseconds; `Number` names it.
    iso "$open_budget"("+resource", "+integer", "-number") = |m, [resource, amount, number]| {
        let amount = m.size_arg(amount)? as u64;
        let amount = if resource == Cell::atom(atoms::INFERENCES) {
            Amount::Inferences(amount)
        } else {
            Amount::Time(Duration::from_micros(amount))
        };
        let opened = Cell::int(m.open_budget(amount)?);
        Ok(m.unify(number, opened)?)
    };
    /// The goal of a budget runs from now on, and may use up all of it.
    iso "$start_budget"("+integer") = always |m, [number]| m.start_budget(number.int_value())?;
    /// The goal of a budget does not run any more, or not for the time being.
    iso "$stop_budget"("+integer") = always |m, [number]| m.stop_budget(number.int_value());
    /// Forgets a budget and those opened since.
    iso "$close_budget"("+integer") = always |m, [number]| m.close_budget(number.int_value());
    /// Makes a limit on the depth of a goal; `Number` names it.
    iso "$open_depth"("+integer", "-number") = |m, [limit, number]| {
        // Deeper than any goal gets, and depths add up.
        let most = i64::MAX / 4;
        let limit = i64::try_from(m.size_arg(limit)?).map_or(most, |limit| limit.min(most));
        let opened = Cell::int(m.run.budgets.depths.open(limit)?);
        Ok(m.unify(number, opened)?)
    };
    /// The goal of a limit does not run any more, or not for the time being: how deep it has gone.
    iso "$stop_depth"("+integer", "-integer") = |m, [number, reached]| {
        let (deepest, _) = m.run.budgets.depths.stop(number.int_value());
        Ok(m.unify(reached, Cell::int(deepest))?)
    };
    /// The goal of a limit does not run any more: has it gone too deep?
    iso "$stop_too_deep"("+integer") = |m, [number]| Ok(m.run.budgets.depths.stop(number.int_value()).1);
    /// Forgets a limit on the depth.
    iso "$close_depth"("+integer") = always |m, [number]| m.run.budgets.depths.close(number.int_value());
}
