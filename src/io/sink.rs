//! The targets of the bytes of an output stream.

use super::host::OfHost;
use crate::base::watch::Watch;
use std::fs::File;
use std::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write};

/// A sink of bytes.
pub(crate) enum ByteSink {
    /// A file.
    File(File),
    /// A writer of the host.
    Writer(OfHost<Box<dyn Write + Send>>),
    /// Memory: the bytes stay in the buffer of the stream until they are taken.
    Memory,
    /// The standard output of the process.
    Stdout,
    /// The standard error output of the process.
    Stderr,
}

impl ByteSink {
    /// Makes a sink for a writer of the host.
    pub(crate) fn writer(writer: Box<dyn Write + Send>) -> ByteSink {
        ByteSink::Writer(OfHost::new(writer))
    }

    /// Writes bytes and makes sure that they leave the process. Returns their number. It is less than all if the work
    /// must stop before the write waits.
    ///
    /// # Errors
    /// Returns the errors of the system or the writer. Returns [`ErrorKind::Interrupted`] if the work must stop while
    /// the write waits for the reader.
    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    pub(crate) fn write(&mut self, bytes: &[u8], watch: &Watch) -> Result<usize> {
        match self {
            ByteSink::File(file) => write_all(file, bytes, watch),
            ByteSink::Writer(writer) => {
                let written = write_all(writer, bytes, watch)?;
                writer.flush()?;
                Ok(written)
            }
            ByteSink::Memory => Ok(bytes.len()),
            ByteSink::Stdout => {
                let mut stdout = std::io::stdout().lock();
                // Output that the host itself has written comes first.
                stdout.flush()?;
                if let Some(mut file) = unbuffered(&stdout) {
                    return write_all(&mut file, bytes, watch);
                }
                stdout.write_all(bytes)?;
                stdout.flush()?;
                Ok(bytes.len())
            }
            ByteSink::Stderr => {
                let mut stderr = std::io::stderr().lock();
                if let Some(mut file) = unbuffered(&stderr) {
                    return write_all(&mut file, bytes, watch);
                }
                stderr.write_all(bytes)?;
                Ok(bytes.len())
            }
        }
    }

    /// Moves to a byte offset.
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

/// Returns a standard stream as a file, because the library would restart an interrupted call.
#[cfg(unix)]
fn unbuffered(stream: &impl std::os::fd::AsFd) -> Option<File> {
    stream.as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn unbuffered<T>(_: &T) -> Option<File> {
    None
}

/// Writes bytes. Waits for the reader no longer than the work may take.
fn write_all(to: &mut impl Write, bytes: &[u8], watch: &Watch) -> Result<usize> {
    let mut written = 0;
    while let Some(left) = bytes.get(written..).filter(|left| !left.is_empty()) {
        match watch.wait_if_ended(|| to.write(left)) {
            // The reader takes no more at present.
            None if written > 0 => return Err(Error::from(ErrorKind::Interrupted)),
            None => break,
            Some(Ok(0)) => return Err(Error::from(ErrorKind::WriteZero)),
            Some(Ok(more)) => written += more,
            Some(Err(error)) if error.kind() == ErrorKind::Interrupted => {
                if watch.ends_instruction() {
                    return Err(error);
                }
            }
            Some(Err(error)) => return Err(error),
        }
    }
    Ok(written)
}
