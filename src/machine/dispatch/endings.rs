//! The ends of instructions: step on, branch, fail, raise an exception, call a predicate of the system.
#![forbid(unsafe_code)]

use super::regs::Regs;
use super::slow_forms::out_of_line;
use crate::base::atom_table::Functor;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::frames::layout::cp;
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::deref;
use crate::store::raw;

/// Moves P on by `words` words.
#[inline(always)]
pub(crate) fn step(r: &mut Regs, words: u64) {
    r.step(words);
}

/// Returns the address of the label in word `word` of the instruction.
#[inline(always)]
pub(crate) fn target(r: &Regs, word: u64) -> CodeAddr {
    r.p()
        .wrapping_add(raw::word(r.p() + word * WORD).wrapping_mul(WORD))
}

/// Backtracks to the newest choice point.
#[inline(always)]
pub(crate) fn fail(m: &mut Machine, r: &mut Regs) {
    r.go(m.choice.get(cp::ALT));
}

/// Ends a test of two words; the second word is its label. If the test fails, P goes to the
/// label. The label 0 means failure.
#[inline(always)]
pub(crate) fn branch(m: &mut Machine, r: &mut Regs, holds: bool) {
    if holds {
        step(r, 2);
    } else {
        let label = raw::word(r.p() + WORD);
        if label == 0 {
            fail(m, r);
        } else {
            r.go(r.p().wrapping_add(label.wrapping_mul(WORD)));
        }
    }
}

out_of_line! {
    /// Raises an exception. `context` is the predicate that the error names.
    pub(crate) fn raise(m, mut r, throw: Throw, context: Option<Functor>) {
        m.run.raising.context = context;
        m.run.raising.at = r.p();
        m.run.raising.pending = Some(throw);
        r.go(stubs::raise());
        r
    }
}

out_of_line! {
    /// Raises the exception for a lack of memory.
    pub(crate) fn out_of_memory(m, r) {
        raise(m, r, Throw::new(Ball::OutOfMemory), None)
    }
}

/// `fail`
#[inline(always)]
pub(crate) fn fail_op(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    fail(m, &mut r);
    r
}

/// Counts a call. Returns whether a budget may be spent.
#[inline(always)]
pub(crate) fn count_call(m: &mut Machine) -> bool {
    let (calls, over) = m.calls.overflowing_add(1);
    m.calls = calls;
    over
}

/// Returns the dereferenced term in a register.
pub(in crate::machine) fn x(m: &Machine, index: usize) -> Cell {
    deref(raw::register(&m.x, index))
}

/// Calls a predicate of the system. Its arguments are in the registers.
#[inline(never)]
pub(crate) fn call_system(m: &mut Machine, mut r: Regs, predicate: PredId) -> Regs {
    m.cut_choice = m.choice;
    r.go(m.world.predicates.entry(predicate));
    r
}

/// Writes H and E to the fields where builtins and other code look for them.
#[inline(always)]
pub(in crate::machine) fn sync(m: &mut Machine, r: &Regs) {
    m.store.heap_top = r.h;
    m.env = r.e;
}
