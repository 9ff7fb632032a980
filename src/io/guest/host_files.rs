//! The interface of holders of files for confined engines.

use super::path::GuestPath;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::time::SystemTime;

/// A holder of files for confined engines. All paths are absolute and normal. The root `/` is that of the holder,
/// whatever guest name it has. Engines on several threads may call a holder at once.
///
/// A holder refuses an operation with [`refused_file`]. The program then sees the same refusal as for a place that is
/// not granted. The functions that change files refuse unless a holder defines them.
pub trait HostFiles: Send + Sync {
    #[doc(hidden)]
    fn system_place(&self) -> Option<&std::path::Path> {
        None
    }

    /// Opens a file.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotFound`] and other errors, as the standard library does.
    fn open(&self, path: &GuestPath, mode: FileMode) -> io::Result<HostFile>;

    /// Returns the metadata of a file or directory. Links are followed.
    ///
    /// # Errors
    /// Returns the errors of [`HostFiles::open`].
    fn metadata(&self, path: &GuestPath) -> io::Result<FileMetadata>;

    /// Returns the names in a directory, in any order, without `.` and `..`.
    ///
    /// # Errors
    /// Returns the errors of [`HostFiles::open`].
    fn list(&self, path: &GuestPath) -> io::Result<Vec<String>>;

    /// Returns the path of a file without symbolic links.
    ///
    /// # Errors
    /// Returns the errors of [`HostFiles::open`].
    fn real_path(&self, path: &GuestPath) -> io::Result<GuestPath> {
        self.metadata(path).map(|_| path.clone())
    }

    /// Returns the content of a symbolic link.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidInput`] if the file is no link.
    fn read_link(&self, path: &GuestPath) -> io::Result<String> {
        self.metadata(path)?;
        Err(ErrorKind::InvalidInput.into())
    }

    /// Deletes a file or a link.
    ///
    /// # Errors
    /// Returns the errors of [`HostFiles::open`].
    fn remove(&self, _path: &GuestPath) -> io::Result<()> {
        Err(refused_file())
    }

    /// Deletes an empty directory.
    ///
    /// # Errors
    /// Returns the errors of [`HostFiles::open`].
    fn remove_dir(&self, _path: &GuestPath) -> io::Result<()> {
        Err(refused_file())
    }

    /// Renames a file or directory. A file of the new name is replaced.
    ///
    /// # Errors
    /// Returns the errors of [`HostFiles::open`].
    fn rename(&self, _from: &GuestPath, _to: &GuestPath) -> io::Result<()> {
        Err(refused_file())
    }

    /// Makes a directory.
    ///
    /// # Errors
    /// Returns the errors of [`HostFiles::open`].
    fn make_dir(&self, _path: &GuestPath) -> io::Result<()> {
        Err(refused_file())
    }

    /// Makes `link` another name for the file `target`, or a symbolic link to it.
    ///
    /// # Errors
    /// Returns the errors of [`HostFiles::open`].
    fn link(&self, _target: &GuestPath, _link: &GuestPath, _symbolic: bool) -> io::Result<()> {
        Err(refused_file())
    }
}

/// The use for which a file is opened.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileMode {
    /// Reading.
    Read,
    /// Writing from the start: makes the file, or drops its content.
    Write,
    /// Writing after the content: makes the file if it does not exist.
    Append,
    /// Writing over the content, from its start: makes the file if it does not exist.
    Update,
}

/// The metadata of a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct FileMetadata {
    /// Whether the file is a directory.
    pub is_dir: bool,
    /// Whether the file is plain: no directory, pipe or device.
    pub is_file: bool,
    /// The number of bytes of the file.
    pub len: u64,
    /// Time of the last change, if that is known.
    pub modified: Option<SystemTime>,
    /// Whether no user may write the file.
    pub readonly: bool,
}

impl FileMetadata {
    /// Converts the metadata of the system.
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

/// An open file.
pub struct HostFile(pub(crate) Opened);

/// The access to its bytes.
pub(crate) enum Opened {
    File(File),
    Bytes(Vec<u8>),
    Reader(Box<dyn io::Read + Send>),
    Writer(Box<dyn io::Write + Send>),
}

impl HostFile {
    /// Makes an open file of the system.
    pub fn file(file: File) -> HostFile {
        HostFile(Opened::File(file))
    }

    /// Makes a file with these bytes, to be read.
    pub fn bytes(bytes: Vec<u8>) -> HostFile {
        HostFile(Opened::Bytes(bytes))
    }

    /// Makes a file whose bytes come from a reader.
    pub fn reader(reader: impl io::Read + Send + 'static) -> HostFile {
        HostFile(Opened::Reader(Box::new(reader)))
    }

    /// Makes a file whose bytes go to a writer. The engine flushes the writer after each piece.
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

/// Returns the error by which [`HostFiles`] refuses a file. The program sees `permission_error(use, capability, C)`.
pub fn refused_file() -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, RefusedFile)
}

/// Returns whether the error is that refusal.
pub(crate) fn is_refused(error: &io::Error) -> bool {
    error
        .get_ref()
        .is_some_and(|inner| inner.is::<RefusedFile>())
}

/// A holder without files: it refuses everything.
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
