//! Arithmetic on integers of several words where they lie: sums, short products and quotients by
//! short divisors are made in the free room of the heap, without memory of their own.

use super::cell::{Addr, BoxKind, Cell, WORD};
use super::heap::{OutOfMemory, Store, View};
use super::raw;
use std::cmp::Ordering;

/// Factors of this many words are multiplied here; for longer ones there are better ways.
const SHORT_FACTOR: usize = 8;
/// Divisors below this leave a rest of half a word.
const SHORT_DIVISOR: u64 = 1 << 32;

/// Dividends of more words are divided elsewhere, where it is looked whether that is to be stopped.
const LONG_DIVIDEND: usize = 1 << 12;

/// An integer: its sign, and its words from the lowest.
struct Integer<'a> {
    negative: bool,
    words: &'a [u64],
}

/// What is computed of a dividend and a short divisor.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// The quotient, truncated toward zero.
    Quotient,
    /// What is left then, with the sign of the dividend.
    Remainder,
    /// The rest of the quotient that is rounded down, which is not negative.
    Modulo,
}

/// The value of a small integer as a word; 0 of another cell.
fn small_word(cell: Cell) -> [u64; 1] {
    [if cell.is_int() {
        cell.int_value().unsigned_abs()
    } else {
        0
    }]
}

impl Store {
    /// The integer of a dereferenced cell; `small` is its [`small_word`].
    fn integer<'a>(&self, cell: Cell, small: &'a [u64; 1]) -> Option<Integer<'a>> {
        match self.view(cell) {
            View::Int(value) => Some(Integer {
                negative: value < 0,
                words: small,
            }),
            View::Big(addr) => {
                let header = raw::cell(addr);
                Some(Integer {
                    negative: header.box_kind() == BoxKind::BigNegative,
                    words: raw::words(addr + WORD, header.box_words()),
                })
            }
            _ => None,
        }
    }

    /// Makes an integer of the words in the free room, of which some of the highest may be 0.
    fn finish_integer(&mut self, negative: bool, mut count: usize) -> Cell {
        let start = self.heap_top + WORD;
        while count > 0 && raw::word(start + (count as u64 - 1) * WORD) == 0 {
            count -= 1;
        }
        let value = match count {
            0 => Some(0),
            1 => {
                let word = i128::from(raw::word(start));
                i64::try_from(if negative { -word } else { word }).ok()
            }
            _ => None,
        };
        if let Some(value) = value {
            return self.new_int(value);
        }
        let kind = if negative {
            BoxKind::BigNegative
        } else {
            BoxKind::BigPositive
        };
        self.watch.did_bytes(count * WORD as usize);
        let addr = self.allocate(count + 1);
        raw::set_cell(addr, Cell::box_header(kind, count));
        Cell::boxed(addr)
    }

    /// The sum of two integers, or their difference; nothing if one of the cells is none.
    pub(crate) fn new_sum(
        &mut self,
        a: Cell,
        b: Cell,
        subtract: bool,
    ) -> Result<Option<Cell>, OutOfMemory> {
        let small = (small_word(a), small_word(b));
        let (Some(x), Some(y)) = (self.integer(a, &small.0), self.integer(b, &small.1)) else {
            return Ok(None);
        };
        let room = x.words.len().max(y.words.len()) + 2;
        self.reserve(room)?;
        let to = self.heap_top + WORD;
        let other = y.negative != subtract;
        if x.negative == other {
            let count = add_words(to, x.words, y.words);
            return Ok(Some(self.finish_integer(x.negative, count)));
        }
        let (negative, count) = match compare_words(x.words, y.words) {
            Ordering::Less => (other, subtract_words(to, y.words, x.words)),
            _ => (x.negative, subtract_words(to, x.words, y.words)),
        };
        Ok(Some(self.finish_integer(negative, count)))
    }

    /// The product of two integers one of which is short; nothing if they are not such.
    pub(crate) fn new_product(&mut self, a: Cell, b: Cell) -> Result<Option<Cell>, OutOfMemory> {
        let small = (small_word(a), small_word(b));
        let (Some(x), Some(y)) = (self.integer(a, &small.0), self.integer(b, &small.1)) else {
            return Ok(None);
        };
        let (long, short) = if x.words.len() < y.words.len() {
            (y.words, x.words)
        } else {
            (x.words, y.words)
        };
        if long.len() > SHORT_FACTOR && short.len() > 1 {
            return Ok(None);
        }
        let count = long.len() + short.len();
        self.reserve(count + 1)?;
        let to = self.heap_top + WORD;
        multiply_words(to, long, short);
        Ok(Some(self.finish_integer(x.negative != y.negative, count)))
    }

    /// How two integers compare; nothing if one of the cells is none.
    pub(crate) fn integer_order(&self, a: Cell, b: Cell) -> Option<Ordering> {
        let small = (small_word(a), small_word(b));
        let (x, y) = (self.integer(a, &small.0)?, self.integer(b, &small.1)?);
        Some(match (x.negative, y.negative) {
            (false, false) => compare_words(x.words, y.words),
            (true, true) => compare_words(y.words, x.words),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }

    /// What comes of dividing an integer of several words by a short one; nothing if they are not
    /// such.
    pub(crate) fn new_division(
        &mut self,
        a: Cell,
        b: Cell,
        division: Division,
    ) -> Result<Option<Cell>, OutOfMemory> {
        let View::Big(_) = self.view(a) else {
            return Ok(None);
        };
        let small = small_word(b);
        let divisor = small[0];
        if !b.is_int() || b.int_value() <= 0 || divisor >= SHORT_DIVISOR {
            return Ok(None);
        }
        let Some(x) = self.integer(a, &small) else {
            return Ok(None);
        };
        if x.words.len() > LONG_DIVIDEND {
            return Ok(None);
        }
        self.watch.did_bytes(size_of_val(x.words));
        let rest = match division {
            Division::Quotient => {
                self.reserve(x.words.len() + 1)?;
                divide_words(self.heap_top + WORD, x.words, divisor);
                0
            }
            Division::Remainder | Division::Modulo => remainder_of_words(x.words, divisor),
        };
        // Rests are less than half a word.
        let rest = rest as i64;
        Ok(Some(match division {
            Division::Quotient => self.finish_integer(x.negative, x.words.len()),
            Division::Remainder if x.negative => Cell::int(-rest),
            Division::Modulo if x.negative && rest != 0 => Cell::int(divisor as i64 - rest),
            Division::Remainder | Division::Modulo => Cell::int(rest),
        }))
    }
}

fn compare_words(x: &[u64], y: &[u64]) -> Ordering {
    // Only numbers of one word may have zeros before them, as 0 itself has.
    x.len()
        .cmp(&y.len())
        .then_with(|| x.iter().rev().cmp(y.iter().rev()))
}

/// Writes the sum; gives the number of its words.
fn add_words(to: Addr, x: &[u64], y: &[u64]) -> usize {
    let (long, short) = if x.len() < y.len() { (y, x) } else { (x, y) };
    let mut carry = false;
    for (nth, &word) in long.iter().enumerate() {
        let other = short.get(nth).copied().unwrap_or(0);
        let (sum, over) = word.overflowing_add(other);
        let (sum, again) = sum.overflowing_add(u64::from(carry));
        carry = over || again;
        raw::set_word(to + nth as u64 * WORD, sum);
    }
    raw::set_word(to + long.len() as u64 * WORD, u64::from(carry));
    long.len() + 1
}

/// Writes the difference of a number and one that is not greater; gives the number of its words.
fn subtract_words(to: Addr, x: &[u64], y: &[u64]) -> usize {
    let mut borrow = false;
    for (nth, &word) in x.iter().enumerate() {
        let other = y.get(nth).copied().unwrap_or(0);
        let (left, under) = word.overflowing_sub(other);
        let (left, again) = left.overflowing_sub(u64::from(borrow));
        borrow = under || again;
        raw::set_word(to + nth as u64 * WORD, left);
    }
    x.len()
}

/// Writes the product, which has as many words as both together.
fn multiply_words(to: Addr, x: &[u64], y: &[u64]) {
    for nth in 0..x.len() {
        raw::set_word(to + nth as u64 * WORD, 0);
    }
    for (row, &factor) in y.iter().enumerate() {
        let to = to + row as u64 * WORD;
        let mut carry = 0u128;
        for (nth, &word) in x.iter().enumerate() {
            let at = to + nth as u64 * WORD;
            carry += u128::from(word) * u128::from(factor) + u128::from(raw::word(at));
            raw::set_word(at, carry as u64);
            carry >>= 64;
        }
        raw::set_word(to + x.len() as u64 * WORD, carry as u64);
    }
}

/// A rest and half a word as a dividend, and what the division by less than half a word gives.
fn divide_half(rest: u64, half: u64, divisor: u64) -> (u64, u64) {
    let dividend = (rest << 32) | half;
    (dividend / divisor, dividend % divisor)
}

/// Writes the quotient, which has as many words, of the highest perhaps a zero.
fn divide_words(to: Addr, x: &[u64], divisor: u64) {
    if divisor.is_power_of_two() {
        let shift = divisor.trailing_zeros();
        for (nth, &word) in x.iter().enumerate() {
            let above = u128::from(x.get(nth + 1).copied().unwrap_or(0)) << 64;
            let shifted = (above | u128::from(word)) >> shift;
            raw::set_word(to + nth as u64 * WORD, shifted as u64);
        }
        return;
    }
    let mut rest = 0;
    for (nth, &word) in x.iter().enumerate().rev() {
        let (high, left) = divide_half(rest, word >> 32, divisor);
        let (low, left) = divide_half(left, word & 0xffff_ffff, divisor);
        raw::set_word(to + nth as u64 * WORD, (high << 32) | low);
        rest = left;
    }
}

fn remainder_of_words(x: &[u64], divisor: u64) -> u64 {
    if divisor.is_power_of_two() {
        return x.first().copied().unwrap_or(0) & (divisor - 1);
    }
    x.iter().rev().fold(0, |rest, &word| {
        let (_, left) = divide_half(rest, word >> 32, divisor);
        divide_half(left, word & 0xffff_ffff, divisor).1
    })
}
