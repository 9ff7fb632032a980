//! Functions of integers: division and its remainders, shifts and bits, common divisors (ISO 13211-1, 9.1 and 9.4,
//! Cor.2 for `div`, `xor` and the others).
//!
//! The callers inline the case of two small integers; the other cases are out of line.

use super::error::{ArithError, Result, TOO_LARGE, ZERO_DIVISOR, not_integer};
use super::large::{
    Bounds, divisor, leading_quotient, natural_quotient, product, quotient, remainder, room,
};
use crate::base::number::Number;
use crate::base::watch::Watch;
use dashu_int::monty::MontgomeryRepr;
use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_int::{IBig, Sign, UBig};
use std::borrow::Cow;

/// Returns the two operands as big integers, or the error of the first that is no integer.
fn both_big<'a>(x: &'a Number, y: &'a Number) -> Result<(Cow<'a, IBig>, Cow<'a, IBig>)> {
    Ok((big(x)?, big(y)?))
}

/// Returns the operand as a big integer.
pub(crate) fn big(x: &Number) -> Result<Cow<'_, IBig>> {
    x.as_big().ok_or_else(|| not_integer(x))
}

/// Checks that the operand is an integer.
pub(crate) fn check_integer(x: &Number) -> Result<()> {
    if x.is_integer() {
        Ok(())
    } else {
        Err(not_integer(x))
    }
}

/// Returns the big operands of a division, whose divisor must not be zero.
fn dividend_and_divisor<'a>(
    x: &'a Number,
    y: &'a Number,
) -> Result<(Cow<'a, IBig>, Cow<'a, IBig>)> {
    let (x, y) = both_big(x, y)?;
    if y.is_zero() {
        Err(ZERO_DIVISOR)
    } else {
        Ok((x, y))
    }
}

/// Evaluates `X // Y`: the quotient, truncated toward zero.
#[inline]
pub(crate) fn int_div(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) if *b != 0 && *b != -1 => Ok(Number::Int(a / b)),
        _ => int_div_slow(x, y, bounds),
    }
}

#[cold]
fn int_div_slow(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    let (x, y) = dividend_and_divisor(x, y)?;
    let found = match leading_quotient(&x, &y) {
        Some(found) => found,
        None => quotient(&x, &y, bounds.watch)?.0,
    };
    Ok(Number::from_big(found))
}

/// Evaluates `X rem Y`: the remainder of `//`, with the sign of `X`.
#[inline]
pub(crate) fn rem(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) if *b != 0 => Ok(Number::Int(a.wrapping_rem(*b))),
        _ => rem_slow(x, y, bounds),
    }
}

#[cold]
fn rem_slow(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    let (x, y) = dividend_and_divisor(x, y)?;
    Ok(Number::from_big(remainder(&x, &y, bounds.watch)?))
}

/// Evaluates `X mod Y`: the remainder of `div`, with the sign of `Y`.
#[inline]
pub(crate) fn modulo(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) if *b != 0 => {
            let r = a.wrapping_rem(*b);
            Ok(Number::Int(if r != 0 && (r ^ b) < 0 { r + b } else { r }))
        }
        _ => modulo_slow(x, y, bounds),
    }
}

#[cold]
fn modulo_slow(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    let (x, y) = dividend_and_divisor(x, y)?;
    let r = remainder(&x, &y, bounds.watch)?;
    let floored = if !r.is_zero() && r.sign() != y.sign() {
        r + &*y
    } else {
        r
    };
    Ok(Number::from_big(floored))
}

/// Evaluates `X div Y`: the quotient, rounded toward minus infinity.
#[inline]
pub(crate) fn div_floor(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) if *b != 0 && *b != -1 => {
            let q = a / b;
            let r = a % b;
            Ok(Number::Int(if r != 0 && (r ^ b) < 0 { q - 1 } else { q }))
        }
        _ => div_floor_slow(x, y, bounds),
    }
}

#[cold]
fn div_floor_slow(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    let (x, y) = dividend_and_divisor(x, y)?;
    let (q, r) = quotient(&x, &y, bounds.watch)?;
    let floored = if !r.is_zero() && r.sign() != y.sign() {
        q - IBig::ONE
    } else {
        q
    };
    Ok(Number::from_big(floored))
}

macro_rules! bitwise {
    ($($(#[$doc:meta])* $name:ident $sign:tt;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name(x: &Number, y: &Number) -> Result<Number> {
            match (x, y) {
                (Number::Int(a), Number::Int(b)) => Ok(Number::Int(a $sign b)),
                _ => both_big(x, y).map(|(a, b)| Number::from_big(&*a $sign &*b)),
            }
        }
    )*};
}

bitwise! {
    /// Evaluates `X /\ Y`: bitwise and of two's complement.
    and &;
    /// Evaluates `X \/ Y`: bitwise or of two's complement.
    or |;
    /// Evaluates `X xor Y`: bitwise exclusive or of two's complement.
    xor ^;
}

/// Evaluates `\ X`: bitwise complement.
#[inline]
pub(crate) fn complement(x: &Number) -> Result<Number> {
    match x {
        Number::Int(a) => Ok(Number::Int(!a)),
        _ => Ok(Number::from_big(!&*big(x)?)),
    }
}

/// Evaluates `X << Y`; a negative `Y` shifts right. The result is within bounds.
#[inline]
pub(crate) fn shift_left(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    match (x, y) {
        (Number::Int(a), Number::Int(n)) if (0..64).contains(n) && (a << n) >> n == *a => {
            Ok(Number::Int(a << n))
        }
        _ => shift(x, y, false, bounds),
    }
}

/// Evaluates `X >> Y`, which keeps the sign; a negative `Y` shifts left.
#[inline]
pub(crate) fn shift_right(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    match (x, y) {
        (Number::Int(a), Number::Int(n)) if *n >= 0 => Ok(Number::Int(a >> (*n).min(63))),
        _ => shift(x, y, true, bounds),
    }
}

#[cold]
fn shift(x: &Number, y: &Number, right: bool, bounds: Bounds<'_>) -> Result<Number> {
    let value = big(x)?;
    check_integer(y)?;
    if value.is_zero() {
        return Ok(Number::Int(0));
    }
    let right = right != y.is_negative();
    // The maximum stands for a distance that no memory could hold. A right shift by it leaves only the sign.
    let distance = match y {
        Number::Int(n) => usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    if right {
        if distance >= value.bit_len() {
            return Ok(Number::Int(if value.sign() == Sign::Negative {
                -1
            } else {
                0
            }));
        }
        return Ok(Number::from_big(&*value >> distance));
    }
    if value.bit_len().saturating_add(distance) > bounds.max_bits {
        return Err(TOO_LARGE);
    }
    room(value.bit_len() + distance)?;
    Ok(Number::from_big(&*value << distance))
}

/// Evaluates `gcd(X, Y)`, never negative.
pub(crate) fn gcd(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    if let (Number::Int(a), Number::Int(b)) = (x, y) {
        let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        return Ok(Number::from_i128(i128::from(a)));
    }
    let (a, b) = both_big(x, y)?;
    Ok(Number::from_big(IBig::from(gcd_big(
        magnitude(&a),
        magnitude(&b),
        bounds.watch,
    )?)))
}

/// Returns the magnitude of a big integer.
pub(crate) fn magnitude(x: &IBig) -> UBig {
    x.clone().unsigned_abs()
}

/// Returns the greatest common divisor of two big naturals; one or both may be zero.
fn gcd_big(a: UBig, b: UBig, watch: &Watch) -> Result<UBig> {
    match (a.is_zero(), b.is_zero()) {
        (true, _) => Ok(b),
        (_, true) => Ok(a),
        _ => divisor(a, b, watch),
    }
}

/// Evaluates `lcm(X, Y)`, never negative.
pub(crate) fn lcm(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    let (a, b) = both_big(x, y)?;
    let (a, b) = (magnitude(&a), magnitude(&b));
    if a.is_zero() || b.is_zero() {
        return Ok(Number::Int(0));
    }
    if a.bit_len().saturating_add(b.bit_len()) > bounds.max_bits {
        return Err(TOO_LARGE);
    }
    let common = gcd_big(a.clone(), b.clone(), bounds.watch)?;
    let (share, _) = natural_quotient(&a, &common, bounds.watch)?;
    let multiple = product(&IBig::from(share), &IBig::from(b), bounds.watch)?;
    Ok(Number::from_big(multiple))
}

/// Returns the operand as a big natural that is at least `least`.
fn natural(x: &Number, least: u8) -> Result<UBig> {
    let value = big(x)?;
    match UBig::try_from(value.into_owned()) {
        Ok(natural) if natural >= UBig::from(least) => Ok(natural),
        _ if least == 0 => Err(ArithError::Domain("not_less_than_zero", x.clone())),
        _ => Err(ArithError::Domain("not_less_than_one", x.clone())),
    }
}

/// Evaluates `msb(X)`: the position of the most significant bit of `X >= 1`.
pub(crate) fn msb(x: &Number) -> Result<Number> {
    Ok(Number::from_usize(natural(x, 1)?.bit_len() - 1))
}

/// Evaluates `lsb(X)`: the position of the least significant bit of `X >= 1`.
pub(crate) fn lsb(x: &Number) -> Result<Number> {
    Ok(Number::from_usize(
        natural(x, 1)?.trailing_zeros().unwrap_or(0),
    ))
}

/// Evaluates `popcount(X)`: the number of set bits of `X >= 0`.
pub(crate) fn popcount(x: &Number) -> Result<Number> {
    Ok(Number::from_usize(natural(x, 0)?.count_ones()))
}

/// Evaluates `getbit(X, I)`: bit `I` of `X`, both of them at least zero.
pub(crate) fn getbit(x: &Number, index: &Number) -> Result<Number> {
    let value = natural(x, 0)?;
    let index = usize::try_from(natural(index, 0)?).unwrap_or(usize::MAX);
    Ok(Number::Int(i64::from(
        index < value.bit_len() && value.bit(index),
    )))
}

/// Steps for a bit of the exponent of a power modulo a small number.
const POWER_STEPS: usize = 64;
/// Greatest number of words of odd moduli whose residues are in Montgomery's form.
const MONTGOMERY: usize = 256;
/// Number of products of words that are made in one go.
const WORD_PRODUCTS: usize = 1 << 22;

/// Evaluates `powm(X, Y, M)`: `X ** Y mod M` of `X >= 0`, `Y >= 0` and `M >= 1`.
pub(crate) fn powm(x: &Number, y: &Number, m: &Number, bounds: Bounds<'_>) -> Result<Number> {
    let base = IBig::from(natural(x, 0)?);
    let exponent = natural(y, 0)?;
    let modulus = IBig::from(natural(m, 1)?);
    // The other residue rings of the integer library have assertions that fail for powers of two.
    let watch = bounds.watch;
    let residue = |x: IBig| remainder(&x, &modulus, watch);
    let base = residue(base)?;
    if modulus.bit(0) && modulus > IBig::ONE && modulus.as_sign_words().1.len() <= MONTGOMERY {
        let power = odd_power(magnitude(&base), &exponent, magnitude(&modulus), watch)?;
        return Ok(Number::from_big(power.into()));
    }
    let mut result = residue(IBig::ONE)?;
    for position in (0..exponent.bit_len()).rev() {
        if watch.stop_wanted_after(POWER_STEPS) {
            return Err(ArithError::Stopped);
        }
        result = residue(product(&result, &result, watch)?)?;
        if exponent.bit(position) {
            result = residue(product(&result, &base, watch)?)?;
        }
    }
    Ok(Number::from_big(result))
}

/// Returns a power modulo an odd number greater than one.
fn odd_power(base: UBig, exponent: &UBig, modulus: UBig, watch: &Watch) -> Result<UBig> {
    let (words, bits) = (modulus.as_words().len(), exponent.bit_len());
    let ring = MontgomeryRepr::new(modulus);
    let base = ring.reduce(base);
    if bits.saturating_mul(words * words) <= WORD_PRODUCTS {
        if watch.stop_wanted_after(POWER_STEPS * bits) {
            return Err(ArithError::Stopped);
        }
        return Ok(base.pow(exponent).residue());
    }
    let mut result = ring.reduce(UBig::ONE);
    for position in (0..bits).rev() {
        if watch.stop_wanted_after(POWER_STEPS) {
            return Err(ArithError::Stopped);
        }
        result = result.sqr();
        if exponent.bit(position) {
            result *= &base;
        }
    }
    Ok(result.residue())
}
