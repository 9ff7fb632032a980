//! Limits of the text gathered from a stream or a file, and of the time for it.

use super::error::IoError;

/// A check that runs again and again while text is gathered. Its argument is the number of bytes that the text takes
/// or is about to take. Its error is [`IoError::NoMemory`], or [`IoError::Interrupted`] if the work must stop.
pub(crate) type Allowance<'a> = &'a dyn Fn(usize) -> Result<(), IoError>;

/// The allowance for tests with little text.
#[cfg(test)]
pub(crate) const UNLIMITED: Allowance<'static> = &|_| Ok(());
