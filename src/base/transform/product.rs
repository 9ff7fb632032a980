//! Products of long naturals.
//!
//! The factors are cut into pieces of a few bits, balanced around zero. The pieces are the coefficients of two
//! polynomials. These are multiplied modulo `z^N + 1` by a complex transform of half the length with `z^n = i` (the
//! right-angle convolution of Crandall and Fagin, 1994). Each step takes a polynomial modulo `z^(4m) - w^4` to those
//! modulo `z^m - w`, `z^m + w`, `z^m - i w` and `z^m + i w`. So there is no pass for weights, and no reordering.
//!
//! The products are exact. Let `|x|` and `|y|` be the lengths of the factors as vectors. The error of a coefficient is
//! at most about `|x| |y|` times the sum of the relative errors of all steps. The source is Percival, Rapid
//! multiplication modulo the sum and difference of highly composite numbers, 2003, theorem 5.1. A halving adds and multiplies by a factor. The factor
//! is itself a product of two numbers with an error of a bit each. Together the error is
//! `1 + sqrt(5) + (2 + sqrt(5))`, less than 7.5 times `2^-53`. There are three transforms of `log2(n)` halvings. So
//! factors of `p` and `q` pieces of `b` bits need `2^(2 b - 2) * sqrt(p q) * 3 * log2(n) * 7.5 < 2^52`, which
//! `is_exact` checks.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a function for processors with wide instructions is called"
    )
)]

use super::complex::{Complex, LANES, ZERO, each};
use super::steps::{Plan, backward, forward, from_lanes, join_thirds, split_thirds, to_lanes};
use crate::base::growth::{filled, require_memory};
use crate::base::stop::Stop;

// ---- pieces -------------------------------------------------------------------------------------

/// Cuts a natural as [`cut`] does, into pieces of 16 bits: a word has one for each lane.
#[inline(always)]
fn cut_words(to: &mut [Complex], words: &[u64]) {
    const HALVES: u64 = 0x8000_8000_8000_8000;
    let half = to.len();
    let (low, high) = words.split_at(words.len().min(half));
    let mut carry = false;
    // With a half added to each piece, the balanced piece is the difference to that half.
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

/// A constant: the last bits of its sum with a number are those of the integer nearest to that number.
const NEAREST: f64 = 6_755_399_441_055_744.0;

/// Writes the natural whose pieces are the real and then the imaginary parts times `scale`; the pieces may be long
/// or negative. Returns the part above.
#[inline(always)]
fn paste(to: &mut [u64], from: &[Complex], bits: u32, scale: f64) -> i128 {
    let (mut sum, mut shift) = (0i128, 0u32);
    let mut to = to.iter_mut();
    for part in 0..2 {
        for four in from {
            let lanes = if part == 0 { &four.re } else { &four.im };
            let nearest = each(|n| lanes[n] * scale + NEAREST);
            let whole = |n: usize| {
                i128::from((nearest[n].to_bits() as i64).wrapping_sub(NEAREST.to_bits() as i64))
            };
            // `map` of an array may remain a function without wide instructions.
            let whole = [whole(0), whole(1), whole(2), whole(3)];
            if bits == 16 {
                let Some(word) = to.next() else { return sum };
                let [a, b, c, d] = whole;
                sum += a + (b << 16) + (c << 32) + (d << 48);
                *word = sum as u64;
                sum >>= 64;
                continue;
            }
            for piece in whole {
                sum += piece << shift;
                shift += bits;
                if shift >= 64 {
                    let Some(word) = to.next() else { return sum };
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
    sum
}

// ---- products -----------------------------------------------------------------------------------

/// Greatest and smallest number of bits of a piece. With the greatest, a word has one piece for each lane.
const PIECE_BITS: [u32; 2] = [16, 12];

/// Greatest number of words of the shorter factor for which other methods are faster than the transform.
pub(crate) const SHORT_FACTOR: usize = 160;
/// Words of the longest products that are made.
pub(crate) const LONGEST: usize = 1 << 19;

/// Returns the number of pieces of a natural of `words` words, with one for a carry.
fn pieces(words: usize, bits: u32) -> usize {
    (words * 64).div_ceil(bits as usize) + 1
}

/// Returns the length in vectors of a transform, and the bits of a piece. The transform makes `words` words of the
/// product of factors with these numbers of words.
pub(super) fn shape(words: usize, factors: [usize; 2]) -> (usize, u32) {
    let [most, fewest] = PIECE_BITS;
    let mut bits = most;
    loop {
        // Each half of the pieces fills the lanes.
        let least = (pieces(words, bits) + 1).div_ceil(2 * LANES).max(16);
        let two = least.next_power_of_two();
        let three = (least.div_ceil(3)).next_power_of_two().max(4) * 3;
        let vectors = two.min(three);
        if bits == fewest || is_exact(vectors, bits, factors) {
            return (vectors, bits);
        }
        bits -= 1;
    }
}

/// Returns the approximate length of a transform in a ring of `words` words.
pub(crate) fn length(words: usize) -> usize {
    shape(words + 1, [words, 1]).0
}

/// Returns whether the error of a coefficient is less than a half, by the bound above.
fn is_exact(vectors: usize, bits: u32, factors: [usize; 2]) -> bool {
    let [x, y] = factors.map(|words| pieces(words, bits) as f64);
    let halvings = f64::from((vectors * LANES).next_power_of_two().ilog2());
    let largest = f64::from(1u32 << (2 * bits - 2));
    largest * (x * y).sqrt() * 3.0 * halvings * 7.5 < f64::from(1 << 26) * f64::from(1 << 26)
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

/// Writes the product of two transforms and destroys the first; without a second one, writes the square of the
/// first. Returns the part above.
#[inline(always)]
fn finish<const FUSED: bool>(
    to: &mut [u64],
    x: &mut [Complex],
    y: Option<&[Complex]>,
    scratch: &mut [Complex],
    bits: u32,
) -> i128 {
    let vectors = x.len();
    let three = vectors.is_multiple_of(3);
    let mut plans = Plan::of(three);
    let size = vectors / plans.len();
    if let Some(y) = y {
        for (x, y) in x.iter_mut().zip(y) {
            *x = x.times::<FUSED>(*y);
        }
    } else {
        for x in x.iter_mut() {
            *x = x.times::<FUSED>(*x);
        }
    }
    for (part, plan) in plans.iter_mut().enumerate() {
        let range = part * size..(part + 1) * size;
        backward::<FUSED>(&mut x[range.clone()], plan);
        from_lanes::<FUSED>(&mut scratch[range.clone()], &x[range], plan);
    }
    if three {
        join_thirds::<FUSED>(scratch);
    }
    paste(to, scratch, bits, 1.0 / (vectors * LANES) as f64)
}

/// The work that is done in one go.
pub(super) enum Work<'a> {
    /// Writes the transform of a natural.
    Begin(&'a mut [Complex], &'a [u64]),
    /// Writes the product of two transforms; without a second one, the square of the first: [`finish`].
    Finish(&'a mut [u64], &'a mut [Complex], Option<&'a [Complex]>),
}

#[inline(always)]
fn work<const FUSED: bool>(work: Work<'_>, scratch: &mut [Complex], bits: u32) -> i128 {
    match work {
        Work::Begin(to, words) => {
            let mut plans = Plan::of(to.len().is_multiple_of(3));
            transform::<FUSED>(words, scratch, to, &mut plans, bits);
            0
        }
        Work::Finish(to, x, y) => finish::<FUSED>(to, x, y, scratch, bits),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi2")]
fn wide_work(job: Work<'_>, scratch: &mut [Complex], bits: u32) -> i128 {
    work::<true>(job, scratch, bits)
}

/// Returns whether the processor has the instructions that [`wide_work`] uses.
#[cfg(target_arch = "x86_64")]
fn is_wide() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("bmi2")
}

pub(super) fn do_work(job: Work<'_>, scratch: &mut [Complex], bits: u32) -> i128 {
    #[cfg(target_arch = "x86_64")]
    if is_wide() {
        // SAFETY: the processor has the instructions.
        return unsafe { wide_work(job, scratch, bits) };
    }
    work::<false>(job, scratch, bits)
}

/// A function that does work: [`do_work`], or another one in tests.
type Way = fn(Work<'_>, &mut [Complex], u32) -> i128;

fn multiply_in(way: Way, to: &mut [u64], x: &[u64], y: &[u64]) -> Result<(), Stop> {
    let (vectors, bits) = shape(to.len(), [x.len(), y.len()]);
    require_memory(3 * vectors * size_of::<Complex>())?;
    let mut room = filled(ZERO, 3 * vectors)?;
    let (scratch, rest) = room.split_at_mut(vectors);
    let (first, second) = rest.split_at_mut(vectors);
    way(Work::Begin(first, x), scratch, bits);
    let second = if std::ptr::eq(x, y) {
        None
    } else {
        way(Work::Begin(second, y), scratch, bits);
        Some(&*second)
    };
    way(Work::Finish(to, first, second), scratch, bits);
    Ok(())
}

/// Writes the product of two naturals, which has the words of both together. They may be the same.
///
/// # Errors
/// Returns an error if there is no memory for the work.
pub(crate) fn multiply(to: &mut [u64], x: &[u64], y: &[u64]) -> Result<(), Stop> {
    multiply_in(do_work, to, x, y)
}

#[cfg(test)]
pub(in crate::base) mod tests {
    use super::{LONGEST, is_exact, multiply, multiply_in, shape, work};
    use crate::base::natural;

    /// Returns random words, or words whose pieces are as large as possible.
    pub(in crate::base) fn words(seed: &mut u64, count: usize, kind: usize) -> Vec<u64> {
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
        // Test also the code for processors without wide instructions.
        found.fill(1);
        multiply_in(work::<false>, &mut found, x, y).unwrap();
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

    /// Tests lengths where the bits of a piece change: there the errors are greatest.
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
        let factors = [LONGEST / 2; 2];
        let (vectors, bits) = shape(LONGEST, factors);
        assert!(is_exact(vectors, bits, factors));
    }
}
