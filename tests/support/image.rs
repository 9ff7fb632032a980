//! Images with changed bytes.

use xxhash_rust::xxh3::xxh3_64;

/// The offset of the body, for which the header has length and checksum.
#[allow(dead_code, reason = "not every test uses it")]
pub(crate) const BODY: usize = 28;

/// Returns the image with correct length and checksum in its header, as an attacker would write it.
pub(crate) fn sealed(mut image: Vec<u8>) -> Vec<u8> {
    if let Some((header, body)) = image.split_at_mut_checked(BODY) {
        header[12..20].copy_from_slice(&(body.len() as u64).to_le_bytes());
        header[20..].copy_from_slice(&xxh3_64(body).to_le_bytes());
    }
    image
}
