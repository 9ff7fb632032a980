//! Arithmetic on integers of several words in place. Sums, short products and quotients by short divisors are made
//! in the free room of the heap, without other memory.
#![forbid(unsafe_code)]

use super::cell::{BoxKind, Cell, WORD};
use super::heap::{Store, View};
use super::raw;
use crate::base::natural;
use crate::base::quotient::divide_in;
use crate::base::stop::Stop;
use crate::base::transform::{self, SHORT_FACTOR};
use std::cmp::Ordering;

/// Greatest number of words of factors that are multiplied here. Longer factors have faster algorithms.
const LONG_FACTOR: usize = 2048;
/// Greatest number of words of dividends that are divided here. Longer divisions are done elsewhere, in code that
/// can be stopped.
const LONG_DIVIDEND: usize = 1 << 12;
/// Number of words up to which the remainder alone is computed here. For longer dividends other code avoids a
/// division for each word.
const LONG_REMAINDER: usize = 32;

/// An integer: its sign, and its words from the lowest.
struct Integer<'a> {
    negative: bool,
    words: &'a [u64],
}

/// The result of a division.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// The quotient, truncated toward zero.
    Quotient,
    /// The remainder of the truncated quotient, with the sign of the dividend.
    Remainder,
    /// The remainder of the quotient rounded down, which is not negative.
    Modulo,
}

/// Returns the magnitude of a small integer as a word, or 0 for another cell.
fn small_word(cell: Cell) -> [u64; 1] {
    [if cell.is_int() {
        cell.int_value().unsigned_abs()
    } else {
        0
    }]
}

impl Store {
    /// Returns the integer of a dereferenced cell; `small` is its [`small_word`].
    fn integer<'a>(&self, cell: &'a Cell, small: &'a [u64; 1]) -> Option<Integer<'a>> {
        match self.view(*cell) {
            View::Int(value) => Some(Integer {
                negative: value < 0,
                words: small,
            }),
            View::Big(addr) => {
                let header = raw::cell(addr);
                Some(Integer {
                    negative: header.box_kind() == BoxKind::BigNegative,
                    words: raw::payload(cell, addr),
                })
            }
            _ => None,
        }
    }

    /// Returns the next `count` free words of the heap, after one for the header of a box.
    fn free_words(&mut self, count: usize) -> &mut [u64] {
        let addr = self.heap_top + WORD;
        raw::room(self, addr, count)
    }

    /// Makes an integer of the words in the free room. Some of the highest words may be 0.
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

    /// Returns the sum or the difference of two integers, or `None` if one of the cells is no integer.
    pub(crate) fn new_sum(
        &mut self,
        a: Cell,
        b: Cell,
        subtract: bool,
    ) -> Result<Option<Cell>, Stop> {
        let small = (small_word(a), small_word(b));
        let (Some(x), Some(y)) = (self.integer(&a, &small.0), self.integer(&b, &small.1)) else {
            return Ok(None);
        };
        let room = x.words.len().max(y.words.len()) + 2;
        self.reserve(room)?;
        let to = self.free_words(room - 1);
        let other = y.negative != subtract;
        if x.negative == other {
            natural::add(to, x.words, y.words);
            return Ok(Some(self.finish_integer(x.negative, room - 1)));
        }
        let (negative, longer, shorter) = match natural::compare(x.words, y.words) {
            Ordering::Less => (other, y.words, x.words),
            _ => (x.negative, x.words, y.words),
        };
        natural::subtract(to, longer, shorter);
        Ok(Some(self.finish_integer(negative, longer.len())))
    }

    /// Returns the product of two integers, or `None` if a cell is no integer or a factor is long.
    pub(crate) fn new_product(&mut self, a: Cell, b: Cell) -> Result<Option<Cell>, Stop> {
        let small = (small_word(a), small_word(b));
        let (Some(x), Some(y)) = (self.integer(&a, &small.0), self.integer(&b, &small.1)) else {
            return Ok(None);
        };
        let (n, m) = (x.words.len(), y.words.len());
        if n.max(m) > LONG_FACTOR && n.min(m) > 1 {
            return Ok(None);
        }
        let transformed = n.min(m) > SHORT_FACTOR;
        let room = if transformed {
            0
        } else {
            natural::room_for_product(n, m)
        };
        self.reserve(n + m + 1 + room)?;
        let to = self.free_words(n + m + room);
        let (to, room) = to.split_at_mut(n + m);
        if transformed {
            transform::multiply(to, x.words, y.words)?;
        } else {
            natural::multiply(to, x.words, y.words, room);
        }
        self.watch.did_many(n.min(m).isqrt() * n.max(m));
        Ok(Some(self.finish_integer(x.negative != y.negative, n + m)))
    }

    /// Compares two integers. Returns `None` if one of the cells is no integer.
    pub(crate) fn integer_order(&self, a: Cell, b: Cell) -> Option<Ordering> {
        let small = (small_word(a), small_word(b));
        let (x, y) = (self.integer(&a, &small.0)?, self.integer(&b, &small.1)?);
        Some(match (x.negative, y.negative) {
            (false, false) => natural::compare(x.words, y.words),
            (true, true) => natural::compare(y.words, x.words),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }

    /// Divides an integer of several words. Returns `None` if a cell is no such integer, or if an integer is too
    /// long. Also returns `None` if the divisor is zero, or negative with one word.
    pub(crate) fn new_division(
        &mut self,
        a: Cell,
        b: Cell,
        division: Division,
    ) -> Result<Option<Cell>, Stop> {
        let View::Big(_) = self.view(a) else {
            return Ok(None);
        };
        let small = small_word(b);
        let divisor = small[0];
        let (Some(x), Some(y)) = (self.integer(&a, &small), self.integer(&b, &small)) else {
            return Ok(None);
        };
        if y.words.len() > 1 {
            return self.new_long_division(&x, &y, division);
        }
        if !b.is_int() || b.int_value() <= 0 {
            return Ok(None);
        }
        let longest = match division {
            Division::Quotient => LONG_DIVIDEND,
            Division::Remainder | Division::Modulo => LONG_REMAINDER,
        };
        if x.words.len() > longest {
            return Ok(None);
        }
        self.watch.did_bytes(size_of_val(x.words));
        let rest = match division {
            Division::Quotient => {
                self.reserve(x.words.len() + 1)?;
                let to = self.free_words(x.words.len());
                natural::divide_by_word(to, x.words, divisor);
                0
            }
            Division::Remainder | Division::Modulo => natural::remainder_by_word(x.words, divisor),
        };
        // Divisors and remainders are inline integers.
        let rest = rest as i64;
        Ok(Some(match division {
            Division::Quotient => self.finish_integer(x.negative, x.words.len()),
            Division::Remainder if x.negative => Cell::int(-rest),
            Division::Modulo if x.negative && rest != 0 => Cell::int(divisor as i64 - rest),
            Division::Remainder | Division::Modulo => Cell::int(rest),
        }))
    }

    /// Divides by a divisor of several words, as [`Store::new_division`] does.
    fn new_long_division(
        &mut self,
        x: &Integer<'_>,
        y: &Integer<'_>,
        division: Division,
    ) -> Result<Option<Cell>, Stop> {
        let (count, long) = (y.words.len(), x.words.len().max(y.words.len()) + 1);
        if long > LONG_DIVIDEND {
            return Ok(None);
        }
        self.watch.did_many(count.isqrt() * long);
        let more = long - count;
        self.reserve(more + long + count + 1)?;
        let room = self.free_words(more + long + count);
        let (quotient, rest) = room.split_at_mut(more);
        let (a, b) = rest.split_at_mut(long);
        divide_in((quotient, a, b), x.words, y.words)?;
        if division == Division::Quotient {
            return Ok(Some(self.finish_integer(x.negative != y.negative, more)));
        }
        let rest = &a[..count];
        let up = division == Division::Modulo && x.negative != y.negative;
        let from = if up && rest.iter().any(|&word| word != 0) {
            natural::subtract(b, y.words, rest);
            more + long
        } else {
            more
        };
        room.copy_within(from..from + count, 0);
        let negative = if division == Division::Modulo {
            y.negative
        } else {
            x.negative
        };
        Ok(Some(self.finish_integer(negative, count)))
    }
}
