//! Type tests, comparison and arithmetic. These instructions handle inline integers; the evaluator handles all other
//! values. Long because each operation has a fast and a slow form side by side.
#![forbid(unsafe_code)]

use super::constraint::{are_integers, end, is_integer, posted_unless, sign};
use crate::arith::compare::compare;
use crate::arith::evaluable::EvalId;
use crate::arith::small;
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::number::{INLINE_MAX, INLINE_MIN, Number};
use crate::base::stop::Stop;
use crate::code::instruction::{OF_LOLLI, Op, decode, slot_a, slot_c};
use crate::ir::clause::NumCompare;
use crate::machine::control::throw::Throw;
use crate::machine::control::wakeups;
use crate::machine::dispatch::endings::{branch, raise, step};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{rare, rarely};
use crate::machine::state::Machine;
use crate::machine::{evaluate, lolli_arith};
use crate::store::address::{CodeAddr, HeapAddr};
use crate::store::cell::{BoxKind, Cell, WORD, tag};
use crate::store::heap::{Sought, deref, seek};
use crate::store::raw;
use crate::store::unify::Tried;
use std::cmp::Ordering;

#[inline(always)]
pub(in crate::machine) fn x(m: &Machine, index: usize) -> Cell {
    deref(raw::register(&m.x, index))
}

#[inline(always)]
fn set_x(m: &mut Machine, index: usize, cell: Cell) {
    raw::set_register(&mut m.x, index, cell);
}

// ---- type tests -------------------------------------------------------------------------------

/// Defines tests: name, registers, the first operand, and the condition.
macro_rules! tests {
    ($($(#[$doc:meta])* $name:ident |$r:pat_param, $cell:ident| $holds:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub(crate) fn $name(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
            let ($r, $cell) = (&r, x(m, r.a()));
            let holds = $holds;
            branch(m, &mut r, holds);
            r
        }
    )*};
}

tests! {
    /// `var Xa, label`
    test_var |_, cell| cell.is_var();
    /// `nonvar Xa, label`
    test_nonvar |_, cell| !cell.is_var();
    /// `atom Xa, label`
    test_atom |_, cell| cell.is_atom();
    /// `integer Xa, label`
    test_integer |_, cell| cell.is_int() || is_big(cell);
    /// `type Xa, kind, label`
    test_type |r, cell| is_of_type(cell, r.b());
}

#[inline(always)]
pub(in crate::machine) fn box_kind(cell: Cell) -> Option<BoxKind> {
    (cell.tag() == tag::BOX).then(|| raw::cell(cell.addr()).box_kind())
}

#[inline(always)]
pub(in crate::machine) fn is_big(cell: Cell) -> bool {
    matches!(
        box_kind(cell),
        Some(BoxKind::BigPositive | BoxKind::BigNegative)
    )
}

/// Returns whether a cell is a compound. An eigenvariable is a constant.
#[inline(always)]
pub(crate) fn is_composed(cell: Cell) -> bool {
    cell.tag() == tag::LST
        || (cell.tag() == tag::STR
            && raw::cell(cell.addr()) != Cell::functor(functors::EIGENVARIABLE))
}

/// Returns whether a cell has a type. The numbers are those of `ir::clause::TypeTest`.
#[inline(always)]
fn is_of_type(cell: Cell, kind: usize) -> bool {
    let number =
        || cell.is_int() || matches!(box_kind(cell), Some(kind) if kind != BoxKind::String);
    match kind {
        0 => cell.is_var(),
        1 => !cell.is_var(),
        2 => cell.is_atom(),
        3 => cell.is_int() || is_big(cell),
        4 => box_kind(cell) == Some(BoxKind::Float),
        5 => number(),
        6 => !cell.is_var() && !is_composed(cell),
        7 => is_composed(cell),
        8 => cell.is_compound() || cell.is_atom(),
        _ => box_kind(cell) == Some(BoxKind::String),
    }
}

/// `identical Xa, Xb, label`
#[inline(always)]
pub(crate) fn identical(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    match same_at_once(m, &r) {
        Some(holds) => branch(m, &mut r, holds),
        None => return rare(m, r, rarely!(identical_slowly)),
    }
    r
}

#[inline(always)]
fn identical_slowly(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    let holds = same(m, &r);
    branch(m, &mut r, holds?);
    Ok(r)
}

/// `not_identical Xa, Xb, label`
#[inline(always)]
pub(crate) fn not_identical(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    match same_at_once(m, &r) {
        Some(holds) => branch(m, &mut r, !holds),
        None => return rare(m, r, rarely!(not_identical_slowly)),
    }
    r
}

#[inline(always)]
fn not_identical_slowly(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    let holds = !same(m, &r)?;
    branch(m, &mut r, holds);
    Ok(r)
}

/// Returns whether the operands are identical; `None` if their arguments must be compared.
#[inline(always)]
fn same_at_once(m: &Machine, r: &Regs) -> Option<bool> {
    let (a, b) = (x(m, r.a()), x(m, r.b()));
    if a == b {
        return Some(true);
    }
    (a.tag() != b.tag() || a.is_simple() || a.is_var()).then_some(false)
}

fn same(m: &Machine, r: &Regs) -> Result<bool, Stop> {
    let (a, b) = (x(m, r.a()), x(m, r.b()));
    m.store.structurally_equal(a, b)
}

/// `term_order Xa, Xb, orders, label`
#[inline(always)]
pub(crate) fn term_order(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    let order = m.store.compare(x(m, r.a()), x(m, r.b()), &m.world.symbols);
    let bit = match order? {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 4,
    };
    let holds = r.c() & bit != 0;
    branch(m, &mut r, holds);
    Ok(r)
}

/// `not_unifiable Xa, Xb, label`
#[inline(always)]
pub(crate) fn not_unifiable(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let (a, b) = (x(m, r.a()), x(m, r.b()));
    if a == b {
        branch(m, &mut r, false);
    } else if a.is_simple() && b.is_simple() {
        branch(m, &mut r, true);
    } else {
        return rare(m, r, rarely!(not_unifiable_slowly));
    }
    r
}

#[inline(always)]
fn not_unifiable_slowly(m: &mut Machine, mut r: Regs, _: u64) -> Result<Regs, Stop> {
    m.store.heap_top = r.h;
    let (a, b) = (x(m, r.a()), x(m, r.b()));
    let holds = match (m.run.tried.take(), m.store.try_unify(a, b)?) {
        (Some(unify), _) => !unify,
        (None, Tried::Differ) => true,
        (None, Tried::Unify) => false,
        (None, Tried::Wake) => return Ok(wakeups::try_unify(m, r, a, b)),
    };
    branch(m, &mut r, holds);
    Ok(r)
}

// ---- evaluation -------------------------------------------------------------------------------

/// Stores the result of a slow evaluation, or raises its exception.
#[inline(always)]
fn finish(
    m: &mut Machine,
    mut r: Regs,
    to: usize,
    words: u64,
    result: Result<Cell, Throw>,
) -> Regs {
    r.h = m.store.heap_top;
    match result {
        Ok(cell) => {
            set_x(m, to, cell);
            step(&mut r, words);
            r
        }
        Err(throw) => {
            let culprit = evaluating(r.p());
            raise(m, r, throw, culprit)
        }
    }
}

/// Returns the value of a float.
#[inline(always)]
fn float(cell: Cell) -> Option<f64> {
    (box_kind(cell) == Some(BoxKind::Float)).then(|| f64::from_bits(raw::word(cell.addr() + WORD)))
}

/// Returns the values of two operands as floats, if at least one is a float. The other may be an integer
/// that a float represents exactly.
#[inline(always)]
fn floats(a: Cell, b: Cell) -> Option<(f64, f64)> {
    const EXACT: u64 = 1 << 53;
    let value = |cell: Cell| {
        if cell.is_int() {
            let value = cell.int_value();
            (value.unsigned_abs() <= EXACT).then_some(value as f64)
        } else {
            float(cell)
        }
    };
    if both_int(a, b) {
        return None;
    }
    Some((value(a)?, value(b)?))
}

/// Applies a function to two operands. Floats with a finite result take the fast path.
#[inline(always)]
fn float_or_slow2(
    m: &mut Machine,
    r: &Regs,
    (a, b): (Cell, Cell),
    function: impl Fn(f64, f64) -> f64,
    id: EvalId,
) -> Result<Cell, Throw> {
    if let Some((x, y)) = floats(a, b) {
        let value = function(x, y);
        if value.is_finite() {
            m.store.heap_top = r.h;
            return Ok(m.store.new_float(value));
        }
    }
    slow2(m, r.h, a, b, id)
}

#[inline(never)]
fn slow2(m: &mut Machine, h: HeapAddr, a: Cell, b: Cell, id: EvalId) -> Result<Cell, Throw> {
    m.store.heap_top = h;
    let a = evaluate::evaluate(m, a)?;
    let b = evaluate::evaluate(m, b)?;
    let value = evaluate::apply2_taking(m, id, a, b)?;
    Ok(m.store.new_number(&value)?)
}

/// Stores the fast result of an instruction of `$words` words if there is one. Otherwise runs its slow form.
macro_rules! at_once {
    ($m:ident, $r:ident, $words:literal, $slow:ident, $cell:expr, if $($found:tt)*) => {{
        if $($found)* {
            set_x($m, $r.a(), $cell);
            step(&mut $r, $words);
            return $r;
        }
        rare($m, $r, rarely!($slow))
    }};
}

/// `evaluate Xa, Xb`
#[inline(always)]
pub(crate) fn evaluate(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    at_once!(m, r, 1, evaluate_slowly, cell, if let Some(cell) = int(m, r.b()))
}

#[inline(always)]
fn evaluate_slowly(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let cell = x(m, r.b());
    if let Some(posted) = posted_unless(r, w, || is_integer(cell)) {
        return posted;
    }
    m.store.heap_top = r.h;
    let result = if cell.tag() == tag::BOX && box_kind(cell) != Some(BoxKind::String) {
        Ok(cell)
    } else {
        evaluate::evaluate(m, cell).and_then(|value| Ok(m.store.new_number(&value)?))
    };
    finish(m, r, r.a(), 1, result)
}

/// Returns the operand in a register if it is an inline integer.
#[inline(always)]
fn int(m: &Machine, index: usize) -> Option<Cell> {
    match seek::<{ tag::INT }>(raw::register(&m.x, index)) {
        Sought::Wanted(cell) => Some(cell),
        _ => None,
    }
}

/// Returns the operands in two registers if both are inline integers.
#[inline(always)]
fn ints(m: &Machine, one: usize, two: usize) -> Option<(Cell, Cell)> {
    Some((int(m, one)?, int(m, two)?))
}

/// Returns an inline integer if the value fits.
#[inline(always)]
fn inline(value: i64) -> Option<Cell> {
    (INLINE_MIN..=INLINE_MAX)
        .contains(&value)
        .then(|| Cell::int(value))
}

#[inline(always)]
fn both_int(a: Cell, b: Cell) -> bool {
    a.word() & b.word() & tag::MASK == tag::INT
}

/// Defines the slow forms of operations on two terms: integers use the function of the store, floats that of Rust.
macro_rules! slow_operations {
    ($($slow:ident $terms:ident $evaluable:ident |$store:ident, $a:ident, $b:ident| $integers:expr, $floats:expr;)*) => {$(
        #[inline(always)]
        fn $terms(m: &mut Machine, r: &Regs, ($a, $b): (Cell, Cell)) -> Result<Cell, Throw> {
            m.store.heap_top = r.h;
            let $store = &mut m.store;
            match $integers? {
                Some(result) => Ok(result),
                None => float_or_slow2(m, r, ($a, $b), $floats, m.world.foundation.evaluables.$evaluable),
            }
        }

        #[inline(always)]
        fn $slow(m: &mut Machine, r: Regs, w: u64) -> Regs {
            let (a, b) = (x(m, r.b()), x(m, r.c()));
            if let Some(posted) = posted_unless(r, w, || are_integers(a, b)) {
                return posted;
            }
            let result = $terms(m, &r, (a, b));
            finish(m, r, r.a(), 1, result)
        }
    )*};
}

slow_operations! {
    add_slowly add_terms add |store, a, b| store.new_sum(a, b, false), |x, y| x + y;
    subtract_slowly subtract_terms subtract |store, a, b| store.new_sum(a, b, true), |x, y| x - y;
    multiply_slowly multiply_terms multiply |store, a, b| store.new_product(a, b), |x, y| x * y;
}

/// `add Xa, Xb, Xc`
#[inline(always)]
pub(crate) fn add(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    at_once!(m, r, 1, add_slowly, Cell::of_word(sum as u64),
        if let Some((a, b)) = ints(m, r.b(), r.c())
            && let Some(sum) = ((a.word() - tag::INT) as i64).checked_add(b.word() as i64))
}

/// `add_small Xa, Xb, c`
#[inline(always)]
pub(crate) fn add_small(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let small = i64::from(r.c() as i16);
    at_once!(m, r, 1, add_small_slowly, Cell::of_word(sum as u64),
        if let Some(a) = int(m, r.b())
            && let Some(sum) = (a.word() as i64).checked_add(small << 3))
}

#[inline(always)]
fn add_small_slowly(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let (a, small) = (x(m, r.b()), i64::from(r.c() as i16));
    if let Some(posted) = posted_unless(r, w, || is_integer(a)) {
        return posted;
    }
    let result = add_terms(m, &r, (a, Cell::int(small)));
    finish(m, r, r.a(), 1, result)
}

/// `subtract Xa, Xb, Xc`
#[inline(always)]
pub(crate) fn subtract(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    at_once!(m, r, 1, subtract_slowly, Cell::of_word(difference as u64),
        if let Some((a, b)) = ints(m, r.b(), r.c())
            && let Some(difference) = (a.word() as i64).checked_sub((b.word() - tag::INT) as i64))
}

/// `multiply Xa, Xb, Xc`
#[inline(always)]
pub(crate) fn multiply(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    at_once!(m, r, 1, multiply_slowly, product,
        if let Some((a, b)) = ints(m, r.b(), r.c())
            && let Some(product) = a.int_value().checked_mul(b.int_value()).and_then(inline))
}

/// `int_divide Xa, Xb, Xc`
#[inline(always)]
pub(crate) fn int_divide(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    at_once!(m, r, 2, arith2_slowly, Cell::int(a.int_value() / b.int_value()),
        if let Some((a, b)) = ints(m, r.b(), r.c())
            && b.int_value() > 0)
}

/// `modulo Xa, Xb, Xc`
#[inline(always)]
pub(crate) fn modulo(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    at_once!(m, r, 2, arith2_slowly, Cell::int(a.int_value().rem_euclid(b.int_value())),
        if let Some((a, b)) = ints(m, r.b(), r.c())
            && b.int_value() > 0)
}

/// `arith Xa, f`
#[inline(always)]
pub(crate) fn arith0(m: &mut Machine, r: Regs, _: u64) -> Regs {
    m.store.heap_top = r.h;
    let id = EvalId(raw::word(r.p() + 8) as u16);
    let result = evaluate::apply0(m, id).and_then(|value| Ok(m.store.new_number(&value)?));
    finish(m, r, r.a(), 2, result)
}

/// Returns the function of an `arith` instruction.
#[inline(always)]
fn function(r: &Regs) -> EvalId {
    EvalId(raw::word(r.p() + WORD) as u16)
}

/// `arith Xa, Xb, f`
#[inline(always)]
pub(crate) fn arith1(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let a = x(m, r.b());
    let value = if a.is_int() {
        small::one(function(&r), a.int_value())
    } else {
        float(a).and_then(|value| small::integer_of_float(function(&r), value))
    };
    at_once!(m, r, 2, arith1_slowly, cell, if let Some(cell) = value.and_then(inline))
}

#[inline(always)]
fn arith1_slowly(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let (a, id) = (x(m, r.b()), function(&r));
    if let Some(posted) = posted_unless(r, w, || is_integer(a)) {
        return posted;
    }
    m.store.heap_top = r.h;
    let operand = if a.is_int() {
        Some(a.int_value() as f64).filter(|_| small::is_of_floats(id))
    } else {
        float(a)
    };
    let result = match operand.and_then(|value| small::float_of_float(id, value)) {
        Some(value) => Ok(m.store.new_float(value)),
        None => slow1(m, a, id),
    };
    finish(m, r, r.a(), 2, result)
}

#[inline(never)]
fn slow1(m: &mut Machine, a: Cell, id: EvalId) -> Result<Cell, Throw> {
    let value = evaluate::evaluate(m, a)?;
    let value = evaluate::apply1(m, id, &value)?;
    Ok(m.store.new_number(&value)?)
}

/// `arith Xa, Xb, Xc, f`
#[inline(always)]
pub(crate) fn arith2(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if let Some((a, b)) = ints(m, r.b(), r.c())
        && let Some(cell) = small::two(
            function(&r),
            a.int_value(),
            b.int_value(),
            m.world.flags.iso,
        )
        .and_then(inline)
    {
        set_x(m, r.a(), cell);
        step(&mut r, 2);
        return r;
    }
    rare(m, r, rarely!(arith2_slowly))
}

#[inline(always)]
fn arith2_slowly(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let id = function(&r);
    let (a, b) = (x(m, r.b()), x(m, r.c()));
    let defined = || are_integers(a, b) && small::is_defined(id, sign(b));
    if let Some(posted) = posted_unless(r, w, defined) {
        return posted;
    }
    let result = if id == m.world.foundation.evaluables.divide {
        // A division by zero has no finite result.
        float_or_slow2(m, &r, (a, b), |x, y| x / y, id)
    } else {
        divide_terms(m, &r, (a, b), id)
    };
    finish(m, r, r.a(), 2, result)
}

/// Applies a function that may divide an integer of several words.
#[inline(always)]
fn divide_terms(
    m: &mut Machine,
    r: &Regs,
    (a, b): (Cell, Cell),
    id: EvalId,
) -> Result<Cell, Throw> {
    if let Some(division) = m.world.foundation.evaluables.division(id) {
        m.store.heap_top = r.h;
        if let Some(result) = m.store.new_division(a, b, division)? {
            return Ok(result);
        }
    }
    slow2(m, r.h, a, b, id)
}

// ---- comparison -------------------------------------------------------------------------------

/// Returns the predicate that this comparison calls. `>` and `>=` are the instructions of `<` and `=<` with swapped
/// operands; the third slot marks them.
fn comparison(word: u64) -> Option<Functor> {
    Some(match (decode(word)?, slot_c(word) & !OF_LOLLI) {
        (Op::NumLess, 0) | (Op::LessSmall, _) => functors::LESS2,
        (Op::NumLessEqual, 0) | (Op::LessEqualSmall, _) => functors::AT_LESS_EQUAL2,
        (Op::NumLess, _) | (Op::GreaterSmall, _) => functors::GREATER2,
        (Op::NumLessEqual, _) | (Op::GreaterEqualSmall, _) => functors::GREATER_EQUAL2,
        (Op::NumEqual | Op::EqualSmall, _) => functors::NUM_EQUAL2,
        (Op::NumNotEqual | Op::NotEqualSmall, _) => functors::NUM_NOT_EQUAL2,
        (Op::Constraint, _) => NumCompare::ALL.get(slot_a(word))?.constraint(),
        _ => return None,
    })
}

/// Returns the predicate that an instruction evaluates an expression for.
#[cold]
fn evaluating(at: CodeAddr) -> Option<Functor> {
    comparison(raw::word(end(at)?)).or(Some(functors::IS))
}

/// Compares the values of two expressions.
#[inline(always)]
fn compare_slowly(
    m: &mut Machine,
    mut r: Regs,
    (a, b): (Cell, Cell),
    w: u64,
    holds: impl Fn(Option<Ordering>) -> bool,
) -> Regs {
    if let Some(posted) = posted_unless(r, w, || are_integers(a, b)) {
        return posted;
    }
    if slot_c(w) & OF_LOLLI != 0 && !are_integers(a, b) {
        return compare_as_lolli(m, r, (a, b), w, holds);
    }
    if let Some((x, y)) = floats(a, b) {
        branch(m, &mut r, holds(x.partial_cmp(&y)));
        return r;
    }
    if let Some(order) = m.store.integer_order(a, b) {
        branch(m, &mut r, holds(Some(order)));
        return r;
    }
    m.store.heap_top = r.h;
    let order = evaluate::evaluate(m, a).and_then(|a| {
        let b: Number = evaluate::evaluate(m, b)?;
        Ok(compare(&a, &b))
    });
    match order {
        Ok(order) => {
            r.h = m.store.heap_top;
            branch(m, &mut r, holds(order));
            r
        }
        Err(throw) => {
            let culprit = evaluating(r.p());
            raise(m, r, throw, culprit)
        }
    }
}

/// Returns the goal of an instruction that compares as Lolli does: predicate and arguments.
#[cold]
pub(in crate::machine) fn lolli_goal(
    m: &Machine,
    r: &Regs,
    w: u64,
) -> Option<(Functor, [Cell; 2])> {
    if slot_c(w) & OF_LOLLI == 0 {
        return None;
    }
    let op = decode(w)?;
    let predicate = comparison(w)?;
    let (a, b) = match op {
        Op::NumLess | Op::NumLessEqual | Op::NumEqual | Op::NumNotEqual => registers(m, r),
        _ => register_and_small(m, r),
    };
    Some((
        predicate,
        if slot_c(w) & !OF_LOLLI == 0 {
            [a, b]
        } else {
            [b, a]
        },
    ))
}

/// Compares the values of two terms as Lolli does.
#[cold]
fn compare_as_lolli(
    m: &mut Machine,
    mut r: Regs,
    (a, b): (Cell, Cell),
    w: u64,
    holds: impl Fn(Option<Ordering>) -> bool,
) -> Regs {
    let turned = slot_c(w) & !OF_LOLLI != 0;
    let (x, y) = if turned { (b, a) } else { (a, b) };
    let predicate = comparison(w);
    let name = predicate.map_or(atoms::EQUAL, |functor| m.world.symbols.name(functor));
    let name = m.world.symbols.text(name).to_owned();
    m.store.heap_top = r.h;
    match lolli_arith::order(m, x, y, &name) {
        Ok(order) => {
            r.h = m.store.heap_top;
            let order = if turned { order.reverse() } else { order };
            branch(m, &mut r, holds(Some(order)));
            r
        }
        Err(throw) => raise(m, r, throw, predicate),
    }
}

/// Returns the operands of a comparison of two registers.
#[inline(always)]
fn registers(m: &Machine, r: &Regs) -> (Cell, Cell) {
    (x(m, r.a()), x(m, r.b()))
}

/// Returns the operands of a comparison of two registers if both are inline integers.
#[inline(always)]
fn int_registers(m: &Machine, r: &Regs) -> Option<(Cell, Cell)> {
    ints(m, r.a(), r.b())
}

/// Returns the operands of a comparison with a small constant.
#[inline(always)]
fn register_and_small(m: &Machine, r: &Regs) -> (Cell, Cell) {
    (x(m, r.a()), Cell::int(i64::from(r.b() as i16)))
}

/// Returns the operands of a comparison with a small constant if the first is an inline integer.
#[inline(always)]
fn int_register_and_small(m: &Machine, r: &Regs) -> Option<(Cell, Cell)> {
    Some((int(m, r.a())?, Cell::int(i64::from(r.b() as i16))))
}

macro_rules! comparisons {
    ($($name:ident $ints:ident $operands:ident $fast:expr, $slow:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        #[inline(always)]
        pub(crate) fn $name(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
            #[inline(always)]
            fn again(m: &mut Machine, r: Regs, w: u64) -> Regs {
                let operands = $operands(m, &r);
                compare_slowly(m, r, operands, w, $slow)
            }
            let holds: fn(i64, i64) -> bool = $fast;
            match $ints(m, &r) {
                Some((a, b)) => branch(m, &mut r, holds(a.word() as i64, b.word() as i64)),
                None => return rare(m, r, rarely!(again)),
            }
            r
        }
    )*};
}

comparisons! {
    num_less int_registers registers |a, b| a < b, |o| o == Some(Ordering::Less);
    num_less_equal int_registers registers |a, b| a <= b,
        |o| matches!(o, Some(Ordering::Less | Ordering::Equal));
    num_equal int_registers registers |a, b| a == b, |o| o == Some(Ordering::Equal);
    num_not_equal int_registers registers |a, b| a != b, |o| o != Some(Ordering::Equal);
    less_small int_register_and_small register_and_small |a, b| a < b, |o| o == Some(Ordering::Less);
    less_equal_small int_register_and_small register_and_small |a, b| a <= b,
        |o| matches!(o, Some(Ordering::Less | Ordering::Equal));
    equal_small int_register_and_small register_and_small |a, b| a == b, |o| o == Some(Ordering::Equal);
    not_equal_small int_register_and_small register_and_small |a, b| a != b, |o| o != Some(Ordering::Equal);
    greater_small int_register_and_small register_and_small |a, b| a > b, |o| o == Some(Ordering::Greater);
    greater_equal_small int_register_and_small register_and_small |a, b| a >= b,
        |o| matches!(o, Some(Ordering::Greater | Ordering::Equal));
}
