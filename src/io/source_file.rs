//! Whole files of program text.

use super::allowance::Allowance;
use super::encoding::{Bom, Encoding, Replacement, decode, detect_bom};
use super::error::IoError;
use super::source::is_regular;
use crate::base::source::line_column;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;

/// Bytes that are read, and looked at, together.
const CHUNK: usize = 64 * 1024;

/// Reads a file of text in this encoding, UTF-8 by default; a byte order mark overrules it and is
/// not part of the text. Unlike a stream, it takes no text that is not in its encoding. Lines that end with
/// carriage returns alone end with line feeds then.
pub(crate) fn read_source_file(
    path: &str,
    encoding: Option<Encoding>,
    allowance: Allowance<'_>,
) -> Result<String, IoError> {
    decode_source(read_file(path, allowance)?, encoding).map(with_line_feeds)
}

/// Reads a program: as [`read_source_file`], but what is not UTF-8 within a text is replaced, so that
/// it can be told where it stands. What is no text at all is not read. Lines that end with carriage returns
/// alone end with line feeds then.
pub(crate) fn read_program_file(
    path: &str,
    allowance: Allowance<'_>,
) -> Result<(String, VecDeque<Replacement>), IoError> {
    let bytes = read_file(path, allowance)?;
    let skip = match detect_bom(&bytes) {
        Bom::Found(Encoding::Utf8) => Encoding::Utf8.bom().len(),
        Bom::Found(_) => bytes.len(),
        Bom::Absent | Bom::TooShort => 0,
    };
    let body = bytes.get(skip..).unwrap_or(&[]);
    let wrong: usize = match std::str::from_utf8(body) {
        Ok(_) => 0,
        Err(_) => {
            let chunks = body.utf8_chunks();
            chunks.map(|chunk| chunk.invalid().len()).sum()
        }
    };
    if wrong == 0 || 2 * wrong > body.len() || body.contains(&0) {
        let text = decode_source(bytes, None)?;
        return Ok((with_line_feeds(text), VecDeque::new()));
    }
    // A replacement is longer than what it replaces, and is remembered.
    allowance(2 * body.len() + wrong * (size_of::<Replacement>() + 2))?;
    let mut text = String::new();
    let mut replaced = VecDeque::new();
    decode(Encoding::Utf8, body, true, &mut text, &mut replaced);
    if u32::try_from(text.len()).is_err() {
        return Err(IoError::NoMemory);
    }
    Ok((with_line_feeds(text), replaced))
}

/// The text, where lines that end with carriage returns alone end with line feeds.
fn with_line_feeds(text: String) -> String {
    match text.contains('\r') && !text.contains('\n') {
        true => text.replace('\r', "\n"),
        false => text,
    }
}

/// Reads a program that was read before, to show a place in it. What is no plain file has nothing to
/// show any more, and might be waited for.
pub(crate) fn read_program_again(path: &str, allowance: Allowance<'_>) -> Result<String, IoError> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(IoError::other("not a plain file"));
    }
    read_program_file(path, allowance).map(|(text, _)| text)
}

/// Reads the bytes of a plain file.
pub(crate) fn read_bytes_of(path: &str, allowance: Allowance<'_>) -> Result<Vec<u8>, IoError> {
    let data = std::fs::metadata(path)?;
    if !data.is_file() && !data.is_dir() {
        return Err(IoError::other("not a plain file"));
    }
    read_file(path, allowance)
}

fn read_file(path: &str, allowance: Allowance<'_>) -> Result<Vec<u8>, IoError> {
    let mut file = File::open(path)?;
    let data = file.metadata()?;
    if data.is_dir() {
        return Err(IoError::IsDirectory);
    }
    let mut bytes = Vec::new();
    read_bytes(&mut file, &mut bytes, allowance)?;
    Ok(bytes)
}

/// The text of these bytes, as [`read_source_file`] reads it.
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
    decode(encoding, body, true, &mut text, &mut replaced);
    match replaced.front() {
        None => Ok(text),
        Some(wrong) => {
            let before = text.get(..wrong.at).unwrap_or("");
            let len = encoding.text_width(before, before.chars().count() as u64);
            Err(wrong_byte(encoding, before, skip as u64 + len))
        }
    }
}

/// The error of a byte that is no text, which stands after this text.
fn wrong_byte(encoding: Encoding, before: &str, byte_offset: u64) -> IoError {
    let (line, column) = line_column(before, before.len());
    IoError::InvalidEncoding {
        encoding,
        byte_offset,
        line,
        column,
    }
}

/// Pipes and terminals end; a device that gives zeros for ever does not, and holds no text.
fn read_bytes(
    file: &mut File,
    bytes: &mut Vec<u8>,
    allowance: Allowance<'_>,
) -> Result<(), IoError> {
    let regular = is_regular(file);
    loop {
        let before = bytes.len();
        // The text is copied once, and places in it are numbers of 32 bits.
        if u32::try_from(before).is_err() {
            return Err(IoError::NoMemory);
        }
        allowance(2 * before)?;
        let count = Read::by_ref(file).take(CHUNK as u64).read_to_end(bytes)?;
        if count == 0 {
            return Ok(());
        }
        let chunk = bytes.get(before..).unwrap_or(&[]);
        let text = matches!(detect_bom(bytes), Bom::Absent | Bom::TooShort);
        if !regular && text && chunk.contains(&0) {
            return Err(IoError::other("not a text file"));
        }
    }
}
