//! Powers: `**` and `^` (ISO 13211-1, 9.3.1, and Cor.2, 9.3.10).

use super::error::{ArithError, Result, TOO_LARGE, ZERO_DIVISOR};
use super::float::{checked, to_float};
use super::integer::{big, magnitude};
use super::large::{self, Bounds};
use crate::base::number::Number;
use dashu_int::ops::BitTest;

/// Evaluates `X ** Y`. The power of two integers is an integer if `Y` is not negative or `X` is 1 or -1. Otherwise,
/// and always with `iso`, it is a float.
pub(crate) fn power(x: &Number, y: &Number, iso: bool, bounds: Bounds<'_>) -> Result<Number> {
    if iso || !(x.is_integer() && y.is_integer()) {
        return float_power(x, y);
    }
    match unit_power(x, y) {
        Some(unit) => Ok(unit),
        None if !y.is_negative() => int_power(x, y, bounds),
        None => float_power(x, y),
    }
}

/// Evaluates `X ^ Y`. The power of two integers is an integer, or an error.
pub(crate) fn caret(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    if !(x.is_integer() && y.is_integer()) {
        return float_power(x, y);
    }
    match unit_power(x, y) {
        Some(unit) => Ok(unit),
        None if !y.is_negative() => int_power(x, y, bounds),
        None if x.is_zero() => Err(ZERO_DIVISOR),
        None => Err(ArithError::Type("float", x.clone())),
    }
}

/// Returns the power of 1 or -1 to an integer.
fn unit_power(x: &Number, y: &Number) -> Option<Number> {
    let odd = match y {
        Number::Int(n) => n & 1 == 1,
        Number::Big(big) => big.bit(0),
        Number::Float(_) => return None,
    };
    match x {
        Number::Int(1) => Some(Number::Int(1)),
        Number::Int(-1) => Some(Number::Int(if odd { -1 } else { 1 })),
        _ => None,
    }
}

/// Returns the power of an integer to one that is not negative. A lower bound of the size of the result is checked
/// first.
fn int_power(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    if y.is_zero() {
        return Ok(Number::Int(1));
    }
    if x.is_zero() {
        return Ok(Number::Int(0));
    }
    let Number::Int(exponent) = y else {
        return Err(TOO_LARGE);
    };
    if let (Number::Int(base), Ok(exponent)) = (x, u32::try_from(*exponent))
        && let Some(result) = base.checked_pow(exponent)
    {
        return Ok(Number::Int(result));
    }
    let exponent = usize::try_from(*exponent).map_err(|_| TOO_LARGE)?;
    let base = big(x)?;
    if (magnitude(&base).bit_len() - 1).saturating_mul(exponent) > bounds.max_bits {
        return Err(TOO_LARGE);
    }
    large::room(magnitude(&base).bit_len().saturating_mul(exponent))?;
    let power = large::power(&base, exponent, bounds.watch)?;
    Ok(Number::from_big(power))
}

/// Returns the power of two numbers as floats.
fn float_power(x: &Number, y: &Number) -> Result<Number> {
    let (x, y) = (to_float(x)?, to_float(y)?);
    if x == 0.0 && y < 0.0 {
        return Err(ZERO_DIVISOR);
    }
    checked(x.powf(y))
}
