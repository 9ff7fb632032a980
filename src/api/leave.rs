//! The host may do what its process may.

use crate::base::needs::Permit;
use crate::io::files;
use std::path::Path;

/// Issues the permits of the host.
pub(crate) fn leave<K: 'static>() -> &'static Permit<K> {
    Permit::issue()
}

/// Writes a file as a whole: who reads it has the old one or the new one, and where it cannot be written, as on a full
/// disk, the old one stays. What is no plain file, or stands where no other may be made, is written in its place.
///
/// # Errors
/// The system does not let the file be written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    files::replace_in_system(path.to_owned(), bytes)
}
