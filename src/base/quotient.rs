//! Quotients of naturals as words. Short ones are made by school division with a reciprocal of two words (Möller and
//! Granlund, Improved division by invariant integers, 2011). Longer ones are made by recursive division (Burnikel
//! and Ziegler, 1998), and the longest by a reciprocal of many words.
#![forbid(unsafe_code)]

use super::growth::zeros;
use super::natural::{add_to, multiply, room_for_product, shift_left, take_from};
use super::reciprocal::{NEWTON, divide_by_reciprocal};
use super::stop::Stop;
use super::transform::{self, SHORT_FACTOR};

/// Number of words of divisors from which recursive division is used.
const SCHOOL: usize = 40;

/// The first two words of a divisor, the first bit set, and their reciprocal.
struct Reciprocal {
    high: u64,
    low: u64,
    value: u64,
}

impl Reciprocal {
    fn new(high: u64, low: u64) -> Reciprocal {
        let dividend = (u128::from(!high) << 64) | u128::from(u64::MAX);
        let mut value = (dividend / u128::from(high)) as u64;
        let (mut rest, above) = high.wrapping_mul(value).overflowing_add(low);
        if above {
            value -= 1;
            if rest >= high {
                value -= 1;
                rest = rest.wrapping_sub(high);
            }
            rest = rest.wrapping_sub(high);
        }
        let (below, more) = value.carrying_mul(low, 0);
        let (rest, above) = rest.overflowing_add(more);
        if above {
            value -= 1;
            if (rest, below) >= (high, low) {
                value -= 1;
            }
        }
        Reciprocal { high, low, value }
    }

    /// Returns the quotient of three words by the divisor. The first two words must be less than the divisor.
    #[inline(always)]
    fn quotient(&self, [first, second, third]: [u64; 3]) -> u64 {
        let both = |high: u64, low: u64| (u128::from(high) << 64) | u128::from(low);
        let divisor = both(self.high, self.low);
        let estimate =
            (u128::from(self.value) * u128::from(first)).wrapping_add(both(first, second));
        let (mut quotient, fraction) = ((estimate >> 64) as u64, estimate as u64);
        let rest = second.wrapping_sub(quotient.wrapping_mul(self.high));
        let taken = u128::from(self.low) * u128::from(quotient);
        let mut rest = both(rest, third).wrapping_sub(taken).wrapping_sub(divisor);
        quotient = quotient.wrapping_add(1);
        if (rest >> 64) as u64 >= fraction {
            quotient = quotient.wrapping_sub(1);
            rest = rest.wrapping_add(divisor);
        }
        if rest >= divisor {
            quotient = quotient.wrapping_add(1);
        }
        quotient
    }
}

/// Subtracts a product by one word from the same number of words. Returns the amount to subtract from the next word.
#[inline(always)]
fn take_product_by_word(from: &mut [u64], x: &[u64], factor: u64) -> u64 {
    let mut carry = 0;
    let (fours, rest) = from.as_chunks_mut::<4>();
    let (x, x_rest) = x.as_chunks::<4>();
    for (from, x) in fours.iter_mut().zip(x) {
        for nth in 0..4 {
            let low;
            (low, carry) = x[nth].carrying_mul_add(factor, !from[nth], carry);
            from[nth] = !low;
        }
    }
    for (from, &word) in rest.iter_mut().zip(x_rest) {
        let low;
        (low, carry) = word.carrying_mul_add(factor, !*from, carry);
        *from = !low;
    }
    carry
}

/// Subtracts the divisor once if the words are not less. Returns whether it did.
fn take_once(a: &mut [u64], b: &[u64]) -> bool {
    let less = a.iter().rev().lt(b.iter().rev());
    if !less {
        take_from(a, b);
    }
    !less
}

/// Divides `a` by `b`, which has at least two words and its first bit set. Writes the quotient and returns its
/// additional highest bit. Leaves the remainder in the low words of `a`.
fn divide_at_school(to: &mut [u64], a: &mut [u64], b: &[u64]) -> bool {
    let n = b.len();
    let by = Reciprocal::new(b[n - 1], b[n - 2]);
    let above = take_once(&mut a[to.len()..], b);
    for nth in (0..to.len()).rev() {
        let (first, second, third) = (a[nth + n], a[nth + n - 1], a[nth + n - 2]);
        let mut quotient = if (first, second) >= (by.high, by.low) {
            u64::MAX
        } else {
            by.quotient([first, second, third])
        };
        let taken = take_product_by_word(&mut a[nth..nth + n], b, quotient);
        let mut left = first.wrapping_sub(taken);
        while left != 0 {
            quotient -= 1;
            left = left.wrapping_add(u64::from(add_to(&mut a[nth..nth + n], b)));
        }
        a[nth + n] = 0;
        to[nth] = quotient;
    }
    above
}

/// Returns the words of room for the products of a division by `n` words.
fn room_to_divide(n: usize) -> usize {
    let half = n.div_ceil(2);
    n + if half <= SHORT_FACTOR {
        room_for_product(half, half).max(room_for_product(half, n - half))
    } else {
        room_for_product(SHORT_FACTOR, SHORT_FACTOR) * 2
    }
}

/// Writes the product of two naturals of at least one word.
pub(super) fn product(to: &mut [u64], x: &[u64], y: &[u64], room: &mut [u64]) -> Result<(), Stop> {
    if x.len().min(y.len()) > SHORT_FACTOR {
        return transform::multiply(to, x, y);
    }
    let needed = room_for_product(x.len(), y.len());
    if needed <= room.len() {
        multiply(to, x, y, room);
    } else {
        multiply(to, x, y, &mut zeros(needed)?);
    }
    Ok(())
}

/// Corrects a quotient that was made with the high words of the divisor only. Subtracts its product with the low
/// words from the remainder; the quotient has an additional bit `above`. If the remainder is too small, decreases
/// the quotient.
fn take_low(
    (to, above): (&mut [u64], &mut bool),
    a: &mut [u64],
    (b, low): (&[u64], usize),
    room: &mut [u64],
) -> Result<(), Stop> {
    let count = to.len() + low;
    let (taken, room) = room.split_at_mut(count);
    product(taken, to, &b[..low], room)?;
    let mut missing = u64::from(take_from(a, taken));
    if *above {
        missing += u64::from(take_from(&mut a[to.len()..], &b[..low]));
    }
    while missing > 0 {
        *above ^= take_from(to, &[1]);
        missing -= u64::from(add_to(a, b));
    }
    Ok(())
}

/// Divides twice the number of words of the divisor, as [`divide_at_school`] does.
fn divide_twice(to: &mut [u64], a: &mut [u64], b: &[u64], room: &mut [u64]) -> Result<bool, Stop> {
    let n = b.len();
    if n < SCHOOL {
        return Ok(divide_at_school(to, a, b));
    }
    let low = n / 2;
    let high = n - low;
    let (to_low, to_high) = to.split_at_mut(low);
    let mut above = divide_twice(to_high, &mut a[2 * low..], &b[low..], room)?;
    take_low((to_high, &mut above), &mut a[low..low + n], (b, low), room)?;
    let mut middle = divide_twice(to_low, &mut a[high..high + 2 * low], &b[high..], room)?;
    take_low((to_low, &mut middle), &mut a[..n], (b, high), room)?;
    Ok(above)
}

/// Divides `a` by `b`, which has at least two words and its first bit set; `a` is longer. The first words of `a`
/// must be less than `b`. The quotient has as many words as `a` has more than `b`. Leaves the remainder in the low
/// words of `a`.
pub(crate) fn divide(to: &mut [u64], a: &mut [u64], b: &[u64]) -> Result<(), Stop> {
    let n = b.len();
    if n < SCHOOL || to.len() < SCHOOL / 2 {
        divide_at_school(to, a, b);
        return Ok(());
    }
    if n.min(to.len()) >= NEWTON {
        return divide_by_reciprocal(to, a, b);
    }
    let mut room = zeros(room_to_divide(n))?;
    let mut end = to.len();
    while end > 0 {
        // The first quotient is the short one.
        let count = (end - 1) % n + 1;
        let from = end - count;
        let (to, a) = (&mut to[from..end], &mut a[from..from + n + count]);
        if count == n {
            divide_twice(to, a, b, &mut room)?;
        } else {
            let low = n - count;
            let mut above = if count < 2 {
                divide_at_school(to, a, b)
            } else {
                divide_twice(to, &mut a[low..], &b[low..], &mut room)?
            };
            if count >= 2 {
                take_low((to, &mut above), &mut a[..n], (b, low), &mut room)?;
            }
        }
        end = from;
    }
    Ok(())
}

/// Returns the quotient and the remainder of two naturals of any length. The second has at least two words, and its
/// last is not zero.
///
/// # Errors
/// Returns an error if there is no memory for it.
pub(crate) fn quotient_and_rest(x: &[u64], y: &[u64]) -> Result<(Vec<u64>, Vec<u64>), Stop> {
    let (mut a, mut b) = (zeros(x.len().max(y.len()) + 1)?, zeros(y.len())?);
    let mut quotient = zeros(a.len() - b.len())?;
    divide_in((&mut quotient, &mut a, &mut b), x, y)?;
    a.truncate(b.len());
    Ok((quotient, a))
}

/// Divides as [`quotient_and_rest`] does, in the given room. The first part is for the quotient. The second has one
/// word more than the longer natural, and holds the remainder at its beginning in the end. The third has the number
/// of words of the divisor.
///
/// # Errors
/// Returns an error if the divisor is long and there is no memory for it.
pub(crate) fn divide_in(
    (quotient, a, b): (&mut [u64], &mut [u64], &mut [u64]),
    x: &[u64],
    y: &[u64],
) -> Result<(), Stop> {
    let shift = y.last().map_or(0, |word| word.leading_zeros());
    quotient.fill(0);
    a[x.len()..].fill(0);
    shift_left(b, y, shift);
    shift_left(a, x, shift);
    divide(quotient, a, b)?;
    let rest = &mut a[..b.len()];
    for nth in 0..rest.len() {
        let above = rest.get(nth + 1).copied().unwrap_or(0);
        rest[nth] = (((u128::from(above) << 64) | u128::from(rest[nth])) >> shift) as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{NEWTON, SCHOOL, quotient_and_rest};
    use crate::base::transform::SHORT_FACTOR;
    use dashu_int::UBig;
    use dashu_int::ops::DivRem;

    /// Returns random words; some kinds make first estimates of quotients wrong.
    fn words(seed: &mut u64, count: usize, kind: usize) -> Vec<u64> {
        let mut word = || {
            *seed ^= *seed << 13;
            *seed ^= *seed >> 7;
            *seed ^= *seed << 17;
            match (kind, *seed >> 61) {
                (1, _) | (4, 1) => u64::MAX,
                (2, _) => 1 << 63,
                (4, 0) => 0,
                _ => *seed,
            }
        };
        let mut words: Vec<u64> = (0..count).map(|_| word()).collect();
        words[count - 1] |= 1 << (*seed & 63);
        words
    }

    #[test]
    fn quotients_are_those_of_the_library() {
        let mut seed = 88_172_645_463_325_252;
        let sizes = [
            SCHOOL / 2,
            SCHOOL,
            2 * SCHOOL,
            SHORT_FACTOR,
            2 * SHORT_FACTOR,
            NEWTON,
        ];
        for round in 0..3_000 {
            let near = |size: usize, seed: usize| (size + seed % 5).saturating_sub(2).max(2);
            let n = near(
                sizes[if round % 9 == 0 {
                    round / 9 % 6
                } else {
                    round % 3
                }],
                round,
            );
            let m = 1 + round * 91 % (if round % 7 == 0 { 1200 } else { 160 });
            let y = words(&mut seed, n, round % 5);
            let divisor = UBig::from_words(&y);
            let mut x = UBig::from_words(&words(&mut seed, n + m, round / 5 % 5));
            if round % 3 == 0 {
                // The greatest dividend with its quotient.
                x = (UBig::from_words(&words(&mut seed, m, round / 25 % 5)) + UBig::ONE) * &divisor
                    - UBig::ONE;
            }
            let (quotient, rest) = quotient_and_rest(x.as_words(), &y).unwrap();
            assert!(
                (UBig::from_words(&quotient), UBig::from_words(&rest)) == x.div_rem(&divisor),
                "{n} {m}"
            );
        }
        let (x, y) = (words(&mut seed, 3, 0), words(&mut seed, 5, 0));
        let (quotient, rest) = quotient_and_rest(&x, &y).unwrap();
        assert!(quotient.iter().all(|&word| word == 0) && rest[..3] == x);
    }
}
