//! The integers that propagators compute with, including infinities: machine words, and integers of any size where
//! machine words are too small.
//!
//! A propagator is written once over [`Num`] and compiled for both. It runs on [`Small`] first. A number that does
//! not fit ends that run with [`Halt::Wide`], and the propagator runs again on [`Large`]. Values removed by the first
//! run are removed correctly, so no change is undone in between.

use super::work::{Halt, R};
use crate::arith::compare::compare;
use crate::arith::error::ArithError;
use crate::arith::integer::{div_floor, int_div};
use crate::arith::large::Bounds;
use crate::arith::{mixed, power};
use crate::base::atom_table::atoms;
use crate::base::number::{INLINE_MAX, INLINE_MIN, Number};
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};
use dashu_int::ops::BitTest;
use std::cmp::Ordering;

/// Does work that is written over a type of numbers: first with small ones, and again with large ones if small ones
/// do not suffice.
macro_rules! widening {
    ($number:ident => $work:expr) => {{
        let done = {
            type $number = $crate::fd::number::Small;
            $work
        };
        match done {
            Err($crate::fd::Halt::Wide) => {
                type $number = $crate::fd::number::Large;
                $work
            }
            done => done,
        }
    }};
}
pub(in crate::fd) use widening;

/// An integer or an infinity.
pub(crate) trait Num: Clone + Ord {
    /// Whether the numbers are of any size. Then no work on them is done in place.
    const LARGE: bool;
    /// Less than all integers.
    const INF: Self;
    /// Greater than all integers.
    const SUP: Self;
    /// Makes a small integer.
    fn of(value: i64) -> Self;
    /// Returns the value of a dereferenced cell: an integer, or `inf` or `sup`. Fails for other cells.
    fn of_cell(store: &Store, cell: Cell) -> R<Self>;
    /// Returns the cell of the number.
    fn cell(&self, store: &mut Store) -> R<Cell>;
    /// Returns whether the number is an integer.
    fn is_finite(&self) -> bool;
    /// Returns the integer if it has at most 61 bits.
    fn small(&self) -> Option<i64>;
    /// Returns the sum; infinities of different signs are never added.
    fn add(&self, other: &Self) -> R<Self>;
    /// Returns the number with the other sign.
    fn neg(&self) -> R<Self>;
    /// Returns the product; zero times an infinity is zero.
    fn mul(&self, other: &Self, store: &Store) -> R<Self>;
    /// Returns the quotient by an integer other than zero or by an infinity, rounded down.
    fn div_floor(&self, other: &Self, store: &Store) -> R<Self>;
    /// Returns the quotient by an integer other than zero or by an infinity, rounded towards zero.
    fn div_trunc(&self, other: &Self, store: &Store) -> R<Self>;
    /// Returns the power to an exponent that is not negative.
    fn pow(&self, exponent: &Self, store: &Store) -> R<Self>;
    /// Returns the number of bits of the integer without its sign.
    fn bits(&self) -> u64;

    /// Returns the difference.
    #[inline(always)]
    fn sub(&self, other: &Self) -> R<Self> {
        self.add(&other.neg()?)
    }
    /// Returns the quotient rounded up.
    #[inline(always)]
    fn div_ceil(&self, other: &Self, store: &Store) -> R<Self> {
        self.neg()?.div_floor(other, store)?.neg()
    }
    /// Compares the number with zero.
    #[inline(always)]
    fn sign(&self) -> Ordering {
        self.cmp(&Self::of(0))
    }
    /// Returns whether the number is zero.
    #[inline(always)]
    fn is_zero(&self) -> bool {
        self.sign() == Ordering::Equal
    }
    /// Returns the number after it.
    #[inline(always)]
    fn next(&self) -> R<Self> {
        self.add(&Self::of(1))
    }
    /// Returns the number before it.
    #[inline(always)]
    fn before(&self) -> R<Self> {
        self.add(&Self::of(-1))
    }
    /// Returns the number without its sign.
    #[inline(always)]
    fn abs(&self) -> R<Self> {
        match self.sign() {
            Ordering::Less => self.neg(),
            _ => Ok(self.clone()),
        }
    }
}

/// An integer that a cell holds inline, or an infinity.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Small(pub(crate) i64);

/// An infinity. It is so large that its sum with a small integer, or with itself, is never small.
const INFINITE: i64 = 1 << 62;

impl Small {
    /// Returns the integer, if it is small.
    #[inline(always)]
    fn fit(value: i64) -> R<Small> {
        match (INLINE_MIN..=INLINE_MAX).contains(&value) {
            true => Ok(Small(value)),
            false => Err(Halt::Wide),
        }
    }

    fn infinite(negative: bool) -> Small {
        match negative {
            true => Small::INF,
            false => Small::SUP,
        }
    }
}

impl Num for Small {
    const LARGE: bool = false;
    const INF: Small = Small(-INFINITE);
    const SUP: Small = Small(INFINITE);

    #[inline(always)]
    fn of(value: i64) -> Small {
        Small(value)
    }

    #[inline(always)]
    fn of_cell(store: &Store, cell: Cell) -> R<Small> {
        if cell.is_int() {
            return Ok(Small(cell.int_value()));
        }
        other_small(store, cell)
    }

    #[inline(always)]
    fn cell(&self, _: &mut Store) -> R<Cell> {
        Ok(match *self {
            Small::INF => Cell::atom(atoms::INF),
            Small::SUP => Cell::atom(atoms::SUP),
            Small(value) => Cell::int(value),
        })
    }

    #[inline(always)]
    fn is_finite(&self) -> bool {
        (INLINE_MIN..=INLINE_MAX).contains(&self.0)
    }

    fn small(&self) -> Option<i64> {
        self.is_finite().then_some(self.0)
    }

    #[inline(always)]
    fn add(&self, other: &Small) -> R<Small> {
        let sum = self.0.wrapping_add(other.0);
        if (INLINE_MIN..=INLINE_MAX).contains(&sum) {
            return Ok(Small(sum));
        }
        if !self.is_finite() {
            return Ok(*self);
        }
        if !other.is_finite() {
            return Ok(*other);
        }
        Err(Halt::Wide)
    }

    #[inline(always)]
    fn sub(&self, other: &Small) -> R<Small> {
        let difference = self.0.wrapping_sub(other.0);
        if (INLINE_MIN..=INLINE_MAX).contains(&difference) {
            return Ok(Small(difference));
        }
        match (self.is_finite(), other.is_finite()) {
            (false, _) => Ok(*self),
            (true, false) => Ok(Small::infinite(other.0 > 0)),
            (true, true) => Err(Halt::Wide),
        }
    }

    #[inline(always)]
    fn neg(&self) -> R<Small> {
        match self.0 == INLINE_MIN {
            true => Err(Halt::Wide),
            false => Ok(Small(-self.0)),
        }
    }

    #[inline(always)]
    fn mul(&self, other: &Small, _: &Store) -> R<Small> {
        match self.0.checked_mul(other.0) {
            Some(product) if (INLINE_MIN..=INLINE_MAX).contains(&product) => Ok(Small(product)),
            _ if self.is_finite() && other.is_finite() => Err(Halt::Wide),
            _ => Ok(Small::infinite((self.0 < 0) != (other.0 < 0))),
        }
    }

    #[inline(always)]
    fn div_floor(&self, other: &Small, _: &Store) -> R<Small> {
        let negative = (self.0 < 0) != (other.0 < 0);
        if !self.is_finite() {
            return Ok(Small::infinite(negative));
        }
        if !other.is_finite() {
            return Ok(Small(-i64::from(negative && self.0 != 0)));
        }
        if other.0 == 1 {
            return Ok(*self);
        }
        if other.0 == -1 {
            return self.neg();
        }
        let (quotient, rest) = match other.0 {
            0 => return Err(Halt::Fail),
            divisor => (self.0 / divisor, self.0 % divisor),
        };
        Small::fit(quotient - i64::from(rest != 0 && negative))
    }

    fn div_trunc(&self, other: &Small, _: &Store) -> R<Small> {
        if !self.is_finite() {
            return Ok(Small::infinite((self.0 < 0) != (other.0 < 0)));
        }
        if !other.is_finite() {
            return Ok(Small(0));
        }
        match other.0 {
            0 => Err(Halt::Fail),
            divisor => Small::fit(self.0 / divisor),
        }
    }

    fn bits(&self) -> u64 {
        u64::from(64 - self.0.unsigned_abs().leading_zeros())
    }

    fn pow(&self, exponent: &Small, _: &Store) -> R<Small> {
        if !self.is_finite() || !exponent.is_finite() {
            return Err(Halt::Wide);
        }
        let power = match self.0 {
            0 | 1 if exponent.0 > 0 => Some(self.0),
            -1 => Some(if exponent.0 % 2 == 0 { 1 } else { -1 }),
            base => u32::try_from(exponent.0)
                .ok()
                .and_then(|exponent| base.checked_pow(exponent)),
        };
        Small::fit(power.ok_or(Halt::Wide)?)
    }
}

#[cold]
#[inline(never)]
fn other_small(store: &Store, cell: Cell) -> R<Small> {
    match store.view(cell) {
        View::Int(value) => Ok(Small(value)),
        View::Atom(atoms::INF) => Ok(Small::INF),
        View::Atom(atoms::SUP) => Ok(Small::SUP),
        View::Big(_) => Err(Halt::Wide),
        _ => Err(Halt::Fail),
    }
}

/// An integer of any size, or an infinity.
#[derive(Clone, Debug)]
pub(crate) enum Large {
    /// Less than all integers.
    Inf,
    /// An integer: never a float.
    Val(Number),
    /// Greater than all integers.
    Sup,
}

impl Ord for Large {
    #[inline(never)]
    fn cmp(&self, other: &Large) -> Ordering {
        match (self, other) {
            (Large::Val(a), Large::Val(b)) => compare(a, b).unwrap_or(Ordering::Equal),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Large {
    fn partial_cmp(&self, other: &Large) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Large {
    fn eq(&self, other: &Large) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Large {}

impl Large {
    fn rank(&self) -> i32 {
        match self {
            Large::Inf => -1,
            Large::Val(_) => 0,
            Large::Sup => 1,
        }
    }

    fn infinite(negative: bool) -> Large {
        match negative {
            true => Large::Inf,
            false => Large::Sup,
        }
    }

    fn is_negative(&self) -> bool {
        match self {
            Large::Val(value) => value.is_negative(),
            infinite => infinite.rank() < 0,
        }
    }
}

/// Converts the result of an operation on integers.
pub(super) fn large(result: Result<Number, ArithError>) -> R<Large> {
    match result {
        Ok(number) => Ok(Large::Val(number)),
        Err(
            ArithError::Evaluation(_)
            | ArithError::Type(..)
            | ArithError::Domain(..)
            | ArithError::Refused(_),
        ) => Err(Halt::Fail),
        Err(ArithError::Resource(_) | ArithError::Stopped) => Err(Halt::Stop),
    }
}

/// Returns the limits of the size of integers.
pub(super) fn bounds(store: &Store) -> Bounds<'_> {
    Bounds {
        max_bits: usize::try_from(store.room_left()).unwrap_or(usize::MAX / 8) * 8,
        watch: &store.events.watch,
    }
}

// Large numbers are rare. Do not inline these functions: that would make the program larger and not faster.
impl Num for Large {
    const LARGE: bool = true;
    const INF: Large = Large::Inf;
    const SUP: Large = Large::Sup;

    fn of(value: i64) -> Large {
        Large::Val(Number::Int(value))
    }

    #[inline(never)]
    fn of_cell(store: &Store, cell: Cell) -> R<Large> {
        match store.view(cell) {
            View::Int(value) => Ok(Large::of(value)),
            View::Atom(atoms::INF) => Ok(Large::Inf),
            View::Atom(atoms::SUP) => Ok(Large::Sup),
            View::Big(addr) => Ok(Large::Val(Number::from_big(store.big(addr)?))),
            _ => Err(Halt::Fail),
        }
    }

    #[inline(never)]
    fn cell(&self, store: &mut Store) -> R<Cell> {
        Ok(match self {
            Large::Inf => Cell::atom(atoms::INF),
            Large::Sup => Cell::atom(atoms::SUP),
            Large::Val(value) => store.new_number(value)?,
        })
    }

    fn is_finite(&self) -> bool {
        matches!(self, Large::Val(_))
    }

    #[inline(never)]
    fn small(&self) -> Option<i64> {
        match self {
            Large::Val(Number::Int(value)) if (INLINE_MIN..=INLINE_MAX).contains(value) => {
                Some(*value)
            }
            _ => None,
        }
    }

    #[inline(never)]
    fn add(&self, other: &Large) -> R<Large> {
        match (self, other) {
            (Large::Val(a), Large::Val(b)) => large(mixed::add(a, b)),
            (Large::Val(_), infinite) | (infinite, _) => Ok(infinite.clone()),
        }
    }

    #[inline(never)]
    fn sub(&self, other: &Large) -> R<Large> {
        self.add(&other.neg()?)
    }

    #[inline(never)]
    fn next(&self) -> R<Large> {
        self.add(&Large::of(1))
    }

    #[inline(never)]
    fn before(&self) -> R<Large> {
        self.add(&Large::of(-1))
    }

    #[inline(never)]
    fn div_ceil(&self, other: &Large, store: &Store) -> R<Large> {
        self.neg()?.div_floor(other, store)?.neg()
    }

    #[inline(never)]
    fn neg(&self) -> R<Large> {
        match self {
            Large::Val(value) => large(mixed::neg(value)),
            Large::Inf => Ok(Large::Sup),
            Large::Sup => Ok(Large::Inf),
        }
    }

    #[inline(never)]
    fn mul(&self, other: &Large, store: &Store) -> R<Large> {
        match (self, other) {
            (Large::Val(a), Large::Val(b)) => large(mixed::mul(a, b, bounds(store))),
            _ if self.is_zero() || other.is_zero() => Ok(Large::of(0)),
            _ => Ok(Large::infinite(self.is_negative() != other.is_negative())),
        }
    }

    #[inline(never)]
    fn div_floor(&self, other: &Large, store: &Store) -> R<Large> {
        let negative = self.is_negative() != other.is_negative();
        match (self, other) {
            (Large::Val(a), Large::Val(b)) => large(div_floor(a, b, bounds(store))),
            (Large::Val(a), _) => Ok(Large::of(-i64::from(negative && !a.is_zero()))),
            _ => Ok(Large::infinite(negative)),
        }
    }

    #[inline(never)]
    fn div_trunc(&self, other: &Large, store: &Store) -> R<Large> {
        match (self, other) {
            (Large::Val(a), Large::Val(b)) => large(int_div(a, b, bounds(store))),
            (Large::Val(_), _) => Ok(Large::of(0)),
            _ => Ok(Large::infinite(self.is_negative() != other.is_negative())),
        }
    }

    fn bits(&self) -> u64 {
        match self {
            Large::Val(Number::Int(value)) => u64::from(64 - value.unsigned_abs().leading_zeros()),
            Large::Val(Number::Big(value)) => value.bit_len() as u64,
            _ => 0,
        }
    }

    #[inline(never)]
    fn pow(&self, exponent: &Large, store: &Store) -> R<Large> {
        match (self, exponent) {
            (Large::Val(a), Large::Val(b)) => large(power::caret(a, b, bounds(store))),
            (_, exponent) if exponent.is_zero() => Ok(Large::of(1)),
            (Large::Val(a), _) if a.is_zero() => Ok(Large::of(0)),
            (Large::Val(a), _) if !a.is_negative() => Ok(match a {
                Number::Int(1) => Large::of(1),
                _ => Large::Sup,
            }),
            // The sign is that of a power to an odd exponent, if the exponent is known.
            (base, Large::Val(Number::Int(exponent))) => {
                Ok(Large::infinite(base.is_negative() && exponent % 2 != 0))
            }
            _ => Ok(Large::Sup),
        }
    }
}
