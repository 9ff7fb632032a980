//! Instructions that unify and build terms. Long because each instruction is next to its forms for reading and for writing.
#![forbid(unsafe_code)]

use crate::base::stop::Stop;
use crate::code::instruction::wide;
use crate::machine::dispatch::endings::{fail, step, target};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{rare, rare_with, rarely, rest};
use crate::machine::frames::stubs;
use crate::machine::state::{Machine, RareForm};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::{Sought, deref, seek};
use crate::store::raw;

/// Returns register `index`.
#[inline(always)]
pub(in crate::machine) fn get_x(m: &Machine, index: usize) -> Cell {
    raw::register(&m.x, index)
}

/// Sets register `index`.
#[inline(always)]
pub(in crate::machine) fn set_x(m: &mut Machine, index: usize, cell: Cell) {
    raw::set_register(&mut m.x, index, cell);
}

/// Returns the address of slot `index` of the environment.
#[inline(always)]
pub(in crate::machine) fn y_addr(r: &Regs, index: usize) -> HeapAddr {
    r.e.slot(index as u64)
}

/// Defines instructions after which the next one follows: name, the machine, registers and first word that it uses,
/// its number of words, and its body.
macro_rules! going_on {
    ($($(#[$doc:meta])* $name:ident($m:pat_param, $r:ident, $w:pat_param) $words:literal $body:block)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name($m: &mut Machine, mut $r: Regs, $w: u64) -> Regs {
            $body
            step(&mut $r, $words);
            $r
        }
    )*};
}

/// `get_constant Xa, c`
#[inline(always)]
pub(crate) fn get_constant(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let constant = raw::cell(r.p() + 8);
    let cell = get_x(m, r.a());
    unify_with_constant(m, r, cell, constant)
}

/// Unifies a cell with a constant, as the last step of an instruction of two words.
#[inline(always)]
fn unify_with_constant(m: &mut Machine, mut r: Regs, mut cell: Cell, constant: Cell) -> Regs {
    loop {
        if cell == constant {
            step(&mut r, 2);
            return r;
        }
        if !cell.is_var() {
            fail(m, &mut r);
            return r;
        }
        let next = raw::cell(cell.addr());
        if next == cell {
            break;
        }
        cell = next;
    }
    if cell.tag() == tag::REF {
        m.store.bind_plain(cell, constant);
        step(&mut r, 2);
        return r;
    }
    let form = rarely!(with unify_two_words);
    rare_with(m, r, form, cell.word(), constant.word())
}

/// Unifies two cells. A slow form handles attributed variables.
#[inline(always)]
pub(in crate::machine) fn unify(
    m: &mut Machine,
    mut r: Regs,
    a: Cell,
    b: Cell,
    words: u64,
) -> Regs {
    let (a, b) = (deref(a), deref(b));
    // Tags are read one by one: all together would need more processor registers than are free.
    let tag = |cell: Cell| raw::alone(cell.word()) & tag::MASK;
    if a == b {
        step(&mut r, words);
        return r;
    }
    if tag(a) == tag::REF {
        // Of two variables the younger is bound.
        if tag(b) == tag::REF && b.word() > a.word() {
            m.store.bind_plain(b, a);
        } else {
            m.store.bind_plain(a, b);
        }
        step(&mut r, words);
        return r;
    }
    if tag(b) == tag::REF {
        m.store.bind_plain(b, a);
        step(&mut r, words);
        return r;
    }
    if tag(a) == tag::ATT || tag(b) == tag::ATT {
        let form = if words == 1 {
            rarely!(with unify_one_word)
        } else {
            rarely!(with unify_two_words)
        };
        return rare_with(m, r, form, a.word(), b.word());
    }
    if raw::alone(a.word() ^ b.word()) & tag::MASK != 0
        || Cell::of_word(raw::alone(a.word())).is_simple()
    {
        fail(m, &mut r);
        return r;
    }
    let next = r.p() + words * WORD;
    let form = rarely!(with unify_rest_slowly);
    rest(m, r, form, next, a.word(), b.word())
}

/// `unify_rest`
#[inline(always)]
pub(crate) fn unify_rest(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let (a, b) = m.rare.operands;
    match m.store.unify_flat(Cell::of_word(a), Cell::of_word(b)) {
        Some(true) => r.go(m.rare.at),
        Some(false) => fail(m, &mut r),
        None => r.go(stubs::rare()),
    }
    r
}

#[inline(always)]
fn unify_rest_slowly(m: &mut Machine, mut r: Regs, _: u64, a: u64, b: u64) -> Result<Regs, Stop> {
    m.store.heap_top = r.h;
    let unified = m.store.unify_general(Cell::of_word(a), Cell::of_word(b));
    r.h = m.store.heap_top;
    if !unified? {
        fail(m, &mut r);
    }
    Ok(r)
}

/// Runs the slow form of [`unify`] in instructions of one word.
#[inline(always)]
fn unify_one_word(m: &mut Machine, r: Regs, _: u64, a: u64, b: u64) -> Result<Regs, Stop> {
    unify_slowly(m, r, Cell::of_word(a), Cell::of_word(b), 1)
}

/// Runs the slow form of [`unify`] in instructions of two words.
#[inline(always)]
fn unify_two_words(m: &mut Machine, r: Regs, _: u64, a: u64, b: u64) -> Result<Regs, Stop> {
    unify_slowly(m, r, Cell::of_word(a), Cell::of_word(b), 2)
}

/// Unifies any two terms.
#[inline(always)]
pub(in crate::machine) fn unify_slowly(
    m: &mut Machine,
    mut r: Regs,
    a: Cell,
    b: Cell,
    words: u64,
) -> Result<Regs, Stop> {
    m.store.heap_top = r.h;
    let unified = m.unify(a, b);
    r.h = m.store.heap_top;
    if unified? {
        step(&mut r, words);
    } else {
        fail(m, &mut r);
    }
    Ok(r)
}

/// `get_literal Xa, c`
#[inline(always)]
pub(crate) fn get_literal(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let (a, b) = (get_x(m, r.a()), raw::cell(r.p() + 8));
    unify(m, r, a, b, 2)
}

/// `get_ground Xa, c`
#[inline(never)]
pub(crate) fn get_ground(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    m.store.heap_top = r.h;
    let unified = m
        .store
        .unify_small_ground(raw::register(&m.x, r.a()), raw::cell(r.p() + WORD));
    r.h = m.store.heap_top;
    if unified? {
        step(&mut r, 2)
    } else {
        fail(m, &mut r)
    }
    Ok(r)
}

/// `get_list Xa, label`
#[inline(always)]
pub(crate) fn get_list(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let cell = get_x(m, r.a());
    enter_list(m, r, cell, rarely!(get_list_slowly))
}

#[inline(always)]
fn enter_list(m: &mut Machine, mut r: Regs, cell: Cell, slow: RareForm) -> Regs {
    match seek::<{ tag::LST }>(cell) {
        Sought::Wanted(list) => {
            r.s = list.addr_of::<{ tag::LST }>();
            step(&mut r, 2);
        }
        Sought::Variable(var) => {
            m.store.bind_plain(var, Cell::list(r.h));
            r.go(target(&r, 1));
        }
        Sought::Attributed => return rare(m, r, slow),
        Sought::Other(_) => fail(m, &mut r),
    }
    r
}

/// Binds an attributed variable to the term that the code at the label writes. The wake-up is built below the term,
/// which therefore begins higher.
#[inline(always)]
fn bind_later(m: &mut Machine, mut r: Regs, var: Cell, tag: u64, label: u64) -> Result<Regs, Stop> {
    let var = deref(var);
    m.store.heap_top = r.h;
    let value_at = m.store.prepare_wakeup(var)?;
    r.h = m.store.heap_top;
    m.store
        .finish_wakeup(var, value_at, Cell::of_word(r.h.bits() | tag));
    if tag == tag::STR {
        let functor = raw::cell(r.p() + WORD);
        push(&mut r, functor);
    }
    r.go(target(&r, label));
    Ok(r)
}

#[inline(always)]
fn get_list_slowly(m: &mut Machine, r: Regs, _: u64) -> Result<Regs, Stop> {
    let cell = get_x(m, r.a());
    bind_later(m, r, cell, tag::LST, 1)
}

#[inline(always)]
fn get_structure_slowly(m: &mut Machine, r: Regs, _: u64) -> Result<Regs, Stop> {
    let cell = get_x(m, r.a());
    bind_later(m, r, cell, tag::STR, 2)
}

#[inline(always)]
fn unify_list_slowly(m: &mut Machine, r: Regs, _: u64) -> Result<Regs, Stop> {
    bind_later(m, r, raw::cell(r.s), tag::LST, 1)
}

#[inline(always)]
fn unify_structure_slowly(m: &mut Machine, r: Regs, _: u64) -> Result<Regs, Stop> {
    bind_later(m, r, raw::cell(r.s), tag::STR, 2)
}

/// `get_structure Xa, f, label`
#[inline(always)]
pub(crate) fn get_structure(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let cell = get_x(m, r.a());
    enter_structure(m, r, cell, rarely!(get_structure_slowly))
}

#[inline(always)]
fn enter_structure(m: &mut Machine, mut r: Regs, cell: Cell, slow: RareForm) -> Regs {
    match seek::<{ tag::STR }>(cell) {
        Sought::Wanted(structure) => {
            let at = structure.addr_of::<{ tag::STR }>();
            if raw::word(at) == raw::word(r.p() + WORD) {
                r.s = at + WORD;
                step(&mut r, 3);
            } else {
                fail(m, &mut r);
            }
        }
        Sought::Variable(var) => {
            m.store.bind_plain(var, Cell::structure(r.h));
            let functor = raw::cell(r.p() + WORD);
            push(&mut r, functor);
            r.go(target(&r, 2));
        }
        Sought::Attributed => return rare(m, r, slow),
        Sought::Other(_) => fail(m, &mut r),
    }
    r
}

/// `get_value Xa, Xb`
#[inline(always)]
pub(crate) fn get_value(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let (a, b) = (get_x(m, r.a()), get_x(m, r.b()));
    unify(m, r, a, b, 1)
}

going_on! {
    /// `u_variable Xa`
    unify_variable_x(m, r, _) 1 {
        set_x(m, r.a(), raw::cell(r.s));
        r.s += WORD;
    }

    /// `u_variable Ya`
    unify_variable_y(_, r, _) 1 {
        raw::set_cell(y_addr(&r, r.a()), raw::cell(r.s));
        r.s += WORD;
    }
}

/// Puts a cell into a register or a slot of the environment.
macro_rules! put {
    (x $m:ident $r:ident $index:expr, $cell:expr) => {
        set_x($m, $index, $cell)
    };
    (y $m:ident $r:ident $index:expr, $cell:expr) => {
        raw::set_cell(y_addr(&$r, $index), $cell)
    };
}

/// Defines the forms of `u_variables`, by the places of its variables.
macro_rules! unify_variables {
    ($($name:ident $one:ident $two:ident;)*) => {$(
        #[doc = concat!("`u_variables`: ", stringify!($one $two))]
        #[inline(always)]
        #[allow(unused_variables, reason = "slots are not the machine's")]
        pub(crate) fn $name(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
            let (one, two) = (raw::cell(r.s), raw::cell(r.s + WORD));
            put!($one m r r.a(), one);
            put!($two m r r.b(), two);
            r.s += 2 * WORD;
            step(&mut r, 1);
            r
        }
    )*};
}

unify_variables! {
    unify_variables_xx x x;
    unify_variables_xy x y;
    unify_variables_yx y x;
    unify_variables_yy y y;
}

/// `u_void_variable n, Xb`
#[inline(always)]
pub(crate) fn unify_void_variable(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.s += r.a() as u64 * WORD;
    set_x(m, r.b(), raw::cell(r.s));
    r.s += WORD;
    step(&mut r, 1);
    r
}

/// `u_value Xa`
#[inline(always)]
pub(crate) fn unify_value_x(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let (a, b) = (get_x(m, r.a()), raw::cell(r.s));
    r.s += WORD;
    unify(m, r, a, b, 1)
}

/// `u_value Ya`
#[inline(always)]
pub(crate) fn unify_value_y(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let (a, b) = (raw::cell(y_addr(&r, r.a())), raw::cell(r.s));
    r.s += WORD;
    unify(m, r, a, b, 1)
}

/// `u_constant c`
#[inline(always)]
pub(crate) fn unify_constant(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let constant = raw::cell(r.p() + 8);
    let cell = raw::cell(r.s);
    r.s += WORD;
    unify_with_constant(m, r, cell, constant)
}

/// `u_literal c`
#[inline(always)]
pub(crate) fn unify_literal(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let (a, b) = (raw::cell(r.s), raw::cell(r.p() + 8));
    r.s += WORD;
    unify(m, r, a, b, 2)
}

/// `u_void n`
#[inline(always)]
pub(crate) fn unify_void(_: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.s += r.a() as u64 * WORD;
    step(&mut r, 1);
    r
}

/// `u_list label`
#[inline(always)]
pub(crate) fn unify_list(m: &mut Machine, r: Regs, _: u64) -> Regs {
    enter_list(m, r, raw::cell(r.s), rarely!(unify_list_slowly))
}

/// `u_structure f, label`
#[inline(always)]
pub(crate) fn unify_structure(m: &mut Machine, r: Regs, _: u64) -> Regs {
    enter_structure(m, r, raw::cell(r.s), rarely!(unify_structure_slowly))
}

#[inline(always)]
fn push(r: &mut Regs, cell: Cell) {
    raw::set_cell(r.h, cell);
    r.h += WORD;
}

going_on! {
    /// `w_constant c`, `w_functor f`
    write_constant(_, r, _) 2 {
        let cell = raw::cell(r.p() + 8);
        push(&mut r, cell);
    }

    /// `w_variable Xa`
    write_variable_x(m, r, _) 1 {
        let var = Cell::reference(r.h);
        push(&mut r, var);
        set_x(m, r.a(), var);
    }

    /// `w_variable Ya`
    write_variable_y(_, r, _) 1 {
        let var = Cell::reference(r.h);
        push(&mut r, var);
        raw::set_cell(y_addr(&r, r.a()), var);
    }

    /// `w_value Xa`
    write_value_x(m, r, _) 1 {
        let cell = get_x(m, r.a());
        push(&mut r, cell);
    }

    /// `w_value Ya`
    write_value_y(_, r, _) 1 {
        let cell = raw::cell(y_addr(&r, r.a()));
        push(&mut r, cell);
    }
}

/// Writes two cells in an instruction of one word.
#[inline(always)]
fn push_two(mut r: Regs, one: Cell, two: Cell) -> Regs {
    raw::set_cell(r.h, one);
    raw::set_cell(r.h + WORD, two);
    r.h += 2 * WORD;
    step(&mut r, 1);
    r
}

/// `w_value_variable Xa, Xb`
#[inline(always)]
pub(crate) fn write_value_variable(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let (value, var) = (get_x(m, r.a()), Cell::reference(r.h + WORD));
    set_x(m, r.b(), var);
    push_two(r, value, var)
}

/// `w_values Xa, Xb`
#[inline(always)]
pub(crate) fn write_values(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let (one, two) = (get_x(m, r.a()), get_x(m, r.b()));
    push_two(r, one, two)
}

/// `w_variables Xa, Xb`
#[inline(always)]
pub(crate) fn write_variables(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let (one, two) = (Cell::reference(r.h), Cell::reference(r.h + WORD));
    set_x(m, r.a(), one);
    set_x(m, r.b(), two);
    push_two(r, one, two)
}

going_on! {
    /// `w_void n`
    write_void(_, r, _) 1 {
        for _ in 0..r.a() {
            let var = Cell::reference(r.h);
            push(&mut r, var);
        }
    }

    /// `w_list n`
    write_list(_, r, w) 1 {
        let cell = Cell::list(r.h + u64::from(wide(w)) * WORD);
        push(&mut r, cell);
    }

    /// `w_structure n`
    write_structure(_, r, w) 1 {
        let cell = Cell::structure(r.h + u64::from(wide(w)) * WORD);
        push(&mut r, cell);
    }

    /// `put_constant Xa, c`
    put_constant(m, r, _) 2 {
        set_x(m, r.a(), raw::cell(r.p() + 8));
    }

    /// `put_variable Xa`
    put_variable_x(m, r, _) 1 {
        let var = Cell::reference(r.h);
        push(&mut r, var);
        set_x(m, r.a(), var);
    }

    /// `put_variable Xa, Yb`
    put_variable_y(m, r, _) 1 {
        let var = Cell::reference(r.h);
        push(&mut r, var);
        set_x(m, r.a(), var);
        raw::set_cell(y_addr(&r, r.b()), var);
    }

    /// `put_list Xa`
    put_list(m, r, _) 1 {
        set_x(m, r.a(), Cell::list(r.h));
    }

    /// `put_structure Xa, f`
    put_structure(m, r, _) 2 {
        set_x(m, r.a(), Cell::structure(r.h));
        let functor = raw::cell(r.p() + 8);
        push(&mut r, functor);
    }

    /// `move Xa, Xb`
    move_x(m, r, _) 1 {
        let cell = get_x(m, r.b());
        set_x(m, r.a(), cell);
    }

    /// `load Xa, Yb`
    load_y(m, r, _) 1 {
        let cell = raw::cell(y_addr(&r, r.b()));
        set_x(m, r.a(), cell);
    }

    /// `store Ya, Xb`
    store_y(m, r, _) 1 {
        raw::set_cell(y_addr(&r, r.a()), get_x(m, r.b()));
    }
}

#[inline(always)]
fn move_packed(m: &mut Machine, _: &Regs, (to, from): (usize, usize)) {
    let cell = get_x(m, from);
    set_x(m, to, cell);
}

#[inline(always)]
fn load_packed(m: &mut Machine, r: &Regs, (to, from): (usize, usize)) {
    set_x(m, to, raw::cell(y_addr(r, from)));
}

#[inline(always)]
fn store_packed(m: &mut Machine, r: &Regs, (to, from): (usize, usize)) {
    raw::set_cell(y_addr(r, to), get_x(m, from));
}

/// Defines instructions that do the work of another instruction for two or three pairs of operands.
macro_rules! packed {
    ($($two:ident $three:ident $one:ident;)*) => {$(
        #[doc = concat!("`", stringify!($two), "`")]
        #[inline(always)]
        pub(crate) fn $two(m: &mut Machine, r: Regs, _: u64) -> Regs {
            $one(m, &r, r.bytes::<2, 3>());
            $one(m, &r, r.bytes::<4, 5>());
            r.past(1)
        }

        #[doc = concat!("`", stringify!($three), "`")]
        #[inline(always)]
        pub(crate) fn $three(m: &mut Machine, r: Regs, _: u64) -> Regs {
            $one(m, &r, r.bytes::<2, 3>());
            $one(m, &r, r.bytes::<4, 5>());
            $one(m, &r, r.bytes::<6, 7>());
            r.past(1)
        }
    )*};
}

packed! {
    move_two move_three move_packed;
    load_two load_three load_packed;
    store_two store_three store_packed;
}
