//! Standard order (ISO 13211-1, 7.2), identity, and equality up to renaming of variables.
//!
//! The order is: variables by age, then numbers by value, then atoms and strings by their characters, then compounds
//! by arity, name and arguments. A float comes before an integer of the same value; with the flag `iso` every float
//! comes before every integer.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{BoxKind, Cell, WORD, tag};
use super::heap::{Store, deref};
use super::raw;
use super::unify::{arguments, boxes_equal};
use super::walk::{Frames, Visited};
use crate::base::atom_table::{FastMap, Symbols, functors};
use crate::base::growth::GrowTable;
use crate::base::stop::Stop;
use std::cmp::Ordering;

/// The context of a comparison in standard order.
#[derive(Copy, Clone)]
struct Order<'a> {
    symbols: &'a Symbols,
    store: &'a Store,
    /// Whether every float comes before every integer.
    floats_first: bool,
}

/// The rest of two argument lists.
type Pair = (HeapAddr, HeapAddr, u64);

/// A number in its cell or box.
#[derive(Copy, Clone)]
pub(super) enum Num<'a> {
    Int(i64),
    /// Sign and limbs of the magnitude, which is greater than that of every inline integer.
    Big(bool, &'a [u64]),
    Float(f64),
}

impl Store {
    /// Compares two terms in standard order.
    pub(crate) fn compare(&self, a: Cell, b: Cell, symbols: &Symbols) -> Result<Ordering, Stop> {
        let (a, b) = (deref(a), deref(b));
        if a == b {
            return Ok(Ordering::Equal);
        }
        let order = Order {
            symbols,
            store: self,
            floats_first: self.floats_first,
        };
        if a.is_compound() && b.is_compound() {
            return compare_compounds(a, b, order);
        }
        Ok(compare_shallow(a, b, order))
    }

    /// Returns whether two terms are identical.
    pub(crate) fn structurally_equal(&self, a: Cell, b: Cell) -> Result<bool, Stop> {
        walk_pairs(deref(a), deref(b), self, |_, _| Ok(false))
    }

    /// Returns whether two terms are equal up to a renaming of variables (`=@=`).
    pub(crate) fn variant(&self, a: Cell, b: Cell) -> Result<bool, Stop> {
        let (a, b) = (deref(a), deref(b));
        if a == b {
            return Ok(true);
        }
        let mut renaming = Renaming::default();
        walk_pairs_with(a, b, self, |x, y| renaming.agrees(x.addr(), y.addr(), self))
    }
}

/// Number of pairs of a renaming that are searched one by one; maps replace the list when there are more.
const FEW_PAIRS: usize = 24;

/// Bytes for each pair in the two maps: a slot in each, as one of eight slots stays free, and a frame of the walk.
const PAIR_BYTES: usize = 2 * (2 * WORD as usize + 1) * 8 / 7 + 3 * WORD as usize;

/// A renaming of variables under construction.
struct Renaming {
    few: [(HeapAddr, HeapAddr); FEW_PAIRS],
    count: usize,
    many: Option<Box<Maps>>,
}

/// Maps from the variables of one term to those of the other, and back.
#[derive(Default)]
struct Maps {
    forth: FastMap<HeapAddr, HeapAddr>,
    back: FastMap<HeapAddr, HeapAddr>,
}

impl Default for Renaming {
    fn default() -> Renaming {
        Renaming {
            few: [(HeapAddr::NONE, HeapAddr::NONE); FEW_PAIRS],
            count: 0,
            many: None,
        }
    }
}

impl Renaming {
    /// Adds a pair. Returns false if one of the two is already paired with another variable.
    ///
    /// # Errors
    /// Returns an error if there is no room for it.
    fn agrees(&mut self, x: HeapAddr, y: HeapAddr, store: &Store) -> Result<bool, Stop> {
        if let Some(maps) = &mut self.many {
            return maps.agrees(x, y, store);
        }
        for &(one, other) in &self.few[..self.count] {
            if one == x || other == y {
                return Ok(one == x && other == y);
            }
        }
        if self.count < FEW_PAIRS {
            self.few[self.count] = (x, y);
            self.count += 1;
            return Ok(true);
        }
        let mut maps = Box::<Maps>::default();
        for &(one, other) in &self.few {
            maps.agrees(one, other, store)?;
        }
        self.many.insert(maps).agrees(x, y, store)
    }
}

impl Maps {
    /// Adds a pair, as [`Renaming::agrees`] does.
    fn agrees(&mut self, x: HeapAddr, y: HeapAddr, store: &Store) -> Result<bool, Stop> {
        let pairs = self.forth.capacity();
        if self.forth.len() == pairs && (2 * pairs * PAIR_BYTES) as u64 > store.scratch_room() {
            return Err(Stop);
        }
        self.forth.make_room()?;
        self.back.make_room()?;
        Ok(*self.forth.entry(x).or_insert(y) == y && *self.back.entry(y).or_insert(x) == x)
    }
}

/// Returns whether two terms are equal except for pairs of variables. Calls `variables` for each pair of different
/// ones.
#[inline(always)]
fn walk_pairs(
    a: Cell,
    b: Cell,
    store: &Store,
    variables: impl FnMut(Cell, Cell) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    if a == b {
        return Ok(true);
    }
    if a.is_simple() || b.is_simple() || a.tag() != b.tag() {
        return Ok(false);
    }
    walk_unequal(a, b, true, store, variables)
}

/// Returns the same as [`walk_pairs`], but calls `variables` also for a pair of identical variables. So identical
/// parts are not skipped.
fn walk_pairs_with(
    a: Cell,
    b: Cell,
    store: &Store,
    mut variables: impl FnMut(Cell, Cell) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    if a.is_var() && b.is_var() {
        return variables(a, b);
    }
    if a.is_simple() || b.is_simple() || a.tag() != b.tag() {
        return Ok(a == b);
    }
    walk_unequal(a, b, false, store, variables)
}

#[inline(always)]
fn walk_unequal(
    a: Cell,
    b: Cell,
    skip_identical: bool,
    store: &Store,
    mut variables: impl FnMut(Cell, Cell) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    if a.tag() == tag::BOX {
        return Ok(boxes_equal(a, b));
    }
    if !a.is_compound() {
        return variables(a, b);
    }
    let Some(pair) = arguments(a, b) else {
        return Ok(false);
    };
    let seen = walk(pair, store, |x, y| {
        pair_at(x, y, skip_identical, &mut variables)
    });
    match seen {
        Ok(()) => Ok(true),
        Err(End::Differ(_)) => Ok(false),
        Err(End::Stopped) => Err(Stop),
    }
}

/// Walks through two lists of arguments, pair by pair. `at` looks at a pair: it ends the walk, or returns the inner
/// arguments to look at, if any.
#[inline(always)]
fn walk(
    (mut left, mut right, mut count): Pair,
    store: &Store,
    mut at: impl FnMut(Cell, Cell) -> Result<Option<Pair>, End>,
) -> Result<(), End> {
    // Small terms and the beginnings of lists need no stack.
    let mut last_arguments = LAST_ARGUMENTS;
    while count > 0 {
        let (x, y) = (deref(raw::cell(left)), deref(raw::cell(right)));
        (left, right, count) = (left + WORD, right + WORD, count - 1);
        let Some(inner) = at(x, y)? else {
            continue;
        };
        if count > 0 || last_arguments == 0 {
            return walk_deep(inner, (left, right, count), store, at);
        }
        last_arguments -= 1;
        (left, right, count) = inner;
    }
    Ok(())
}

/// Walks through pairs of arguments, and then through the rest.
fn walk_deep(
    (mut left, mut right, mut count): Pair,
    rest: Pair,
    store: &Store,
    mut at: impl FnMut(Cell, Cell) -> Result<Option<Pair>, End>,
) -> Result<(), End> {
    let watch = &*store.events.watch;
    let mut visited = Visited::new();
    let mut frames: Frames<Pair> = Frames::new();
    frames.push(rest)?;
    loop {
        while count == 0 {
            match frames.pop() {
                Some(rest) => (left, right, count) = rest,
                None => return Ok(()),
            }
        }
        let (x, y) = (deref(raw::cell(left)), deref(raw::cell(right)));
        (left, right, count) = (left + WORD, right + WORD, count - 1);
        let Some(inner) = at(x, y)? else {
            continue;
        };
        if visited.again_together(x.0, y.0, inner.2, watch)? {
            continue;
        }
        if count > 0 {
            frames.push_counted((left, right, count), store)?;
        }
        (left, right, count) = inner;
    }
}

/// Number of last arguments that are entered before the walk checks for cycles.
const LAST_ARGUMENTS: u32 = 32;

/// The reason why a walk through two terms ends.
enum End {
    /// The terms differ, in this order.
    Differ(Ordering),
    /// The work must stop.
    Stopped,
}

impl From<Stop> for End {
    fn from(_: Stop) -> End {
        End::Stopped
    }
}

/// Returns the arguments of two terms to look at, if any. Otherwise reports whether the terms are equal except for
/// pairs of variables.
#[inline(always)]
fn pair_at(
    x: Cell,
    y: Cell,
    skip_identical: bool,
    variables: &mut impl FnMut(Cell, Cell) -> Result<bool, Stop>,
) -> Result<Option<Pair>, End> {
    const DIFFER: End = End::Differ(Ordering::Less);
    let truth = |holds: bool| if holds { Ok(None) } else { Err(DIFFER) };
    if x == y && (skip_identical || x.is_simple()) {
        return Ok(None);
    }
    if x.is_var() && y.is_var() {
        return truth(variables(x, y)?);
    }
    if x.is_simple() || x.tag() != y.tag() {
        return Err(DIFFER);
    }
    if x.tag() == tag::BOX {
        return truth(boxes_equal(x, y));
    }
    arguments(x, y).map(Some).ok_or(DIFFER)
}

fn compare_compounds(a: Cell, b: Cell, order: Order<'_>) -> Result<Ordering, Stop> {
    let pair = match compare_functors(a, b, order.symbols) {
        Ok(pair) => pair,
        Err(order) => return Ok(order),
    };
    match walk(pair, order.store, |x, y| {
        order_at(x, y, order).map_err(End::Differ)
    }) {
        Ok(()) => Ok(Ordering::Equal),
        Err(End::Differ(order)) => Ok(order),
        Err(End::Stopped) => Err(Stop),
    }
}

/// Returns the order of two terms as an error if it is known at once. Otherwise returns the arguments to look at, or
/// `None` if the terms are equal.
#[inline(always)]
fn order_at(x: Cell, y: Cell, order: Order<'_>) -> Result<Option<Pair>, Ordering> {
    if x == y {
        return Ok(None);
    }
    if !x.is_compound() || !y.is_compound() {
        return match compare_shallow(x, y, order) {
            Ordering::Equal => Ok(None),
            order => Err(order),
        };
    }
    compare_functors(x, y, order.symbols).map(Some)
}

/// Returns the arguments of two compounds of equal functor, or the order of their functors.
#[inline(always)]
fn compare_functors(a: Cell, b: Cell, symbols: &Symbols) -> Result<Pair, Ordering> {
    if a.tag() == b.tag()
        && let Some(pair) = arguments(a, b)
    {
        return Ok(pair);
    }
    let functor = |cell: Cell| {
        if cell.tag() == tag::LST {
            functors::LIST
        } else {
            raw::cell(cell.addr()).as_functor()
        }
    };
    let (f, g) = (functor(a), functor(b));
    let name = |functor| symbols.text(symbols.name(functor));
    let by_name = || compare_texts(name(f), name(g));
    Err(f.arity().cmp(&g.arity()).then_with(by_name))
}

/// Compares two different dereferenced cells that are not both compounds.
fn compare_shallow(a: Cell, b: Cell, order: Order<'_>) -> Ordering {
    if a.is_int() && b.is_int() {
        return a.int_value().cmp(&b.int_value());
    }
    let rank = rank(a);
    rank.cmp(&self::rank(b)).then_with(|| match rank {
        Rank::Var => a.addr().cmp(&b.addr()),
        Rank::Number => compare_numbers(num(&a), num(&b), order.floats_first),
        Rank::Atom => {
            let text = |cell: Cell| order.symbols.text(cell.as_atom());
            compare_texts(text(a), text(b))
        }
        Rank::String => raw::text(&a, a.addr()).cmp(raw::text(&b, b.addr())),
        Rank::Compound => Ordering::Equal,
    })
}

/// Compares two texts. Most names differ in their first letters.
fn compare_texts(a: &str, b: &str) -> Ordering {
    match (a.as_bytes().first(), b.as_bytes().first()) {
        (Some(first), Some(other)) if first != other => first.cmp(other),
        _ => a.cmp(b),
    }
}

/// The kinds of terms in their standard order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Var,
    Number,
    Atom,
    String,
    Compound,
}

/// Returns the kind of a dereferenced cell.
pub(super) fn rank(cell: Cell) -> Rank {
    match cell.tag() {
        tag::REF | tag::ATT => Rank::Var,
        tag::LST | tag::STR => Rank::Compound,
        tag::INT => Rank::Number,
        tag::BOX if raw::cell(cell.addr()).box_kind() == BoxKind::String => Rank::String,
        tag::BOX => Rank::Number,
        _ => Rank::Atom,
    }
}

pub(super) fn num(cell: &Cell) -> Num<'_> {
    if cell.is_int() {
        return Num::Int(cell.int_value());
    }
    let header = raw::cell(cell.addr());
    match header.box_kind() {
        BoxKind::Float => Num::Float(f64::from_bits(raw::word(cell.addr() + WORD))),
        kind => Num::Big(
            kind == BoxKind::BigNegative,
            raw::payload(cell, cell.addr()),
        ),
    }
}

/// Compares two numbers by exact value. NaN comes before all others, and -0.0 before 0.0. A float comes before an
/// integer of the same value or, if `floats_first`, before every integer.
fn compare_numbers(a: Num<'_>, b: Num<'_>, floats_first: bool) -> Ordering {
    match (a, b) {
        (Num::Int(a), Num::Int(b)) => a.cmp(&b),
        (Num::Float(a), Num::Float(b)) => compare_floats(a, b),
        (Num::Int(_), Num::Big(negative, _)) => magnitude_order(!negative),
        (Num::Big(negative, _), Num::Int(_)) => magnitude_order(negative),
        (Num::Big(true, a), Num::Big(true, b)) => compare_limbs(b, a),
        (Num::Big(false, a), Num::Big(false, b)) => compare_limbs(a, b),
        (Num::Big(negative, _), Num::Big(..)) => magnitude_order(negative),
        (Num::Float(_), _) if floats_first => Ordering::Less,
        (_, Num::Float(_)) if floats_first => Ordering::Greater,
        (Num::Float(a), _) => compare_float_integer(a, b),
        (_, Num::Float(b)) => compare_float_integer(b, a).reverse(),
    }
}

/// Returns `Less` if `less`. That is so if the first of two integers is the negative one, or the second a large
/// positive one.
fn magnitude_order(less: bool) -> Ordering {
    if less {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

fn compare_floats(a: f64, b: f64) -> Ordering {
    match (a.is_nan(), b.is_nan()) {
        (false, false) => a.total_cmp(&b),
        (true, true) => a.to_bits().cmp(&b.to_bits()),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// Compares magnitudes without leading zero limbs.
fn compare_limbs(a: &[u64], b: &[u64]) -> Ordering {
    a.len()
        .cmp(&b.len())
        .then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

fn compare_float_integer(float: f64, integer: Num<'_>) -> Ordering {
    if float.is_nan() {
        return Ordering::Less;
    }
    let by_value = match integer {
        Num::Int(int) => compare_float_int(float, int),
        Num::Big(negative, limbs) => {
            if float.is_infinite() || negative != (float < 0.0) {
                magnitude_order(float < 0.0)
            } else {
                let order = compare_float_limbs(float.abs(), limbs);
                if negative { order.reverse() } else { order }
            }
        }
        Num::Float(_) => Ordering::Equal,
    };
    by_value.then(Ordering::Less)
}

fn compare_float_int(float: f64, int: i64) -> Ordering {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if float >= LIMIT {
        return Ordering::Greater;
    }
    if float < -LIMIT {
        return Ordering::Less;
    }
    let whole = float.trunc();
    (whole as i64)
        .cmp(&int)
        .then_with(|| float.total_cmp(&whole))
}

/// Compares a finite float that is not negative with a magnitude of 2^60 or more.
fn compare_float_limbs(float: f64, limbs: &[u64]) -> Ordering {
    if float < (1u64 << 60) as f64 {
        return Ordering::Less;
    }
    // float = mantissa * 2^shift, the mantissa having 53 bits.
    let bits = float.to_bits();
    let mantissa = bits & ((1 << 52) - 1) | 1 << 52;
    let shift = (bits >> 52) as usize - 1075;
    let top = limbs.last().copied().unwrap_or(0);
    let length = limbs.len() * 64 - top.leading_zeros() as usize;
    (shift + 53).cmp(&length).then_with(|| {
        let bit = |at: usize| limbs.get(at / 64).map_or(0, |limb| limb >> (at % 64) & 1);
        let head = (0..53).fold(0, |head, at| head | bit(shift + at) << at);
        let rest = (0..shift).any(|at| bit(at) == 1);
        mantissa.cmp(&head).then(if rest {
            Ordering::Less
        } else {
            Ordering::Equal
        })
    })
}
