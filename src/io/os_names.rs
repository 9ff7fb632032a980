//! Conversion of names between the bytes of the system and the text of programs.
//!
//! A name that is UTF-8 is the same text. A byte that is no UTF-8 becomes the character U+10FE00 + byte, of the last
//! private plane. If a name of the system contains such a character, each byte of the character is converted in this
//! way. So each name has a text of its own, and that text converts back to the same bytes.

use std::borrow::Cow;
use std::ffi::OsStr;

/// The character for byte 0. Only the characters for bytes of 128 and more are used.
#[cfg(unix)]
const FIRST: u32 = 0x10_FE00;

/// Returns the byte that a character stands for.
#[cfg(unix)]
fn byte_of(c: char) -> Option<u8> {
    let byte = u8::try_from(u32::from(c).checked_sub(FIRST)?).ok()?;
    (!byte.is_ascii()).then_some(byte)
}

/// Returns the text of a name of the system.
#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the public interface fixes a signature without errors"
)]
pub fn text_of_os(name: &OsStr) -> String {
    use std::os::unix::ffi::OsStrExt;
    if let Some(plain) = name.to_str()
        && !plain.chars().any(|c| byte_of(c).is_some())
    {
        return plain.to_owned();
    }
    let escaped = |byte: &u8| char::from_u32(FIRST + u32::from(*byte));
    let mut text = String::new();
    for chunk in name.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match byte_of(c) {
                None => text.push(c),
                Some(_) => text.extend(
                    c.encode_utf8(&mut [0; 4])
                        .as_bytes()
                        .iter()
                        .filter_map(escaped),
                ),
            }
        }
        text.extend(chunk.invalid().iter().filter_map(escaped));
    }
    text
}

/// Returns the name of the system that a text stands for.
#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the public interface fixes a signature without errors"
)]
pub fn os_of_text(text: &str) -> Cow<'_, OsStr> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    if text.is_ascii() || !text.chars().any(|c| byte_of(c).is_some()) {
        return Cow::Borrowed(OsStr::from_bytes(text.as_bytes()));
    }
    let mut name = Vec::with_capacity(text.len());
    for c in text.chars() {
        match byte_of(c) {
            Some(byte) => name.push(byte),
            None => name.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(std::ffi::OsString::from_vec(name))
}

/// Returns the text of a name of the system. Parts that are no Unicode are lost.
#[cfg(not(unix))]
pub fn text_of_os(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

/// Returns the name of the system that a text stands for.
#[cfg(not(unix))]
pub fn os_of_text(text: &str) -> Cow<'_, OsStr> {
    Cow::Borrowed(OsStr::new(text))
}

#[cfg(all(test, unix))]
mod tests {
    use super::{os_of_text, text_of_os};
    use std::collections::HashSet;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn names_come_back_as_their_bytes() {
        let parts: [&[u8]; 9] = [
            b"a",
            b"\xe9",
            b"\xff",
            "é".as_bytes(),
            "\u{10FEE9}".as_bytes(),
            "\u{10FE7F}".as_bytes(),
            b"\xf4\x8f",
            b"\xbb\xa9",
            b"\xed\xa0\x80",
        ];
        let mut texts = HashSet::new();
        let mut names = HashSet::new();
        for number in 0..9_usize.pow(3) {
            let name: Vec<u8> = [number % 9, number / 9 % 9, number / 81]
                .iter()
                .flat_map(|&at| parts[at])
                .copied()
                .collect();
            let text = text_of_os(OsStr::from_bytes(&name));
            assert_eq!(os_of_text(&text).as_bytes(), name, "{text}");
            texts.insert(text);
            names.insert(name);
        }
        // Different names are different texts.
        assert_eq!(texts.len(), names.len());
    }

    #[test]
    fn a_name_that_is_text_stays_so() {
        for name in ["", "plain", "naïve/日本.pl", "\u{10FE7F}\u{10FF00}"] {
            assert_eq!(text_of_os(OsStr::new(name)), name);
            assert_eq!(&*os_of_text(name), OsStr::new(name));
        }
    }
}
