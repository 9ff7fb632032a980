//! Instructions that select among clauses. They read registers, and change only registers that hold no argument.
#![forbid(unsafe_code)]

use crate::arith::compare::compare;
use crate::base::stop::Stop;
use crate::code::instruction::{hash_key, slot_c, wide};
use crate::ir::key::{BOXED_TABLE, Key};
use crate::machine::dispatch::endings::out_of_memory;
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{rare, rarely};
use crate::machine::evaluate;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::cell::{BoxKind, Cell, WORD, tag};
use crate::store::heap::{Sought, deref, seek};
use crate::store::raw;
use std::cmp::Ordering;

#[inline(always)]
fn x(m: &Machine, index: usize) -> Cell {
    deref(raw::register(&m.x, index))
}

/// Goes to the address in word `word` of the instruction.
#[inline(always)]
fn go(r: &mut Regs, word: u64) {
    r.go(raw::code_at(r.p() + word * WORD));
}

/// Goes to the address in word `word` of the instruction if `holds`, otherwise to the address in the next word.
#[inline(always)]
fn branch(r: &mut Regs, word: u64, holds: bool) {
    r.go(if holds {
        raw::guessed_code_at::<0>(r.p() + word * WORD)
    } else {
        raw::guessed_code_at::<1>(r.p() + (word + 1) * WORD)
    });
}

/// `switch_on_term Xa`, then an address for each tag
#[inline(always)]
pub(crate) fn switch_on_term(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    // Branches, not a computed offset: the processor guesses P and reads on, and need not wait for the cell. A
    // sequence of tests, not a table: the processor guesses these better.
    r.go(match seek::<{ tag::LST }>(raw::register(&m.x, r.a())) {
        Sought::Wanted(_) => raw::guessed_code_at::<0>(r.p() + (1 + tag::LST) * WORD),
        Sought::Variable(_) => raw::guessed_code_at::<1>(r.p() + (1 + tag::REF) * WORD),
        Sought::Attributed => raw::guessed_code_at::<5>(r.p() + (1 + tag::ATT) * WORD),
        Sought::Other(tag) => {
            let is = |with: u64| raw::alone(tag) == with;
            if is(tag::CON) {
                raw::guessed_code_at::<2>(r.p() + (1 + tag::CON) * WORD)
            } else if is(tag::STR) {
                raw::guessed_code_at::<3>(r.p() + (1 + tag::STR) * WORD)
            } else if is(tag::INT) {
                raw::guessed_code_at::<4>(r.p() + (1 + tag::INT) * WORD)
            } else {
                raw::guessed_code_at::<5>(r.p() + (1 + tag::BOX) * WORD)
            }
        }
    });
    r
}

/// Greatest mask of a table that is searched linearly. The processor guesses the branches of the search, but
/// would have to wait for a hash.
const SEARCHED: u64 = 7;

/// Returns the address in the table for a cell with this key. With `BOXED` the table may contain boxed values.
#[inline(always)]
fn look_up<const BOXED: bool>(r: &Regs, cell: Cell, key: u64) -> CodeAddr {
    let mask = raw::word(r.p() + WORD);
    if mask <= SEARCHED {
        let mut at = r.p() + 3 * WORD;
        let end = at + (mask + 1) * 2 * WORD;
        while at < end {
            if raw::word(at) == key {
                return raw::code_at(at + WORD);
            }
            at += 2 * WORD;
        }
        return raw::code_at(r.p() + 2 * WORD);
    }
    if BOXED && mask & BOXED_TABLE != 0 {
        return look_up_boxed(r.p(), cell, mask & !BOXED_TABLE);
    }
    probe(r.p(), key, mask)
}

/// Returns the address in the table for a boxed value. The registers are not passed: an instruction that passes their
/// address cannot end in a tail call.
#[cold]
#[inline(never)]
fn look_up_boxed(table: CodeAddr, cell: Cell, mask: u64) -> CodeAddr {
    probe(table, Key::boxed(cell).word(), mask)
}

/// Returns the address for the key in the table with this mask.
#[inline(always)]
fn probe(table: CodeAddr, key: u64, mask: u64) -> CodeAddr {
    let mut slot = hash_key(key, mask);
    loop {
        let at = table + (3 + 2 * slot) * WORD;
        let found = raw::word(at);
        if found == key {
            return raw::code_at(at + WORD);
        }
        if found == 0 {
            return raw::code_at(table + 2 * WORD);
        }
        slot = (slot + 1) & mask;
    }
}

/// `switch_on_constant Xa, mask, other`
#[inline(always)]
pub(crate) fn switch_on_constant(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let cell = x(m, r.a());
    r.go(look_up::<false>(&r, cell, cell.word()));
    r
}

/// `switch_on_structure Xa, mask, other`
#[inline(always)]
pub(crate) fn switch_on_structure(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let cell = x(m, r.a());
    r.go(look_up::<true>(&r, cell, raw::word(cell.addr())));
    r
}

/// `switch_on_one_constant Xa, constant, it, other`
#[inline(always)]
pub(crate) fn switch_on_one_constant(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let cell = x(m, r.a());
    let same = cell.word() == raw::word(r.p() + WORD);
    branch(&mut r, 2, same);
    r
}

/// `switch_on_one_structure Xa, functor, it, other`
#[inline(always)]
pub(crate) fn switch_on_one_structure(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let cell = x(m, r.a());
    let same = raw::word(cell.addr()) == raw::word(r.p() + WORD);
    branch(&mut r, 2, same);
    r
}

/// Goes to the address in word `word` of the instruction if the cell is the wanted one. The next two words hold the
/// addresses for a variable and an attributed variable, the word after them the address for other cells.
#[inline(always)]
fn branch_on(r: &mut Regs, cell: Cell, word: u64, asked: bool) {
    r.go(if asked {
        raw::guessed_code_at::<0>(r.p() + word * WORD)
    } else if cell.tag() == tag::REF {
        raw::guessed_code_at::<1>(r.p() + (word + 1) * WORD)
    } else if cell.is_var() {
        raw::guessed_code_at::<2>(r.p() + (word + 2) * WORD)
    } else {
        raw::guessed_code_at::<3>(r.p() + (word + 3) * WORD)
    });
}

/// `branch_on_list Xa, list, variable, attributed, other`
#[inline(always)]
pub(crate) fn branch_on_list(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.go(match seek::<{ tag::LST }>(raw::register(&m.x, r.a())) {
        Sought::Wanted(_) => raw::guessed_code_at::<0>(r.p() + WORD),
        Sought::Variable(_) => raw::guessed_code_at::<1>(r.p() + 2 * WORD),
        Sought::Attributed => raw::guessed_code_at::<2>(r.p() + 3 * WORD),
        Sought::Other(_) => raw::guessed_code_at::<3>(r.p() + 4 * WORD),
    });
    r
}

/// `branch_on_constant Xa, constant, it, variable, attributed, other`
#[inline(always)]
pub(crate) fn branch_on_constant(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let cell = x(m, r.a());
    let asked = cell.word() == raw::word(r.p() + WORD);
    branch_on(&mut r, cell, 2, asked);
    r
}

/// `branch_on_structure Xa, functor, it, variable, attributed, other`
#[inline(always)]
pub(crate) fn branch_on_structure(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let cell = x(m, r.a());
    let asked = cell.tag() == tag::STR && raw::word(cell.addr()) == raw::word(r.p() + WORD);
    branch_on(&mut r, cell, 2, asked);
    r
}

/// `index_applied a, label`
#[inline(always)]
pub(crate) fn index_applied(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if m.world.symbols.applications
        && (0..r.a()).any(|index| m.store.may_be_application(x(m, index)))
    {
        return rare(m, r, rarely!(applied_slowly));
    }
    r.step(2);
    r
}

fn applied_slowly(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.store.heap_top = r.h;
    let mut open = false;
    for index in 0..r.a() {
        let argument = x(m, index);
        if !m.store.is_application(&m.world.symbols, argument) {
            continue;
        }
        let Ok(applied) = m.store.applied(&mut m.world.symbols, argument) else {
            return out_of_memory(m, r);
        };
        raw::set_register(&mut m.x, index, applied);
        open |= m.store.is_application(&m.world.symbols, applied);
    }
    r.h = m.store.heap_top;
    r.go(if open {
        raw::code_at(r.p() + WORD)
    } else {
        r.p() + 2 * WORD
    });
    r
}

/// `index_argument Xa, Xb, c`
#[inline(always)]
pub(crate) fn index_argument(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let compound = x(m, r.b());
    let argument = deref(raw::cell(compound.addr() + r.c() as u64 * WORD));
    raw::set_register(&mut m.x, r.a(), argument);
    r.step(1);
    r
}

/// `index_node p, n`
#[inline(always)]
pub(crate) fn index_node(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    let node = raw::word(r.p() + WORD) as usize;
    let upper = m.world.upper;
    // The node is made once; from now on the jump to this instruction leads to the node.
    r.go(upper.link(m, PredId(wide(w)), Some(node))?);
    Ok(r)
}

// ---- tests of clauses, made before one is chosen ------------------------------------------------

/// Returns whether an order is among those of a comparison.
#[inline(always)]
fn among(order: Ordering, w: u64) -> bool {
    slot_c(w) >> (order as i8 + 1) & 1 != 0
}

/// `guard_compare Xa, Xb, orders, holds, fails, unknown`
#[inline(always)]
pub(crate) fn guard_compare(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let (a, b) = (x(m, r.a()), x(m, r.b()));
    if a.word() & b.word() & tag::MASK == tag::INT {
        branch(
            &mut r,
            1,
            among((a.word() as i64).cmp(&(b.word() as i64)), w),
        );
        return r;
    }
    rare(m, r, rarely!(compare_slowly))
}

/// `guard_compare_small Xa, b, orders, holds, fails, unknown`
#[inline(always)]
pub(crate) fn guard_compare_small(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let (a, b) = (x(m, r.a()), small(w));
    if a.is_int() {
        branch(
            &mut r,
            1,
            among((a.word() as i64).cmp(&(b.word() as i64)), w),
        );
        return r;
    }
    rare(m, r, rarely!(compare_small_slowly))
}

#[inline(always)]
fn small(w: u64) -> Cell {
    Cell::int(i64::from((w >> 32) as u16 as i16))
}

fn compare_slowly(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let (a, b) = (x(m, r.a()), x(m, r.b()));
    compare_numbers(m, r, w, a, b)
}

fn compare_small_slowly(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let a = x(m, r.a());
    compare_numbers(m, r, w, a, small(w))
}

fn compare_numbers(m: &mut Machine, mut r: Regs, w: u64, a: Cell, b: Cell) -> Regs {
    // Constraints are between integers.
    let with_floats = slot_c(w) & 8 == 0;
    let number = |cell: Cell| match cell.tag() {
        tag::INT => true,
        tag::BOX => match raw::cell(cell.addr()).box_kind() {
            BoxKind::String => false,
            BoxKind::Float => with_floats,
            _ => true,
        },
        _ => false,
    };
    // A term that is no number may have a value or not; the clause itself finds out.
    let values = if number(a) && number(b) {
        let a = evaluate::evaluate(m, a);
        a.and_then(|a| Ok((a, evaluate::evaluate(m, b)?))).ok()
    } else {
        None
    };
    match values {
        // NaN differs from every number.
        Some((a, b)) => {
            let holds = compare(&a, &b).map_or(r.c() == 5, |order| among(order, w));
            branch(&mut r, 1, holds);
        }
        None => go(&mut r, 3),
    }
    r
}

/// `guard_identical Xa, Xb, holds, fails`
#[inline(always)]
pub(crate) fn guard_identical(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let (a, b) = (x(m, r.a()), x(m, r.b()));
    if a != b && a.tag() == b.tag() && !a.is_simple() && !a.is_var() {
        return rare(m, r, rarely!(identical_slowly));
    }
    branch(&mut r, 1, a == b);
    r
}

fn identical_slowly(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    let holds = m.store.structurally_equal(x(m, r.a()), x(m, r.b()));
    branch(&mut r, 1, holds?);
    Ok(r)
}

/// `guard_order Xa, Xb, orders, holds, fails`
#[inline(always)]
pub(crate) fn guard_order(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    let (a, b) = (x(m, r.a()), x(m, r.b()));
    let order = m.store.compare(a, b, &m.world.symbols);
    branch(&mut r, 1, among(order?, w));
    Ok(r)
}

/// `guard_pair Xa, Xb, same, different, unknown`
#[inline(always)]
pub(crate) fn guard_pair(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let (a, b) = (x(m, r.a()), x(m, r.b()));
    if a == b {
        r.go(raw::guessed_code_at::<2>(r.p() + WORD));
    } else {
        let same_kind = a.tag() == b.tag() && a.is_compound();
        // Applications of variables inside are not looked for.
        let looks_inside = same_kind && !m.world.symbols.applications;
        let differ = differ(a, b) || (looks_inside && inside_differs(a, b));
        branch(&mut r, 2, differ);
    }
    r
}

/// Returns whether two different cells obviously do not unify.
#[inline(always)]
fn differ(a: Cell, b: Cell) -> bool {
    !a.is_var() && !b.is_var() && (a.tag() != b.tag() || a.is_simple())
}

/// Returns whether the functors or the first arguments of two compounds show that they do not unify.
#[inline(always)]
fn inside_differs(a: Cell, b: Cell) -> bool {
    let (mut from, mut with, mut count) = (a.addr(), b.addr(), 1);
    if a.tag() == tag::STR {
        let functor = raw::cell(from);
        if functor != raw::cell(with) {
            return true;
        }
        (from, with) = (from + WORD, with + WORD);
        count = functor.as_functor().arity().min(8);
    }
    (0..count as u64).any(|index| {
        let a = deref(raw::cell(from + index * WORD));
        let b = deref(raw::cell(with + index * WORD));
        a != b && differ(a, b)
    })
}
