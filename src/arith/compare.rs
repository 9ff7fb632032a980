//! Comparison of numbers by their exact values: an integer is not rounded to a float first.

use super::float::big_integral;
use crate::base::number::Number;
use dashu_int::{IBig, Sign};
use std::cmp::Ordering;

/// 2^63, the least float above every `i64`.
const I64_LIMIT: f64 = 9_223_372_036_854_775_808.0;

/// Compares by value (`=:=`, `<` and the like). Returns `None` if one of the values is NaN.
#[inline]
pub(crate) fn compare(x: &Number, y: &Number) -> Option<Ordering> {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
        _ => compare_mixed(x, y),
    }
}

#[cold]
fn compare_mixed(x: &Number, y: &Number) -> Option<Ordering> {
    match (x, y) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(b),
        (Number::Big(a), Number::Big(b)) => Some(a.cmp(b)),
        // The magnitude of a big integer is greater than that of every small one.
        (Number::Big(a), Number::Int(_)) => Some(side(a)),
        (Number::Int(_), Number::Big(b)) => Some(side(b).reverse()),
        (Number::Int(a), Number::Float(b)) => compare_int_float(*a, *b),
        (Number::Float(a), Number::Int(b)) => compare_int_float(*b, *a).map(Ordering::reverse),
        (Number::Big(a), Number::Float(b)) => compare_big_float(a, *b),
        (Number::Float(a), Number::Big(b)) => compare_big_float(b, *a).map(Ordering::reverse),
    }
}

/// Returns the order of a big integer and any small one.
fn side(big: &IBig) -> Ordering {
    match big.sign() {
        Sign::Positive => Ordering::Greater,
        Sign::Negative => Ordering::Less,
    }
}

/// Compares an integer and a float.
pub(crate) fn compare_int_float(i: i64, f: f64) -> Option<Ordering> {
    if f.is_nan() {
        return None;
    }
    if f >= I64_LIMIT {
        return Some(Ordering::Less);
    }
    if f < -I64_LIMIT {
        return Some(Ordering::Greater);
    }
    let whole = f.trunc();
    // If the whole parts are equal, the part that the truncation dropped decides.
    Some(
        i.cmp(&(whole as i64))
            .then_with(|| 0.0.partial_cmp(&(f - whole)).unwrap_or(Ordering::Equal)),
    )
}

fn compare_big_float(big: &IBig, f: f64) -> Option<Ordering> {
    if f.is_nan() {
        return None;
    }
    if f.is_infinite() {
        return Some(if f > 0.0 {
            Ordering::Less
        } else {
            Ordering::Greater
        });
    }
    if f.abs() < I64_LIMIT {
        return Some(side(big));
    }
    Some(big.cmp(&big_integral(f)))
}

/// Returns the standard order of numbers: by value; of equal ones the float comes first. NaN precedes all others,
/// and -0.0 precedes 0.0.
#[cfg(test)]
pub(crate) fn standard_order(x: &Number, y: &Number) -> Ordering {
    match compare(x, y) {
        Some(Ordering::Equal) => match (x, y) {
            (Number::Float(a), Number::Float(b)) => a.total_cmp(b),
            (Number::Float(_), _) => Ordering::Less,
            (_, Number::Float(_)) => Ordering::Greater,
            _ => Ordering::Equal,
        },
        Some(order) => order,
        None => match (x, y) {
            (Number::Float(a), Number::Float(b)) if a.is_nan() && b.is_nan() => {
                a.to_bits().cmp(&b.to_bits())
            }
            (Number::Float(a), _) if a.is_nan() => Ordering::Less,
            _ => Ordering::Greater,
        },
    }
}
