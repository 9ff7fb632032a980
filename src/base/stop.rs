//! The end of a piece of work, as a value.
#![forbid(unsafe_code)]

use std::collections::TryReserveError;
use std::fmt;

/// The end of the work: there is no room for more, or the query must stop. The machine finds out which of the two
/// when it raises the exception (`Machine::true_reason`).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop;

impl From<TryReserveError> for Stop {
    #[cold]
    fn from(_: TryReserveError) -> Stop {
        Stop
    }
}

impl From<indexmap::TryReserveError> for Stop {
    #[cold]
    fn from(_: indexmap::TryReserveError) -> Stop {
        Stop
    }
}

/// Tests of items that may end with a [`Stop`].
pub(crate) trait Questions: Iterator + Sized {
    /// Returns whether all items pass the test.
    fn try_all(
        self,
        mut holds: impl FnMut(Self::Item) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        Ok(self.try_position(|item| Ok(!holds(item)?))?.is_none())
    }

    /// Returns the number of the first item that passes the test.
    fn try_position(
        self,
        mut holds: impl FnMut(Self::Item) -> Result<bool, Stop>,
    ) -> Result<Option<usize>, Stop> {
        for (at, item) in self.enumerate() {
            if holds(item)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }
}

impl<I: Iterator> Questions for I {}

/// A writer of a text to a sink ends as if the sink had refused the text.
impl From<Stop> for fmt::Error {
    #[cold]
    fn from(_: Stop) -> fmt::Error {
        fmt::Error
    }
}
