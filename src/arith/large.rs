//! Large integers in pieces: products, powers, quotients, common divisors, and digits. Each piece takes a few
//! milliseconds at most, and between two pieces the work checks whether it must stop.
//!
//! Numbers smaller than a piece, and the pieces themselves, are handled by the library of integers in one go.
//! Products are made by a transform (`base::transform`), larger ones by Karatsuba's method. Quotients are made by
//! reciprocals (`base::reciprocal`), larger ones by recursive division (Burnikel and Ziegler, 1998). Common divisors
//! are Lehmer's; digits are made by fractions (`base::digits`). Long because all of these share the pieces and the
//! checks.

use super::error::{ArithError, Result, TOO_LARGE};
use super::whole_product::{SHORT, whole_product, whole_quotient, whole_square};
use crate::base::digits::Digits;
use crate::base::growth::{Gather, Grow, GrowAt, GrowBy, require_memory, with_room};
use crate::base::natural;
use crate::base::stop::Stop;
use crate::base::transform::LONGEST;
use crate::base::watch::Watch;
use dashu_int::ops::{BitTest, DivRem, Gcd};
use dashu_int::{IBig, Sign, UBig};

/// Words of factors that are multiplied in one go.
const PRODUCT: usize = 1 << 17;
const _: () = assert!(2 * PRODUCT <= LONGEST);
/// Number of words up to which work is done in this thread. Longer work is done aside: it would delay a stop too
/// long, and smaller pieces would take a third longer in all.
const ASIDE: usize = 1 << 16;
/// Words of a divisor by which twice the number of words are divided in one go.
const QUOTIENT: usize = 1 << 14;
/// Greatest number of words of a dividend for which the library of integers divides as fast as `base`.
const FEW_TO_DIVIDE: usize = 32;
/// Greatest divisor whose remainders are found without division, and the number of groups of four words in one go.
const SHORT_DIVISOR: u64 = 1 << 61;
const SHORT_PIECE: usize = 1 << 20;
/// Words of numbers whose common divisor is found in one go.
const DIVISOR: usize = 1 << 12;
/// Digits that are read in one go.
const READ_DIGITS: usize = 1 << 16;
/// Words of a number whose digits are made in one go. With the second number of words or fewer, each word of digits
/// is divided off.
const PRINT: usize = 1 << 14;
const FEW_TO_PRINT: usize = 40;
/// Number of words from which numbers are divided into large pieces. Shorter ones are divided into smaller pieces,
/// whose products are short.
const LONG_TO_PRINT: usize = 400;
const SHORT_PIECE_TO_PRINT: usize = 80;

/// The limit of the size of integers, and the watch that knows whether the work must stop.
#[derive(Copy, Clone)]
pub(crate) struct Bounds<'a> {
    /// Greatest number of bits of a result.
    pub(crate) max_bits: usize,
    /// The watch, which is checked between the pieces.
    pub(crate) watch: &'a Watch,
}

/// Steps for each word of two numbers that are made shorter on the way to their common divisor.
const GCD_STEPS: usize = 4;
/// Greatest number of numbers as large as the operands that exist within an operation.
const COPIES: usize = 8;
/// The error of work that must stop.
const STOPPED: ArithError = ArithError::Stopped;

/// Makes sure that the system has the memory for an operation whose result has `bits` bits: the operations
/// themselves do not ask.
pub(super) fn room(bits: usize) -> Result<()> {
    require_memory(bits / 8).map_err(|Stop| TOO_LARGE)
}

/// Makes sure that the system has the memory for an operation on numbers of `bits` bits in all. The result must be
/// about as large.
#[inline]
pub(super) fn room_to_work(bits: usize) -> Result<()> {
    room(bits.saturating_mul(COPIES))
}

/// Number of words from which the time of a product or quotient is counted.
const FEW_WORDS: usize = 64;

/// Returns the approximate steps of a product or a quotient of two numbers of these lengths in words.
fn steps(long: usize, short: usize) -> usize {
    if long < FEW_WORDS {
        return 0;
    }
    long.saturating_mul(short.isqrt())
}

/// Returns the approximate steps of reading or making `bytes` bytes of digits.
fn steps_of_digits(bytes: usize) -> usize {
    let words = bytes / size_of::<u64>();
    steps(words, words)
}

fn look(watch: &Watch, steps: usize) -> Result<()> {
    if watch.stop_wanted_after(steps) {
        Err(STOPPED)
    } else {
        Ok(())
    }
}

fn words(x: &UBig) -> usize {
    x.as_words().len()
}

/// Returns the words from `from` up to `to` as a number.
fn part(x: &UBig, from: usize, to: usize) -> UBig {
    let all = x.as_words();
    let to = to.min(all.len());
    all.get(from..to).map_or(UBig::ZERO, UBig::from_words)
}

// ---- products ---------------------------------------------------------------------------------

/// Returns the product of two integers.
///
/// # Errors
/// Returns an error if the work must stop, as all functions here.
pub(super) fn product(x: &IBig, y: &IBig, watch: &Watch) -> Result<IBig> {
    let ((sign, a), (other, b)) = (x.as_sign_words(), y.as_sign_words());
    if a.len().max(b.len()) <= ASIDE && a.len().min(b.len()) <= SHORT {
        watch.did(steps(a.len().max(b.len()), a.len().min(b.len())));
        return Ok(x * y);
    }
    let product = natural_product(&UBig::from_words(a), &UBig::from_words(b), watch)?;
    Ok(signed(sign != other, product))
}

/// Returns the product within bounds. Reuses the memory of a factor where possible.
pub(super) fn product_taking(x: IBig, y: IBig, bounds: Bounds<'_>) -> Result<IBig> {
    if x.bit_len().saturating_add(y.bit_len()) > bounds.max_bits {
        return Err(TOO_LARGE);
    }
    let (a, b) = (x.as_sign_words().1.len(), y.as_sign_words().1.len());
    if a.max(b) <= ASIDE && a.min(b) <= SHORT {
        bounds.watch.did(steps(a.max(b), a.min(b)));
        return Ok(x * y);
    }
    product(&x, &y, bounds.watch)
}

fn signed(negative: bool, magnitude: UBig) -> IBig {
    if negative {
        -IBig::from(magnitude)
    } else {
        IBig::from(magnitude)
    }
}

/// Returns the product of two naturals.
fn natural_product(a: &UBig, b: &UBig, watch: &Watch) -> Result<UBig> {
    room_to_work(a.bit_len() + b.bit_len())?;
    let (a, b) = if words(a) < words(b) { (b, a) } else { (a, b) };
    let (long, short) = (words(a), words(b));
    if long <= PRODUCT {
        look(watch, steps(long, short))?;
        if long <= ASIDE {
            return whole_product(a, b);
        }
        let (a, b) = (a.clone(), b.clone());
        return watch
            .aside(move || whole_product(&a, &b))
            .unwrap_or(Err(STOPPED));
    }
    let half = long.div_ceil(2);
    if short <= half {
        // Pieces of the long factor are multiplied by the short one, one after the other.
        let piece = short.max(PRODUCT);
        let mut product = with_room(long + short)?;
        let mut carry = UBig::ZERO;
        for from in (0..long).step_by(piece) {
            carry += natural_product(&part(a, from, from + piece), b, watch)?;
            product.put_slice(part(&carry, 0, piece).as_words())?;
            product.fill_to(from + piece, 0)?;
            carry >>= piece * 64;
        }
        product.put_slice(carry.as_words())?;
        return Ok(UBig::from_words(&product));
    }
    let (a0, a1) = (part(a, 0, half), part(a, half, long));
    let (b0, b1) = (part(b, 0, half), part(b, half, short));
    let low = natural_product(&a0, &b0, watch)?;
    let high = natural_product(&a1, &b1, watch)?;
    let middle = natural_product(&(a0 + a1), &(b0 + b1), watch)? - &low - &high;
    Ok((((high << (half * 64)) + middle) << (half * 64)) + low)
}

/// Returns the square of a natural.
fn square(a: &UBig, watch: &Watch) -> Result<UBig> {
    let long = words(a);
    room_to_work(2 * a.bit_len())?;
    if long <= PRODUCT {
        look(watch, steps(long, long))?;
        if long <= ASIDE {
            return whole_square(a);
        }
        let a = a.clone();
        return watch
            .aside(move || whole_square(&a))
            .unwrap_or(Err(STOPPED));
    }
    let half = long.div_ceil(2);
    let (low, high) = (part(a, 0, half), part(a, half, long));
    let middle = square(&(&low + &high), watch)?;
    let (low, high) = (square(&low, watch)?, square(&high, watch)?);
    let middle = middle - &low - &high;
    Ok((((high << (half * 64)) + middle) << (half * 64)) + low)
}

/// Returns the power of an integer.
pub(super) fn power(base: &IBig, exponent: usize, watch: &Watch) -> Result<IBig> {
    let (sign, magnitude) = base.as_sign_words();
    let magnitude = UBig::from_words(magnitude);
    let bits = magnitude.bit_len().saturating_mul(exponent);
    if bits <= SHORT * 64 {
        watch.did(steps(bits / 64, bits / 64));
        return Ok(base.pow(exponent));
    }
    // Factors of two cost nothing.
    let twos = magnitude.trailing_zeros().unwrap_or(0);
    let odd = magnitude >> twos;
    let mut result = UBig::ONE;
    for position in (0..exponent.bit_len()).rev() {
        result = square(&result, watch)?;
        if exponent.bit(position) {
            result = natural_product(&result, &odd, watch)?;
        }
    }
    let negative = sign == Sign::Negative && exponent & 1 == 1;
    Ok(signed(negative, result << (twos * exponent)))
}

// ---- quotients --------------------------------------------------------------------------------

/// Returns the quotient of two integers, truncated toward zero, if their first words determine it. These are the
/// first 128 bits of the dividend, and the words of the divisor at the same places. The words after them must change
/// the quotient by less than one.
pub(super) fn leading_quotient(x: &IBig, y: &IBig) -> Option<IBig> {
    let ((sign, a), (other, b)) = (x.as_sign_words(), y.as_sign_words());
    let last = a.len().checked_sub(1)?;
    let shift = a[last].leading_zeros();
    if b.len() > a.len() || b.get(last).is_some_and(|word| word.leading_zeros() < shift) {
        return Some(IBig::ZERO);
    }
    // The words from `last` down, at the alignment of the dividend.
    let leading = |words: &[u64]| {
        let word = |behind: usize| {
            let word = last.checked_sub(behind).and_then(|at| words.get(at));
            u128::from(word.copied().unwrap_or(0))
        };
        let rest = (word(2) << shift) >> 64;
        (((word(0) << 64) | word(1)) << shift) | rest
    };
    let (dividend, divisor) = (leading(a), leading(b));
    let quotient = dividend.checked_div(divisor)?;
    let least = dividend / divisor.checked_add(1)?;
    (quotient == least).then(|| signed(sign != other, UBig::from(quotient)))
}

/// Returns the quotient and the remainder of two integers, truncated toward zero; `y` must not be zero.
pub(super) fn quotient(x: &IBig, y: &IBig, watch: &Watch) -> Result<(IBig, IBig)> {
    let ((sign, a), (other, b)) = (x.as_sign_words(), y.as_sign_words());
    if a.len() <= FEW_TO_DIVIDE {
        return Ok(x.div_rem(y));
    }
    let (q, r) = natural_quotient(&UBig::from_words(a), &UBig::from_words(b), watch)?;
    Ok((signed(sign != other, q), signed(sign == Sign::Negative, r)))
}

/// Returns the remainder of two integers, with the sign of `x`; `y` must not be zero.
pub(super) fn remainder(x: &IBig, y: &IBig, watch: &Watch) -> Result<IBig> {
    let ((sign, a), (_, b)) = (x.as_sign_words(), y.as_sign_words());
    if let [divisor] = *b
        && divisor <= SHORT_DIVISOR
    {
        let rest = short_remainder(a, divisor, |words| look(watch, words & !(FEW_WORDS - 1)))?;
        return Ok(signed(sign == Sign::Negative, UBig::from(rest)));
    }
    if a.len() <= FEW_TO_DIVIDE {
        return Ok(x % y);
    }
    Ok(quotient(x, y, watch)?.1)
}

/// Returns the remainder of a natural, given by its words. The divisor must be at most [`SHORT_DIVISOR`] and not
/// zero.
///
/// Four words at a time, each times the remainder of its place value, are added to the remainder of the words above.
/// So no step waits for a division.
///
/// # Errors
/// Returns the errors of `looks`, which gets the number of the groups of four words that come next.
pub(super) fn short_remainder(
    words: &[u64],
    divisor: u64,
    mut looks: impl FnMut(usize) -> Result<()>,
) -> Result<u64> {
    let by = |x: u128| (x % u128::from(divisor)) as u64;
    let times = |x: u64, y: u64| u128::from(x) * u128::from(y);
    let place = by(1 << 64);
    let square = by(times(place, place));
    let cube = by(times(square, place));
    let fourth = by(times(cube, place));
    let fifth = by(times(fourth, place));
    let fold = |above: u128, [a, b, c, d]: [u64; 4]| {
        // Five products below 2^125 and a word.
        let own = u128::from(a) + times(b, place) + times(c, square) + times(d, cube);
        times(above as u64, fourth) + times((above >> 64) as u64, fifth) + own
    };
    let (fours, top) = words.as_chunks::<4>();
    let mut last = [0; 4];
    last[..top.len()].copy_from_slice(top);
    let mut rest = fold(0, last);
    for piece in fours.rchunks(SHORT_PIECE) {
        looks(piece.len())?;
        rest = piece
            .iter()
            .rev()
            .fold(rest, |rest, &four| fold(rest, four));
    }
    Ok(by(rest))
}

/// Returns the quotient and the remainder of two naturals; the second must not be zero.
pub(super) fn natural_quotient(a: &UBig, b: &UBig, watch: &Watch) -> Result<(UBig, UBig)> {
    let (long, short) = (words(a), words(b));
    if short <= QUOTIENT && long <= 2 * QUOTIENT {
        look(watch, steps(long, short))?;
        return whole_quotient(a, b);
    }
    if a < b {
        return Ok((UBig::ZERO, a.clone()));
    }
    // Shift the divisor so that its size can be halved down to a piece, and its highest bit is set.
    let mut size = short;
    let mut halvings = 0;
    while size > QUOTIENT {
        size = size.div_ceil(2);
        halvings += 1;
    }
    // With a short divisor the steps need not be short.
    let n = if halvings == 0 {
        short
    } else {
        size << halvings
    };
    let shift = n * 64 - b.bit_len();
    let (a, b) = (a << shift, b << shift);
    let mut quotient = vec![0; words(&a)];
    let mut rest = UBig::ZERO;
    if halvings == 0 {
        let step = QUOTIENT;
        for from in (0..words(&a)).step_by(step).rev() {
            look(watch, steps(step, words(&b)))?;
            let dividend = (rest << (step * 64)) + part(&a, from, from + step);
            let (q, r) = whole_quotient(&dividend, &b)?;
            quotient[from..from + words(&q)].copy_from_slice(q.as_words());
            rest = r;
        }
        return Ok((UBig::from_words(&quotient), rest >> shift));
    }
    for from in (0..words(&a)).step_by(n).rev() {
        let dividend = (rest << (n * 64)) + part(&a, from, from + n);
        let (q, r) = two_by_one(&dividend, &b, n, watch)?;
        quotient[from..from + words(&q)].copy_from_slice(q.as_words());
        rest = r;
    }
    Ok((UBig::from_words(&quotient), rest >> shift))
}

/// Divides `a`, less than `b` shifted by `n` words, by `b`, which has `n` words and its highest bit set.
fn two_by_one(a: &UBig, b: &UBig, n: usize, watch: &Watch) -> Result<(UBig, UBig)> {
    if n <= QUOTIENT || n % 2 == 1 {
        look(watch, steps(words(a), n))?;
        return whole_quotient(a, b);
    }
    let half = n / 2;
    let (high, low) = (part(a, half, words(a)), part(a, 0, half));
    let (q1, r1) = three_by_two(&high, b, half, watch)?;
    let (q2, r2) = three_by_two(&((r1 << (half * 64)) + low), b, half, watch)?;
    Ok(((q1 << (half * 64)) + q2, r2))
}

/// Divides `a`, less than `b` shifted by `n` words, by `b`, which has `2 * n` words.
fn three_by_two(a: &UBig, b: &UBig, n: usize, watch: &Watch) -> Result<(UBig, UBig)> {
    let (b1, b2) = (part(b, n, 2 * n), part(b, 0, n));
    let (a12, a3) = (part(a, n, words(a)), part(a, 0, n));
    let (mut q, rest) = if part(&a12, n, words(&a12)) < b1 {
        two_by_one(&a12, &b1, n, watch)?
    } else {
        let q = (UBig::ONE << (n * 64)) - UBig::ONE;
        let rest = a12 + &b1 - (b1 << (n * 64));
        (q, rest)
    };
    let taken = natural_product(&q, &b2, watch)?;
    let mut left = IBig::from((rest << (n * 64)) + a3) - IBig::from(taken);
    // Twice at most, because `b1` has its highest bit set.
    while left.sign() == Sign::Negative {
        q -= UBig::ONE;
        left += b;
    }
    Ok((q, left.unsigned()))
}

trait Unsigned {
    fn unsigned(self) -> UBig;
}

impl Unsigned for IBig {
    fn unsigned(self) -> UBig {
        self.into_parts().1
    }
}

// ---- common divisors --------------------------------------------------------------------------

/// Returns the greatest common divisor of two naturals that are not zero.
pub(super) fn divisor(mut a: UBig, mut b: UBig, watch: &Watch) -> Result<UBig> {
    loop {
        if a < b {
            std::mem::swap(&mut a, &mut b);
        }
        if b.is_zero() {
            return Ok(a);
        }
        look(watch, words(&a) * GCD_STEPS)?;
        if words(&a) <= DIVISOR {
            watch.did(steps(words(&a), words(&b)));
            return Ok(a.gcd(b));
        }
        match reduction(&a, &b) {
            Some([x, y, z, w]) => {
                // One of each pair is not positive.
                let combine = |p: i64, q: i64| (&a * IBig::from(p) + &b * IBig::from(q)).unsigned();
                (a, b) = (combine(x, y), combine(z, w));
            }
            None => {
                let (_, rest) = natural_quotient(&a, &b, watch)?;
                a = rest;
            }
        }
    }
}

/// Returns the matrix of several steps of Euclid's algorithm, as far as the first words of two numbers determine
/// them. Returns `None` if the first step is not certain (Knuth, 4.5.2, algorithm L).
fn reduction(a: &UBig, b: &UBig) -> Option<[i64; 4]> {
    let shift = a.bit_len().checked_sub(62)?;
    let top = |x: &UBig| i64::try_from(x >> shift).ok();
    let (mut p, mut q) = (top(a)?, top(b)?);
    let [mut x, mut y, mut z, mut w] = [1i64, 0, 0, 1];
    loop {
        if q + z == 0 || q + w == 0 {
            break;
        }
        let quotient = (p + x) / (q + z);
        if quotient != (p + y) / (q + w) {
            break;
        }
        let next = |old: i64, new: i64| old.checked_sub(quotient.checked_mul(new)?);
        let (Some(nz), Some(nw)) = (next(x, z), next(y, w)) else {
            break;
        };
        if nz.unsigned_abs() >> 30 != 0 || nw.unsigned_abs() >> 30 != 0 {
            break;
        }
        (x, z) = (z, nz);
        (y, w) = (w, nw);
        (p, q) = (q, p - quotient * q);
    }
    (y != 0).then_some([x, y, z, w])
}

// ---- digits -----------------------------------------------------------------------------------

/// Returns the natural of these digits in a radix.
pub(crate) fn read_digits(digits: &str, radix: u32, watch: &Watch) -> Result<UBig> {
    if digits.len() <= READ_DIGITS {
        look(watch, steps_of_digits(digits.len()))?;
        return match UBig::from_str_radix(digits, radix) {
            Ok(value) => Ok(value),
            Err(_) => unreachable!("only digits of this radix are read"),
        };
    }
    // A digit has 6 bits at most.
    room_to_work(digits.len() * 6)?;
    // Powers of the radix with doubled exponents, from the pieces up.
    let pieces = digits
        .as_bytes()
        .rchunks(READ_DIGITS)
        .map(|piece| read_digits(std::str::from_utf8(piece).unwrap_or(""), radix, watch))
        .gather_results()?;
    let mut level = pieces;
    let mut scale = power(&IBig::from(radix), READ_DIGITS, watch)?.unsigned();
    while level.len() > 1 {
        let mut above = with_room(level.len().div_ceil(2))?;
        for pair in level.chunks(2) {
            above.put(match pair {
                [low, high] => natural_product(high, &scale, watch)? + low,
                [low, ..] => low.clone(),
                [] => UBig::ZERO,
            })?;
        }
        level = above;
        if level.len() > 1 {
            scale = square(&scale, watch)?;
        }
    }
    Ok(level.pop().unwrap_or_default())
}

/// Returns the digits of an integer in a radix.
pub(crate) fn digits(x: &IBig, radix: u8, watch: &Watch) -> Result<String> {
    let (sign, magnitude) = x.as_sign_words();
    room_to_work(magnitude.len() * 64)?;
    if radix.is_power_of_two() {
        watch.did(steps(magnitude.len(), magnitude.len()));
        return Ok(x.in_radix(radix).to_string());
    }
    let mut text = Vec::new();
    if magnitude.len() <= FEW_TO_PRINT {
        natural::write_digits(&mut text, magnitude, radix)?;
    } else {
        write_digits(&mut text, UBig::from_words(magnitude), radix, watch)?;
    }
    let zeros = text.iter().take_while(|&&digit| digit == b'0').count();
    let zeros = zeros.min(text.len().saturating_sub(1));
    text.drain(..zeros);
    if sign == Sign::Negative {
        text.put_at(0, b'-')?;
    }
    if text.is_empty() {
        text.put(b'0')?;
    }
    String::from_utf8(text).map_err(|_| STOPPED)
}

/// Appends the digits of a natural, and zeros before them.
fn write_digits(text: &mut Vec<u8>, x: UBig, radix: u8, watch: &Watch) -> Result<()> {
    let mut most = (x.bit_len() as f64 / f64::from(radix).log2()) as usize + 2;
    let mut halvings = 0usize;
    let piece = if words(&x) < LONG_TO_PRINT {
        SHORT_PIECE_TO_PRINT
    } else {
        PRINT
    };
    while words(&x) >> halvings > piece {
        most = most.div_ceil(2);
        halvings += 1;
    }
    let stopped = |Stop| STOPPED;
    let mut by = Digits::new(radix, most).map_err(stopped)?;
    // Powers of the radix with doubled exponents. Their factors that are powers of two are left out: a shift divides
    // by these, and the quotients are of shorter numbers.
    let twos = radix.trailing_zeros() as usize;
    let odd = IBig::from(radix >> twos);
    let mut powers = Vec::new();
    for _ in 0..halvings {
        powers.put(match powers.last() {
            None => power(&odd, by.count(), watch)?.unsigned(),
            Some(last) => square(last, watch)?,
        })?;
    }
    // Numbers that remain to be printed, each with the number of powers that divide it.
    let mut todo = vec![(x, halvings)];
    while let Some((number, level)) = todo.pop() {
        let Some(below) = level.checked_sub(1) else {
            look(watch, steps(words(&number), words(&number)))?;
            by.write(text, number.as_words()).map_err(stopped)?;
            continue;
        };
        let shift = twos * (by.count() << below);
        let (low, above) = number.split_bits(shift);
        let (high, rest) = natural_quotient(&above, &powers[below], watch)?;
        todo.put(((rest << shift) + low, below))?;
        todo.put((high, below))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{
        SHORT_DIVISOR, digits, divisor, leading_quotient, natural_product, natural_quotient, power,
        read_digits, remainder, square,
    };
    use crate::arith::random::RandomState;
    use crate::base::watch::Watch;
    use dashu_int::ops::{DivRem, Gcd};
    use dashu_int::{IBig, UBig};

    fn number(random: &mut RandomState, words: usize) -> UBig {
        let words: Vec<u64> = (0..words)
            .map(|at| {
                if at % 7 == 3 {
                    u64::MAX
                } else {
                    random.below(u64::MAX)
                }
            })
            .collect();
        UBig::from_words(&words)
    }

    #[test]
    fn pieces_make_up_what_one_go_makes() {
        let watch = Watch::default();
        let mut random = RandomState::new(1);
        for (a, b) in [(300_000, 290_000), (270_000, 3), (400_000, 140_000)] {
            let (a, b) = (number(&mut random, a), number(&mut random, b));
            let product = natural_product(&a, &b, &watch).unwrap();
            assert!(product == &a * &b);
            assert!(natural_product(&b, &a, &watch).unwrap() == product);
            assert!(square(&a, &watch).unwrap() == a.sqr());
            let c = number(&mut random, 1000);
            let (q, r) = natural_quotient(&(&product + &c), &a, &watch).unwrap();
            assert!(q == b && r == c || (q, r) == (product + c).div_rem(&a));
        }
        for (a, b) in [
            (70_000, 40_000),
            (200_000, 33_000),
            (140_000, 66_000),
            (66_000, 66_000),
        ] {
            let (a, b) = (number(&mut random, a), number(&mut random, b));
            assert!(natural_quotient(&a, &b, &watch).unwrap() == (&a).div_rem(&b));
        }
        let (a, b) = (number(&mut random, 4200), number(&mut random, 4300));
        let c = number(&mut random, 300);
        let (a, b) = (a * &c, b * &c);
        assert!(divisor(a.clone(), b.clone(), &watch).unwrap() == a.gcd(b));
    }

    /// Tests quotients near a whole number, and others: every quotient that the first words determine is right, and
    /// most are determined.
    #[test]
    fn first_words_determine_short_quotients() {
        let mut random = RandomState::new(5);
        let (mut known, mut asked) = (0, 0);
        for round in 0..20_000 {
            let size = 1 + round % 5;
            let y = number(&mut random, size) >> random.below(64) as usize;
            let factor = UBig::from(random.below(u64::MAX) >> random.below(64));
            let rest = number(&mut random, size) >> random.below(130) as usize;
            let x = match round % 3 {
                0 => &y * factor + rest,
                1 => {
                    let above = &y * (factor + UBig::ONE);
                    if above > rest { above - rest } else { above }
                }
                _ => number(&mut random, size + 1) >> random.below(128) as usize,
            };
            let (x, y) = (-IBig::from(x), IBig::from(y));
            if y.is_zero() {
                continue;
            }
            asked += 1;
            if let Some(quotient) = leading_quotient(&x, &y) {
                known += 1;
                assert!(quotient == &x / &y, "{x} // {y}");
            }
        }
        assert!(known * 2 > asked, "{known} of {asked}");
    }

    #[test]
    fn remainders_by_short_divisors_are_those_of_a_division() {
        let watch = Watch::default();
        let mut random = RandomState::new(9);
        for round in 0..4_000 {
            let x = number(&mut random, round % 23);
            let x = if round % 2 == 0 {
                IBig::from(x)
            } else {
                -IBig::from(x)
            };
            let near = SHORT_DIVISOR - 2 + random.below(5);
            let some = 1 + (random.below(u64::MAX) >> random.below(64));
            let divisor = if round % 3 == 0 { near } else { some };
            let y = IBig::from(divisor);
            assert!(remainder(&x, &y, &watch).unwrap() == &x % &y, "{x} rem {y}");
        }
        let ones = IBig::from(UBig::from_words(&[u64::MAX; 101]));
        for divisor in [1, 2, SHORT_DIVISOR - 1, SHORT_DIVISOR, SHORT_DIVISOR + 1] {
            let y = IBig::from(divisor);
            assert!(remainder(&ones, &y, &watch).unwrap() == &ones % &y);
        }
    }

    #[test]
    fn digits_are_those_of_the_number() {
        let watch = Watch::default();
        let x = power(&IBig::from(-6), 1_234_567, &watch).unwrap();
        for radix in [10, 7, 16] {
            let text = digits(&x, radix, &watch).unwrap();
            assert!(text == x.in_radix(radix).to_string());
            let read = read_digits(&text[1..], u32::from(radix), &watch).unwrap();
            assert!(IBig::from(read) == -&x);
        }
        let round = power(&IBig::from(10), 300_000, &watch).unwrap();
        assert!(
            digits(&round, 10, &watch)
                .unwrap()
                .bytes()
                .skip(1)
                .all(|d| d == b'0')
        );
    }

    #[test]
    fn power_stops_when_interrupted() {
        let watch = Watch::default();
        watch.interrupt();
        assert!(power(&IBig::from(7), 10_000_000, &watch).is_err());
    }
}
