//! Instructions for facts: they take the arguments from the term that is stored with the fact.
#![forbid(unsafe_code)]

use super::unify::get_x;
use crate::base::stop::Stop;
use crate::machine::dispatch::endings::{fail, step};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{rare, rarely};
use crate::machine::state::Machine;
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// Returns the arguments in the term of the fact: their number, and the address of the first.
#[inline(always)]
fn arguments(r: &Regs) -> (usize, CodeAddr) {
    (r.a(), r.p() + r.b() as u64 * WORD)
}

/// `get_constants n, k`: unifies the registers with those arguments that are constants.
#[inline(always)]
pub(crate) fn get_constants(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let (count, mut at) = arguments(&r);
    for index in 0..count {
        let constant = raw::cell(at);
        at += WORD;
        if !constant.is_simple() {
            continue;
        }
        let cell = deref(get_x(m, index));
        if cell == constant {
            continue;
        }
        if cell.tag() == tag::REF {
            m.store.bind_plain(cell, constant);
        } else if cell.is_var() {
            return rare(m, r, rarely!(get_constants_slowly));
        } else {
            fail(m, &mut r);
            return r;
        }
    }
    step(&mut r, 1);
    r
}

/// Unifies the registers with the constant arguments if a register holds an attributed variable. Registers bound
/// already are equal to the constants.
fn get_constants_slowly(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    m.store.heap_top = r.h;
    let (count, first) = arguments(&r);
    for index in 0..count {
        let constant: Cell = raw::cell(first + index as u64 * WORD);
        if constant.is_simple() && !m.unify(m.x[index], constant)? {
            fail(m, &mut r);
            return Ok(r);
        }
    }
    r.h = m.store.heap_top;
    step(&mut r, 1);
    Ok(r)
}
