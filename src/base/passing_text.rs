//! Texts that builtins hold for a moment: short ones need no allocation.
#![forbid(unsafe_code)]

use super::stop::Stop;
use super::watch::Watch;
use std::ops::Deref;

/// Greatest number of bytes of a text that is stored in place.
const SHORT: usize = 63;

/// A copy of a text. It is made in place, because moving one takes longer than making a short one.
pub(crate) struct PassingText {
    bytes: [u8; SHORT],
    length: u8,
    /// The text if it is longer.
    long: Option<String>,
}

impl PassingText {
    /// Returns the decimal digits of an integer.
    pub(crate) fn of_integer(value: i64) -> PassingText {
        let (mut digits, mut at, mut rest) = ([0; 20], 20, value.unsigned_abs());
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            at -= 1;
            digits[at] = b'-';
        }
        let mut bytes = [0; SHORT];
        let length = digits.len() - at;
        bytes[..length].copy_from_slice(&digits[at..]);
        PassingText {
            bytes,
            length: length as u8,
            long: None,
        }
    }

    /// Returns an empty text.
    #[inline(always)]
    pub(crate) fn new() -> PassingText {
        PassingText {
            bytes: [0; SHORT],
            length: 0,
            long: None,
        }
    }

    /// Returns a text of these pieces, of any length.
    #[inline]
    pub(crate) fn of(pieces: &[&str], watch: &Watch) -> Result<PassingText, Stop> {
        let mut text = PassingText::new();
        text.set(pieces, watch)?;
        Ok(text)
    }

    /// Replaces the text by these pieces.
    #[inline]
    pub(crate) fn set(&mut self, pieces: &[&str], watch: &Watch) -> Result<(), Stop> {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        if length > SHORT {
            self.long = Some(watch.text_of(pieces)?);
            return Ok(());
        }
        let mut at = 0;
        for piece in pieces {
            self.bytes[at..at + piece.len()].copy_from_slice(piece.as_bytes());
            at += piece.len();
        }
        self.length = length as u8;
        Ok(())
    }
}

impl From<String> for PassingText {
    fn from(text: String) -> PassingText {
        PassingText {
            long: Some(text),
            ..PassingText::new()
        }
    }
}

impl Deref for PassingText {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match &self.long {
            // The bytes consist of whole texts.
            None => str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default(),
            Some(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PassingText, SHORT};
    use crate::base::watch::Watch;

    #[test]
    fn integers_have_their_digits() {
        for value in [0, 7, -10, i64::MAX, i64::MIN] {
            assert_eq!(*PassingText::of_integer(value), value.to_string());
        }
    }

    #[test]
    fn texts_of_any_length_are_copied() {
        let watch = Watch::default();
        for length in [0, 1, SHORT / 2, SHORT, 1000] {
            let (left, right) = ("é".repeat(length), "x".repeat(length % 7));
            let text = PassingText::of(&[&left, &right], &watch).expect("room");
            assert_eq!(*text, format!("{left}{right}"));
        }
    }
}
