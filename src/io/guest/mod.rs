//! The files of a confined engine: guest names, the places that are granted under them, and who holds the files.
//! What an engine does with files is in `io::files`, `io::source_file` and `io::stream_table`: they ask `io::target`.
//!
//! A guest name is made absolute and normal before anything is looked up. Then the grants decide, by the name alone;
//! only then [`HostFiles`] is asked.
#![forbid(unsafe_code)]

pub(crate) mod directory;
pub(crate) mod memory;
pub(crate) mod one_file;
pub(crate) mod path;

use crate::base::growth::Gather;
use crate::base::needs::{Kind, Load, Needs, Read, Write};
use crate::base::stop::Stop;
use path::GuestPath;
use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::Arc;
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

/// A kind of permits for files.
pub(crate) trait FileUse: Kind {}

impl FileUse for Read {}
impl FileUse for Write {}
impl FileUse for Load {}

/// A place that is granted.
#[derive(Clone)]
pub(crate) struct Mount {
    /// Its guest name.
    pub(crate) at: GuestPath,
    /// What it is granted for.
    pub(crate) uses: Needs,
    /// Who holds the files there.
    pub(crate) files: Arc<dyn HostFiles>,
    /// Was it admitted with a program that the host has named?
    pub(crate) admitted: bool,
}

impl fmt::Debug for Mount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mount").field(&self.at).finish()
    }
}

/// The places of a confined engine.
#[derive(Debug, Default)]
pub(crate) struct Guest {
    mounts: Vec<Mount>,
    /// Places that are granted to nobody, whatever is granted around them.
    denied: Vec<GuestPath>,
}

/// A file that is granted: who holds it, its path there, and where the root of that is.
pub(crate) struct Granted {
    pub(crate) files: Arc<dyn HostFiles>,
    pub(crate) path: GuestPath,
    pub(crate) at: GuestPath,
    pub(crate) admitted: bool,
}

impl Guest {
    /// These places.
    pub(crate) fn new(mounts: Vec<Mount>, denied: Vec<GuestPath>) -> Guest {
        Guest { mounts, denied }
    }

    /// These places with one that the host admits; none if it is there already. Of several places of a name the last
    /// one counts.
    pub(crate) fn admitting(&self, mount: Mount) -> Result<Option<Guest>, Stop> {
        let place = mount.files.system_place();
        let same = |known: &&Mount| known.at == mount.at && known.uses.any(mount.uses);
        let last = self.mounts.iter().rev().find(same);
        if place.is_some() && last.is_some_and(|known| known.files.system_place() == place) {
            return Ok(None);
        }
        let mounts = self.mounts.iter().cloned().chain([mount]).gather()?;
        let denied = self.denied.iter().cloned().gather()?;
        Ok(Some(Guest { mounts, denied }))
    }

    /// The file of a guest name, if it is granted for this use: by the deepest place that grants it.
    pub(crate) fn find(&self, path: &GuestPath, need: Needs) -> Option<Granted> {
        if self.is_denied(path) {
            return None;
        }
        let granting = self.mounts.iter().filter(|mount| mount.uses.any(need));
        let found = granting.filter_map(|mount| Some((mount, path.below(&mount.at)?)));
        let (mount, below) = found.max_by_key(|(mount, _)| mount.at.as_str().len())?;
        let granted = Granted {
            files: Arc::clone(&mount.files),
            path: below,
            at: mount.at.clone(),
            admitted: mount.admitted,
        };
        (self.denied.is_empty() || !self.leads_to_denied(&granted)).then_some(granted)
    }

    /// Does a link lead to what is denied? Of a file that is not there the nearest folder that is says so; a link
    /// to a file that might be made leads anywhere.
    fn leads_to_denied(&self, granted: &Granted) -> bool {
        let mut next = Some(granted.path.clone());
        while let Some(path) = next {
            if let Ok(real) = granted.files.real_path(&path) {
                return self.is_denied(&real.seen_at(&granted.at));
            }
            if granted.files.read_link(&path).is_ok() {
                return true;
            }
            next = path.parent();
        }
        true
    }

    fn is_denied(&self, path: &GuestPath) -> bool {
        self.denied
            .iter()
            .any(|denied| path.below(denied).is_some())
    }

    /// Is something denied below this path?
    pub(crate) fn holds_denied(&self, path: &GuestPath) -> bool {
        self.denied
            .iter()
            .any(|denied| denied.below(path).is_some())
    }
}
