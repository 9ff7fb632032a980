//! Who holds the files of confined engines.

use super::path::GuestPath;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::time::SystemTime;

/// Who holds the files of confined engines. All paths are absolute and normal; the root `/` is that of this holder,
/// wherever an engine has it. Engines on several threads may call it at once.
///
/// What a holder does not let be done it answers with [`refused_file`]: the text then sees the same refusal as
/// for a place that is not granted. The functions that change files refuse unless a holder defines them.
pub trait HostFiles: Send + Sync {
    #[doc(hidden)]
    fn system_place(&self) -> Option<&std::path::Path> {
        None
    }

    /// Opens a file.
    ///
    /// # Errors
    /// [`ErrorKind::NotFound`] and others, as the standard library has them.
    fn open(&self, path: &GuestPath, mode: FileMode) -> io::Result<HostFile>;

    /// Returns what is known of a file or directory. Links are followed.
    ///
    /// # Errors
    /// As [`HostFiles::open`].
    fn metadata(&self, path: &GuestPath) -> io::Result<FileMetadata>;

    /// Returns the names in a directory, in any order, without `.` and `..`.
    ///
    /// # Errors
    /// As [`HostFiles::open`].
    fn list(&self, path: &GuestPath) -> io::Result<Vec<String>>;

    /// Returns the path of a file without symbolic links.
    ///
    /// # Errors
    /// As [`HostFiles::open`].
    fn real_path(&self, path: &GuestPath) -> io::Result<GuestPath> {
        self.metadata(path).map(|_| path.clone())
    }

    /// Returns what a symbolic link holds.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidInput`] for what is no link.
    fn read_link(&self, path: &GuestPath) -> io::Result<String> {
        self.metadata(path)?;
        Err(ErrorKind::InvalidInput.into())
    }

    /// Deletes a file or a link.
    ///
    /// # Errors
    /// As [`HostFiles::open`].
    fn remove(&self, _path: &GuestPath) -> io::Result<()> {
        Err(refused_file())
    }

    /// Deletes an empty directory.
    ///
    /// # Errors
    /// As [`HostFiles::open`].
    fn remove_dir(&self, _path: &GuestPath) -> io::Result<()> {
        Err(refused_file())
    }

    /// Renames a file or directory. A file of the new name is replaced.
    ///
    /// # Errors
    /// As [`HostFiles::open`].
    fn rename(&self, _from: &GuestPath, _to: &GuestPath) -> io::Result<()> {
        Err(refused_file())
    }

    /// Makes a directory.
    ///
    /// # Errors
    /// As [`HostFiles::open`].
    fn make_dir(&self, _path: &GuestPath) -> io::Result<()> {
        Err(refused_file())
    }

    /// Makes `link` another name for the file `target`, or a symbolic link to it.
    ///
    /// # Errors
    /// As [`HostFiles::open`].
    fn link(&self, _target: &GuestPath, _link: &GuestPath, _symbolic: bool) -> io::Result<()> {
        Err(refused_file())
    }
}

/// For what a file is opened.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileMode {
    /// Read it.
    Read,
    /// Write it from its start; make it, or drop what it holds.
    Write,
    /// Write after what it holds; make it if it is not there.
    Append,
    /// Write over what it holds from its start; make it if it is not there.
    Update,
}

/// What is known of a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FileMetadata {
    /// Is it a directory?
    pub is_dir: bool,
    /// Is it a plain file, no directory, pipe or device?
    pub is_file: bool,
    /// Its number of bytes.
    pub len: u64,
    /// When it was changed last, if that is known.
    pub modified: Option<SystemTime>,
    /// May nobody write it?
    pub readonly: bool,
}

impl FileMetadata {
    /// What the system knows of a file.
    pub(crate) fn of(data: &std::fs::Metadata) -> FileMetadata {
        FileMetadata {
            is_dir: data.is_dir(),
            is_file: data.is_file(),
            len: data.len(),
            modified: data.modified().ok(),
            readonly: data.permissions().readonly(),
        }
    }
}

/// A file that was opened.
pub struct HostFile(pub(crate) Opened);

/// How its bytes are reached.
pub(crate) enum Opened {
    File(File),
    Bytes(Vec<u8>),
    Reader(Box<dyn io::Read + Send>),
    Writer(Box<dyn io::Write + Send>),
}

impl HostFile {
    /// A file of the system.
    pub fn file(file: File) -> HostFile {
        HostFile(Opened::File(file))
    }

    /// These bytes, to be read.
    pub fn bytes(bytes: Vec<u8>) -> HostFile {
        HostFile(Opened::Bytes(bytes))
    }

    /// What a reader gives.
    pub fn reader(reader: impl io::Read + Send + 'static) -> HostFile {
        HostFile(Opened::Reader(Box::new(reader)))
    }

    /// What a writer takes. The engine flushes it after each piece.
    pub fn writer(writer: impl io::Write + Send + 'static) -> HostFile {
        HostFile(Opened::Writer(Box::new(writer)))
    }
}

impl fmt::Debug for HostFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Opened::File(_) => "HostFile(file)",
            Opened::Bytes(_) => "HostFile(bytes)",
            Opened::Reader(_) => "HostFile(reader)",
            Opened::Writer(_) => "HostFile(writer)",
        })
    }
}

/// The error by which a [`HostFiles`] refuses.
#[derive(Debug)]
struct RefusedFile;

impl fmt::Display for RefusedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the file is not granted")
    }
}

impl std::error::Error for RefusedFile {}

/// Returns the error by which [`HostFiles`] refuses a file: the text sees `permission_error(use, capability, C)`.
pub fn refused_file() -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, RefusedFile)
}

/// Is it that error?
pub(crate) fn is_refused(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(|inner| inner.is::<RefusedFile>())
}

/// No files: it refuses everything.
#[derive(Copy, Clone, Debug, Default)]
pub struct NoFiles;

impl HostFiles for NoFiles {
    fn open(&self, _: &GuestPath, _: FileMode) -> io::Result<HostFile> {
        Err(refused_file())
    }

    fn metadata(&self, _: &GuestPath) -> io::Result<FileMetadata> {
        Err(refused_file())
    }

    fn list(&self, _: &GuestPath) -> io::Result<Vec<String>> {
        Err(refused_file())
    }
}
