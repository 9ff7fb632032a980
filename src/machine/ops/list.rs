//! Instructions that unify a register with a whole list: the most frequent forms of heads.
#![forbid(unsafe_code)]

use super::unify::{get_x, set_x, unify, y_addr};
use crate::base::stop::Stop;
use crate::machine::dispatch::endings::{fail, step};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{rare, rarely};
use crate::machine::state::{Machine, RareForm};
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::{Sought, deref, seek};
use crate::store::raw;

/// Binds an attributed variable to a list of two fresh variables at H. The wake-up is built below the list.
fn bind_attributed(m: &mut Machine, r: &mut Regs, var: Cell) -> Result<(), Stop> {
    m.store.heap_top = r.h;
    let value_at = m.store.prepare_wakeup(var)?;
    r.h = m.store.heap_top;
    m.store.finish_wakeup(var, value_at, Cell::list(r.h));
    write_fresh(r);
    Ok(())
}

/// Writes two fresh variables.
#[inline(always)]
fn write_fresh(r: &mut Regs) {
    raw::set_cell(r.h, Cell::reference(r.h));
    raw::set_cell(r.h + WORD, Cell::reference(r.h + WORD));
    r.h += 2 * WORD;
}

#[inline(always)]
fn into_x(m: &mut Machine, _: &Regs, index: usize, cell: Cell) {
    set_x(m, index, cell);
}

#[inline(always)]
fn into_y(_: &mut Machine, r: &Regs, index: usize, cell: Cell) {
    raw::set_cell(y_addr(r, index), cell);
}

#[inline(always)]
fn nowhere(_: &mut Machine, _: &Regs, _: usize, _: Cell) {}

macro_rules! get_list {
    ($($name:ident $first:ident $second:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        #[inline(always)]
        pub(crate) fn $name(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
            #[inline(always)]
            fn again(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
                let var = deref(get_x(m, r.a()));
                bind_attributed(m, &mut r, var)?;
                let at = r.h - 2 * WORD;
                $first(m, &r, r.b(), raw::cell(at));
                $second(m, &r, r.c(), raw::cell(at + WORD));
                step(&mut r, 1);
                Ok(r)
            }
            match seek::<{ tag::LST }>(get_x(m, r.a())) {
                Sought::Wanted(list) => {
                    let at = list.addr_of::<{ tag::LST }>();
                    let (one, two) = (raw::cell(at), raw::cell(at + WORD));
                    $first(m, &r, r.b(), one);
                    $second(m, &r, r.c(), two);
                }
                Sought::Variable(var) => {
                    m.store.bind_plain(var, Cell::list(r.h));
                    let at = r.h;
                    write_fresh(&mut r);
                    $first(m, &r, r.b(), Cell::reference(at));
                    $second(m, &r, r.c(), Cell::reference(at + WORD));
                }
                Sought::Attributed => return rare(m, r, rarely!(again)),
                Sought::Other(_) => {
                    fail(m, &mut r);
                    return r;
                }
            }
            step(&mut r, 1);
            r
        }
    )*};
}

get_list! {
    get_list_xx into_x into_x;
    get_list_xy into_x into_y;
    get_list_yx into_y into_x;
    get_list_yy into_y into_y;
    get_list_tail nowhere into_x;
    get_list_head into_x nowhere;
}

/// `get_list_value Xa, Xb, Xc`
#[inline(always)]
pub(crate) fn get_list_value(m: &mut Machine, r: Regs, _: u64) -> Regs {
    list_with_head(m, r, into_x, rarely!(get_list_value_slowly))
}

/// `get_list_head_value Xa, Xb`
#[inline(always)]
pub(crate) fn get_list_head_value(m: &mut Machine, r: Regs, _: u64) -> Regs {
    list_with_head(m, r, nowhere, rarely!(get_list_head_value_slowly))
}

#[inline(always)]
fn list_with_head(
    m: &mut Machine,
    mut r: Regs,
    tail: impl Fn(&mut Machine, &Regs, usize, Cell),
    slow: RareForm,
) -> Regs {
    match seek::<{ tag::LST }>(get_x(m, r.a())) {
        Sought::Wanted(list) => {
            let at = list.addr_of::<{ tag::LST }>();
            let value = get_x(m, r.b());
            tail(m, &r, r.c(), raw::cell(at + WORD));
            return unify(m, r, value, raw::cell(at), 1);
        }
        Sought::Variable(var) => {
            m.store.bind_plain(var, Cell::list(r.h));
            raw::set_cell(r.h, get_x(m, r.b()));
            let end = Cell::reference(r.h + WORD);
            raw::set_cell(r.h + WORD, end);
            tail(m, &r, r.c(), end);
            r.h += 2 * WORD;
            step(&mut r, 1);
        }
        Sought::Attributed => return rare(m, r, slow),
        Sought::Other(_) => fail(m, &mut r),
    }
    r
}

#[inline(always)]
fn get_list_value_slowly(m: &mut Machine, r: Regs, w: u64) -> Result<Regs, Stop> {
    let tail = r.c();
    let r = get_list_head_value_slowly(m, r, w)?;
    set_x(m, tail, raw::cell(r.h - WORD));
    Ok(r)
}

#[inline(always)]
fn get_list_head_value_slowly(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    let (var, value) = (deref(get_x(m, r.a())), get_x(m, r.b()));
    bind_attributed(m, &mut r, var)?;
    raw::set_cell(r.h - 2 * WORD, value);
    step(&mut r, 1);
    Ok(r)
}
