//! Instructions that unify as Lolli does; see `store::scoped`.
#![forbid(unsafe_code)]

use super::unify::get_x;
use crate::base::atom_table::atoms;
use crate::base::stop::Stop;
use crate::code::instruction::{slot_a, slot_b};
use crate::machine::control::throw::Throw;
use crate::machine::dispatch::endings::{fail, raise, step, target};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{rare, rarely};
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;
use crate::store::scoped::ScopedError;

/// `get_structure_scoped Xa, f, label`
#[inline(always)]
pub(crate) fn get_structure(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = deref(get_x(m, slot_a(w)));
    if cell.tag() == tag::STR {
        if raw::word(cell.addr()) == raw::word(r.p() + WORD) {
            r.s = cell.addr() + WORD;
            step(&mut r, 3);
            return r;
        }
        return rare(m, r, rarely!(structure_slowly));
    }
    if cell.is_var() {
        m.run.written = (cell, Cell::structure(r.h));
        r.go(target(&r, 2));
    } else {
        fail(m, &mut r);
    }
    r
}

/// Handles another structure: an application may still become a structure with this functor.
fn structure_slowly(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = deref(get_x(m, slot_a(w)));
    if m.store.is_application(&m.world.symbols, cell) {
        m.run.written = (cell, Cell::structure(r.h));
        r.go(target(&r, 2));
    } else {
        fail(m, &mut r);
    }
    r
}

/// `get_list_scoped Xa, label`
#[inline(always)]
pub(crate) fn get_list(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = deref(get_x(m, slot_a(w)));
    if cell.tag() == tag::LST {
        r.s = cell.addr();
        step(&mut r, 2);
    } else if cell.is_var() {
        m.run.written = (cell, Cell::list(r.h));
        r.go(target(&r, 1));
    } else {
        fail(m, &mut r);
    }
    r
}

/// `unify_written`
#[inline(always)]
pub(crate) fn unify_written(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let (a, b) = m.run.written;
    if a.tag() == tag::REF && m.store.eigenvariables.is_empty() {
        if slot_a(w) == 1 {
            m.store.bind_plain(a, b);
            step(&mut r, 1);
            return r;
        }
        if m.store.unify_scoped_flat(a, b) == Some(true) {
            step(&mut r, 1);
            return r;
        }
    }
    rare(m, r, rarely!(unify_written_slowly))
}

fn unify_written_slowly(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let (a, b) = m.run.written;
    unify(m, r, a, b)
}

/// `get_value_scoped Xa, Xb`
#[inline(always)]
pub(crate) fn get_value(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let (a, b) = (deref(get_x(m, slot_a(w))), deref(get_x(m, slot_b(w))));
    match m.store.unify_scoped_quickly(a, b) {
        Some(true) => step(&mut r, 1),
        Some(false) => fail(m, &mut r),
        None => return rare(m, r, rarely!(get_value_slowly)),
    }
    r
}

fn get_value_slowly(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let (a, b) = (get_x(m, slot_a(w)), get_x(m, slot_b(w)));
    unify(m, r, a, b)
}

fn unify(m: &mut Machine, mut r: Regs, a: Cell, b: Cell) -> Regs {
    m.store.heap_top = r.h;
    let unified = m.unify_scoped(a, b);
    r.h = m.store.heap_top;
    match unified {
        Ok(true) => step(&mut r, 1),
        Ok(false) => fail(m, &mut r),
        Err(throw) => return raise(m, r, throw, None),
    }
    r
}

impl Machine {
    /// Unifies two terms as Lolli does.
    ///
    /// # Errors
    /// Returns a domain error for two abstractions, or a resource error.
    #[inline(always)]
    pub(crate) fn unify_scoped(&mut self, a: Cell, b: Cell) -> Result<bool, Throw> {
        let (a, b) = (deref(a), deref(b));
        if let Some(unified) = self.store.unify_scoped_quickly(a, b) {
            return Ok(unified);
        }
        self.unify_scoped_whole(a, b)
    }

    #[cold]
    fn unify_scoped_whole(&mut self, a: Cell, b: Cell) -> Result<bool, Throw> {
        self.store
            .unify_scoped(&mut self.world.symbols, a, b)
            .map_err(|error| match error {
                ScopedError::Memory => Stop.into(),
                ScopedError::Abstractions(a, _) => self.domain_error(atoms::FIRST_ORDER_TERM, a),
            })
    }
}
