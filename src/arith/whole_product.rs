//! Products and quotients of large integers in one go.

use super::error::{Result, TOO_LARGE};
use super::large::room;
use crate::base::natural;
use crate::base::quotient::quotient_and_rest;
use crate::base::stop::Stop;
use crate::base::transform::{SHORT_FACTOR, multiply};
use dashu_int::UBig;
use dashu_int::ops::DivRem;

/// Greatest number of words of the shorter factor for which the library of integers is faster than the transform.
/// For thousands of words the library has a transform of its own. It loses carries of words of ones in version
/// 0.6.2.
pub(super) const SHORT: usize = SHORT_FACTOR;
/// Greatest ratio of the lengths of two factors that are multiplied at once. A longer factor is cut into pieces of
/// half of that.
const PIECE: usize = 4;

/// Returns the number of words that the library needs besides the factors to multiply.
fn scratch(long: usize, short: usize) -> usize {
    long + 8 * short
}

fn transformed(a: &[u64], b: &[u64]) -> Result<UBig> {
    room((a.len() + b.len()) * 64)?;
    let mut words = vec![0; a.len() + b.len()];
    multiply(&mut words, a, b).map_err(|Stop| TOO_LARGE)?;
    Ok(UBig::from_words(&words))
}

/// Returns the product of two naturals.
///
/// # Errors
/// Returns an error if there is no memory for it.
pub(super) fn whole_product(a: &UBig, b: &UBig) -> Result<UBig> {
    let (x, y) = (a.as_words(), b.as_words());
    let (x, y) = if x.len() < y.len() { (y, x) } else { (x, y) };
    if y.len() <= SHORT {
        room(scratch(x.len(), y.len()) * 64)?;
        return Ok(a * b);
    }
    if x.len() <= PIECE * y.len() {
        return transformed(x, y);
    }
    let count = x.len() + y.len();
    room(2 * count * 64)?;
    let size = PIECE / 2 * y.len();
    let (mut words, mut part) = (vec![0; count], vec![0; size + y.len()]);
    for (piece, at) in x.chunks(size).zip((0..).step_by(size)) {
        let part = &mut part[..piece.len() + y.len()];
        multiply(part, piece, y).map_err(|Stop| TOO_LARGE)?;
        natural::add_to(&mut words[at..], part);
    }
    Ok(UBig::from_words(&words))
}

/// Returns the square of a natural.
///
/// # Errors
/// Returns an error if there is no memory for it.
pub(super) fn whole_square(a: &UBig) -> Result<UBig> {
    let words = a.as_words();
    if words.len() <= SHORT {
        room(scratch(words.len(), words.len()) * 64)?;
        return Ok(a.sqr());
    }
    transformed(words, words)
}

/// Number of words of divisors from which `base` divides instead of the library of integers.
const DIVISOR: usize = 8;

/// Returns the quotient and the remainder of two naturals; the second must not be zero.
///
/// # Errors
/// Returns an error if there is no memory for it.
pub(super) fn whole_quotient(a: &UBig, b: &UBig) -> Result<(UBig, UBig)> {
    let (x, y) = (a.as_words(), b.as_words());
    if y.len() < DIVISOR {
        return Ok(a.div_rem(b));
    }
    if x.len() < y.len() {
        return Ok((UBig::ZERO, a.clone()));
    }
    let (quotient, rest) = quotient_and_rest(x, y).map_err(|Stop| TOO_LARGE)?;
    Ok((UBig::from_words(&quotient), UBig::from_words(&rest)))
}
