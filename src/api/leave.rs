//! Permits of the host, which may do everything that its process may do.

use crate::base::needs::Permit;
use crate::io::files;
use std::path::Path;

/// Issues a permit for the host.
pub(crate) fn leave<K: 'static>() -> &'static Permit<K> {
    Permit::issue()
}

/// Replaces a file as a whole: a reader gets either the old or the new file. If the write fails, for example on a full
/// disk, the old file remains. If the path is not a plain file, or if no other file can be created beside it, the
/// content is overwritten in place.
///
/// # Errors
/// Returns an error if the system does not let the file be written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    files::replace_in_system(path.to_owned(), bytes)
}
