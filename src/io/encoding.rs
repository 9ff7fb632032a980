//! Character encodings of text streams: names, decoding, encoding, byte order marks.
//!
//! Input that is invalid in its encoding becomes U+FFFD, one for each maximal wrong sequence (as the Unicode
//! standard, 3.9, advises). The invalid bytes are kept, so byte offsets stay right. Output of a character that the
//! encoding lacks is an error.

use super::error::IoError;
use crate::base::growth::{Grow, GrowBy, GrowText, Within, reserve_items, reserve_text};
use crate::base::named::named;
use crate::base::stop::Stop;
use std::collections::VecDeque;

named! {
    /// The representation of characters as bytes.
    Encoding {
        /// UTF-8.
        Utf8 "utf8" | "text" | "utf-8",
        /// ISO 8859-1: a byte is the character of that code.
        Latin1 "iso_latin_1" | "iso-8859-1",
        /// 7 bits. Input with the eighth bit set is read as ISO 8859-1.
        Ascii "ascii" | "us-ascii",
        /// Bytes as characters, as in ISO 8859-1.
        Octet "octet",
        /// UTF-16, low byte first.
        Utf16Le "utf16le" | "utf-16le" | "unicode_le",
        /// UTF-16, high byte first.
        Utf16Be "utf16be" | "utf-16be" | "unicode_be",
    }
}

/// Maximum number of bytes of a name of an encoding.
const LONGEST_NAME: usize = 16;

impl Encoding {
    /// Returns the encoding of this spelling, in upper or lower case.
    pub(crate) fn of_spelling(name: &str) -> Option<Encoding> {
        let mut lower = [0; LONGEST_NAME];
        let lower = lower.get_mut(..name.len())?;
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        Encoding::from_name(std::str::from_utf8(lower).ok()?)
    }

    /// Returns the number of bytes of a character.
    pub(crate) fn width(self, char: char) -> u64 {
        match self {
            Encoding::Utf8 => char.len_utf8() as u64,
            Encoding::Latin1 | Encoding::Ascii | Encoding::Octet => 1,
            Encoding::Utf16Le | Encoding::Utf16Be => 2 * char.len_utf16() as u64,
        }
    }

    /// Returns the number of bytes of a text of `chars` characters.
    pub(crate) fn text_width(self, text: &str, chars: u64) -> u64 {
        match self {
            Encoding::Utf8 => text.len() as u64,
            Encoding::Latin1 | Encoding::Ascii | Encoding::Octet => chars,
            Encoding::Utf16Le | Encoding::Utf16Be => text.chars().map(|c| self.width(c)).sum(),
        }
    }

    /// Appends the bytes of a character.
    pub(crate) fn encode(self, char: char, bytes: &mut Vec<u8>) -> Result<(), IoError> {
        let code = u32::from(char);
        let single = |limit| match u8::try_from(code) {
            Ok(byte) if byte <= limit => Ok(byte),
            _ => Err(IoError::Unrepresentable(char)),
        };
        match self {
            Encoding::Utf8 => bytes.put_slice(char.encode_utf8(&mut [0; 4]).as_bytes())?,
            Encoding::Latin1 | Encoding::Octet => bytes.put(single(0xff)?)?,
            Encoding::Ascii => bytes.put(single(0x7f)?)?,
            Encoding::Utf16Le => {
                let mut units = [0; 2];
                let units = char.encode_utf16(&mut units);
                bytes.put_all(units.iter().flat_map(|unit| unit.to_le_bytes()))?;
            }
            Encoding::Utf16Be => {
                let mut units = [0; 2];
                let units = char.encode_utf16(&mut units);
                bytes.put_all(units.iter().flat_map(|unit| unit.to_be_bytes()))?;
            }
        }
        Ok(())
    }

    /// Returns the byte order mark.
    pub(crate) fn bom(self) -> &'static [u8] {
        match self {
            Encoding::Utf8 => b"\xef\xbb\xbf",
            Encoding::Utf16Le => b"\xff\xfe",
            Encoding::Utf16Be => b"\xfe\xff",
            Encoding::Latin1 | Encoding::Ascii | Encoding::Octet => b"",
        }
    }
}

/// The result of the search for a byte order mark at the beginning of a text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bom {
    /// The mark of this encoding.
    Found(Encoding),
    /// No mark.
    Absent,
    /// Bytes that may become a mark.
    TooShort,
}

/// Looks for a byte order mark.
pub(crate) fn detect_bom(bytes: &[u8]) -> Bom {
    for encoding in [Encoding::Utf8, Encoding::Utf16Le, Encoding::Utf16Be] {
        let mark = encoding.bom();
        if bytes.starts_with(mark) {
            return Bom::Found(encoding);
        }
        if mark.starts_with(bytes) {
            return Bom::TooShort;
        }
    }
    Bom::Absent
}

/// A U+FFFD in place of bytes that are invalid in the encoding.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replacement {
    /// Offset of the U+FFFD in the decoded text.
    pub(crate) at: usize,
    bytes: [u8; 4],
    len: u8,
}

impl Replacement {
    fn new(at: usize, wrong: &[u8]) -> Replacement {
        let len = wrong.len().min(4);
        let mut bytes = [0; 4];
        bytes[..len].copy_from_slice(&wrong[..len]);
        Replacement {
            at,
            bytes,
            len: len as u8,
        }
    }

    /// Returns the bytes that it replaces.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Appends the characters of `bytes` to `text`. Stops before an incomplete character unless these are the `last`
/// bytes. Returns the number of bytes used.
pub(crate) fn decode(
    encoding: Encoding,
    bytes: &[u8],
    last: bool,
    text: &mut String,
    replaced: &mut VecDeque<Replacement>,
) -> Result<usize, Stop> {
    match encoding {
        Encoding::Utf8 => decode_utf8(bytes, last, text, replaced),
        Encoding::Latin1 | Encoding::Ascii | Encoding::Octet => {
            if bytes.is_ascii()
                && let Ok(ascii) = std::str::from_utf8(bytes)
            {
                text.put_str(ascii)?;
            } else {
                reserve_text(text, 2 * bytes.len())?;
                text.put_all(bytes.iter().map(|&byte| char::from(byte)))?;
            }
            Ok(bytes.len())
        }
        Encoding::Utf16Le => decode_utf16(u16::from_le_bytes, bytes, last, text, replaced),
        Encoding::Utf16Be => decode_utf16(u16::from_be_bytes, bytes, last, text, replaced),
    }
}

fn decode_utf8(
    bytes: &[u8],
    last: bool,
    text: &mut String,
    replaced: &mut VecDeque<Replacement>,
) -> Result<usize, Stop> {
    // The usual case; it is several times faster than the chunks below.
    if let Ok(all) = std::str::from_utf8(bytes) {
        text.put_str(all)?;
        return Ok(bytes.len());
    }
    // Take the whole text, or nothing if the system has no room.
    let wrong = bytes
        .utf8_chunks()
        .filter(|chunk| !chunk.invalid().is_empty())
        .count();
    let room = bytes.len() + wrong * char::REPLACEMENT_CHARACTER.len_utf8();
    reserve_text(text, room)?;
    reserve_items(replaced, wrong)?;
    let mut used = 0;
    for chunk in bytes.utf8_chunks() {
        text.put_within(chunk.valid());
        used += chunk.valid().len();
        let wrong = chunk.invalid();
        if wrong.is_empty() {
            continue;
        }
        let at_end = used + wrong.len() == bytes.len();
        if at_end && !last && is_incomplete(wrong) {
            return Ok(used);
        }
        replaced.put_within(Replacement::new(text.len(), wrong));
        text.put(char::REPLACEMENT_CHARACTER)?;
        used += wrong.len();
    }
    Ok(used)
}

/// Returns whether more bytes can complete a character.
fn is_incomplete(wrong: &[u8]) -> bool {
    std::str::from_utf8(wrong).is_err_and(|error| error.error_len().is_none())
}

fn decode_utf16(
    unit: fn([u8; 2]) -> u16,
    bytes: &[u8],
    last: bool,
    text: &mut String,
    replaced: &mut VecDeque<Replacement>,
) -> Result<usize, Stop> {
    // A unit of two bytes is a character of at most three bytes.
    reserve_text(text, 2 * bytes.len() + 3)?;
    let at = |index: usize| Some(unit([*bytes.get(index)?, *bytes.get(index + 1)?]));
    let mut used = 0;
    while let Some(first) = at(used) {
        let second = at(used + 2);
        let high = (0xd800..0xdc00).contains(&first);
        if high && second.is_none() && !last {
            return Ok(used);
        }
        let units = [first, second.unwrap_or(0)];
        let count = if high { 2 } else { 1 };
        match char::decode_utf16(units.into_iter().take(count)).next() {
            Some(Ok(char)) => {
                text.put(char)?;
                used += 2 * char.len_utf16();
            }
            _ => {
                replaced.put(Replacement::new(text.len(), &bytes[used..used + 2]))?;
                text.put(char::REPLACEMENT_CHARACTER)?;
                used += 2;
            }
        }
    }
    if last && used < bytes.len() {
        replaced.put(Replacement::new(text.len(), &bytes[used..]))?;
        text.put(char::REPLACEMENT_CHARACTER)?;
        used = bytes.len();
    }
    Ok(used)
}
