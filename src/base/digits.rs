//! Digits of long naturals, by binary fractions and without remainders.
//!
//! `B` is `2^64`, the base of words. Let `x` be a natural of `k` digits of a radix `r`. It becomes a fraction
//! `(x + d) / r^k` of `m` words with `d` about a half and `r^k <= B^(m - 1)`. So the last unit of the fraction is at
//! most `1 / B` of a unit of `x`.
//!
//! The fraction is halved with `q`, the root of `r^k`. The fraction times `q` has the fractional part
//! `(low + d) / q` for the low half of the digits. Only the middle words of this product are made. They are a few
//! units too small at most for each word of `q`, so `d` loses less than `2^-50`.
//!
//! The first words of the fraction itself are `(high + (low + d) / q) / q`, minus a unit at most. There too the part
//! below a unit should be about a half instead of `(low + d) / q`. That value is known, so the difference times
//! `1 / q` is added.
//!
//! At the end, the whole part of the fraction times `r`, `r^2` and so on gives the digits, provided that `d` is
//! still between 0 and 1. It is, because `d` starts at a half and loses less than `2^-49` for each halving.
#![forbid(unsafe_code)]

use super::growth::{Grow, reserve, zeros};
use super::natural::{
    ROWS, add_product_by_word, add_product_by_words, add_to, digits_of_word,
    multiply_by_word_in_place, push_digits, shift_left, take_from,
};
use super::quotient::product;
use super::reciprocal::{Divisor, Factor};
use super::stop::Stop;

/// Number of words whose digits are taken from a fraction one word after the other.
const LEAF: usize = 12;

/// A power of the radix, and the format of fractions: a natural less than the power, divided by it.
#[derive(Copy, Clone)]
struct Scale {
    /// Words of the power.
    words: usize,
    /// Words of a fraction.
    fraction: usize,
    /// `B^(words + 1)` divided by the power.
    inverse: f64,
}

impl Scale {
    fn new(power: &[u64], zeros: usize, fraction: usize) -> Scale {
        let word = |nth: usize| power.iter().rev().nth(nth).map_or(0.0, |&word| word as f64);
        let place = 2f64.powi(64);
        Scale {
            words: power.len() + zeros,
            fraction,
            inverse: place * place / (word(0) + word(1) / place),
        }
    }

    /// Adds `units`, at most a half, divided by the power.
    fn add(&self, to: &mut [u64], units: f64) {
        let change = (units.abs() * self.inverse) as u128;
        let change = [change as u64, (change >> 64) as u64];
        let to = &mut to[self.fraction - self.words - 1..];
        if units < 0.0 {
            take_from(to, &change);
        } else {
            add_to(to, &change);
        }
    }
}

/// The halving of fractions with twice the number of digits of a power.
struct Level {
    scale: Scale,
    /// The power without its lowest words, which are zeros.
    power: Factor,
    zeros: usize,
}

impl Level {
    /// Returns the low half of a fraction of `2 m - 1` words; the high half stays in the first `m` words.
    fn halve(&mut self, x: &mut [u64]) -> Result<Vec<u64>, Stop> {
        let m = self.scale.fraction;
        let (start, end) = (m - 1 - self.zeros, 2 * m - 1 - self.zeros);
        let low = if self.power.is_transformed() {
            // The words above the ring, fewer than `start`, are in the lowest words of the product instead.
            let mut product = self.power.product(x)?;
            product.copy_within(start..end, 0);
            product.truncate(m);
            product
        } else {
            // The column below the first one must be summed too, for its carry. Rows are handled in turns, so some
            // columns below that are also summed.
            let below = self.power.words().len().min(ROWS);
            let mut sums = zeros(m + below)?;
            let (turns, last) = self.power.words().as_chunks::<ROWS>();
            for (nth, &words) in turns.iter().enumerate() {
                let from = &x[start - below - ROWS * nth..end - ROWS * nth];
                add_product_by_words(&mut sums, from, words);
            }
            let done = ROWS * turns.len();
            for (nth, &word) in last.iter().enumerate() {
                let from = &x[start - 1 - done - nth..end - done - nth];
                add_product_by_word(&mut sums[below - 1..], from, word);
            }
            sums.drain(..below);
            sums
        };
        let part = low[m - 1] as f64 / 2f64.powi(64);
        self.scale.add(&mut x[m - 1..], 0.5 - part);
        Ok(low)
    }
}

/// A converter of naturals to digits.
pub(crate) struct Digits {
    radix: u8,
    /// Number of words of digits that are taken one after the other.
    leaf: usize,
    levels: Vec<Level>,
    /// The power that halves all the digits: its scale, the shift that sets its first bit, and the shifted power.
    top: Scale,
    shift: u32,
    divisor: Divisor,
}

impl Digits {
    /// Makes a converter for at least `least` digits.
    ///
    /// # Errors
    /// Returns an error if there is no memory for it, as all functions here.
    pub(crate) fn new(radix: u8, least: usize) -> Result<Digits, Stop> {
        let (count, base) = digits_of_word(radix);
        let groups = least.div_ceil(count);
        let mut halvings = 1;
        while groups.div_ceil(1 << halvings) > LEAF {
            halvings += 1;
        }
        let leaf = groups.div_ceil(1 << halvings).max(1);
        let mut power = zeros(leaf)?;
        power[0] = 1;
        for _ in 0..leaf {
            multiply_by_word_in_place(&mut power, base);
        }
        let (mut low, mut fraction) = (0, leaf + 1);
        let mut levels = Vec::new();
        loop {
            while power.pop_if(|word| *word == 0).is_some() {}
            let more = power.iter().take_while(|&&word| word == 0).count();
            power.drain(..more);
            low += more;
            let scale = Scale::new(&power, low, fraction);
            halvings -= 1;
            if halvings == 0 {
                let shift = power.last().map_or(0, |word| word.leading_zeros());
                let mut divisor = zeros(fraction)?;
                shift_left(&mut divisor[fraction - power.len()..], &power, shift);
                return Ok(Digits {
                    radix,
                    leaf,
                    levels,
                    top: scale,
                    shift,
                    divisor: Divisor::new(&divisor, fraction - 1)?,
                });
            }
            let mut square = zeros(2 * power.len())?;
            product(&mut square, &power, &power, &mut [])?;
            levels.put(Level {
                scale,
                power: Factor::new(power, 2 * fraction - 1, 2 * fraction - 1)?,
                zeros: low,
            })?;
            power = square;
            low *= 2;
            fraction = 2 * fraction - 1;
        }
    }

    /// Returns the number of digits that it makes.
    pub(crate) fn count(&self) -> usize {
        (self.leaf * digits_of_word(self.radix).0) << (self.levels.len() + 1)
    }

    /// Appends the digits of a natural with at most this number of digits, zeros first.
    pub(crate) fn write(&mut self, text: &mut Vec<u8>, x: &[u64]) -> Result<(), Stop> {
        reserve(text, self.count())?;
        let (m, words) = (self.top.fraction, self.top.words);
        let (mut low, mut high) = (zeros(m + words)?, zeros(words)?);
        shift_left(&mut low[m - words..], x, self.shift);
        self.divisor.divide(&mut high, &mut low)?;
        low.truncate(m);
        let mut first = zeros(m)?;
        shift_left(&mut first[m - words..], &high, self.shift);
        for half in [first, low] {
            let mut fraction = self.divisor.scaled(&half)?;
            fraction.truncate(m);
            self.top.add(&mut fraction, 0.5);
            self.write_fraction(text, &mut fraction, self.levels.len())?;
        }
        Ok(())
    }

    fn write_fraction(
        &mut self,
        text: &mut Vec<u8>,
        x: &mut [u64],
        level: usize,
    ) -> Result<(), Stop> {
        let Some(below) = level.checked_sub(1) else {
            let (count, base) = digits_of_word(self.radix);
            for nth in 0..self.leaf {
                // The last word is no longer needed.
                let word = multiply_by_word_in_place(&mut x[nth..], base);
                push_digits(text, word, self.radix, count)?;
            }
            return Ok(());
        };
        let mut low = self.levels[below].halve(x)?;
        let m = low.len();
        self.write_fraction(text, &mut x[m - 1..], below)?;
        self.write_fraction(text, &mut low, below)
    }
}

#[cfg(test)]
mod tests {
    use super::{Digits, LEAF};
    use crate::base::natural::digits_of_word;
    use crate::base::transform::SHORT_FACTOR;
    use crate::base::transform::tests::words;
    use dashu_int::UBig;
    use dashu_int::ops::BitTest;

    fn check(by: &mut Digits, x: &UBig) {
        let mut text = Vec::new();
        by.write(&mut text, x.as_words()).unwrap();
        let wanted = x.in_radix(by.radix).to_string();
        assert_eq!(text.len(), by.count());
        let text = String::from_utf8(text).unwrap();
        assert!(
            text.trim_start_matches('0') == wanted.trim_start_matches('0'),
            "{} digits of radix {}: {text} {wanted}",
            by.count(),
            by.radix
        );
    }

    #[test]
    fn digits_are_those_of_the_library() {
        let mut seed = 88_172_645_463_325_252;
        for round in 0..120 {
            let radix = [10, 10, 3, 6, 36, 7][round % 6];
            let count = digits_of_word(radix).0;
            let groups = [
                1,
                2 * LEAF,
                4 * LEAF,
                16 * LEAF,
                SHORT_FACTOR,
                8 * SHORT_FACTOR,
            ][round / 6 % 6];
            let digits = count * (groups - 1) + 1 + round * 7 % (2 * count + 1);
            let mut by = Digits::new(radix, digits).unwrap();
            let radix = UBig::from(radix);
            let all = radix.pow(by.count());
            let one = UBig::ONE;
            for x in [UBig::ZERO, one.clone(), &all - &one] {
                check(&mut by, &x);
            }
            // Powers of the radix and of two, and runs of ones, at places near halves, and their neighbours.
            let bits = all.bit_len();
            for at in 0..16 {
                let half = by.count() * (at / 2 + 1) / 8;
                let place = (half + round % 3).saturating_sub(1 + at % 2);
                let power = radix.pow(place.min(by.count() - 1));
                for x in [&power - &one, power.clone(), &power + &one, &all - &power] {
                    check(&mut by, &(x % &all));
                }
                let power = &one << ((bits - 1) * (at + 1) / 16);
                for x in [&power - &one, power.clone(), &power + &one] {
                    check(&mut by, &(x % &all));
                }
                let x = UBig::from_words(&words(&mut seed, bits / 64 + 1, at % 6));
                check(&mut by, &(x % &all));
            }
        }
    }
}
