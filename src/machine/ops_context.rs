//! Instructions of the contexts: calls of what may be assumed, scopes of assumptions.

use super::assumption::NONE;
use super::contexts::slot;
use super::dispatch::{Regs, rare, slowly};
use super::frame::env;
use super::ops_control::{Held, fail, out_of_memory, raise, step};
use super::ops_meta::{guard_frame, return_from_guard};
use super::state::Machine;
use super::wakeups::wake;
use crate::base::symbol::atoms;
use crate::code::instruction::{slot_a, slot_b, wide};
use crate::store::cell::{Cell, WORD};
use crate::store::raw;

/// `assumed n`
#[inline(always)]
pub(crate) fn assumed(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if raw::word(r.p + slot::NEWEST as u64 * WORD) == NONE.0 {
        r.p = raw::word(r.p + slot::STATIC as u64 * WORD);
        return r;
    }
    rare(m, r, slowly!(enter))
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
    let end = m.stubs.scope_return();
    if m.cont != end {
        if !guard_frame(m, &mut r, end) {
            return out_of_memory(m, r);
        }
        let base = raw::register(&m.x, slot_a(w));
        raw::set_cell(r.e + env::Y0, base);
    }
    step(&mut r, 1);
    r
}

/// `scope_return`
#[inline(always)]
pub(crate) fn scope_return(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if m.store.wake_pending {
        let p = r.p;
        return wake(m, r, p, Held::frame(1, true));
    }
    let base = raw::cell(r.e + env::Y0);
    m.store.heap_top = r.h;
    if m.end_scope(base) {
        r.h = m.store.heap_top;
        return_from_guard(m, &mut r);
    } else {
        fail(m, &mut r);
    }
    r
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
    let end = m.stubs.bang_return();
    if m.cont != end {
        let saved: [Cell; 2] = [slot_a(w), slot_b(w)].map(|index| raw::register(&m.x, index));
        if !guard_frame(m, &mut r, end) {
            return out_of_memory(m, r);
        }
        raw::set_cell(r.e + env::Y0, saved[0]);
        raw::set_cell(r.e + env::Y0 + WORD, saved[1]);
    }
    step(&mut r, 1);
    r
}

/// `bang_return`
#[inline(always)]
pub(crate) fn bang_return(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if m.store.wake_pending {
        let p = r.p;
        return wake(m, r, p, Held::frame(2, true));
    }
    let (levels, watermark) = (raw::cell(r.e + env::Y0), raw::cell(r.e + env::Y0 + WORD));
    m.end_bang(levels, watermark);
    return_from_guard(m, &mut r);
    r
}
