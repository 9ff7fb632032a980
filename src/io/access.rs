//! Access to files: whether a file grants a use, and the first of several files that does.

use super::error::IoError;
use super::files::absolute;
use super::guest::host_files::{FileMetadata, FileMode};
use super::paths;
use super::target::{guest_name, target};
use crate::base::named::named;
use crate::base::needs::{Kind, Permit, Read, Write};

named! {
    /// The wanted use of a file (`access(A)`).
    Access {
        /// No use: the file need not exist.
        None "none",
        /// Existence.
        Exist "exist",
        /// Existence and permission to read.
        Read "read" | "execute" | "search",
        /// Permission to write or make the file.
        Write "write" | "append",
    }
}

/// The wanted kind of file (`file_type(T)`).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Anything except a directory.
    File,
    /// A directory.
    Directory,
}

/// Returns the first of the absolute names of `path` with one of the `extensions`, in their order, that grants
/// `access`. An empty extension stands for `path` itself, and so does an empty list.
pub(crate) fn find_file(
    read: &Permit<Read>,
    path: &str,
    extensions: &[&str],
    kind: FileKind,
    access: Access,
    relative_to: Option<&str>,
) -> Result<Option<String>, IoError> {
    let absolute = absolute(path, relative_to)?;
    let extensions = if extensions.is_empty() {
        &[""]
    } else {
        extensions
    };
    for extension in extensions {
        let candidate = paths::with_extension(&absolute, extension);
        if grants(read, &candidate, kind, access)? {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

/// Returns whether the file grants this access. In a confined engine a file without a grant for writing cannot be
/// written.
pub(crate) fn grants(
    read: &Permit<Read>,
    path: &str,
    kind: FileKind,
    access: Access,
) -> Result<bool, IoError> {
    if access == Access::None {
        return Ok(true);
    }
    let file = target(read, path)?;
    let data = file.found()?;
    let right_kind = |data: &FileMetadata| data.is_dir == (kind == FileKind::Directory);
    // Anyone who may look at the file may know whether it can be written.
    let may_be_written = match guest_name(path) {
        Some((guest, name)) => guest.find(&name, Write::NEED).is_some(),
        None => true,
    };
    Ok(match (access, data) {
        (Access::None, _) => true,
        (Access::Exist, Some(data)) => right_kind(&data),
        (Access::Read, Some(data)) if data.is_file => {
            right_kind(&data) && file.open(FileMode::Read).is_ok()
        }
        // Opening a pipe or a device might wait or consume something.
        (Access::Read, Some(data)) => right_kind(&data),
        (Access::Write, _) if !may_be_written => false,
        (Access::Write, Some(data)) if data.is_file => right_kind(&data) && file.may_write(),
        (Access::Write, Some(data)) => right_kind(&data) && !data.readonly,
        (Access::Write, None) => match target(read, paths::directory_name(path))?.found()? {
            Some(folder) => folder.is_dir && !folder.readonly,
            None => false,
        },
        (Access::Exist | Access::Read, None) => false,
    })
}
