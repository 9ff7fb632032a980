//! Relations between expressions over integers, for clauses that the compiler has done their arithmetic of.

use crate::arith::compare::compare;
use crate::base::number::Number;
use crate::base::symbol::Functor;
use crate::ir::clause::NumCompare;
use crate::machine::builtin::builtins;
use crate::machine::evaluate::evaluate;
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::cmp::Ordering;

/// Looks whether a term is an expression.
fn check(m: &mut Machine, term: Cell) -> Result<(), Throw> {
    let mut todo = vec![term];
    while let Some(part) = todo.pop() {
        match m.store.view(part) {
            View::Int(_) | View::Big(_) => {}
            View::Var(_) => return Err(m.instantiation_error()),
            View::Struct(functor, args) if is_function(m, functor) => {
                todo.extend((0..functor.arity()).map(|index| m.store.arg(args, index)));
            }
            _ => {
                let expected = m.world.symbols.intern("clpfd_expression")?;
                return Err(m.domain_error(expected, part));
            }
        }
    }
    Ok(())
}

fn is_function(m: &Machine, functor: Functor) -> bool {
    let name = m.world.symbols.text(m.world.symbols.name(functor));
    match functor.arity() {
        1 => matches!(name, "-" | "abs"),
        2 => matches!(
            name,
            "+" | "-" | "*" | "//" | "div" | "mod" | "rem" | "min" | "max" | "^"
        ),
        _ => false,
    }
}

/// The value of an expression; `None` if it has none.
fn value(m: &mut Machine, term: Cell) -> Result<Option<Number>, Throw> {
    check(m, term)?;
    Ok(evaluate(m, term)
        .ok()
        .filter(|value| !matches!(value, Number::Float(_))))
}

/// Posts a relation. (The engine takes its place.)
fn post(m: &mut Machine, relation: NumCompare, x: Cell, y: Cell) -> Result<bool, Throw> {
    if relation == NumCompare::Equal && (x.is_var() || y.is_var()) {
        let (x, y) = if x.is_var() { (x, y) } else { (y, x) };
        return match value(m, y)? {
            Some(value) => m.unify_number(x, &value),
            None => Ok(false),
        };
    }
    let (Some(a), Some(b)) = (value(m, x)?, value(m, y)?) else {
        return Ok(false);
    };
    let order = compare(&a, &b);
    Ok(match relation {
        NumCompare::Less => order == Some(Ordering::Less),
        NumCompare::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        NumCompare::Greater => order == Some(Ordering::Greater),
        NumCompare::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        NumCompare::Equal => order == Some(Ordering::Equal),
        NumCompare::NotEqual => order != Some(Ordering::Equal),
    })
}

builtins! { RELATIONS =
    /// `X #= Y` where the arithmetic in place does not find integers.
    internal "#="("?term", "?term") = |m, [x, y]| post(m, NumCompare::Equal, x, y);

    /// The same of `X #\= Y`.
    internal "#\\="("?term", "?term") = |m, [x, y]| post(m, NumCompare::NotEqual, x, y);

    /// The same of `X #< Y`.
    internal "#<"("?term", "?term") = |m, [x, y]| post(m, NumCompare::Less, x, y);

    /// The same of `X #> Y`.
    internal "#>"("?term", "?term") = |m, [x, y]| post(m, NumCompare::Greater, x, y);

    /// The same of `X #=< Y`.
    internal "#=<"("?term", "?term") = |m, [x, y]| post(m, NumCompare::LessEqual, x, y);

    /// The same of `X #>= Y`.
    internal "#>="("?term", "?term") = |m, [x, y]| post(m, NumCompare::GreaterEqual, x, y);
}
