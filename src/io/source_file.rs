//! Whole files of program text.

use super::allowance::Allowance;
use super::encoding::{Bom, Encoding, Replacement, decode, detect_bom};
use super::error::IoError;
use super::guest::grants::FileUse;
use super::target::{Target, target};
use crate::base::growth::{Gather, GrowBy};
use crate::base::needs::Permit;
use crate::base::source::line_column;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Number of bytes that are read and examined together.
const CHUNK: usize = 64 * 1024;
/// Time between two checks whether the work must stop, while there is nothing to read.
const NAP: Duration = Duration::from_millis(10);

/// Reads a file of text in this encoding, UTF-8 by default. A byte order mark overrides the encoding and is not part
/// of the text. Unlike a stream, the function rejects text that is invalid in its encoding. If lines end with
/// carriage returns alone, it replaces these by line feeds.
pub(crate) fn read_source_file<K: FileUse>(
    permit: &Permit<K>,
    path: &str,
    encoding: Option<Encoding>,
    allowance: Allowance<'_>,
) -> Result<String, IoError> {
    decode_source(read_file(permit, path, allowance)?, encoding).and_then(with_line_feeds)
}

/// A function that finds the first declaration of another encoding than the present one in a text, from a byte offset
/// on. It returns the offset after the declaration, and the encoding.
type Declared<'a> = &'a dyn Fn(&str, usize, Encoding) -> Option<(usize, Encoding)>;

/// The beginning of every declaration of an encoding.
const DECLARATION: &str = "encoding(";

/// Maximum number of changes of the encoding of a program. After each change the rest is decoded again.
const MAX_CHANGES: usize = 16;

/// Reads a program as [`read_source_file`] does, but replaces invalid UTF-8 within a text so that its place can be
/// reported. Rejects bytes that are no text at all. If lines end with carriage returns alone, replaces these by line
/// feeds. Decodes the text after a declaration of another encoding in that encoding, unless the file begins with the
/// byte order mark of UTF-16.
pub(crate) fn read_program_file<K: FileUse>(
    permit: &Permit<K>,
    path: &str,
    declared: Declared<'_>,
    allowance: Allowance<'_>,
) -> Result<(String, VecDeque<Replacement>), IoError> {
    let bytes = read_file(permit, path, allowance)?;
    let skip = match detect_bom(&bytes) {
        Bom::Found(Encoding::Utf8) => Encoding::Utf8.bom().len(),
        Bom::Found(_) => bytes.len(),
        Bom::Absent | Bom::TooShort => 0,
    };
    let body = bytes.get(skip..).unwrap_or(&[]);
    let valid = std::str::from_utf8(body);
    // Texts are searched much faster than bytes.
    let may_declare = match valid {
        Ok(text) => text.contains(DECLARATION),
        Err(_) => {
            let mut windows = body.windows(DECLARATION.len());
            windows.any(|window| window == DECLARATION.as_bytes())
        }
    };
    if may_declare && let Some((text, replaced)) = decode_as_declared(body, declared, allowance)? {
        return Ok((with_line_feeds(text)?, replaced));
    }
    let wrong: usize = match valid {
        Ok(_) => 0,
        Err(_) => {
            let chunks = body.utf8_chunks();
            chunks.map(|chunk| chunk.invalid().len()).sum()
        }
    };
    if wrong == 0 || 2 * wrong > body.len() || body.contains(&0) {
        let text = decode_source(bytes, None)?;
        return Ok((with_line_feeds(text)?, VecDeque::new()));
    }
    // A replacement is longer than the bytes that it replaces, and is stored.
    allowance(2 * body.len() + wrong * (size_of::<Replacement>() + 2))?;
    let mut text = String::new();
    let mut replaced = VecDeque::new();
    decode(Encoding::Utf8, body, true, &mut text, &mut replaced)?;
    if u32::try_from(text.len()).is_err() {
        return Err(IoError::NoMemory);
    }
    Ok((with_line_feeds(text)?, replaced))
}

/// Decodes a program that declares encodings other than UTF-8. Returns `None` if it declares none.
fn decode_as_declared(
    bytes: &[u8],
    declared: Declared<'_>,
    allowance: Allowance<'_>,
) -> Result<Option<(String, VecDeque<Replacement>)>, IoError> {
    let (mut text, mut replaced) = (String::new(), VecDeque::new());
    let (mut encoding, mut rest, mut changes) = (Encoding::Utf8, bytes, 0);
    loop {
        // A byte becomes at most three bytes, and an invalid one is stored.
        allowance(text.len() + rest.len() * (size_of::<Replacement>() + 3))?;
        let start = text.len();
        decode(encoding, rest, true, &mut text, &mut replaced)?;
        if u32::try_from(text.len()).is_err() {
            return Err(IoError::NoMemory);
        }
        let Some((mut end, next)) = declared(&text, start, encoding) else {
            return Ok((changes > 0).then_some((text, replaced)));
        };
        changes += 1;
        if changes > MAX_CHANGES {
            return Err(IoError::other("the text declares too many encodings"));
        }
        if text[end..].starts_with('\n') {
            end += 1;
        }
        rest = &rest[length_in(encoding, &text[start..end], start, &replaced)..];
        text.truncate(end);
        replaced.retain(|wrong| wrong.at < end);
        encoding = next;
    }
}

/// Returns the number of bytes that a text was decoded from. The text begins at offset `start`.
fn length_in(
    encoding: Encoding,
    text: &str,
    start: usize,
    replaced: &VecDeque<Replacement>,
) -> usize {
    let whole = encoding.text_width(text, text.chars().count() as u64) as usize;
    let within = replaced
        .iter()
        .filter(|wrong| (start..start + text.len()).contains(&wrong.at));
    let width = encoding.width(char::REPLACEMENT_CHARACTER) as usize;
    within.fold(whole, |length, wrong| length - width + wrong.bytes().len())
}

/// Returns the text. If its lines end with carriage returns alone, they end with line feeds.
fn with_line_feeds(text: String) -> Result<String, IoError> {
    if !text.contains('\r') || text.contains('\n') {
        return Ok(text);
    }
    let chars = text.chars();
    let chars = chars.map(|c| if c == '\r' { '\n' } else { c });
    Ok(chars.gather_text()?)
}

/// Reads a program that was read before, to show a place in it. Rejects a file that is not plain: its text is gone,
/// and a read might wait.
pub(crate) fn read_program_again<K: FileUse>(
    permit: &Permit<K>,
    path: &str,
    declared: Declared<'_>,
    allowance: Allowance<'_>,
) -> Result<String, IoError> {
    if !target(permit, path)?.metadata()?.is_file {
        return Err(IoError::other("not a plain file"));
    }
    read_program_file(permit, path, declared, allowance).map(|(text, _)| text)
}

/// Reads the bytes of a plain file.
pub(crate) fn read_bytes_of<K: FileUse>(
    permit: &Permit<K>,
    path: &str,
    allowance: Allowance<'_>,
) -> Result<Vec<u8>, IoError> {
    let data = target(permit, path)?.metadata()?;
    if !data.is_file && !data.is_dir {
        return Err(IoError::other("not a plain file"));
    }
    read_file(permit, path, allowance)
}

fn read_file<K: FileUse>(
    permit: &Permit<K>,
    path: &str,
    allowance: Allowance<'_>,
) -> Result<Vec<u8>, IoError> {
    let file = target(permit, path)?;
    let data = file.metadata()?;
    if data.is_dir {
        return Err(IoError::IsDirectory);
    }
    if !data.is_file {
        return read_slowly(file, allowance);
    }
    let mut file = file.reader()?;
    let mut bytes = Vec::new();
    loop {
        may_grow(&bytes, allowance)?;
        let mut chunk = file.by_ref().take(CHUNK as u64);
        #[expect(clippy::disallowed_methods, reason = "it reports refused memory")]
        if chunk.read_to_end(&mut bytes)? == 0 {
            return Ok(bytes);
        }
    }
}

/// Checks that there is memory for the text with another piece.
fn may_grow(bytes: &[u8], allowance: Allowance<'_>) -> Result<(), IoError> {
    // The text is copied once, and places in it are numbers of 32 bits.
    if u32::try_from(bytes.len()).is_err() {
        return Err(IoError::NoMemory);
    }
    allowance(2 * bytes.len())
}

/// Reads a pipe, a terminal or a device in a thread of its own, because the read may wait for ever. A device that
/// returns zeros without end contains no text.
fn read_slowly(file: Target, allowance: Allowance<'_>) -> Result<Vec<u8>, IoError> {
    let (sender, receiver) = sync_channel::<Result<Vec<u8>, IoError>>(1);
    let pieces = move || {
        let mut opened = file.reader();
        loop {
            let piece = match &mut opened {
                Ok(file) => read_piece(file).map_err(IoError::from),
                Err(error) => Err(error.clone()),
            };
            let last = !matches!(&piece, Ok(bytes) if !bytes.is_empty());
            // The caller may no longer wait for it.
            if sender.send(piece).is_err() || last {
                return;
            }
        }
    };
    std::thread::Builder::new()
        .name("wamlet-read".to_owned())
        .spawn(pieces)?;
    let mut bytes = Vec::new();
    loop {
        may_grow(&bytes, allowance)?;
        match receiver.recv_timeout(NAP) {
            Ok(piece) => {
                let piece = piece?;
                if piece.is_empty() {
                    return Ok(bytes);
                }
                bytes.put_slice(&piece)?;
                let text = matches!(detect_bom(&bytes), Bom::Absent | Bom::TooShort);
                if text && piece.contains(&0) {
                    return Err(IoError::other("not a text file"));
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(IoError::other("cannot be read")),
        }
    }
}

/// Reads the available bytes, none at the end.
fn read_piece(file: &mut impl Read) -> std::io::Result<Vec<u8>> {
    let mut piece = vec![0; CHUNK];
    loop {
        match file.read(&mut piece) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => {
                piece.truncate(read?);
                return Ok(piece);
            }
        }
    }
}

/// Returns the text of these bytes, as [`read_source_file`] reads it.
pub(crate) fn decode_source(bytes: Vec<u8>, encoding: Option<Encoding>) -> Result<String, IoError> {
    let (encoding, skip) = match detect_bom(&bytes) {
        Bom::Found(found) => (found, found.bom().len()),
        Bom::Absent | Bom::TooShort => (encoding.unwrap_or(Encoding::Utf8), 0),
    };
    if encoding == Encoding::Utf8 && skip == 0 {
        return String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
            wrong_byte(encoding, &before, valid as u64)
        });
    }
    let mut text = String::new();
    let mut replaced = VecDeque::new();
    let body = bytes.get(skip..).unwrap_or(&[]);
    decode(encoding, body, true, &mut text, &mut replaced)?;
    match replaced.front() {
        None => Ok(text),
        Some(wrong) => {
            let before = text.get(..wrong.at).unwrap_or("");
            let len = encoding.text_width(before, before.chars().count() as u64);
            Err(wrong_byte(encoding, before, skip as u64 + len))
        }
    }
}

/// Returns the error for an invalid byte after this text.
fn wrong_byte(encoding: Encoding, before: &str, byte_offset: u64) -> IoError {
    let (line, column) = line_column(before, before.len());
    IoError::InvalidEncoding {
        encoding,
        byte_offset,
        line,
        column,
    }
}
