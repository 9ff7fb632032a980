//! The file of a name for the engine that works: a file of the system, or one that a confined engine was granted.

use super::error::IoError;
use super::files::{Directory, seen};
use super::guest::grants::{FileUse, Granted, Guest};
use super::guest::host_files::{FileMetadata, FileMode, HostFile, Opened, is_refused};
use super::guest::path::GuestPath;
use super::options::{OpenMode, Opening};
use crate::base::needs::{Kind, Needs, Permit, Read, Write};
use crate::base::panics;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A file that may exist.
pub(crate) enum Target {
    /// A file of the system.
    System(PathBuf),
    /// A file of a confined engine.
    Guest(Guested),
}

/// A file of a confined engine, and the use for which it was granted.
pub(crate) struct Guested {
    pub(crate) granted: Granted,
    /// The whole guest name of the file.
    pub(crate) name: GuestPath,
    need: Needs,
}

/// Returns the guest name of a file, in a confined engine.
pub(crate) fn guest_name(path: &str) -> Option<(Arc<Guest>, GuestPath)> {
    let present = Directory::present();
    let guest = Arc::clone(present.guest()?);
    Some((guest, present.guest_path(path)))
}

/// Returns the file of a name.
///
/// # Errors
/// Returns an error if the working engine is confined and has no grant for the file.
pub(crate) fn target<K: FileUse>(_: &Permit<K>, path: &str) -> Result<Target, IoError> {
    target_for(K::NEED, path)
}

/// Returns the file of a name that is to be opened.
///
/// # Errors
/// Returns the errors of [`target`].
pub(super) fn target_of(opening: &Opening, path: &str) -> Result<Target, IoError> {
    target_for(
        match opening.0 {
            OpenMode::Read => Read::NEED,
            OpenMode::Write | OpenMode::Append | OpenMode::Update => Write::NEED,
        },
        path,
    )
}

fn target_for(need: Needs, path: &str) -> Result<Target, IoError> {
    let Some((guest, name)) = guest_name(path) else {
        return Ok(Target::System(seen(path)));
    };
    let granted = guest.find(&name, need).ok_or(IoError::Refused(need))?;
    Ok(Target::Guest(Guested {
        granted,
        name,
        need,
    }))
}

/// Returns whether a confined engine was granted a file of this name only because the host has named a program beside
/// it. A file that the host has named itself does not count.
pub(crate) fn is_admitted<K: FileUse>(permit: &Permit<K>, path: &str) -> bool {
    let beside = |granted: &Granted| granted.admitted && granted.path != GuestPath::root();
    matches!(target(permit, path), Ok(Target::Guest(guest)) if beside(&guest.granted))
}

/// Converts the result of a call of a holder of files.
fn refused_as<T>(need: Needs, result: io::Result<T>) -> Result<T, IoError> {
    result.map_err(|error| match is_refused(&error) {
        true => IoError::Refused(need),
        false => error.into(),
    })
}

impl Guested {
    /// Calls the holder.
    pub(crate) fn call_holder<T>(
        &self,
        work: impl FnOnce(&Granted) -> io::Result<T>,
    ) -> Result<T, IoError> {
        // A holder that the host has written may panic.
        let done = panics::in_host(|| work(&self.granted));
        let failed = || io::Error::other("the host's file provider panicked");
        refused_as(self.need, done.unwrap_or_else(|_| Err(failed())))
    }
}

impl Target {
    /// Returns the metadata of the file. Links are followed.
    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    pub(crate) fn metadata(&self) -> Result<FileMetadata, IoError> {
        match self {
            Target::System(path) => Ok(FileMetadata::of(&fs::metadata(path)?)),
            Target::Guest(guest) => {
                guest.call_holder(|granted| granted.files.metadata(&granted.path))
            }
        }
    }

    /// Returns the metadata of the file; `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the access is refused.
    pub(crate) fn found(&self) -> Result<Option<FileMetadata>, IoError> {
        match self.metadata() {
            Err(error @ IoError::Refused(_)) => Err(error),
            found => Ok(found.ok()),
        }
    }

    /// Opens the file.
    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    pub(crate) fn open(&self, mode: FileMode) -> Result<HostFile, IoError> {
        let path = match self {
            Target::System(path) => path,
            Target::Guest(guest) => {
                return guest.call_holder(|granted| granted.files.open(&granted.path, mode));
            }
        };
        let mut options = OpenOptions::new();
        match mode {
            FileMode::Read => options.read(true),
            FileMode::Write => options.write(true).create(true).truncate(true),
            FileMode::Append => options.append(true).create(true),
            FileMode::Update => options.write(true).create(true).truncate(false),
        };
        Ok(HostFile::file(options.open(path)?))
    }

    /// Opens the file to read its bytes.
    pub(crate) fn reader(&self) -> Result<Box<dyn io::Read + Send>, IoError> {
        Ok(match self.open(FileMode::Read)?.0 {
            Opened::File(file) => Box::new(file),
            Opened::Bytes(bytes) => Box::new(io::Cursor::new(bytes)),
            Opened::Reader(reader) => Box::new(super::host::OfHost::new(reader)),
            Opened::Writer(_) => return Err(IoError::other("the host gave no file for reading")),
        })
    }

    /// Opens the file to write its bytes from the start.
    pub(crate) fn writer(&self) -> Result<Box<dyn io::Write + Send>, IoError> {
        Ok(match self.open(FileMode::Write)?.0 {
            Opened::File(file) => Box::new(file),
            Opened::Writer(writer) => Box::new(super::host::OfHost::new(writer)),
            _ => return Err(IoError::other("the host gave no file for writing")),
        })
    }

    /// Returns whether the system lets a plain file be written.
    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    pub(crate) fn may_write(&self) -> bool {
        match self {
            Target::System(path) => OpenOptions::new().write(true).open(path).is_ok(),
            Target::Guest(_) => self.metadata().is_ok_and(|data| !data.readonly),
        }
    }

    /// Deletes the file or link.
    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    pub(crate) fn remove(&self) -> Result<(), IoError> {
        match self {
            Target::System(path) => {
                if fs::symlink_metadata(path)?.is_dir() {
                    return Err(IoError::IsDirectory);
                }
                Ok(fs::remove_file(path)?)
            }
            Target::Guest(guest) => {
                guest.call_holder(|granted| granted.files.remove(&granted.path))
            }
        }
    }

    /// Returns whether the file is a pipe with a name in the file system. A confined engine has none.
    pub(crate) fn is_named_pipe(&self) -> bool {
        matches!(self, Target::System(path) if super::source::is_named_pipe(path))
    }
}
