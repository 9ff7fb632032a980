//! Fingerprints: numbers that show whether bytes have changed. They do not protect against malicious changes.

use super::allowance::Allowance;
use super::error::IoError;
use super::guest::grants::FileUse;
use super::target::target;
use crate::base::needs::Permit;
use std::io::Read as _;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Bytes that are processed together.
const CHUNK: usize = 64 * 1024;

/// Returns the fingerprint of these bytes.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// Returns the fingerprint of the content of a plain file. Other files are an error, because a read might wait.
pub(crate) fn fingerprint_of_file<K: FileUse>(
    permit: &Permit<K>,
    path: &str,
    allowance: Allowance<'_>,
) -> Result<u128, IoError> {
    let file = target(permit, path)?;
    if !file.metadata()?.is_file {
        return Err(IoError::other("not a plain file"));
    }
    let mut file = file.reader()?;
    let mut hash = Xxh3::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        allowance(CHUNK)?;
        match file.read(&mut chunk)? {
            0 => return Ok(hash.digest128()),
            count => hash.update(chunk.get(..count).unwrap_or(&chunk)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{fingerprint, fingerprint_of_file};
    use crate::base::needs::{Permit, Read};
    use crate::io::allowance::UNLIMITED;

    #[test]
    fn different_texts_have_different_fingerprints() {
        assert_eq!(fingerprint(b"p(1)."), fingerprint(b"p(1)."));
        assert_ne!(fingerprint(b"p(1)."), fingerprint(b"p(2)."));
        let of = |path: &str| fingerprint_of_file(Permit::<Read>::issue(), path, UNLIMITED);
        assert_eq!(of("Cargo.toml").unwrap(), of("Cargo.toml").unwrap());
        assert_ne!(of("Cargo.toml").unwrap(), of("Cargo.lock").unwrap());
        assert!(of("src").is_err() && of("no such file").is_err());
    }
}
