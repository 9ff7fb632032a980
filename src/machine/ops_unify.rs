//! Instructions that unify and build terms.

use super::dispatch::{Regs, out_of_line};
use super::ops_control::{fail, step, target};
use super::state::Machine;
use crate::code::instruction::{slot_a, slot_b, wide};
use crate::machine::frame::env;
use crate::store::cell::{Addr, Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

#[inline(always)]
fn x(m: &Machine, index: usize) -> Cell {
    raw::register(&m.x, index)
}

#[inline(always)]
fn set_x(m: &mut Machine, index: usize, cell: Cell) {
    raw::set_register(&mut m.x, index, cell);
}

#[inline(always)]
fn y_addr(r: &Regs, index: usize) -> Addr {
    r.e + env::Y0 + index as u64 * WORD
}

/// Binds `var` to a value that is no plain variable.
#[inline(always)]
fn bind_value(m: &mut Machine, r: &mut Regs, var: Cell, value: Cell) {
    if var.tag() == tag::REF {
        m.store.bind_plain(var, value);
    } else {
        *r = bind_slow(m, *r, var, value);
    }
}

out_of_line! {
    fn bind_slow(m, r, var: Cell, value: Cell) {
        m.store.heap_top = r.h;
        m.store.bind(var, value);
        r.h = m.store.heap_top;
        r
    }
}

/// `get_constant Xa, c`
#[inline(always)]
pub(crate) fn get_constant(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let constant = raw::cell(r.p + 8);
    unify_with_constant(m, &mut r, deref(x(m, slot_a(w))), constant, 2);
    r
}

#[inline(always)]
fn unify_with_constant(m: &mut Machine, r: &mut Regs, cell: Cell, constant: Cell, words: u64) {
    if cell == constant {
        step(r, words);
    } else if cell.is_var() {
        bind_value(m, r, cell, constant);
        step(r, words);
    } else {
        fail(m, r);
    }
}

/// Unifies any two terms.
#[inline(always)]
fn unify_general(m: &mut Machine, r: &mut Regs, a: Cell, b: Cell, words: u64) {
    m.store.heap_top = r.h;
    let unified = m.unify(a, b);
    r.h = m.store.heap_top;
    if unified { step(r, words) } else { fail(m, r) }
}

/// `get_literal Xa, c`
#[inline(always)]
pub(crate) fn get_literal(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let (a, b) = (x(m, slot_a(w)), raw::cell(r.p + 8));
    unify_general(m, &mut r, a, b, 2);
    r
}

/// `get_list Xa, label`
#[inline(always)]
pub(crate) fn get_list(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = deref(x(m, slot_a(w)));
    enter_list(m, &mut r, cell, 1);
    r
}

#[inline(always)]
fn enter_list(m: &mut Machine, r: &mut Regs, cell: Cell, label: u64) {
    if cell.tag() == tag::LST {
        r.s = cell.addr();
        step(r, label + 1);
    } else if cell.is_var() {
        enter_write(m, r, cell, tag::LST, label);
    } else {
        fail(m, r);
    }
}

/// Binds a variable to the term that the stream at the label writes.
#[inline(always)]
fn enter_write(m: &mut Machine, r: &mut Regs, var: Cell, tag: u64, label: u64) {
    if var.tag() == tag::REF {
        m.store.bind_plain(var, Cell(r.h | tag));
    } else {
        *r = bind_later(m, *r, var, tag);
    }
    r.p = target(r, label);
}

out_of_line! {
    /// An attributed variable: its wake-up is built below the term, which so begins higher up.
    fn bind_later(m, r, var: Cell, tag: u64) {
        m.store.heap_top = r.h;
        let value_at = m.store.prepare_wakeup(var);
        r.h = m.store.heap_top;
        m.store.finish_wakeup(var, value_at, Cell(r.h | tag));
        r
    }
}

/// `get_structure Xa, f, label`
#[inline(always)]
pub(crate) fn get_structure(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = deref(x(m, slot_a(w)));
    enter_structure(m, &mut r, cell);
    r
}

#[inline(always)]
fn enter_structure(m: &mut Machine, r: &mut Regs, cell: Cell) {
    let functor = raw::word(r.p + 8);
    if cell.tag() == tag::STR {
        if raw::word(cell.addr()) == functor {
            r.s = cell.addr() + WORD;
            step(r, 3);
        } else {
            fail(m, r);
        }
    } else if cell.is_var() {
        enter_write(m, r, cell, tag::STR, 2);
    } else {
        fail(m, r);
    }
}

/// `get_value Xa, Xb`
#[inline(always)]
pub(crate) fn get_value(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let (a, b) = (x(m, slot_a(w)), x(m, slot_b(w)));
    unify_general(m, &mut r, a, b, 1);
    r
}

/// `u_variable Xa`
#[inline(always)]
pub(crate) fn unify_variable_x(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    set_x(m, slot_a(w), raw::cell(r.s));
    r.s += WORD;
    step(&mut r, 1);
    r
}

/// `u_variable Ya`
#[inline(always)]
pub(crate) fn unify_variable_y(_: &mut Machine, mut r: Regs, w: u64) -> Regs {
    raw::set_cell(y_addr(&r, slot_a(w)), raw::cell(r.s));
    r.s += WORD;
    step(&mut r, 1);
    r
}

/// `u_value Xa`
#[inline(always)]
pub(crate) fn unify_value_x(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let (a, b) = (x(m, slot_a(w)), raw::cell(r.s));
    r.s += WORD;
    unify_general(m, &mut r, a, b, 1);
    r
}

/// `u_value Ya`
#[inline(always)]
pub(crate) fn unify_value_y(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let (a, b) = (raw::cell(y_addr(&r, slot_a(w))), raw::cell(r.s));
    r.s += WORD;
    unify_general(m, &mut r, a, b, 1);
    r
}

/// `u_constant c`
#[inline(always)]
pub(crate) fn unify_constant(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let constant = raw::cell(r.p + 8);
    let cell = deref(raw::cell(r.s));
    r.s += WORD;
    unify_with_constant(m, &mut r, cell, constant, 2);
    r
}

/// `u_literal c`
#[inline(always)]
pub(crate) fn unify_literal(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let (a, b) = (raw::cell(r.s), raw::cell(r.p + 8));
    r.s += WORD;
    unify_general(m, &mut r, a, b, 2);
    r
}

/// `u_void n`
#[inline(always)]
pub(crate) fn unify_void(_: &mut Machine, mut r: Regs, w: u64) -> Regs {
    r.s += slot_a(w) as u64 * WORD;
    step(&mut r, 1);
    r
}

/// `u_list label`
#[inline(always)]
pub(crate) fn unify_list(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let cell = deref(raw::cell(r.s));
    enter_list(m, &mut r, cell, 1);
    r
}

/// `u_structure f, label`
#[inline(always)]
pub(crate) fn unify_structure(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let cell = deref(raw::cell(r.s));
    enter_structure(m, &mut r, cell);
    r
}

#[inline(always)]
fn push(r: &mut Regs, cell: Cell) {
    raw::set_cell(r.h, cell);
    r.h += WORD;
}

/// `w_constant c`, `w_functor f`
#[inline(always)]
pub(crate) fn write_constant(_: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let cell = raw::cell(r.p + 8);
    push(&mut r, cell);
    step(&mut r, 2);
    r
}

/// `w_variable Xa`
#[inline(always)]
pub(crate) fn write_variable_x(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let var = Cell::reference(r.h);
    push(&mut r, var);
    set_x(m, slot_a(w), var);
    step(&mut r, 1);
    r
}

/// `w_variable Ya`
#[inline(always)]
pub(crate) fn write_variable_y(_: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let var = Cell::reference(r.h);
    push(&mut r, var);
    raw::set_cell(y_addr(&r, slot_a(w)), var);
    step(&mut r, 1);
    r
}

/// `w_value Xa`
#[inline(always)]
pub(crate) fn write_value_x(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = x(m, slot_a(w));
    push(&mut r, cell);
    step(&mut r, 1);
    r
}

/// `w_value Ya`
#[inline(always)]
pub(crate) fn write_value_y(_: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = raw::cell(y_addr(&r, slot_a(w)));
    push(&mut r, cell);
    step(&mut r, 1);
    r
}

/// `w_void n`
#[inline(always)]
pub(crate) fn write_void(_: &mut Machine, mut r: Regs, w: u64) -> Regs {
    for _ in 0..slot_a(w) {
        let var = Cell::reference(r.h);
        push(&mut r, var);
    }
    step(&mut r, 1);
    r
}

/// `w_list n`
#[inline(always)]
pub(crate) fn write_list(_: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = Cell::list(r.h + u64::from(wide(w)) * WORD);
    push(&mut r, cell);
    step(&mut r, 1);
    r
}

/// `w_structure n`
#[inline(always)]
pub(crate) fn write_structure(_: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = Cell::structure(r.h + u64::from(wide(w)) * WORD);
    push(&mut r, cell);
    step(&mut r, 1);
    r
}

/// `put_constant Xa, c`
#[inline(always)]
pub(crate) fn put_constant(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    set_x(m, slot_a(w), raw::cell(r.p + 8));
    step(&mut r, 2);
    r
}

/// `put_variable Xa`
#[inline(always)]
pub(crate) fn put_variable_x(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let var = Cell::reference(r.h);
    push(&mut r, var);
    set_x(m, slot_a(w), var);
    step(&mut r, 1);
    r
}

/// `put_variable Xa, Yb`
#[inline(always)]
pub(crate) fn put_variable_y(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let var = Cell::reference(r.h);
    push(&mut r, var);
    set_x(m, slot_a(w), var);
    raw::set_cell(y_addr(&r, slot_b(w)), var);
    step(&mut r, 1);
    r
}

/// `put_list Xa`
#[inline(always)]
pub(crate) fn put_list(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    set_x(m, slot_a(w), Cell::list(r.h));
    step(&mut r, 1);
    r
}

/// `put_structure Xa, f`
#[inline(always)]
pub(crate) fn put_structure(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    set_x(m, slot_a(w), Cell::structure(r.h));
    let functor = raw::cell(r.p + 8);
    push(&mut r, functor);
    step(&mut r, 2);
    r
}

/// `move Xa, Xb`
#[inline(always)]
pub(crate) fn move_x(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = x(m, slot_b(w));
    set_x(m, slot_a(w), cell);
    step(&mut r, 1);
    r
}

/// `load Xa, Yb`
#[inline(always)]
pub(crate) fn load_y(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = raw::cell(y_addr(&r, slot_b(w)));
    set_x(m, slot_a(w), cell);
    step(&mut r, 1);
    r
}

/// `store Ya, Xb`
#[inline(always)]
pub(crate) fn store_y(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    raw::set_cell(y_addr(&r, slot_a(w)), x(m, slot_b(w)));
    step(&mut r, 1);
    r
}
