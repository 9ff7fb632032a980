//! How much text may be gathered from a stream or a file, and for how long.

use super::error::IoError;

/// Asked again and again while text is gathered, with the bytes that it takes or is about to take.
/// Its error is [`IoError::NoMemory`], or [`IoError::Interrupted`] if somebody wants the work
/// stopped.
pub(crate) type Allowance<'a> = &'a dyn Fn(usize) -> Result<(), IoError>;

/// What only has as much text as is good for it.
#[cfg(test)]
pub(crate) const UNLIMITED: Allowance<'static> = &|_| Ok(());
