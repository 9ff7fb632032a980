//! Instructions for `arg/3` and the integers of `between/3`, which are too frequent for the call of a builtin.
#![forbid(unsafe_code)]

use super::builtin::{nondet, nondet_retry};
use crate::base::atom_table::{atoms, functors};
use crate::base::flags::OccursCheck;
use crate::code::instruction::slot_a;
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{rare, rarely};
use crate::machine::frames::layout::cp;
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;
use std::sync::atomic::Ordering;

/// `arg n, b`: unifies a variable or an identical term with an argument of a structure. The builtin does the other cases.
#[inline(always)]
pub(crate) fn arg(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let nth = deref(raw::register(&m.x, 0));
    let term = deref(raw::register(&m.x, 1));
    if !nth.is_int() || term.tag() != tag::STR || m.world.flags.occurs_check != OccursCheck::False {
        return rare(m, r, rarely!(nondet));
    }
    let functor = raw::cell(term.addr()).as_functor();
    let index = nth.int_value() as u64;
    if index.wrapping_sub(1) >= functor.arity() as u64 || functor == functors::EIGENVARIABLE {
        return rare(m, r, rarely!(nondet));
    }
    let argument = deref(raw::cell(term.addr() + index * WORD));
    let value = deref(raw::register(&m.x, 2));
    if value != argument {
        // Of two plain variables the younger one is bound.
        let (var, other) = match argument.tag() == tag::REF && argument.word() > value.word() {
            true => (argument, value),
            false => (value, argument),
        };
        if var.tag() != tag::REF {
            return rare(m, r, rarely!(nondet));
        }
        m.store.bind_plain(var, other);
    }
    r.go(m.cont);
    r
}

/// `between_retry n, b`: returns the next integer, according to the choice point. The builtin does
/// the last integer and other cases.
#[inline(always)]
pub(crate) fn between_retry(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    let b = m.choice;
    // One test after another keeps few values alive, so no register must be saved.
    r.h = b.get(cp::HEAP);
    if m.calls == u64::MAX || r.h.bits() > m.store.watch.bell.limit.load(Ordering::Relaxed) {
        return rare(m, r, rarely!(nondet_retry));
    }
    let bottom = b.get(cp::TRAIL);
    while m.store.trail_top > bottom {
        if !m.store.undo_last() {
            return rare(m, r, rarely!(nondet_retry));
        }
    }
    // The arguments were dereferenced when the choice point was made.
    let arg = |index: usize| raw::cell(b.argument(index as u64));
    if !arg(0).is_int() || arg(2).tag() != tag::REF {
        return rare(m, r, rarely!(nondet_retry));
    }
    let state = b.argument(slot_a(w) as u64);
    let distance = raw::cell(state).int_value();
    let value = arg(0).int_value() + distance;
    if value >= last(arg(1)) {
        return rare(m, r, rarely!(nondet_retry));
    }
    if arg(1).is_int() {
        // The instruction after this one counts the next integers from this one.
        raw::set_cell(b.argument(0), Cell::int(value));
        raw::set_cell(state, Cell::int(1));
        b.set(cp::ALT, r.p() + WORD);
    } else {
        raw::set_cell(state, Cell::int(distance + 1));
    }
    m.calls += 1;
    m.store.bind_plain(arg(2), Cell::int(value));
    m.cont = b.get(cp::CONT);
    r.e = b.get(cp::ENV);
    r.go(m.cont);
    r
}

/// `between_next n, b`: returns the integer after the one in the first argument. `between_retry` has checked that the
/// bound is an integer and has bound the variable. Its trail entry is the first since the choice point, so the
/// variable just gets another value.
#[inline(always)]
pub(crate) fn between_next(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    let b = m.choice;
    r.h = b.get(cp::HEAP);
    if m.calls == u64::MAX || r.h.bits() > m.store.watch.bell.limit.load(Ordering::Relaxed) {
        return rare(m, r, rarely!(between_again));
    }
    let top = b.get(cp::TRAIL) + WORD;
    while m.store.trail_top > top {
        if !m.store.undo_last() {
            return rare(m, r, rarely!(between_again));
        }
    }
    let variable = raw::cell(b.argument(2)).addr();
    if m.store.trail_top != top || raw::word(top - WORD) != variable.bits() {
        return rare(m, r, rarely!(between_again));
    }
    // Cells of integers compare like their values.
    let value = raw::cell(b.argument(0)).word() as i64 + Cell::int(1).word() as i64
        - Cell::int(0).word() as i64;
    if value >= raw::cell(b.argument(1)).word() as i64 {
        return rare(m, r, rarely!(between_again));
    }
    raw::set_cell(b.argument(0), Cell::of_word(value as u64));
    raw::set_cell(variable, Cell::of_word(value as u64));
    m.calls += 1;
    m.cont = b.get(cp::CONT);
    r.e = b.get(cp::ENV);
    r.go(m.cont);
    r
}

/// Lets `between_retry` check everything again.
#[inline(always)]
fn between_again(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.go(r.p() - WORD);
    m.choice.set(cp::ALT, r.p());
    r
}

/// Returns the value of this upper bound; the least integer if the bound is neither an integer nor infinite.
#[inline(always)]
fn last(high: Cell) -> i64 {
    if high.is_int() {
        high.int_value()
    } else if high == Cell::atom(atoms::INF) || high == Cell::atom(atoms::INFINITE) {
        i64::MAX >> 3
    } else {
        i64::MIN
    }
}
