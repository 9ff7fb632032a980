//! Instructions of the contexts: calls of predicates that may be assumed, scopes of assumptions.
#![forbid(unsafe_code)]

use super::guard::{guard_frame, return_from_guard};
use crate::base::atom_table::atoms;
use crate::base::stop::Stop;
use crate::code::instruction::{slot_a, slot_b, wide};
use crate::machine::contexts::assumption::NONE;
use crate::machine::contexts::slots::slot;
use crate::machine::control::wakeups::wake;
use crate::machine::dispatch::endings::{fail, out_of_memory, raise, step};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{rare, rarely};
use crate::machine::frames::layout::env;
use crate::machine::frames::stubs;
use crate::machine::frames::suspend::Held;
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD};
use crate::store::raw;

/// `assumed n`
#[inline(always)]
pub(crate) fn assumed(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if raw::word(r.p() + slot::NEWEST as u64 * WORD) == NONE.word() {
        let own = raw::word(r.p() + slot::OWN as u64 * WORD) != NONE.word()
            && raw::word(r.p() + slot::CLAUSES as u64 * WORD) == 0;
        r.go(if own {
            r.p() + slot::FAIL as u64 * WORD
        } else {
            raw::code_at(r.p() + slot::STATIC as u64 * WORD)
        });
        return r;
    }
    let direct = raw::cell(r.p() + slot::DIRECT as u64 * WORD);
    if direct != NONE && raw::word(r.p() + slot::CLAUSES as u64 * WORD) == 0 {
        r.go(raw::code_at(
            m.entries + (direct.int_value() as u64 - 1) * WORD,
        ));
        return r;
    }
    rare(m, r, rarely!(enter))
}

fn enter(m: &mut Machine, r: Regs, w: u64) -> Regs {
    m.store.heap_top = r.h;
    m.env = r.e;
    m.enter_assumed(r, wide(w))
}

/// `assumed_retry`
#[inline(always)]
pub(crate) fn assumed_retry(m: &mut Machine, r: Regs, _: u64) -> Regs {
    m.retry_assumed(r)
}

/// `scope_begin Xa`
#[inline(always)]
pub(crate) fn scope_begin(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let base = m.scope_base();
    raw::set_register(&mut m.x, slot_a(w), base);
    step(&mut r, 1);
    r
}

/// `scope_frame Xa`
#[inline(always)]
pub(crate) fn scope_frame(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let end = stubs::scope_return();
    if m.cont == end || m.cont == stubs::scope_bang_return() {
        step(&mut r, 1);
        return r;
    }
    let base = raw::register(&m.x, slot_a(w));
    if m.cont == stubs::bang_return() {
        let (levels, watermark) = (raw::cell(r.e.slot(0)), raw::cell(r.e.slot(1)));
        return both_frame(m, r, [base, levels, watermark]);
    }
    if !guard_frame(m, &mut r, end) {
        return out_of_memory(m, r);
    }
    raw::set_cell(r.e.slot(0), base);
    step(&mut r, 1);
    r
}

/// Makes one frame for scopes and `{}` out of the frame that the goal would return to. So a loop
/// through both needs only one frame.
fn both_frame(m: &mut Machine, mut r: Regs, kept: [Cell; 3]) -> Regs {
    m.cont = r.e.get(env::CP);
    r.e = r.e.get(env::CE);
    let end = stubs::scope_bang_return();
    if !guard_frame(m, &mut r, end) {
        return out_of_memory(m, r);
    }
    for (index, cell) in (0u64..).zip(kept) {
        raw::set_cell(r.e.slot(index), cell);
    }
    step(&mut r, 1);
    r
}

/// `scope_return`
#[inline(always)]
pub(crate) fn scope_return(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    if m.store.wake_pending {
        let p = r.p();
        return Ok(wake(m, r, p, Held::frame(1, true)));
    }
    let base = raw::cell(r.e.slot(0));
    m.store.heap_top = r.h;
    if m.end_scope(base)? {
        r.h = m.store.heap_top;
        return_from_guard(m, &mut r);
    } else {
        fail(m, &mut r);
    }
    Ok(r)
}

/// `bang_begin Xa, Xb`
#[inline(always)]
pub(crate) fn bang_begin(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let Some((levels, watermark)) = m.begin_bang() else {
        let memory = m.resource_error(atoms::MEMORY);
        return raise(m, r, memory, None);
    };
    raw::set_register(&mut m.x, slot_a(w), levels);
    raw::set_register(&mut m.x, slot_b(w), watermark);
    step(&mut r, 1);
    r
}

/// `bang_frame Xa, Xb`
#[inline(always)]
pub(crate) fn bang_frame(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let end = stubs::bang_return();
    if m.cont == end {
        step(&mut r, 1);
        return r;
    }
    let saved: [Cell; 2] = [slot_a(w), slot_b(w)].map(|index| raw::register(&m.x, index));
    let both = m.cont == stubs::scope_bang_return();
    if both || m.cont == stubs::scope_return() {
        let base = raw::cell(r.e.slot(0));
        if m.is_scope_done(base, saved[0]) {
            if both {
                step(&mut r, 1);
                return r;
            }
            return both_frame(m, r, [base, saved[0], saved[1]]);
        }
    }
    if !guard_frame(m, &mut r, end) {
        return out_of_memory(m, r);
    }
    raw::set_cell(r.e.slot(0), saved[0]);
    raw::set_cell(r.e.slot(1), saved[1]);
    step(&mut r, 1);
    r
}

/// `scope_bang_return`
#[inline(always)]
pub(crate) fn scope_bang_return(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    if m.store.wake_pending {
        let p = r.p();
        return Ok(wake(m, r, p, Held::frame(3, true)));
    }
    let [base, levels, watermark] = [0, 1, 2].map(|index: u64| raw::cell(r.e.slot(index)));
    m.store.heap_top = r.h;
    if m.end_scope(base)? {
        m.end_bang(levels, watermark);
        r.h = m.store.heap_top;
        return_from_guard(m, &mut r);
    } else {
        fail(m, &mut r);
    }
    Ok(r)
}

/// `bang_return`
#[inline(always)]
pub(crate) fn bang_return(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if m.store.wake_pending {
        let p = r.p();
        return wake(m, r, p, Held::frame(2, true));
    }
    let (levels, watermark) = (raw::cell(r.e.slot(0)), raw::cell(r.e.slot(1)));
    m.end_bang(levels, watermark);
    return_from_guard(m, &mut r);
    r
}
