//! What is known of expressions without running them: parts that nothing evaluates, values, comparisons that fail.

use crate::arith::compare::compare;
use crate::arith::evaluable::lookup;
use crate::arith::format::number_text;
use crate::base::atom_table::{Functor, atoms};
use crate::base::growth::Grow;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::diagnose::similar::as_predicate;
use crate::machine::evaluate::evaluate;
use crate::machine::state::Machine;
use crate::source::parts::{Part, Placed, placed};
use crate::source::term_texts::indicator_text;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::cmp::Ordering;

/// Parts of an expression that are looked at. Longer ones are made by programs.
const LIMIT: usize = 4096;
/// Values of expressions of more parts are not found out.
const SMALL: usize = 32;

/// The first part of an expression that arithmetic cannot evaluate, what is wrong with it, and what may help.
pub(super) fn without_value(
    m: &mut Machine,
    expression: Placed,
) -> Result<Option<(Part, String, Option<String>)>, Stop> {
    let mut todo = vec![expression];
    let mut seen = 0;
    while let Some((cell, part)) = todo.pop() {
        seen += 1;
        if seen > LIMIT {
            return Ok(None);
        }
        let (name, arity) = match m.store.view(cell) {
            View::Atom(name) => (name, 0),
            View::Struct(functor, args) => {
                let indexes = (0..functor.arity()).rev();
                todo.put_all(indexes.map(|index| placed(m, args, index)))?;
                (m.world.symbols.name(functor), functor.arity())
            }
            View::List(args) => {
                let (first, rest) = (m.store.arg(args, 0), m.store.arg(args, 1));
                if rest.is_var() || is_character(m, first) {
                    continue;
                }
                if rest != Cell::atom(atoms::NIL) {
                    let message = "only a list of one element has a value".to_owned();
                    return Ok(Some((part, message, None)));
                }
                todo.put(placed(m, args, 0))?;
                continue;
            }
            View::String(addr) => {
                if m.store.text(addr).chars().nth(1).is_some() || m.store.text(addr).is_empty() {
                    let message = "only a string of one character has a value".to_owned();
                    return Ok(Some((part, message, None)));
                }
                continue;
            }
            _ => continue,
        };
        let text = m.world.symbols.text(name).to_owned();
        if lookup(&text, arity).is_none() {
            let functor_name = name;
            let functor = m.world.symbols.functor_passing(name, arity)?;
            let name = indicator_text(m, functor)?;
            let hint = match arity {
                0 => None,
                _ => as_predicate(m, functor_name, arity)?,
            };
            return Ok(Some((part, format!("arithmetic has no {name}"), hint)));
        }
    }
    Ok(None)
}

fn is_character(m: &Machine, cell: Cell) -> bool {
    matches!(m.store.view(cell), View::Atom(name) if m.world.symbols.text(name).chars().count() == 1)
}

/// What must hold between two values for a comparison to succeed. None if it is none.
fn succeeds(m: &Machine, functor: Functor) -> Option<fn(Ordering) -> bool> {
    if functor.arity() != 2 {
        return None;
    }
    match m.world.symbols.name_text(functor) {
        "<" => Some(Ordering::is_lt),
        ">" => Some(Ordering::is_gt),
        "=<" => Some(Ordering::is_le),
        ">=" => Some(Ordering::is_ge),
        "=:=" => Some(Ordering::is_eq),
        "=\\=" => Some(Ordering::is_ne),
        _ => None,
    }
}

/// Is it the name of a comparison?
pub(crate) fn is_comparison(m: &Machine, functor: Functor) -> bool {
    succeeds(m, functor).is_some()
}

/// Is it a comparison of numbers that fails?
pub(super) fn fails(m: &mut Machine, goal: Cell) -> Result<bool, Stop> {
    let Some((functor, args)) = m.store.compound(goal) else {
        return Ok(false);
    };
    let Some(succeeds) = succeeds(m, functor) else {
        return Ok(false);
    };
    let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
    let (Some(left), Some(right)) = (constant(m, left)?, constant(m, right)?) else {
        return Ok(false);
    };
    Ok(compare(&left, &right).is_some_and(|order| !succeeds(order)))
}

/// Of what a comparison does not hold that is one of an expression with itself, or of a variable with what is
/// more or less than it. None if it may hold.
pub(super) fn contradicts(m: &Machine, goal: Cell) -> Result<Option<&'static str>, Stop> {
    let Some((functor, args)) = m.store.compound(goal) else {
        return Ok(None);
    };
    let Some(succeeds) = succeeds(m, functor) else {
        return Ok(None);
    };
    let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
    let is_equality = succeeds(Ordering::Equal) && !succeeds(Ordering::Less);
    if is_equality && !succeeds(Ordering::Greater) {
        let moved = is_moved(m, left, right) || is_moved(m, right, left);
        return Ok(moved.then_some("is true for no integer"));
    }
    let known = is_expression(m, left, is_quick)?;
    if !known || succeeds(Ordering::Equal) || !m.store.structurally_equal(left, right)? {
        return Ok(None);
    }
    Ok(Some(
        match succeeds(Ordering::Less) && succeeds(Ordering::Greater) {
            true => "is true for no number except `nan`",
            false => "is true for no number",
        },
    ))
}

/// Is the term `Variable + N` or `Variable - N`?
fn is_moved(m: &Machine, variable: Cell, term: Cell) -> bool {
    let Some((functor, args)) = m.store.compound(term).filter(|_| variable.is_var()) else {
        return false;
    };
    let sign = m.world.symbols.name_text(functor);
    if functor.arity() != 2 || !matches!(sign, "+" | "-") {
        return false;
    }
    let (left, right) = (m.store.arg(args, 0), m.store.arg(args, 1));
    let is_step = |cell| matches!(m.store.view(cell), View::Int(number) if number != 0);
    let variable = m.store.deref(variable);
    left == variable && is_step(right) || sign == "+" && right == variable && is_step(left)
}

/// Is one of the terms a number, and the other an expression with a variable, so that they are never equal?
pub(super) fn never_equal(m: &Machine, left: Cell, right: Cell) -> Result<bool, Stop> {
    let is_number = |cell| {
        matches!(
            m.store.view(cell),
            View::Int(_) | View::Big(_) | View::Float(_)
        )
    };
    let term = match (is_number(left), is_number(right)) {
        (true, false) => right,
        (false, true) => left,
        _ => return Ok(false),
    };
    if !m.store.deref(term).is_compound() {
        return Ok(false);
    }
    is_expression(m, term, |m, functor| {
        let name = m.world.symbols.name_text(functor);
        lookup(name, functor.arity()).is_some()
    })
}

/// Is it made of variables, one at least, of numbers and such functions, and small?
fn is_expression(
    m: &Machine,
    term: Cell,
    is_known: fn(&Machine, Functor) -> bool,
) -> Result<bool, Stop> {
    let mut todo = vec![term];
    let (mut seen, mut has_variable) = (0, false);
    while let Some(cell) = todo.pop() {
        seen += 1;
        match m.store.view(cell) {
            View::Var(_) => has_variable = true,
            View::Int(_) | View::Big(_) | View::Float(_) => {}
            View::Struct(functor, args) if seen < SMALL && is_known(m, functor) => {
                todo.put_all(m.store.args(functor, args))?;
            }
            _ => return Ok(false),
        }
    }
    Ok(has_variable)
}

/// Why `Left is Right` cannot succeed, whatever the variables are.
pub(super) fn never_is(m: &mut Machine, left: Cell, right: Cell) -> Result<Option<String>, Stop> {
    match m.store.view(left) {
        View::Var(_) | View::Big(_) => Ok(None),
        View::Int(_) | View::Float(_) => {
            let (Some(left), Some(right)) = (constant(m, left)?, constant(m, right)?) else {
                return Ok(None);
            };
            let same = match (&left, &right) {
                (Number::Int(left), Number::Int(right)) => left == right,
                (Number::Float(left), Number::Float(right)) => left == right,
                _ => false,
            };
            let value = number_text(&right, &m.store.events.watch);
            let value = value.ok().filter(|_| !same);
            Ok(value.map(|value| format!("the value is {value}")))
        }
        _ => {
            let why = "the value is a number, and `is` does not compute its left side";
            Ok(Some(why.to_owned()))
        }
    }
}

/// The value of an expression of numbers, if it is small.
fn constant(m: &mut Machine, expression: Cell) -> Result<Option<Number>, Stop> {
    let mut todo = vec![expression];
    let mut seen = 0;
    while let Some(cell) = todo.pop() {
        seen += 1;
        match m.store.view(cell) {
            View::Int(_) | View::Float(_) => {}
            View::Struct(functor, args) if seen < SMALL && is_quick(m, functor) => {
                todo.put_all(m.store.args(functor, args))?;
            }
            _ => return Ok(None),
        }
    }
    Ok(evaluate(m, expression).ok())
}

/// Is it a function whose value is never much larger than its arguments?
fn is_quick(m: &Machine, functor: Functor) -> bool {
    matches!(
        (m.world.symbols.name_text(functor), functor.arity()),
        ("+" | "-" | "abs", 1)
            | (
                "+" | "-" | "*" | "/" | "//" | "mod" | "rem" | "min" | "max",
                2
            )
    )
}
