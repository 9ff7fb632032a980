//! Budgets of goals: primitives of `call_with_inference_limit/3`, `call_with_time_limit/2,3` and
//! `call_with_depth_limit/3`.

use crate::base::atom_table::atoms;
use crate::machine::budget::ends::Amount;
use crate::machine::builtin::builtins;
use crate::store::cell::Cell;
use std::time::Duration;

builtins! { BUDGETS =
    /// Begins a setup: until the goal with a cleanup begins, a stop of the query waits a little, so that the
    /// cleanup can run.
    iso "$begin_setup"() = always |m, []| m.begin_setup()?;
    /// Ends a setup that has no goal.
    iso "$end_setup"() = always |m, []| m.end_setup();
    /// Ends a cleanup goal.
    iso "$end_cleanup"() = always |m, []| m.end_cleanup();
    /// Opens a budget of `amount` inferences or microseconds, by `resource`. `Number` names it.
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
    /// Starts the goal of a budget: from now on it may use up all of the budget.
    iso "$start_budget"("+integer") = always |m, [number]| m.start_budget(number.int_value())?;
    /// Stops the goal of a budget, for good or for a while.
    iso "$stop_budget"("+integer") = always |m, [number]| m.stop_budget(number.int_value());
    /// Closes a budget and all budgets opened since.
    iso "$close_budget"("+integer") = always |m, [number]| m.close_budget(number.int_value());
    /// Opens a limit on the depth of a goal. `Number` names it.
    iso "$open_depth"("+integer", "-number") = |m, [limit, number]| {
        // No goal gets deeper than this, and depths can be added without overflow.
        let most = i64::MAX / 4;
        let limit = i64::try_from(m.size_arg(limit)?).map_or(most, |limit| limit.min(most));
        let opened = Cell::int(m.run.budgets.depths.open(limit)?);
        Ok(m.unify(number, opened)?)
    };
    /// Stops the goal of a limit, for good or for a while, and returns the depth that it reached.
    iso "$stop_depth"("+integer", "-integer") = |m, [number, reached]| {
        let (deepest, _) = m.run.budgets.depths.stop(number.int_value());
        Ok(m.unify(reached, Cell::int(deepest))?)
    };
    /// Stops the goal of a limit, for good or for a while. True if the goal went too deep.
    iso "$stop_too_deep"("+integer") = |m, [number]| Ok(m.run.budgets.depths.stop(number.int_value()).1);
    /// Closes a limit on the depth.
    iso "$close_depth"("+integer") = always |m, [number]| m.run.budgets.depths.close(number.int_value());
}
