//! The parts of an image, and writing and reading of its head.
//!
//! An image contains the clauses and directives of each file of a program, in their order. The clauses
//! are those that loading has added: grammar rules are translated, terms expanded and conditions
//! decided. Loading an image runs the directives and adds the clauses. An image contains no
//! instructions: each version of the engine compiles clauses itself, and never executes bytes of a
//! file. Facts are built at once, without the compiler. Rules are compiled when their predicate is
//! first called.
//!
//! ```text
//!   magic, format (4 bytes)
//!   number of the bytes that follow the next word (8 bytes), and their fingerprint (8 bytes)
//!   stamp of the engine                            text
//!   from the folder of the image to that of the program  text
//!   files: number, and for each                    see `File`
//!   atoms, functors                                see `terms::Numbering`
//!   the clauses and directives of each file        see `items`
//! ```

use super::bytes::{Damaged, END, Input, Unread, put_number, put_text};
use super::terms::Names;
use crate::base::atom_table::Symbols;
use crate::base::growth::{Grow, GrowBy, text_of};
use crate::base::stop::Stop;
use crate::io::fingerprint::fingerprint;
use std::ops::Range;
use std::sync::Arc;

/// The first bytes of an image. No text begins with them.
const MAGIC: &[u8; 8] = b"\x89WAMLET\n";
/// The number of this format.
const FORMAT: u32 = 1;
/// Number of bytes before those covered by the fingerprint.
const HEADER: usize = MAGIC.len() + 4 + 8 + 8;
/// The version of the engine, because the result of loading a text depends on it.
const STAMP: &str = env!("CARGO_PKG_VERSION");

/// A file of the program.
#[derive(Debug)]
pub(super) struct File {
    /// The name, relative to the folder of the program, or absolute.
    pub(super) name: String,
    /// The file that has loaded or included this one.
    pub(super) parent: Option<usize>,
    /// Whether the file is included.
    pub(super) included: bool,
    /// The fingerprint of the text of the file.
    pub(super) fingerprint: u128,
    /// The range of bytes with the clauses and directives of the file.
    pub(super) items: Range<usize>,
}

/// The head of an image.
#[derive(Debug)]
pub(super) struct Head {
    /// Whether this version of the engine has made the image.
    pub(super) fits: bool,
    /// The path from the folder of the image to that of the program.
    pub(super) folder: String,
    /// The files. The first one is the program, which loads the others.
    pub(super) files: Vec<File>,
    /// The offset of the names.
    pub(super) names: usize,
}

/// An image that can be loaded.
pub(super) struct Image {
    pub(super) bytes: Arc<[u8]>,
    pub(super) files: Vec<File>,
    pub(super) names: Names,
}

/// The reason why an image cannot be used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// The file is not an image.
    NoImage,
    /// Another version of the engine has made the image.
    Version,
    /// The image is damaged.
    Damaged(Damaged),
    /// The work must stop.
    Stop,
}

impl From<Damaged> for Unfit {
    fn from(damaged: Damaged) -> Unfit {
        Unfit::Damaged(damaged)
    }
}

impl From<Stop> for Unfit {
    fn from(_: Stop) -> Unfit {
        Unfit::Stop
    }
}

impl From<Unread> for Unfit {
    fn from(unread: Unread) -> Unfit {
        match unread {
            Unread::Damaged(damaged) => Unfit::Damaged(damaged),
            Unread::Stop => Unfit::Stop,
        }
    }
}

/// The message about an image of another version.
pub(super) const OTHER_VERSION: &str = "another version of wamlet made this image";

impl Unfit {
    pub(super) fn message(self) -> Result<String, Stop> {
        match self {
            Unfit::NoImage => Ok("this is not an image of a program".to_owned()),
            Unfit::Version => Ok(OTHER_VERSION.to_owned()),
            Unfit::Damaged(Damaged { at, what }) => {
                Ok(format!("the image is damaged at byte {at}: {what}"))
            }
            Unfit::Stop => Err(Stop),
        }
    }
}

/// Returns the bytes of an image with these files and their items.
pub(super) fn write(
    folder: &str,
    files: &[(File, Vec<u8>)],
    names: &[u8],
) -> Result<Vec<u8>, Stop> {
    let mut out = Vec::new();
    out.put_slice(MAGIC)?;
    out.put_slice(&FORMAT.to_le_bytes())?;
    out.put_slice(&[0; 16])?;
    put_text(&mut out, STAMP)?;
    put_text(&mut out, folder)?;
    put_number(&mut out, files.len() as u64)?;
    for (file, items) in files {
        put_text(&mut out, &file.name)?;
        put_number(&mut out, file.parent.map_or(0, |parent| parent as u64 + 1))?;
        out.put(u8::from(file.included))?;
        out.put_slice(&file.fingerprint.to_le_bytes())?;
        put_number(&mut out, items.len() as u64)?;
    }
    out.put_slice(names)?;
    for (_, items) in files {
        out.put_slice(items)?;
    }
    let sum = fingerprint(&out[HEADER..]);
    let length = (out.len() - HEADER) as u64;
    out[HEADER - 16..HEADER - 8].copy_from_slice(&length.to_le_bytes());
    out[HEADER - 8..HEADER].copy_from_slice(&sum.to_le_bytes());
    Ok(out)
}

/// Reads the head of an image.
pub(super) fn read_head(bytes: &[u8]) -> Result<Head, Unfit> {
    let damaged = |at, what| Err(Unfit::Damaged(Damaged { at, what }));
    let begun = MAGIC.starts_with(&bytes[..bytes.len().min(MAGIC.len())]);
    if bytes.is_empty() || !begun {
        return Err(Unfit::NoImage);
    }
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return damaged(bytes.len(), END);
    };
    let (format, sums) = header[MAGIC.len()..].split_at(4);
    if format != FORMAT.to_le_bytes() {
        return Err(Unfit::Version);
    }
    let (length, sum) = sums.split_at(8);
    if length != (body.len() as u64).to_le_bytes() {
        return damaged(bytes.len(), "it does not end here");
    }
    if sum != fingerprint(body).to_le_bytes() {
        return damaged(HEADER - 8, "the checksum is wrong");
    }
    let mut input = Input { bytes, at: HEADER };
    let fits = input.text()? == STAMP;
    let folder = text_of(input.text()?)?;
    let (mut files, mut lengths) = (Vec::new(), Vec::new());
    for number in 0..input.count()? {
        let name = text_of(input.text()?)?;
        let parent = input.below(number + 1)?.checked_sub(1);
        let included = input.below(2)? == 1;
        let mut print = [0; 16];
        print.copy_from_slice(input.slice(16)?);
        lengths.put(input.count()?)?;
        files.put(File {
            name,
            parent,
            included,
            fingerprint: u128::from_le_bytes(print),
            items: 0..0,
        })?;
    }
    let mut end = bytes.len();
    for (file, length) in files.iter_mut().zip(lengths).rev() {
        let Some(start) = end.checked_sub(length).filter(|&start| start >= input.at) else {
            return Err(input.damaged(END).into());
        };
        file.items = start..end;
        end = start;
    }
    if files.first().is_none_or(|file| file.included) {
        return Err(input.damaged("it contains no program").into());
    }
    Ok(Head {
        fits,
        folder,
        files,
        names: input.at,
    })
}

impl Image {
    /// Returns the image of these bytes, whose head has been read.
    pub(super) fn new(
        bytes: Arc<[u8]>,
        head: Head,
        symbols: &mut Symbols,
    ) -> Result<Image, Unread> {
        let mut input = Input {
            bytes: &bytes,
            at: head.names,
        };
        let names = Names::read(&mut input, symbols)?;
        let first = head.files.first().map_or(0, |file| file.items.start);
        if input.at != first {
            let what = "the names do not end where the clauses begin";
            return Err(input.damaged(what).into());
        }
        Ok(Image {
            bytes,
            files: head.files,
            names,
        })
    }
}
