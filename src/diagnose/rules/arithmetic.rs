//! Rules for arithmetic that cannot succeed, and for expressions that are not evaluated.

use super::clause::{Goal, ReadClause, computation, occurs};
use super::expressions::{contradicts, fails, is_comparison, never_equal, never_is, without_value};
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::parts::{Placed, placed};
use crate::store::cell::Cell;

/// Warns of `is` with a value that does not exist, or that cannot equal the left side.
pub(super) fn value(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    found: &Goal,
) -> Result<bool, Stop> {
    let (functor, args, (goal, part)) = found.parts();
    if functor != functors::IS {
        return Ok(false);
    }
    let (result, expression) = (m.store.arg(args, 0), m.store.arg(args, 1));
    if assigns(m, result, expression)? {
        let goal = clause.text_of(m, goal)?;
        let message = format!("`{goal}` cannot succeed: a variable keeps its value");
        let hint = "use a new variable for the new value".to_owned();
        clause.remark(Warning::Arithmetic, part, message, Some(hint))?;
    }
    if evaluables(m, clause, placed(m, args, 1))?
        && !clause.expands
        && let Some(why) = never_is(m, result, expression)?
    {
        let message = format!("`{}` cannot succeed: {why}", clause.text_of(m, goal)?);
        clause.remark(Warning::Arithmetic, part, message, None)?;
    }
    Ok(true)
}

/// Warns of a comparison that cannot be evaluated, or that always fails.
pub(super) fn comparison(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    found: &Goal,
) -> Result<bool, Stop> {
    let (functor, args, (goal, part)) = found.parts();
    if !is_comparison(m, functor) {
        return Ok(false);
    }
    let left = evaluables(m, clause, placed(m, args, 0))?;
    let right = evaluables(m, clause, placed(m, args, 1))?;
    if !left || !right || clause.expands {
        return Ok(true);
    }
    if fails(m, goal)? {
        let message = format!("`{}` cannot succeed", clause.text_of(m, goal)?);
        clause.remark(Warning::Arithmetic, part, message, None)?;
    } else if let Some(why) = contradicts(m, goal)? {
        let message = format!("`{}` {why}", clause.text_of(m, goal)?);
        clause.remark(Warning::Arithmetic, part, message, None)?;
    }
    Ok(true)
}

/// Warns of an equality between a number and an expression with a variable.
pub(super) fn equality(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    found: &Goal,
) -> Result<bool, Stop> {
    let (functor, args, (goal, part)) = found.parts();
    if functor != functors::EQUAL && !is_identity(m, functor) {
        return Ok(false);
    }
    let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
    let found = !clause.expands && never_equal(m, left, right)?;
    if found {
        let goal = clause.text_of(m, goal)?;
        let message = format!("`{goal}` cannot succeed: a compound term is not a number");
        let (left, right) = (clause.text_of(m, left)?, clause.text_of(m, right)?);
        let hint = format!("write `{left} =:= {right}` to compare the values");
        clause.remark(Warning::Arithmetic, part, message, Some(hint))?;
    }
    Ok(found)
}

/// Warns of parts that arithmetic cannot evaluate. Returns whether there are none.
fn evaluables(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    expression: Placed,
) -> Result<bool, Stop> {
    if clause.expands {
        return Ok(true);
    }
    let Some((part, message, hint)) = without_value(m, expression)? else {
        return Ok(true);
    };
    clause.remark(Warning::Arithmetic, part, message, hint)?;
    Ok(false)
}

/// Warns of `fact(N-1, F)` in a clause of `fact(N, F)`.
pub(super) fn passed(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    &Goal { functor, args, .. }: &Goal,
) -> Result<bool, Stop> {
    let Some((_, params)) = m
        .store
        .compound(clause.head)
        .filter(|head| head.0 == functor)
    else {
        return Ok(false);
    };
    for index in 0..functor.arity() {
        let param = m.store.arg(params, index);
        let (arg, part) = placed(m, args, index);
        if param.is_var() && computation(m, arg) == Some(param) {
            let arg = clause.text_of(m, arg)?;
            let message = format!("the argument {arg} is passed as a term and is not computed");
            let hint = format!("compute it first with `N1 is {arg}`, and pass N1");
            clause.remark(Warning::Arithmetic, part, message, Some(hint))?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns whether the functor is `==`.
pub(super) fn is_identity(m: &Machine, functor: Functor) -> bool {
    functor.arity() == 2 && m.world.symbols.name(functor) == atoms::IDENTICAL
}

/// Returns whether a variable is computed from an expression that contains it.
fn assigns(m: &Machine, result: Cell, expression: Cell) -> Result<bool, Stop> {
    Ok(result.is_var() && expression.is_compound() && occurs(m, result, expression)?)
}
