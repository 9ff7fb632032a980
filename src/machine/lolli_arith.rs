//! Arithmetic of Lolli. Its functions are those of Prolog, except division; its errors are its own.
#![forbid(unsafe_code)]

use super::control::throw::Throw;
use super::evaluate::arith_error;
use super::state::Machine;
use crate::arith::compare::compare;
use crate::arith::evaluable::{self, EvalHost, EvalId};
use crate::arith::integer::div_floor;
use crate::arith::mixed::divide;
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::Grow;
use crate::base::number::Number;
use crate::store::body::CYCLE_CHECK;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::cmp::Ordering;

/// A task of the evaluation.
enum Task {
    Value(Cell),
    /// Divide as Lolli does: the quotient of integers is rounded down.
    Divide,
    /// Apply a function of Prolog; the number is its arity.
    Apply(EvalId, usize),
}

/// Evaluates an argument of a predicate. `place` and `predicate` name the argument in errors.
pub(crate) fn value(
    m: &mut Machine,
    term: Cell,
    place: &str,
    predicate: &str,
) -> Result<Number, Throw> {
    if let View::Int(value) = m.store.view(term) {
        return Ok(Number::Int(value));
    }
    let term = m.apply_terms(term)?;
    let mut tasks = vec![Task::Value(term)];
    let mut values: Vec<Number> = Vec::new();
    let mut steps = 0;
    while let Some(task) = tasks.pop() {
        steps += 1;
        m.store.events.watch.go_on_at(steps)?;
        if steps == CYCLE_CHECK && !m.store.acyclic_term(term)? {
            return Err(m.type_error(atoms::ACYCLIC, term));
        }
        let term = match task {
            Task::Divide => {
                if let (Some(y), Some(x)) = (values.pop(), values.pop()) {
                    let result = match x.is_integer() && y.is_integer() {
                        true => div_floor(&x, &y, m.bounds()),
                        false => divide(&x, &y, false, m.bounds()),
                    };
                    values.put(result.map_err(|error| arith_error(m, error))?)?;
                }
                continue;
            }
            Task::Apply(function, arity) => {
                let args = values.split_off(values.len() - arity);
                let result = evaluable::apply(function, &args, m);
                values.put(result.map_err(|error| arith_error(m, error))?)?;
                continue;
            }
            Task::Value(term) => m.store.deref(term),
        };
        if let Some(number) = m.store.number(term)? {
            values.put(number)?;
            continue;
        }
        if let View::Atom(name) = m.store.view(term)
            && let Some(constant) = evaluable::lookup(m.world.symbols.text(name), 0)
        {
            tasks.put(Task::Apply(constant, 0))?;
            continue;
        }
        if let Some((functor, args)) = m.store.compound(term)
            && let Some(task) = function(m, functor)
        {
            tasks.put(task)?;
            let args = (0..functor.arity()).rev().map(|at| m.store.arg(args, at));
            tasks.put_all(args.map(Task::Value))?;
            continue;
        }
        return Err(no_value(m, term, place, predicate));
    }
    match values.pop() {
        Some(value) => Ok(value),
        None => unreachable!("each term leaves its value"),
    }
}

/// Returns the function that a functor means in arithmetic. The list `[X]` of Prolog is no function here.
fn function(m: &Machine, functor: Functor) -> Option<Task> {
    match (m.world.symbols.name_text(functor), functor.arity()) {
        ("/", 2) => Some(Task::Divide),
        ("[|]", _) => None,
        (name, arity) => {
            evaluable::lookup(name, arity).map(|function| Task::Apply(function, arity))
        }
    }
}

fn no_value(m: &mut Machine, term: Cell, place: &str, predicate: &str) -> Throw {
    let text = m.lolli_text(term);
    let (what, formal) = if term.is_var() {
        ("an unbound Evar", Cell::atom(atoms::INSTANTIATION_ERROR))
    } else {
        let integer = Cell::atom(atoms::INTEGER);
        let formal = m.store.new_struct(functors::TYPE_ERROR, &[integer, term]);
        ("a non-integer constant", formal)
    };
    let message = format!("{place} argument of `{predicate}' contains {what} ({text})");
    m.throw_message(formal, Some(&message))
}

/// Compares the values of the two arguments of a predicate.
pub(crate) fn order(m: &mut Machine, x: Cell, y: Cell, predicate: &str) -> Result<Ordering, Throw> {
    let x = value(m, x, "1st", predicate)?;
    let y = value(m, y, "2nd", predicate)?;
    Ok(compare(&x, &y).unwrap_or(Ordering::Equal))
}
