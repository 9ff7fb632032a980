//! The bytes of an image. Numbers are in groups of seven bits, least significant first. The length
//! of a text precedes the text.

use crate::base::growth::{Grow, GrowBy};
use crate::base::stop::Stop;

/// The message about an image that ends too early.
pub(super) const END: &str = "it ends too early";

/// An error in the bytes of an image.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Damaged {
    /// The byte where the error is.
    pub(super) at: usize,
    /// The description of the error.
    pub(super) what: &'static str,
}

/// The reason why an image cannot be read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// The image is damaged.
    Damaged(Damaged),
    /// The work must stop.
    Stop,
}

impl From<Damaged> for Unread {
    fn from(damaged: Damaged) -> Unread {
        Unread::Damaged(damaged)
    }
}

impl From<Stop> for Unread {
    fn from(_: Stop) -> Unread {
        Unread::Stop
    }
}

/// Adds a number.
pub(super) fn put_number(out: &mut Vec<u8>, mut number: u64) -> Result<(), Stop> {
    while number >= 0x80 {
        out.put(number as u8 | 0x80)?;
        number >>= 7;
    }
    out.put(number as u8)
}

/// Adds a number that may be negative.
pub(super) fn put_signed(out: &mut Vec<u8>, number: i64) -> Result<(), Stop> {
    put_number(out, (number << 1 ^ number >> 63) as u64)
}

/// Adds a text.
pub(super) fn put_text(out: &mut Vec<u8>, text: &str) -> Result<(), Stop> {
    put_number(out, text.len() as u64)?;
    out.put_slice(text.as_bytes())
}

/// Returns the value of a number that [`put_signed`] has written.
pub(super) fn signed(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// A reader of bytes.
pub(super) struct Input<'a> {
    /// All bytes of the image.
    pub(super) bytes: &'a [u8],
    /// The index of the next byte.
    pub(super) at: usize,
}

impl<'a> Input<'a> {
    /// Returns an error at the present place.
    pub(super) fn damaged(&self, what: &'static str) -> Damaged {
        Damaged { at: self.at, what }
    }

    /// Returns the number of bytes left.
    pub(super) fn rest(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Reads a byte.
    #[inline]
    pub(super) fn byte(&mut self) -> Result<u8, Damaged> {
        match self.bytes.get(self.at) {
            Some(&byte) => {
                self.at += 1;
                Ok(byte)
            }
            None => Err(self.damaged(END)),
        }
    }

    /// Reads a number.
    #[inline]
    pub(super) fn number(&mut self) -> Result<u64, Damaged> {
        let first = self.byte()?;
        if first < 0x80 {
            return Ok(u64::from(first));
        }
        let (mut number, mut shift) = (u64::from(first & 0x7f), 7);
        loop {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift > 63 || bits << shift >> shift != bits {
                return Err(self.damaged("a number is too large"));
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
            shift += 7;
        }
    }

    /// Reads a number that may be negative.
    pub(super) fn signed(&mut self) -> Result<i64, Damaged> {
        Ok(signed(self.number()?))
    }

    /// Reads a number that must be less than `end`.
    #[inline]
    pub(super) fn below(&mut self, end: usize) -> Result<usize, Damaged> {
        match usize::try_from(self.number()?) {
            Ok(number) if number < end => Ok(number),
            _ => Err(self.damaged("a number is out of its range")),
        }
    }

    /// Reads the number of items that follow. Each takes at least one byte.
    pub(super) fn count(&mut self) -> Result<usize, Damaged> {
        let number = self.number()?;
        match usize::try_from(number) {
            Ok(number) if number <= self.rest() => Ok(number),
            _ => Err(self.damaged(END)),
        }
    }

    /// Reads `count` bytes.
    pub(super) fn slice(&mut self, count: usize) -> Result<&'a [u8], Damaged> {
        let end = self.at.checked_add(count);
        match end.and_then(|end| self.bytes.get(self.at..end)) {
            Some(bytes) => {
                self.at += count;
                Ok(bytes)
            }
            None => Err(self.damaged(END)),
        }
    }

    /// Reads a word of eight bytes.
    pub(super) fn word(&mut self) -> Result<u64, Damaged> {
        let mut word = [0; 8];
        word.copy_from_slice(self.slice(8)?);
        Ok(u64::from_le_bytes(word))
    }

    /// Reads a text.
    pub(super) fn text(&mut self) -> Result<&'a str, Damaged> {
        let count = self.count()?;
        let at = self.at;
        std::str::from_utf8(self.slice(count)?).map_err(|_| Damaged {
            at,
            what: "a text is not UTF-8",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, put_number, put_signed, put_text};

    #[test]
    fn written_bytes_read_back() {
        let numbers = [0, 1, 127, 128, 1 << 32, u64::MAX];
        let integers = [0, -1, 1, -64, 64, i64::MIN, i64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            put_number(&mut bytes, number).unwrap();
        }
        for number in integers {
            put_signed(&mut bytes, number).unwrap();
        }
        put_text(&mut bytes, "é").unwrap();
        let mut input = Input {
            bytes: &bytes,
            at: 0,
        };
        assert!(numbers.map(|number| input.number() == Ok(number)) == [true; 6]);
        assert!(integers.map(|number| input.signed() == Ok(number)) == [true; 7]);
        assert_eq!(input.text(), Ok("é"));
        assert!(input.byte().is_err());
    }

    #[test]
    fn numbers_have_64_bits() {
        let mut input = Input {
            bytes: &[0xff; 11],
            at: 0,
        };
        assert!(input.number().is_err());
        let bytes = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2];
        let mut input = Input {
            bytes: &bytes,
            at: 0,
        };
        assert!(input.number().is_err());
    }
}
