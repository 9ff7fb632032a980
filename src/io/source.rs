//! The sources of the bytes of an input stream.

use super::guest::host_files::refused_file;
use super::host::OfHost;
use super::line_editor::{Line, LineEditor};
use crate::base::growth::{Grow, GrowBy};
use crate::base::panics::Entrusted;
use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, Error, ErrorKind, Read, Result, Seek, SeekFrom};
use std::path::Path;

/// Number of bytes read from a file or a reader at a time.
const CHUNK: usize = 32 * 1024;

/// A source of bytes.
pub(crate) enum ByteSource {
    /// A file.
    File(BufReader<File>),
    /// A reader of the host.
    Reader(BufReader<OfHost<Box<dyn Read + Send>>>),
    /// Memory.
    Memory(Cursor<Vec<u8>>),
    /// The standard input of the process, which the host may also read.
    Stdin,
    /// The standard input of the process: a terminal whose lines a person edits.
    Edited(Edited),
    /// No source, because the engine has no grant to read.
    Refused,
}

/// Lines of a terminal that a person edits.
pub(crate) struct Edited {
    editor: Entrusted<Box<dyn LineEditor>>,
    /// The text in front of the prompt of the next line, and the prompt. `None` if both are on the screen and no
    /// editor may be waited for.
    asks: Option<(String, String)>,
    /// The last line, and the number of its bytes taken.
    line: Vec<u8>,
    taken: usize,
}

impl Edited {
    /// Makes a source of the lines of this editor.
    pub(crate) fn new(editor: Box<dyn LineEditor>) -> Edited {
        Edited {
            editor: Entrusted::new(editor),
            asks: Some(Default::default()),
            line: Vec::new(),
            taken: 0,
        }
    }

    /// Sets the texts before the next line.
    pub(crate) fn ask(&mut self, asks: Option<(String, String)>) {
        self.asks = asks;
    }

    /// Returns a key that was already read.
    pub(crate) fn typed_key(&mut self) -> Option<char> {
        self.editor.get().typed_key()
    }

    /// Returns the bytes of the line, or of the next one if all of it was taken; none at the end. A discarded line
    /// counts as an interrupt.
    fn bytes(&mut self) -> Result<&[u8]> {
        if self.taken == self.line.len() {
            self.taken = 0;
            self.line.clear();
            match self.asks.replace(Default::default()) {
                None => self.line = stdin_line(|bytes| (bytes.len(), Vec::of(bytes)))??,
                Some((before, prompt)) => match self.editor.get().line_after(&before, &prompt) {
                    Line::Text(text) => {
                        self.line = text.into_bytes();
                        self.line.put(b'\n')?;
                    }
                    Line::GivenUp => return Err(ErrorKind::Interrupted.into()),
                    Line::End => {}
                },
            }
        }
        Ok(&self.line[self.taken..])
    }
}

/// Reads a line of the standard input. Reads one line at a time, because further lines may be meant for the host.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
fn stdin_line<R>(look: impl FnOnce(&[u8]) -> (usize, R)) -> Result<R> {
    let mut stdin = std::io::stdin().lock();
    let bytes = stdin.fill_buf()?;
    let end = bytes
        .iter()
        .position(|&b| b == b'\n')
        .map_or(bytes.len(), |at| at + 1);
    let (used, result) = look(&bytes[..end]);
    stdin.consume(used);
    Ok(result)
}

impl ByteSource {
    /// Makes a source of the bytes of a file.
    pub(crate) fn file(file: File) -> ByteSource {
        ByteSource::File(BufReader::with_capacity(CHUNK, file))
    }

    /// Makes a source of the bytes of a reader.
    pub(crate) fn reader(reader: Box<dyn Read + Send>) -> ByteSource {
        ByteSource::Reader(BufReader::with_capacity(CHUNK, OfHost::new(reader)))
    }

    /// Makes a source of these bytes.
    pub(crate) fn memory(bytes: Vec<u8>) -> ByteSource {
        ByteSource::Memory(Cursor::new(bytes))
    }

    /// Passes the next bytes to `look`, none at the end of the source. `look` returns the number of bytes that it
    /// takes, and its result.
    pub(crate) fn with_chunk<R>(&mut self, look: impl FnOnce(&[u8]) -> (usize, R)) -> Result<R> {
        match self {
            ByteSource::File(file) => look_at(file, CHUNK, look),
            ByteSource::Reader(reader) => look_at(reader, CHUNK, look),
            ByteSource::Memory(memory) => look_at(memory, CHUNK, look),
            ByteSource::Stdin => stdin_line(look),
            ByteSource::Refused => Err(refused_file()),
            ByteSource::Edited(edited) => {
                let (used, result) = look(edited.bytes()?);
                edited.taken += used;
                Ok(result)
            }
        }
    }

    /// Returns whether more can be read ahead than was requested, because the source never waits for another process
    /// or a person.
    pub(crate) fn is_ready(&self) -> bool {
        matches!(self, ByteSource::Memory(_))
            || matches!(self, ByteSource::File(file) if is_regular(file.get_ref()))
    }

    /// Returns whether the source can be read from any place.
    pub(crate) fn is_seekable(&self) -> bool {
        self.is_ready()
    }

    /// Returns the number of bytes, if that is known.
    pub(crate) fn len(&self) -> Option<u64> {
        match self {
            ByteSource::File(file) => file.get_ref().metadata().ok().map(|data| data.len()),
            ByteSource::Memory(memory) => Some(memory.get_ref().len() as u64),
            ByteSource::Reader(_)
            | ByteSource::Stdin
            | ByteSource::Edited(_)
            | ByteSource::Refused => None,
        }
    }

    /// Moves to a byte offset.
    pub(crate) fn seek(&mut self, offset: u64) -> Result<()> {
        match self {
            ByteSource::File(file) => file.seek(SeekFrom::Start(offset)).map(drop),
            ByteSource::Memory(memory) => {
                memory.set_position(offset);
                Ok(())
            }
            ByteSource::Reader(_)
            | ByteSource::Stdin
            | ByteSource::Edited(_)
            | ByteSource::Refused => Err(Error::from(ErrorKind::NotSeekable)),
        }
    }
}

/// Returns whether the file is plain: no device, pipe or terminal.
pub(crate) fn is_regular(file: &File) -> bool {
    file.metadata().is_ok_and(|data| data.is_file())
}

/// Returns whether the file is a pipe with a name in the file system.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn is_named_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

fn look_at<R>(
    source: &mut impl BufRead,
    most: usize,
    look: impl FnOnce(&[u8]) -> (usize, R),
) -> Result<R> {
    let bytes = source.fill_buf()?;
    let (used, result) = look(&bytes[..bytes.len().min(most)]);
    source.consume(used);
    Ok(result)
}
