//! Where the bytes of an output stream go.

use std::fs::File;
use std::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write};

/// A sink of bytes.
pub(crate) enum ByteSink {
    /// A file.
    File(File),
    /// A writer of the host.
    Writer(Box<dyn Write + Send>),
    /// Nowhere: they stay in the buffer of the stream, to be taken from there.
    Memory,
    /// The standard output of the process.
    Stdout,
    /// The standard error output of the process.
    Stderr,
}

impl ByteSink {
    /// Writes all bytes and sees to it that they leave the process.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            ByteSink::File(file) => file.write_all(bytes),
            ByteSink::Writer(writer) => {
                writer.write_all(bytes)?;
                writer.flush()
            }
            ByteSink::Memory => Ok(()),
            ByteSink::Stdout => {
                let mut stdout = std::io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            }
            ByteSink::Stderr => std::io::stderr().lock().write_all(bytes),
        }
    }

    /// Goes to a byte offset.
    pub(crate) fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        match self {
            ByteSink::File(file) => file.seek(to),
            _ => Err(Error::from(ErrorKind::NotSeekable)),
        }
    }

    /// Cuts a file off at a byte offset.
    pub(crate) fn truncate(&mut self, len: u64) -> Result<()> {
        match self {
            ByteSink::File(file) => file.set_len(len),
            _ => Err(Error::from(ErrorKind::NotSeekable)),
        }
    }
}
