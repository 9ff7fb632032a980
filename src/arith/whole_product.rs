//! Products of large integers in one go, checked.
//!
//! The library multiplies by a transform where both factors are long. In version 0.6.2 that loses carries of
//! words of ones, which chance hardly makes but masks and sets of bits do. So such a product is compared
//! with its factors modulo a prime, and made once more, more slowly, where it is wrong.

use super::error::Result;
use super::large::{room, short_remainder};
use crate::base::natural;
use dashu_int::UBig;

/// Where the shorter factor has so many words at most the library uses no transform.
pub(super) const SURE: usize = 4000;
/// A prime below 2^61 of which 2 is a primitive root: of 2^60 sums of a few lost carries one at most
/// is a multiple of it.
const PRIME: u64 = 0x1cfd_4fb4_f8a4_26cb;

/// Words that the library takes beside the factors to multiply.
fn scratch(long: usize, short: usize) -> usize {
    if short <= SURE {
        return long + 8 * short;
    }
    // Its transform is of pieces of 16 bits, in six tables whose length is a power of two.
    let pieces = (long + short) * 4 + 1;
    2 * (long + short) + 6 * pieces.next_power_of_two()
}

fn residue(x: &UBig) -> Result<u128> {
    Ok(short_remainder(x.as_words(), PRIME, |_| Ok(()))?.into())
}

/// The product of two naturals.
///
/// # Errors
/// There is no memory for it.
pub(super) fn whole_product(a: &UBig, b: &UBig) -> Result<UBig> {
    let (long, short) = (a.as_words().len(), b.as_words().len());
    room(scratch(long.max(short), long.min(short)) * 64)?;
    let product = a * b;
    if long.min(short) <= SURE
        || residue(a)? * residue(b)? % u128::from(PRIME) == residue(&product)?
    {
        return Ok(product);
    }
    word_by_word(a, b)
}

/// The square of a natural.
///
/// # Errors
/// There is no memory for it.
pub(super) fn whole_square(a: &UBig) -> Result<UBig> {
    room(scratch(a.as_words().len(), a.as_words().len()) * 64)?;
    let square = a.sqr();
    let sure = a.as_words().len() <= SURE;
    if sure || residue(a)?.pow(2) % u128::from(PRIME) == residue(&square)? {
        return Ok(square);
    }
    word_by_word(a, a)
}

/// The product of two naturals other than 0 without the library.
fn word_by_word(a: &UBig, b: &UBig) -> Result<UBig> {
    let (a, b) = (a.as_words(), b.as_words());
    let count = a.len() + b.len();
    let more = natural::room_for_product(a.len(), b.len());
    room((count + more) * 64)?;
    let mut words = vec![0; count + more];
    let (product, more) = words.split_at_mut(count);
    natural::multiply(product, a, b, more);
    Ok(UBig::from_words(product))
}

#[cfg(test)]
mod tests {
    use super::{whole_product, whole_square, word_by_word};
    use crate::arith::random::RandomState;
    use dashu_int::UBig;

    #[test]
    fn words_of_ones_are_multiplied_like_others() {
        let mut random = RandomState::new(7);
        for count in [4001, 4100, 8200, 20_000] {
            for round in 0..4 {
                let mut number = || {
                    let words: Vec<u64> = (0..count)
                        .map(|at| match random.below(4 + round) {
                            0 => 0,
                            1 => u64::MAX,
                            2 => 1 << 63,
                            3 => u64::from(at + 1 == count),
                            _ => random.below(u64::MAX),
                        })
                        .collect();
                    UBig::from_words(&words)
                };
                let (a, b) = (number(), number());
                assert!(whole_product(&a, &b).unwrap() == word_by_word(&a, &b).unwrap());
                assert!(whole_square(&a).unwrap() == word_by_word(&a, &a).unwrap());
            }
        }
    }
}
