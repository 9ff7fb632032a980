//! Quotients of long naturals by Newton's reciprocals: products modulo `2^(64 n) + 1` give the remainders.
//!
//! `B` is `2^64`, the base of words. A divisor of `n` words has its first bit set.
#![forbid(unsafe_code)]

use super::growth::zeros;
use super::natural::{add_to, multiply, room_for_product, take_from};
use super::quotient::divide;
use super::stop::Stop;
use super::transform::{Image, Ring, SHORT_FACTOR, length};

/// Number of words of divisors and quotients from which a reciprocal is used.
pub(super) const NEWTON: usize = 340;

/// Number of words from which reciprocals are made by Newton's method instead of a division.
const SHORT: usize = 140;

/// Returns `i`, with the number of words of the divisor: `B^n + i` and `B^(2n) / b` differ by less than 2.
///
/// With a reciprocal `v` of the first `h` words, `2h > n`, let `d = v b - B^(h + n)`. The relative error of `v` is
/// at most `4 / B^h`; half of it comes from the use of the first words only. So `d` is less than `5 B^n`. The next
/// reciprocal is `v B^(n - h) - v d / B^(2h)`. Its error has three parts: the square of the former error, less than
/// `50 / B`; another `2 / B`, because the last words of `d` are left out; and less than 1 for the fraction.
///
/// # Errors
/// Returns an error if there is no memory for it, as all functions here.
pub(crate) fn reciprocal(b: &[u64]) -> Result<Vec<u64>, Stop> {
    let n = b.len();
    let mut to = zeros(n)?;
    if n < SHORT {
        // The quotient of B^(2n) - 1, minus B^n.
        let mut a = zeros(2 * n)?;
        a[..n].fill(u64::MAX);
        a[n..].iter_mut().zip(b).for_each(|(to, word)| *to = !word);
        divide(&mut to, &mut a, b)?;
        return Ok(to);
    }
    let h = n / 2 + 1;
    let low = n - h;
    let first = reciprocal(&b[low..])?;
    let mut ring = Ring::new(n + 3, [n, h + 1])?;
    let image = ring.image(&first)?;
    // v b is i b plus b B^h. The amount by which the divisor is less than B^n is the amount by which b B^h is too
    // small.
    let mut lacking = zeros(n + 1)?;
    lacking.iter_mut().zip(b).for_each(|(to, word)| *to = !word);
    add_to(&mut lacking, &[1]);
    let (d, less) = ring.distance((b, &image), (&lacking, h))?;
    let d = &d[low..=n];
    let mut change = ring.product(d, &image)?;
    add_to(&mut change[h..], d);
    let change = &change[3 * h - n..2 * h + 1];
    to[low..].copy_from_slice(&first);
    // At the ends of the range, take the nearest possible value.
    if less && add_to(&mut to, change) {
        to.fill(u64::MAX);
    } else if !less && take_from(&mut to, change) {
        to.fill(0);
    }
    Ok(to)
}

/// A factor of many products, with its transform if it is long.
pub(super) struct Factor {
    words: Vec<u64>,
    image: Option<(Ring, Image)>,
}

impl Factor {
    /// Makes a factor for products by up to `most` words, whose lower `count` words are needed.
    pub(super) fn new(words: Vec<u64>, most: usize, count: usize) -> Result<Factor, Stop> {
        let image = if words.len().min(most) > SHORT_FACTOR {
            let mut ring = Ring::new(count, [words.len(), most])?;
            let image = ring.image(&words)?;
            Some((ring, image))
        } else {
            None
        };
        Ok(Factor { words, image })
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(super) fn is_transformed(&self) -> bool {
        self.image.is_some()
    }

    /// Returns a product, or its residue in a ring with the needed number of words; one more word above is 0.
    pub(super) fn product(&mut self, x: &[u64]) -> Result<Vec<u64>, Stop> {
        match &mut self.image {
            Some((ring, image)) => ring.product(x, image),
            None => {
                let count = x.len() + self.words.len();
                let mut room = zeros(room_for_product(x.len(), self.words.len()))?;
                let mut product = zeros(count + 1)?;
                multiply(&mut product[..count], x, &self.words, &mut room);
                Ok(product)
            }
        }
    }

    /// Returns the needed words of `z` minus a product. `z` has the words of both factors together.
    fn rest(&mut self, x: &[u64], z: &[u64]) -> Result<Vec<u64>, Stop> {
        match &mut self.image {
            Some((ring, image)) => Ok(ring.distance((x, image), (z, 0))?.0),
            None => {
                let product = self.product(x)?;
                let mut rest = zeros(product.len())?;
                rest[..z.len()].copy_from_slice(z);
                take_from(&mut rest, &product);
                Ok(rest)
            }
        }
    }
}

/// A divisor whose first bit is set, with its reciprocal.
pub(super) struct Divisor {
    /// The [`reciprocal`] of the first words.
    reciprocal: Factor,
    words: Factor,
}

impl Divisor {
    /// Makes a divisor for quotients of up to `size` words; `size` is less than its own number of words.
    pub(super) fn new(b: &[u64], size: usize) -> Result<Divisor, Stop> {
        let (n, k) = (b.len(), size + 1);
        let mut words = zeros(n)?;
        words.copy_from_slice(b);
        Ok(Divisor {
            reciprocal: Factor::new(reciprocal(&b[n - k..])?, k, 2 * k)?,
            words: Factor::new(words, size, n + 1)?,
        })
    }

    /// Returns `x B^k / b` with one word above. The first `k` words are left out, and the last word has an error of
    /// 10 at most. `x` has at most `k` words.
    pub(super) fn scaled(&mut self, x: &[u64]) -> Result<Vec<u64>, Stop> {
        let k = self.reciprocal.words.len();
        let mut scaled = self.reciprocal.product(x)?;
        scaled.copy_within(k..=k + x.len(), 0);
        scaled.truncate(x.len() + 1);
        add_to(&mut scaled, x);
        Ok(scaled)
    }

    /// Divides as [`divide`] does; the quotient has at most the number of words that the divisor is made for.
    ///
    /// Let `c` be the first words of the dividend `a`, one more than the quotient has. The scaled quotient is
    /// `s = a B / b`. It differs from `c (B^k + i) / B^k` by less than the sum of four errors: 2 for the end of `a`,
    /// 4 for that of `b`, 2 for the error of `i`, and 1 for a fraction. So the words of `s - 10` except the last are
    /// the quotient or 1 less.
    pub(super) fn divide(&mut self, to: &mut [u64], a: &mut [u64]) -> Result<(), Stop> {
        let n = self.words.words.len();
        let mut scaled = self.scaled(&a[n - 1..])?;
        if take_from(&mut scaled, &[10]) {
            scaled.fill(0);
        }
        to.copy_from_slice(&scaled[1..=to.len()]);
        let mut rest = self.words.rest(to, a)?;
        let (rest, b) = (&mut rest[..=n], &self.words.words);
        while rest[n] != 0 || rest[..n].iter().rev().ge(b.iter().rev()) {
            take_from(rest, b);
            add_to(to, &[1]);
        }
        a[..n].copy_from_slice(&rest[..n]);
        a[n..].fill(0);
        Ok(())
    }
}

/// Divides as [`divide`] does.
pub(super) fn divide_by_reciprocal(to: &mut [u64], a: &mut [u64], b: &[u64]) -> Result<(), Stop> {
    let (n, m) = (b.len(), to.len());
    // Each part costs two products by kept factors, and each halving of the reciprocal five transforms.
    let least = m.div_ceil(n - 1);
    let cost = |parts: &usize| {
        let k = m.div_ceil(*parts) + 1;
        (2 * parts + 1) * (length(2 * k) + length(n + 1)) + 10 * length(k)
    };
    let parts = (least..least + 4).min_by_key(cost).unwrap_or(least);
    let size = m.div_ceil(parts);
    let mut by = Divisor::new(b, size)?;
    let mut end = m;
    while end > 0 {
        // The first part is the short one.
        let from = end - ((end - 1) % size + 1);
        by.divide(&mut to[from..end], &mut a[from..end + n])?;
        end = from;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{NEWTON, SHORT, reciprocal};
    use crate::base::quotient::quotient_and_rest;
    use crate::base::transform::tests::words;
    use dashu_int::ops::DivRem;
    use dashu_int::{IBig, UBig};

    #[test]
    fn long_quotients_are_those_of_the_library() {
        let mut seed = 1;
        for round in 0..240 {
            let n = [NEWTON, NEWTON + 60, 512, 700][round % 4] + round % 3;
            let m = [NEWTON, n - 1, n, 2 * n, 5 * n][round % 5] + round % 2;
            let mut y = words(&mut seed, n, round % 6);
            match round / 6 % 4 {
                0 => y[n - 1] = 1,
                1 => y.fill(u64::MAX),
                2 => y[1..].fill(0),
                _ => {}
            }
            y[n - 1] |= 1 << (round % 64);
            let divisor = UBig::from_words(&y);
            let factor = UBig::from_words(&words(&mut seed, m, round / 5 % 6));
            let x = match round % 3 {
                // The greatest dividend with its quotient, the least, and any other.
                0 => (factor + UBig::ONE) * &divisor - UBig::ONE,
                1 => factor * &divisor,
                _ => UBig::from_words(&words(&mut seed, n + m, round / 7 % 6)),
            };
            let (quotient, rest) = quotient_and_rest(x.as_words(), &y).unwrap();
            let found = (UBig::from_words(&quotient), UBig::from_words(&rest));
            assert!(found == x.div_rem(&divisor), "{n} {m} {round}");
        }
    }

    #[test]
    fn reciprocals_are_near() {
        let mut seed = 88_172_645_463_325_252;
        for round in 0..400 {
            let n = [SHORT - 2, 2 * SHORT, 4 * SHORT][round % 3] + round % 7;
            let mut b = words(&mut seed, n, round % 6);
            match round % 4 {
                // The least and the greatest first words.
                0 => b[n - 1 - round % 5..].fill(0),
                1 => b[n - 1 - round % 5..].fill(u64::MAX),
                2 => b.fill(if round % 8 == 2 { 0 } else { u64::MAX }),
                _ => {}
            }
            b[n - 1] |= 1 << 63;
            let found = reciprocal(&b).unwrap();
            let found = UBig::from_words(&found) + (UBig::ONE << (64 * n));
            let b = UBig::from_words(&b);
            let error = IBig::from(UBig::ONE << (128 * n)) - IBig::from(found * &b);
            let most = IBig::from(b) * 2;
            assert!(error < most && -error < most, "{n} {round}");
        }
    }
}
