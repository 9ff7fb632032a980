//! Products of long naturals by a transform of floats.
//!
//! The factors are cut into pieces of a few bits, balanced around zero: the coefficients of two polynomials,
//! which are multiplied modulo `z^N + 1` by a complex transform of half the length (the right-angle convolution of
//! Crandall and Fagin, 1994): `z^n = i`. Each step takes a polynomial modulo `z^(4m) - w^4` to those modulo `z^m - w`,
//! `z^m + w`, `z^m - i w` and `z^m + i w`, so there is no pass for weights, and nothing is put in another order.
//!
//! The products are exact. The error of a coefficient is at most `|x| |y|`, the lengths of the factors as vectors,
//! times about the sum of the relative errors of all steps (Percival, Rapid multiplication modulo the sum and
//! difference of highly composite numbers, 2003, theorem 5.1). A halving adds, multiplies by a factor, and that is
//! itself a product of two numbers with an error of a bit each: `1 + sqrt(5) + (2 + sqrt(5))`, less than 7.5 times
//! `2^-53`. There are three transforms of `log2(n)` halvings. So pieces of `b` bits need
//! `2^(2 b - 2) * n * 3 * log2(n) * 7.5 < 2^52`, which `PIECES` keeps.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a function for processors with wide instructions is called"
    )
)]

mod complex;
mod steps;

use super::room::{ask, filled};
use super::stop::Stop;
use complex::{Complex, LANES, ZERO, each};
use steps::{Plan, backward, forward, from_lanes, join_thirds, split_thirds, to_lanes};

// ---- pieces -------------------------------------------------------------------------------------

/// Does the same for pieces of 16 bits, of which a word has as many as there are lanes.
#[inline(always)]
fn cut_words(to: &mut [Complex], words: &[u64]) {
    const HALVES: u64 = 0x8000_8000_8000_8000;
    let half = to.len();
    let (low, high) = words.split_at(words.len().min(half));
    let mut carry = false;
    // With a half added to each piece the balanced one is what it has more than that.
    let mut lanes = |word: u64| {
        let sum;
        (sum, carry) = word.carrying_add(HALVES, carry);
        each(|lane| f64::from((sum >> (16 * lane)) as u16 as i32 - 0x8000))
    };
    for (to, &word) in to.iter_mut().zip(low) {
        to.re = lanes(word);
    }
    for (to, &word) in to.iter_mut().zip(high) {
        to.im = lanes(word);
    }
    let zero = [0.0; LANES];
    to[low.len()..].iter_mut().for_each(|to| to.re = zero);
    to[high.len()..].iter_mut().for_each(|to| to.im = zero);
    let last = [f64::from(u8::from(carry)), 0.0, 0.0, 0.0];
    match to.get_mut(low.len()) {
        Some(to) => to.re = last,
        None => to[high.len()].im = last,
    }
}

/// Writes the balanced pieces of a natural as real parts, then as imaginary ones.
#[inline(always)]
fn cut(to: &mut [Complex], words: &[u64], bits: u32) {
    if bits == 16 {
        return cut_words(to, words);
    }
    let mask = (1u64 << bits) - 1;
    let (mut at, mut carry) = (0usize, 0u64);
    let total = words.len() * 64;
    let mut piece = |at: usize| {
        let (word, shift) = (at >> 6, at as u32 & 63);
        let low = words.get(word).copied().unwrap_or(0);
        let high = words.get(word + 1).copied().unwrap_or(0);
        let both = (u128::from(high) << 64) | u128::from(low);
        let piece = ((both >> shift) as u64 & mask) + carry;
        carry = piece >> (bits - 1) & 1 | piece >> bits;
        (piece as i64 - ((carry as i64) << bits)) as f64
    };
    for part in 0..2 {
        for four in to.iter_mut() {
            let lanes = if part == 0 {
                &mut four.re
            } else {
                &mut four.im
            };
            if at >= total + bits as usize {
                *lanes = [0.0; LANES];
                continue;
            }
            for lane in lanes {
                *lane = piece(at);
                at += bits as usize;
            }
        }
    }
}

/// A number whose last bits are those of the integer nearest to what is added.
const NEAREST: f64 = 6_755_399_441_055_744.0;

/// Writes the natural whose pieces, not balanced nor short, are the real and then the imaginary parts times `scale`.
#[inline(always)]
fn paste(to: &mut [u64], from: &[Complex], bits: u32, scale: f64) {
    let (mut sum, mut shift) = (0i128, 0u32);
    let mut to = to.iter_mut();
    for part in 0..2 {
        for four in from {
            let lanes = if part == 0 { &four.re } else { &four.im };
            let whole = each(|n| lanes[n] * scale + NEAREST)
                .map(|x| (x.to_bits() as i64).wrapping_sub(NEAREST.to_bits() as i64));
            if bits == 16 {
                let Some(word) = to.next() else { return };
                let [a, b, c, d] = whole.map(i128::from);
                sum += a + (b << 16) + (c << 32) + (d << 48);
                *word = sum as u64;
                sum >>= 64;
                continue;
            }
            for piece in whole {
                sum += i128::from(piece) << shift;
                shift += bits;
                if shift >= 64 {
                    let Some(word) = to.next() else { return };
                    *word = sum as u64;
                    sum >>= 64;
                    shift -= 64;
                }
            }
        }
    }
    for word in to {
        *word = sum as u64;
        sum >>= 64;
    }
}

// ---- products -----------------------------------------------------------------------------------

/// The greatest numbers of pieces of a product, and the bits of a piece there.
const PIECES: [(usize, u32); 5] = [
    (1 << 14, 16),
    (1 << 16, 15),
    (1 << 18, 14),
    (1 << 20, 13),
    (1 << 22, 12),
];

/// Where the shorter factor has more words than this the transform is faster than other ways.
pub(crate) const SHORT_FACTOR: usize = 160;
/// Words of the longest products that are made.
pub(crate) const LONGEST: usize = 1 << 19;

/// The length of the transform of a product of so many words, in vectors, and the bits of a piece.
fn shape(words: usize) -> (usize, u32) {
    for (most, bits) in PIECES {
        let pieces = (words * 64).div_ceil(bits as usize) + 2;
        // Halves in lanes.
        let least = pieces.div_ceil(2 * LANES).max(16);
        let two = least.next_power_of_two();
        let three = (least.div_ceil(3)).next_power_of_two().max(4) * 3;
        let vectors = two.min(three);
        if vectors * 2 * LANES <= most {
            return (vectors, bits);
        }
    }
    unreachable!("longer factors are cut before")
}

#[inline(always)]
fn transform<const FUSED: bool>(
    words: &[u64],
    scratch: &mut [Complex],
    to: &mut [Complex],
    plans: &mut [Plan],
    bits: u32,
) {
    cut(scratch, words, bits);
    let size = to.len() / plans.len();
    if plans.len() == 3 {
        split_thirds::<FUSED>(scratch);
    }
    for ((plan, to), from) in plans
        .iter_mut()
        .zip(to.chunks_exact_mut(size))
        .zip(scratch.chunks_exact(size))
    {
        to_lanes::<FUSED>(to, from, plan);
        forward::<FUSED>(to, plan);
    }
}

#[inline(always)]
fn product<const FUSED: bool>(
    to: &mut [u64],
    x: &[u64],
    y: Option<&[u64]>,
    room: &mut [Complex],
    bits: u32,
) {
    let vectors = room.len() / 3;
    let (scratch, rest) = room.split_at_mut(vectors);
    let (first, second) = rest.split_at_mut(vectors);
    let three = vectors.is_multiple_of(3);
    let mut plans = Plan::of(three);
    let size = vectors / plans.len();
    transform::<FUSED>(x, scratch, first, &mut plans, bits);
    if let Some(y) = y {
        transform::<FUSED>(y, scratch, second, &mut plans, bits);
        for (x, y) in first.iter_mut().zip(&*second) {
            *x = x.times::<FUSED>(*y);
        }
    } else {
        for x in first.iter_mut() {
            *x = x.times::<FUSED>(*x);
        }
    }
    for (part, plan) in plans.iter_mut().enumerate() {
        let range = part * size..(part + 1) * size;
        backward::<FUSED>(&mut first[range.clone()], plan);
        from_lanes::<FUSED>(&mut scratch[range.clone()], &first[range], plan);
    }
    if three {
        join_thirds::<FUSED>(scratch);
    }
    paste(to, scratch, bits, 1.0 / (vectors * LANES) as f64);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi2")]
fn wide_product(to: &mut [u64], x: &[u64], y: Option<&[u64]>, room: &mut [Complex], bits: u32) {
    product::<true>(to, x, y, room, bits);
}

/// Does the processor have the instructions that [`wide_product`] is made of?
#[cfg(target_arch = "x86_64")]
fn is_wide() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi2")
}

/// Writes the product of two naturals, which has as many words as both together. They may be the same.
///
/// # Errors
/// There is no memory for the work.
pub(crate) fn multiply(to: &mut [u64], x: &[u64], y: &[u64]) -> Result<(), Stop> {
    let (vectors, bits) = shape(to.len());
    ask(3 * vectors * size_of::<Complex>())?;
    let mut room = filled(ZERO, 3 * vectors)?;
    let y = (!std::ptr::eq(x, y)).then_some(y);
    #[cfg(target_arch = "x86_64")]
    if is_wide() {
        // SAFETY: the processor has the instructions.
        unsafe { wide_product(to, x, y, &mut room, bits) };
        return Ok(());
    }
    product::<false>(to, x, y, &mut room, bits);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, ZERO, multiply, product, shape};
    use crate::base::natural;

    /// Random words, and such whose pieces are as large as they can be.
    fn words(seed: &mut u64, count: usize, kind: usize) -> Vec<u64> {
        let mut word = || {
            *seed ^= *seed << 13;
            *seed ^= *seed >> 7;
            *seed ^= *seed << 17;
            match (kind, *seed >> 61) {
                (1, _) | (4, 1) => u64::MAX,
                (2, _) => 0x7fff_7fff_7fff_7fff,
                (3, _) => 0x8000_8000_8000_8000,
                (4, 0) => 0,
                _ => *seed,
            }
        };
        (0..count).map(|_| word()).collect()
    }

    fn check(x: &[u64], y: &[u64]) {
        let count = x.len() + y.len();
        let mut wanted = vec![0; count];
        let mut room = vec![0; natural::room_for_product(x.len(), y.len())];
        natural::multiply(&mut wanted, x, y, &mut room);
        let mut found = vec![1; count];
        multiply(&mut found, x, y).unwrap();
        assert!(found == wanted, "{} by {}", x.len(), y.len());
        // As processors do it that have no wide instructions.
        let (vectors, bits) = shape(count);
        found.fill(1);
        product::<false>(&mut found, x, Some(y), &mut vec![ZERO; 3 * vectors], bits);
        assert!(found == wanted, "{} by {}", x.len(), y.len());
    }

    #[test]
    fn products_are_those_of_karatsuba() {
        let mut seed = 88_172_645_463_325_252;
        for round in 0..300 {
            let count = 1 + (round * 37) % 1200;
            let other = 1 + (round * 91) % 1100;
            let x = words(&mut seed, count, round % 5);
            let y = words(&mut seed, other, round / 5 % 5);
            check(&x, &y);
            check(&x, &x);
        }
    }

    /// Where the bits of a piece change the errors are greatest.
    #[test]
    fn long_products_are_those_of_karatsuba() {
        let mut seed = 1;
        for count in [2047, 2048, 2049, 7679, 7680, 7700, 24_600] {
            for kind in 0..5 {
                let x = words(&mut seed, count, kind);
                check(&x, &words(&mut seed, count, (kind + count) % 5));
            }
        }
    }

    #[test]
    fn the_longest_has_a_shape() {
        assert!(shape(LONGEST).1 >= 12);
    }
}
