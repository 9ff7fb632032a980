//! Arithmetic that needs the value of a variable before a goal gives it one.

use super::clause::{Goal, ReadClause, goals_of, within};
use super::expressions::is_comparison;
use crate::base::atom_table::{FastMap, functors};
use crate::base::growth::GrowMap;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::parts::Part;
use crate::store::cell::Cell;

/// Longer goals are not repeated in hints.
const SHORT: usize = 40;

/// What the goals so far say about a variable.
#[derive(Copy, Clone)]
enum Seen {
    /// The variable may have a value.
    Mentioned,
    /// The first goal with the variable evaluates the variable.
    Evaluated(Part),
}

/// Warns of `A > 18, age(X, A)` where no earlier goal mentions `A`.
pub(super) fn check(m: &mut Machine, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    if clause.expands || !clause.body.0.is_compound() {
        return Ok(());
    }
    let goals = goals_of(m, clause.body, within)?;
    let evaluates =
        |m: &Machine, goal: &Goal| goal.functor == functors::IS || is_comparison(m, goal.functor);
    if !goals.iter().any(|goal| evaluates(m, goal)) {
        return Ok(());
    }
    let mut seen = FastMap::default();
    for variable in m.store.variables_of(clause.head)? {
        seen.put_entry(variable, Seen::Mentioned)?;
    }
    for goal in &goals {
        let (functor, args, (term, part)) = goal.parts();
        if evaluates(m, goal) {
            let first = usize::from(functor == functors::IS);
            for index in first..2 {
                for variable in m.store.variables_of(m.store.arg(args, index))? {
                    if !seen.contains_key(&variable) {
                        seen.put_entry(variable, Seen::Evaluated(part))?;
                    }
                }
            }
        }
        for variable in m.store.variables_of(term)? {
            match seen.get(&variable) {
                Some(&Seen::Evaluated(at)) if at != part => warn(m, clause, variable, at, term)?,
                Some(_) => continue,
                None => {}
            }
            seen.put_entry(variable, Seen::Mentioned)?;
        }
    }
    Ok(())
}

/// Warns that `variable` has no value at a goal, because `giver` comes later.
fn warn(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    variable: Cell,
    at: Part,
    giver: Cell,
) -> Result<(), Stop> {
    let name = clause.text_of(m, variable)?;
    let giver = clause.text_of(m, giver)?;
    let giver = match giver.len() <= SHORT {
        true => format!("`{giver}`"),
        false => format!("the goal that gives {name} a value"),
    };
    let message = format!("{name} has no value here, and arithmetic needs one");
    let hint = format!("put this goal after {giver}");
    clause.remark(Warning::Arithmetic, at, message, Some(hint))
}
