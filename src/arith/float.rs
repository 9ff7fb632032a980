//! Functions of floats: conversions, rounding to integers, and the elementary functions (ISO 13211-1, 9.1.4 to 9.3,
//! Cor.2 and Cor.3).
//!
//! A result that is NaN is `undefined`, an infinite one is `float_overflow`. A result that underflows is a zero or a
//! subnormal number, as 9.1.4.2 allows.

use super::error::{ArithError, FLOAT_OVERFLOW, Result, UNDEFINED, ZERO_DIVISOR};
use super::large::natural_quotient;
use crate::base::number::Number;
use crate::base::watch::Watch;
use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_int::{IBig, Sign};

/// Returns the float nearest to the number.
#[inline]
pub(crate) fn to_float(x: &Number) -> Result<f64> {
    match x {
        Number::Int(i) => Ok(*i as f64),
        Number::Float(f) => Ok(*f),
        Number::Big(big) => big_to_float(big),
    }
}

#[cold]
fn big_to_float(big: &IBig) -> Result<f64> {
    // A number beyond the exponents of a double needs no conversion.
    if big.bit_len() > 1024 {
        return Err(FLOAT_OVERFLOW);
    }
    let float = big.to_f64().value();
    if float.is_finite() {
        Ok(float)
    } else {
        Err(FLOAT_OVERFLOW)
    }
}

/// Returns the float as a number if it is finite; otherwise returns the error.
#[inline]
pub(crate) fn checked(f: f64) -> Result<Number> {
    if f.is_finite() {
        Ok(Number::Float(f))
    } else {
        Err(not_finite(f))
    }
}

#[cold]
fn not_finite(f: f64) -> ArithError {
    if f.is_nan() {
        UNDEFINED
    } else {
        FLOAT_OVERFLOW
    }
}

/// Returns the integer equal to `f`, which must have no fraction.
pub(crate) fn integral(f: f64) -> Result<Number> {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if !f.is_finite() {
        return Err(UNDEFINED);
    }
    if (-LIMIT..LIMIT).contains(&f) {
        return Ok(Number::Int(f as i64));
    }
    Ok(Number::from_big(big_integral(f)))
}

/// Returns the big integer of a finite float of magnitude at least 2^53.
pub(crate) fn big_integral(f: f64) -> IBig {
    let bits = f.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as usize;
    let mantissa = (bits & ((1 << 52) - 1)) | 1 << 52;
    let magnitude = IBig::from(mantissa) << exponent.saturating_sub(1075);
    if f < 0.0 { -magnitude } else { magnitude }
}

/// Applies a rounding function and converts to an integer. Leaves an integer as it is.
fn rounded(x: &Number, rounding: fn(f64) -> f64) -> Result<Number> {
    match x {
        Number::Float(f) => integral(rounding(*f)),
        _ => Ok(x.clone()),
    }
}

/// Evaluates `floor(X)`.
pub(crate) fn floor(x: &Number) -> Result<Number> {
    rounded(x, f64::floor)
}

/// Evaluates `ceiling(X)`.
pub(crate) fn ceiling(x: &Number) -> Result<Number> {
    rounded(x, f64::ceil)
}

/// Evaluates `round(X)` and `integer(X)`. Halves are rounded away from zero, as by C's `round`, or `upwards`, as ISO
/// 9.1.6.1 defines it.
pub(crate) fn round(x: &Number, upwards: bool) -> Result<Number> {
    if upwards {
        rounded(x, |f| {
            let floor = f.floor();
            if f - floor < 0.5 { floor } else { floor + 1.0 }
        })
    } else {
        rounded(x, f64::round)
    }
}

/// Evaluates `truncate(X)`.
pub(crate) fn truncate(x: &Number) -> Result<Number> {
    rounded(x, f64::trunc)
}

/// Evaluates `float(X)`.
pub(crate) fn float(x: &Number) -> Result<Number> {
    to_float(x).map(Number::Float)
}

/// Evaluates `float_integer_part(X)`.
pub(crate) fn float_integer_part(x: &Number) -> Result<Number> {
    match x {
        Number::Float(f) => checked(f.trunc()),
        _ => Ok(x.clone()),
    }
}

/// Evaluates `float_fractional_part(X)`.
pub(crate) fn float_fractional_part(x: &Number) -> Result<Number> {
    match x {
        Number::Float(f) => checked(f.fract().copysign(*f)),
        _ => Ok(Number::Int(0)),
    }
}

/// Applies an elementary function.
pub(crate) fn elementary(x: &Number, function: fn(f64) -> f64) -> Result<Number> {
    checked(function(to_float(x)?))
}

/// Returns the logarithm of `x > 0` by `function`; big integers need not fit a float.
fn logarithm(x: &Number, function: fn(f64) -> f64) -> Result<f64> {
    if x.is_zero() || x.is_negative() {
        return Err(UNDEFINED);
    }
    let value = match x {
        Number::Big(big) if big.bit_len() > 1000 => {
            let excess = big.bit_len() - 1000;
            let head = (big >> excess).to_f64().value();
            function(head) + excess as f64 * function(2.0)
        }
        _ => function(to_float(x)?),
    };
    if value.is_finite() {
        Ok(value)
    } else {
        Err(not_finite(value))
    }
}

/// Evaluates `log(X)`.
pub(crate) fn log(x: &Number) -> Result<Number> {
    logarithm(x, f64::ln).map(Number::Float)
}

/// Evaluates `log2(X)`.
pub(crate) fn log2(x: &Number) -> Result<Number> {
    logarithm(x, f64::log2).map(Number::Float)
}

/// Evaluates `log10(X)`.
pub(crate) fn log10(x: &Number) -> Result<Number> {
    logarithm(x, f64::log10).map(Number::Float)
}

/// Evaluates `log(B, X)`: the logarithm of `X` to the base `B`.
pub(crate) fn log_base(base: &Number, x: &Number) -> Result<Number> {
    let (divisor, dividend) = (logarithm(base, f64::ln)?, logarithm(x, f64::ln)?);
    if divisor == 0.0 {
        return Err(ZERO_DIVISOR);
    }
    checked(dividend / divisor)
}

/// Evaluates `atan2(Y, X)`, which has no value if both are zero (Cor.2, 9.3.13).
pub(crate) fn atan2(y: &Number, x: &Number) -> Result<Number> {
    let (y, x) = (to_float(y)?, to_float(x)?);
    if y == 0.0 && x == 0.0 {
        return Err(UNDEFINED);
    }
    checked(y.atan2(x))
}

/// Evaluates `cot(X)`.
pub(crate) fn cot(x: &Number) -> Result<Number> {
    let x = to_float(x)?;
    if x == 0.0 {
        Err(ZERO_DIVISOR)
    } else {
        checked(x.tan().recip())
    }
}

/// Evaluates `acot(X)`: the angle whose cotangent is `X`.
pub(crate) fn acot(x: &Number) -> Result<Number> {
    checked(to_float(x)?.recip().atan())
}

/// The magnitude above which the square of an argument is not needed, or overflows.
const LARGE: f64 = 1.0e150;

/// Evaluates `asinh(X)`.
pub(crate) fn asinh(x: &Number) -> Result<Number> {
    let x = to_float(x)?;
    if x.is_finite() && x.abs() > LARGE {
        return checked((x.abs().ln() + std::f64::consts::LN_2).copysign(x));
    }
    checked(x.asinh())
}

/// Evaluates `acosh(X)` of `X >= 1`.
pub(crate) fn acosh(x: &Number) -> Result<Number> {
    let x = to_float(x)?;
    if x.is_finite() && x > LARGE {
        return checked(x.ln() + std::f64::consts::LN_2);
    }
    checked(x.acosh())
}

/// Evaluates `copysign(X, Y)`: the magnitude of `X` with the sign of `Y`. The result is an integer if `X` is one.
pub(crate) fn copysign(x: &Number, y: &Number) -> Result<Number> {
    let negative = match y {
        Number::Float(f) => f.is_sign_negative(),
        _ => y.is_negative(),
    };
    match x {
        Number::Float(f) => Ok(Number::Float(f.copysign(if negative { -1.0 } else { 1.0 }))),
        _ if x.is_negative() == negative => Ok(x.clone()),
        _ => super::mixed::neg(x),
    }
}

/// Evaluates `nexttoward(X, Y)`: the next float after `X` in the direction of `Y`.
pub(crate) fn nexttoward(x: &Number, y: &Number) -> Result<Number> {
    let (x, y) = (to_float(x)?, to_float(y)?);
    if x.is_nan() || y.is_nan() {
        return Err(UNDEFINED);
    }
    checked(if x < y {
        x.next_up()
    } else if x > y {
        x.next_down()
    } else {
        y
    })
}

/// Returns the float nearest to the quotient of two integers; `y` must not be zero.
pub(crate) fn ratio(x: &IBig, y: &IBig, watch: &Watch) -> Result<f64> {
    let negative = (x.sign() == Sign::Negative) != (y.sign() == Sign::Negative);
    let (x, y) = (x.unsigned_abs(), y.unsigned_abs());
    let (x_bits, y_bits) = (x.bit_len(), y.bit_len());
    if x_bits > y_bits.saturating_add(1025) {
        return Err(FLOAT_OVERFLOW);
    }
    if x.is_zero() || y_bits > x_bits.saturating_add(1100) {
        return Ok(if negative { -0.0 } else { 0.0 });
    }
    // Scale so that the quotient has 66 or 67 bits: more than a double keeps. The last bit then stands for the
    // remainder of the division, so the conversion rounds correctly.
    let up = (y_bits + 66).saturating_sub(x_bits);
    let down = x_bits.saturating_sub(y_bits + 66);
    let (quotient, rest) = natural_quotient(&(x << up), &(y << down), watch)?;
    let sticky = if rest.is_zero() {
        quotient
    } else {
        quotient | dashu_int::UBig::ONE
    };
    let scale = down as i32 - up as i32;
    let half = scale / 2;
    let magnitude = sticky.to_f64().value() * 2f64.powi(half) * 2f64.powi(scale - half);
    if magnitude.is_infinite() {
        return Err(FLOAT_OVERFLOW);
    }
    Ok(if negative { -magnitude } else { magnitude })
}
