//! Conversions of values of the host to terms, and of terms to values.

use super::term::{BigInteger, Term};
use dashu_int::IBig;
use std::fmt;

/// An error of a conversion: the term does not have the expected type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversionError {
    expected: &'static str,
}

impl ConversionError {
    pub(super) fn new(expected: &'static str) -> ConversionError {
        ConversionError { expected }
    }

    /// Returns the expected type, in words.
    pub fn expected(&self) -> &str {
        self.expected
    }
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the term is not {}", self.expected)
    }
}

impl std::error::Error for ConversionError {}

/// Returns the term of an integer.
pub(super) fn integer(value: IBig) -> Term {
    match i64::try_from(&value) {
        Ok(small) => Term::Integer(small),
        Err(_) => Term::BigInteger(BigInteger::new(value)),
    }
}

macro_rules! integers {
    ($($type:ty)*; $term:expr) => {
        $(impl From<$type> for Term {
            fn from(value: $type) -> Term {
                ($term)(value)
            }
        }

        impl TryFrom<&Term> for $type {
            type Error = ConversionError;

            fn try_from(term: &Term) -> Result<$type, ConversionError> {
                narrow(term).ok_or(ConversionError { expected: "an integer of this size" })
            }
        })*
    };
}

integers! { i8 i16 i32 u8 u16 u32; |value| Term::Integer(i64::from(value)) }
integers! { i64; Term::Integer }
integers! { i128 u64 u128 usize isize; |value| integer(IBig::from(value)) }

fn narrow<T: TryFrom<i64> + for<'a> TryFrom<&'a IBig>>(term: &Term) -> Option<T> {
    match term {
        Term::Integer(value) => T::try_from(*value).ok(),
        Term::BigInteger(value) => T::try_from(value.value()).ok(),
        _ => None,
    }
}

impl From<BigInteger> for Term {
    fn from(value: BigInteger) -> Term {
        match i64::try_from(value.value()) {
            Ok(small) => Term::Integer(small),
            Err(_) => Term::BigInteger(value),
        }
    }
}

impl From<f64> for Term {
    fn from(value: f64) -> Term {
        Term::Float(value)
    }
}

impl From<bool> for Term {
    /// Returns the atom `true` or `false`.
    fn from(value: bool) -> Term {
        Term::atom(if value { "true" } else { "false" })
    }
}

impl<T: Into<Term>> From<Vec<T>> for Term {
    /// Returns the list of these elements.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    fn from(items: Vec<T>) -> Term {
        items.into_iter().collect()
    }
}

impl<T: Into<Term>> FromIterator<T> for Term {
    /// Returns the list of these elements.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Term {
        Term::list(items.into_iter().map(Into::into).collect())
    }
}

impl TryFrom<&Term> for f64 {
    type Error = ConversionError;

    fn try_from(term: &Term) -> Result<f64, ConversionError> {
        match term {
            Term::Float(value) => Ok(*value),
            Term::Integer(value) => Ok(*value as f64),
            Term::BigInteger(value) => Ok(value.value().to_f64().value()),
            _ => Err(ConversionError {
                expected: "a number",
            }),
        }
    }
}

impl TryFrom<&Term> for bool {
    type Error = ConversionError;

    fn try_from(term: &Term) -> Result<bool, ConversionError> {
        match term.as_atom() {
            Some("true") => Ok(true),
            Some("false") => Ok(false),
            _ => Err(ConversionError {
                expected: "true or false",
            }),
        }
    }
}

impl TryFrom<&Term> for String {
    type Error = ConversionError;

    /// Returns the text of an atom, of a string, or of a list of character codes or characters.
    #[expect(
        clippy::disallowed_methods,
        reason = "conversions have no error for memory"
    )]
    fn try_from(term: &Term) -> Result<String, ConversionError> {
        let expected = ConversionError { expected: "a text" };
        let Some(items) = term.as_list().filter(|items| !items.is_empty()) else {
            return term.as_text().map(str::to_owned).ok_or(expected);
        };
        let character = |term: &&Term| match term {
            Term::Integer(code) => u32::try_from(*code).ok().and_then(char::from_u32),
            Term::Atom(name) => {
                let mut chars = name.chars();
                chars.next().filter(|_| chars.next().is_none())
            }
            _ => None,
        };
        items
            .iter()
            .map(character)
            .collect::<Option<String>>()
            .ok_or(expected)
    }
}

impl TryFrom<&Term> for Vec<Term> {
    type Error = ConversionError;

    /// Returns the elements of a proper list.
    #[expect(
        clippy::disallowed_methods,
        reason = "conversions have no error for memory"
    )]
    fn try_from(term: &Term) -> Result<Vec<Term>, ConversionError> {
        let items = term
            .as_list()
            .ok_or(ConversionError { expected: "a list" })?;
        Ok(items.into_iter().cloned().collect())
    }
}
