//! Numbers as values, outside of any term: the reader reads them, arithmetic computes them and the writer prints
//! them.
#![forbid(unsafe_code)]

use dashu_int::{IBig, Sign};
use std::borrow::Cow;

/// The largest integer that a cell holds inline (61 bits, signed).
pub(crate) const INLINE_MAX: i64 = (1 << 60) - 1;
/// The smallest integer that a cell holds inline.
pub(crate) const INLINE_MIN: i64 = -(1 << 60);

/// A Prolog number. Integers are unbounded; `Big` is used only for integers that do not fit `Int`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Number {
    /// An integer of at most 64 bits.
    Int(i64),
    /// Any other integer. Never holds a value that fits an `i64`.
    Big(IBig),
    /// A double.
    Float(f64),
}

/// The decimal digits of an integer of 64 bits, without an allocation.
pub(crate) struct Decimal {
    bytes: [u8; Decimal::LONGEST],
    from: usize,
}

impl Decimal {
    /// Bytes of the longest one: a character before it, a sign and 19 digits.
    const LONGEST: usize = 21;

    /// Returns the digits of `value`.
    pub(crate) fn of(value: i64) -> Decimal {
        let mut decimal = Decimal {
            bytes: [b'0'; Decimal::LONGEST],
            from: Decimal::LONGEST,
        };
        let mut rest = value.unsigned_abs();
        loop {
            decimal.put(b'0' + (rest % 10) as u8);
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            decimal.put(b'-');
        }
        decimal
    }

    /// Returns the digits of `value` after an ASCII character.
    pub(crate) fn after(first: char, value: i64) -> Decimal {
        let mut decimal = Decimal::of(value);
        decimal.put(first as u8);
        decimal
    }

    fn put(&mut self, byte: u8) {
        self.from -= 1;
        self.bytes[self.from] = byte;
    }

    /// Returns the digits as a text.
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[self.from..]).unwrap_or_default()
    }
}

impl Number {
    /// Returns the number of a big integer, in its normal form.
    pub(crate) fn from_big(big: IBig) -> Number {
        match i64::try_from(&big) {
            Ok(small) => Number::Int(small),
            Err(_) => Number::Big(big),
        }
    }

    /// Returns the number of an integer of 128 bits.
    pub(crate) fn from_i128(value: i128) -> Number {
        match i64::try_from(value) {
            Ok(small) => Number::Int(small),
            Err(_) => Number::Big(IBig::from(value)),
        }
    }

    /// Returns the number of a size or a count.
    pub(crate) fn from_usize(value: usize) -> Number {
        match i64::try_from(value) {
            Ok(small) => Number::Int(small),
            Err(_) => Number::Big(IBig::from(value)),
        }
    }

    /// Returns whether this is an integer.
    pub(crate) fn is_integer(&self) -> bool {
        !matches!(self, Number::Float(_))
    }

    /// Returns the integer as a big one, or `None` for a float.
    pub(crate) fn as_big(&self) -> Option<Cow<'_, IBig>> {
        match self {
            Number::Int(small) => Some(Cow::Owned(IBig::from(*small))),
            Number::Big(big) => Some(Cow::Borrowed(big)),
            Number::Float(_) => None,
        }
    }

    /// Returns whether this is an integer or a float less than zero.
    pub(crate) fn is_negative(&self) -> bool {
        match self {
            Number::Int(small) => *small < 0,
            Number::Big(big) => big.sign() == Sign::Negative,
            Number::Float(float) => *float < 0.0,
        }
    }

    /// Returns whether this is an integer or a float equal to zero.
    pub(crate) fn is_zero(&self) -> bool {
        match self {
            Number::Int(small) => *small == 0,
            Number::Big(_) => false,
            Number::Float(float) => *float == 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn decimals_are_those_of_the_standard_library() {
        for value in [0, 7, -7, 10, -10, 99, 1 << 40, i64::MAX, i64::MIN] {
            assert_eq!(Decimal::of(value).text(), value.to_string());
        }
    }
}
