//! Character encodings of text streams: names, decoding, encoding, byte order marks.
//!
//! Input that is not in its encoding becomes U+FFFD, one for each maximal wrong sequence (as the
//! Unicode standard, 3.9, advises); its own bytes are remembered, so that byte offsets stay true.
//! Output of a character that the encoding lacks is an error.

use super::error::IoError;
use crate::base::growth::{Grow, GrowBy, GrowText, Within, reserve_items, reserve_text};
use crate::base::named::named;
use crate::base::stop::Stop;
use std::collections::VecDeque;

named! {
    /// How characters are represented as bytes.
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

/// Bytes of a name of an encoding.
const LONGEST_NAME: usize = 16;

impl Encoding {
    /// The encoding of this spelling, in either case.
    pub(crate) fn of_spelling(name: &str) -> Option<Encoding> {
        let mut lower = [0; LONGEST_NAME];
        let lower = lower.get_mut(..name.len())?;
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        Encoding::from_name(std::str::from_utf8(lower).ok()?)
    }

    /// Number of bytes of a character.
    pub(crate) fn width(self, char: char) -> u64 {
        match self {
            Encoding::Utf8 => char.len_utf8() as u64,
            Encoding::Latin1 | Encoding::Ascii | Encoding::Octet => 1,
            Encoding::Utf16Le | Encoding::Utf16Be => 2 * char.len_utf16() as u64,
        }
    }

    /// Number of bytes of a text of `chars` characters.
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

    /// The byte order mark.
    pub(crate) fn bom(self) -> &'static [u8] {
        match self {
            Encoding::Utf8 => b"\xef\xbb\xbf",
            Encoding::Utf16Le => b"\xff\xfe",
            Encoding::Utf16Be => b"\xfe\xff",
            Encoding::Latin1 | Encoding::Ascii | Encoding::Octet => b"",
        }
    }
}

/// What the first bytes of a text say of its encoding.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Bom {
    /// They are the mark of this encoding.
    Found(Encoding),
    /// They are no mark.
    Absent,
    /// They may become one.
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

/// A U+FFFD that stands for bytes that are not in the encoding.
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

    /// The bytes that it stands for.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Appends to `text` the characters of `bytes`, up to a character that is not whole yet unless
/// these are the `last` bytes. The result is the number of bytes used.
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
    // All of it is taken, or nothing where the system has no room.
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

/// Can more bytes make this a character?
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
    // A unit of two bytes is a character of three at most.
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
