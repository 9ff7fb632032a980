//! Constraints between expressions that turn out to be plain arithmetic: the instructions that end it. If an
//! instruction of `ops::arith` belongs to a constraint, it leaves the rest to the builtin that posts the constraint.
#![forbid(unsafe_code)]

use super::arith::{box_kind, is_big, x};
use super::unify::unify;
use crate::code::instruction::{OPERAND, Op, ROWS, decode, slot_a, slot_b};
use crate::ir::clause::Relation;
use crate::machine::dispatch::endings::target;
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{rare, rarely};
use crate::machine::state::Machine;
use crate::store::address::CodeAddr;
use crate::store::cell::{BoxKind, Cell, WORD};
use crate::store::raw;

/// Returns the instruction that ends the constraint or comparison which the instruction at `at` belongs to.
pub(in crate::machine) fn end(mut at: CodeAddr) -> Option<CodeAddr> {
    while raw::word(at) & OPERAND != 0 {
        at += ROWS[decode(raw::word(at))? as usize].words as u64 * WORD;
    }
    Some(at)
}

/// Returns whether a cell is an integer.
#[inline(always)]
pub(in crate::machine) fn is_integer(cell: Cell) -> bool {
    cell.is_int() || is_big(cell)
}

/// Returns whether both are integers.
#[inline(always)]
pub(in crate::machine) fn are_integers(a: Cell, b: Cell) -> bool {
    is_integer(a) && is_integer(b)
}

/// Returns the sign of an integer.
pub(in crate::machine) fn sign(cell: Cell) -> i64 {
    match box_kind(cell) {
        None => cell.int_value().signum(),
        Some(BoxKind::BigNegative) => -1,
        Some(_) => 1,
    }
}

/// Returns the registers at the posting of the constraint that an instruction belongs to. Returns `None` if the
/// instruction has a result or belongs to no constraint.
#[inline(always)]
pub(in crate::machine) fn posted_unless(
    r: Regs,
    w: u64,
    has_result: impl Fn() -> bool,
) -> Option<Regs> {
    if w & OPERAND == 0 || has_result() {
        return None;
    }
    posted(r)
}

/// Returns the registers at the posting of the constraint that the present instruction belongs to, if there is one.
#[cold]
fn posted(mut r: Regs) -> Option<Regs> {
    r.go(end(r.p())?);
    (decode(raw::word(r.p())) == Some(Op::Constraint)).then(|| {
        r.go(target(&r, 1));
        r
    })
}

/// Returns the registers at the call of Lolli's builtin, if the present instruction belongs to
/// arithmetic of Lolli in place.
#[cold]
pub(in crate::machine) fn left_to_lolli(mut r: Regs) -> Option<Regs> {
    let end = end(r.p())?;
    let word = raw::word(end);
    (decode(word) == Some(Op::Constraint) && slot_a(word) == Relation::LolliIs.number()).then(
        || {
            r.go(end);
            r.go(target(&r, 1));
            r
        },
    )
}

/// `constraint_value Xa, Xb`
#[inline(always)]
pub(crate) fn constraint_value(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let (a, b) = (x(m, slot_a(w)), x(m, slot_b(w)));
    if a.is_int() || a.is_var() {
        return unify(m, r, a, b, 1);
    }
    rare(m, r, rarely!(constraint_value_slowly))
}

fn constraint_value_slowly(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let (a, b) = (x(m, slot_a(w)), x(m, slot_b(w)));
    match posted_unless(r, w, || is_integer(a)) {
        Some(posted) => posted,
        None => unify(m, r, a, b, 1),
    }
}

/// `constraint relation, posted, done`
#[inline(always)]
pub(crate) fn constraint(_: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.go(target(&r, 2));
    r
}
