//! Relations between expressions over integers, for clauses that the compiler has done their arithmetic of.

use crate::arith::compare::compare;
use crate::ir::clause::NumCompare;
use crate::machine::builtin::builtins;
use crate::machine::evaluate::evaluate;
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::store::cell::Cell;
use std::cmp::Ordering;

/// Posts a relation. (The engine takes its place.)
fn post(m: &mut Machine, relation: NumCompare, x: Cell, y: Cell) -> Result<bool, Throw> {
    if relation == NumCompare::Equal && (x.is_var() || y.is_var()) {
        let (x, y) = if x.is_var() { (x, y) } else { (y, x) };
        let value = evaluate(m, y)?;
        return m.unify_number(x, &value);
    }
    let (a, b) = (evaluate(m, x)?, evaluate(m, y)?);
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
