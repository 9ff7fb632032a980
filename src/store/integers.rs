//! Arithmetic on integers of several words where they lie: sums, short products and quotients by
//! short divisors are made in the free room of the heap, without memory of their own.

use super::cell::{Addr, BoxKind, Cell, WORD};
use super::heap::{OutOfMemory, Store, View};
use super::raw;
use std::cmp::Ordering;

/// Factors of this many words are multiplied here; for longer ones there are better ways.
const SHORT_FACTOR: usize = 8;
/// Dividends of more words are divided elsewhere, where it is looked whether that is to be stopped.
const LONG_DIVIDEND: usize = 1 << 12;
/// Of dividends of more words the remainder alone is found elsewhere without a division for each word.
const LONG_REMAINDER: usize = 32;

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
        if !b.is_int() || b.int_value() <= 0 {
            return Ok(None);
        }
        let Some(x) = self.integer(a, &small) else {
            return Ok(None);
        };
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
                divide_words(self.heap_top + WORD, x.words, divisor);
                0
            }
            Division::Remainder | Division::Modulo => remainder_of_words(x.words, divisor),
        };
        // Divisors and rests are inline integers.
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

/// Fewer words are divided by the instructions of the processor.
const RECIPROCAL_FROM: usize = 4;

/// What the division of two words by a divisor needs: products take the place of the quotient (Möller
/// and Granlund, Improved division by invariant integers, algorithm 4).
struct Reciprocal {
    /// The divisor, moved to the left until its first bit is set.
    divisor: u64,
    shift: u32,
    value: u64,
}

impl Reciprocal {
    fn new(divisor: u64) -> Reciprocal {
        let shift = divisor.leading_zeros();
        let divisor = divisor << shift;
        let dividend = (u128::from(!divisor) << 64) | u128::from(u64::MAX);
        Reciprocal {
            divisor,
            shift,
            value: (dividend / u128::from(divisor)) as u64,
        }
    }

    /// Divides `rest`, which is less than the divisor, and a word after it.
    #[inline(always)]
    fn divide(&self, rest: u64, word: u64) -> (u64, u64) {
        let dividend = (u128::from(rest) << 64) | u128::from(word);
        let estimate = (u128::from(self.value) * u128::from(rest)).wrapping_add(dividend);
        let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
        let mut left = word.wrapping_sub(quotient.wrapping_mul(self.divisor));
        if left > estimate as u64 {
            quotient = quotient.wrapping_sub(1);
            left = left.wrapping_add(self.divisor);
        }
        if left >= self.divisor {
            quotient += 1;
            left -= self.divisor;
        }
        (quotient, left)
    }
}

/// Divides by a divisor other than 0: gives the rest, and `put` each word of the quotient, the
/// highest, which may be 0, first.
#[inline(always)]
fn long_division(x: &[u64], divisor: u64, mut put: impl FnMut(usize, u64)) -> u64 {
    let mut rest = 0;
    if x.len() < RECIPROCAL_FROM && divisor < 1 << 32 {
        for (nth, &word) in x.iter().enumerate().rev() {
            let (high, left) = divide_half(rest, word >> 32, divisor);
            let (low, left) = divide_half(left, word & 0xffff_ffff, divisor);
            put(nth, (high << 32) | low);
            rest = left;
        }
        return rest;
    }
    let by = Reciprocal::new(divisor);
    let moved = |above: u64, below: u64| {
        let both = (u128::from(above) << 64) | u128::from(below);
        ((both << by.shift) >> 64) as u64
    };
    rest = moved(0, x.last().copied().unwrap_or(0));
    for (nth, &word) in x.iter().enumerate().rev() {
        let below = if nth > 0 { x[nth - 1] } else { 0 };
        let (quotient, left) = by.divide(rest, moved(word, below));
        put(nth, quotient);
        rest = left;
    }
    rest >> by.shift
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
    long_division(x, divisor, |nth, word| {
        raw::set_word(to + nth as u64 * WORD, word)
    });
}

fn remainder_of_words(x: &[u64], divisor: u64) -> u64 {
    if divisor.is_power_of_two() {
        return x.first().copied().unwrap_or(0) & (divisor - 1);
    }
    long_division(x, divisor, |_, _| {})
}

#[cfg(test)]
mod tests {
    use super::long_division;

    #[test]
    fn long_divisions_agree_with_school_division() {
        let mut seed = 1u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            // Words of ones and zeros only are where carries go wrong.
            match seed >> 61 {
                0 => 0,
                1 => u64::MAX,
                2 => seed >> 32,
                3 => 1 << (seed & 63),
                _ => seed,
            }
        };
        for _ in 0..20_000 {
            let count = 1 + random() as usize % 9;
            let words: Vec<u64> = (0..count).map(|_| random()).collect();
            let divisor = (random() >> (random() % 64)).max(1);
            let mut wanted = vec![0; count];
            let mut rest = 0u128;
            for (nth, &word) in words.iter().enumerate().rev() {
                let dividend = (rest << 64) | u128::from(word);
                wanted[nth] = (dividend / u128::from(divisor)) as u64;
                rest = dividend % u128::from(divisor);
            }
            let mut quotient = vec![0; count];
            let left = long_division(&words, divisor, |nth, word| quotient[nth] = word);
            assert_eq!(
                (quotient, left),
                (wanted, rest as u64),
                "{words:x?} / {divisor:x}"
            );
        }
    }
}
