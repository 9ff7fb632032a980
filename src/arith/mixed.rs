//! Functions of integers and floats alike. If one operand is an integer and the other a float, the integer is
//! converted (ISO 13211-1, 9.1; Cor.2 for `min` and `max`).

use super::compare::compare;
use super::error::{ArithError, Result, TOO_LARGE, UNDEFINED, ZERO_DIVISOR};
use super::float::{checked, ratio, to_float};
use super::integer::check_integer;
use super::large::{Bounds, product, quotient};
use crate::base::number::Number;
use dashu_int::IBig;
use dashu_int::ops::{Abs, BitTest};
use std::borrow::Cow;
use std::cmp::Ordering;

/// The magnitude up to which every integer is a float exactly.
const EXACT: u64 = 1 << 53;

/// Two numbers of the same kind, converted from any two.
enum Pair<'a> {
    Integers(Cow<'a, IBig>, Cow<'a, IBig>),
    Floats(f64, f64),
}

fn pair<'a>(x: &'a Number, y: &'a Number) -> Result<Pair<'a>> {
    match (x.as_big(), y.as_big()) {
        (Some(x), Some(y)) => Ok(Pair::Integers(x, y)),
        _ => Ok(Pair::Floats(to_float(x)?, to_float(y)?)),
    }
}

/// Evaluates `X + Y`.
#[inline]
pub(crate) fn add(x: &Number, y: &Number) -> Result<Number> {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) => match a.checked_add(*b) {
            Some(sum) => Ok(Number::Int(sum)),
            None => Ok(Number::from_i128(i128::from(*a) + i128::from(*b))),
        },
        (Number::Float(a), Number::Float(b)) => checked(a + b),
        _ => add_slow(x, y),
    }
}

#[cold]
fn add_slow(x: &Number, y: &Number) -> Result<Number> {
    match pair(x, y)? {
        Pair::Integers(a, b) => Ok(Number::from_big(&*a + &*b)),
        Pair::Floats(a, b) => checked(a + b),
    }
}

/// Evaluates `X - Y`.
#[inline]
pub(crate) fn sub(x: &Number, y: &Number) -> Result<Number> {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) => match a.checked_sub(*b) {
            Some(difference) => Ok(Number::Int(difference)),
            None => Ok(Number::from_i128(i128::from(*a) - i128::from(*b))),
        },
        (Number::Float(a), Number::Float(b)) => checked(a - b),
        _ => sub_slow(x, y),
    }
}

#[cold]
fn sub_slow(x: &Number, y: &Number) -> Result<Number> {
    match pair(x, y)? {
        Pair::Integers(a, b) => Ok(Number::from_big(&*a - &*b)),
        Pair::Floats(a, b) => checked(a - b),
    }
}

/// Evaluates `X * Y`, within bounds.
#[inline]
pub(crate) fn mul(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) => match a.checked_mul(*b) {
            Some(product) => Ok(Number::Int(product)),
            None => Ok(Number::from_i128(i128::from(*a) * i128::from(*b))),
        },
        (Number::Float(a), Number::Float(b)) => checked(a * b),
        _ => mul_slow(x, y, bounds),
    }
}

#[cold]
fn mul_slow(x: &Number, y: &Number, bounds: Bounds<'_>) -> Result<Number> {
    match pair(x, y)? {
        Pair::Integers(a, b) if a.bit_len().saturating_add(b.bit_len()) > bounds.max_bits => {
            Err(TOO_LARGE)
        }
        Pair::Integers(a, b) => Ok(Number::from_big(product(&a, &b, bounds.watch)?)),
        Pair::Floats(a, b) => checked(a * b),
    }
}

/// Evaluates `X / Y`. The quotient of two integers is an integer if the division leaves no remainder, unless `iso`.
pub(crate) fn divide(x: &Number, y: &Number, iso: bool, bounds: Bounds<'_>) -> Result<Number> {
    match (x, y) {
        (Number::Int(_) | Number::Big(_), Number::Int(0)) => Err(if iso && x.is_zero() {
            UNDEFINED
        } else {
            ZERO_DIVISOR
        }),
        (Number::Int(a), Number::Int(b)) => {
            if !iso && a.checked_rem(*b) == Some(0) {
                return Ok(Number::Int(a / b));
            }
            if a.unsigned_abs() <= EXACT && b.unsigned_abs() <= EXACT {
                return checked(*a as f64 / *b as f64);
            }
            divide_big(&IBig::from(*a), &IBig::from(*b), iso, bounds)
        }
        _ => match pair(x, y)? {
            Pair::Integers(a, b) => divide_big(&a, &b, iso, bounds),
            Pair::Floats(a, b) => divide_floats(a, b),
        },
    }
}

/// Returns the quotient of two integers; the second must not be zero.
fn divide_big(x: &IBig, y: &IBig, iso: bool, bounds: Bounds<'_>) -> Result<Number> {
    if !iso {
        let (quotient, rest) = quotient(x, y, bounds.watch)?;
        if rest.is_zero() {
            return Ok(Number::from_big(quotient));
        }
    }
    checked(ratio(x, y, bounds.watch)?)
}

fn divide_floats(x: f64, y: f64) -> Result<Number> {
    if y == 0.0 {
        return Err(if x == 0.0 || x.is_nan() {
            UNDEFINED
        } else {
            ZERO_DIVISOR
        });
    }
    checked(x / y)
}

/// Evaluates `- X`.
#[inline]
pub(crate) fn neg(x: &Number) -> Result<Number> {
    match x {
        Number::Int(a) => match a.checked_neg() {
            Some(negated) => Ok(Number::Int(negated)),
            None => Ok(Number::from_i128(-i128::from(*a))),
        },
        Number::Float(f) => Ok(Number::Float(-f)),
        Number::Big(big) => Ok(Number::from_big(-big)),
    }
}

/// Evaluates `abs(X)`.
#[inline]
pub(crate) fn abs(x: &Number) -> Result<Number> {
    match x {
        Number::Int(a) => match a.checked_abs() {
            Some(magnitude) => Ok(Number::Int(magnitude)),
            None => Ok(Number::from_i128(i128::from(*a).abs())),
        },
        Number::Float(f) => Ok(Number::Float(f.abs())),
        Number::Big(big) => Ok(Number::from_big(big.abs())),
    }
}

/// Evaluates `sign(X)`: -1, 0 or 1, of the type of `X`.
pub(crate) fn sign(x: &Number) -> Result<Number> {
    Ok(match x {
        Number::Int(a) => Number::Int(a.signum()),
        Number::Big(_) => Number::Int(if x.is_negative() { -1 } else { 1 }),
        Number::Float(f) if f.is_nan() => x.clone(),
        Number::Float(f) if *f == 0.0 => Number::Float(0.0),
        Number::Float(f) => Number::Float(f.signum()),
    })
}

/// Evaluates `max(X, Y)`: the greater by value. Of equal values the float is taken, and NaN only if both are NaN.
pub(crate) fn max(x: &Number, y: &Number) -> Result<Number> {
    Ok(choose(x, y, Ordering::Greater).clone())
}

/// Evaluates `min(X, Y)`: the lesser by value. Of equal values the float is taken, and NaN only if both are NaN.
pub(crate) fn min(x: &Number, y: &Number) -> Result<Number> {
    Ok(choose(x, y, Ordering::Less).clone())
}

/// Returns the operand that compares `wanted` to the other.
fn choose<'a>(x: &'a Number, y: &'a Number, wanted: Ordering) -> &'a Number {
    match compare(x, y) {
        Some(Ordering::Equal) => match (x, y) {
            // Of equal floats only zeros can differ, in their signs.
            (Number::Float(a), Number::Float(b)) => {
                if a.total_cmp(b) == wanted {
                    x
                } else {
                    y
                }
            }
            (Number::Float(a), _) => choose_float(a, x, y, wanted),
            (_, Number::Float(b)) => choose_float(b, y, x, wanted),
            _ => x,
        },
        Some(order) if order == wanted => x,
        Some(_) => y,
        None if matches!(x, Number::Float(f) if f.is_nan()) => y,
        None => x,
    }
}

/// Returns the float, unless it is the negative zero and the sign makes the integer greater.
fn choose_float<'a>(f: &f64, float: &'a Number, int: &'a Number, wanted: Ordering) -> &'a Number {
    let negative_zero = *f == 0.0 && f.is_sign_negative();
    if negative_zero && wanted == Ordering::Greater {
        int
    } else {
        float
    }
}

/// Evaluates `succ(X)`: `X + 1` of an integer that is not negative.
pub(crate) fn succ(x: &Number) -> Result<Number> {
    check_integer(x)?;
    if x.is_negative() {
        return Err(ArithError::Type("not_less_than_zero", x.clone()));
    }
    add(x, &Number::Int(1))
}

/// Evaluates `plus(X, Y)`: the sum of two integers.
pub(crate) fn plus(x: &Number, y: &Number) -> Result<Number> {
    check_integer(x)?;
    check_integer(y)?;
    add(x, y)
}
