//! Whether a file grants what it is wanted for, and the first of several that does.

use super::error::IoError;
use super::files::absolute;
use super::guest::host_files::{FileMetadata, FileMode};
use super::paths;
use super::target::{guest_name, target};
use crate::base::named::named;
use crate::base::needs::{Kind, Permit, Read, Write};

named! {
    /// What a file is wanted for (`access(A)`).
    Access {
        /// Nothing: it need not exist.
        None "none",
        /// It has to exist.
        Exist "exist",
        /// It has to exist and let itself be read.
        Read "read" | "execute" | "search",
        /// It lets itself be written, or made.
        Write "write" | "append",
    }
}

/// What kind of file is wanted (`file_type(T)`).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Anything but a directory.
    File,
    /// A directory.
    Directory,
}

/// The first of the absolute names of `path` with one of the `extensions` (in their order; an
/// empty one stands for `path` itself, and so does an empty list) that grants `access`.
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

/// Does the file grant this access? In a confined engine a file that may not be written grants no writing.
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
    // For who may look at it, whether it may be written is no secret.
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
        // Opening a pipe or a device might wait or take something away.
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
