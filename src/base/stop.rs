//! The end of a piece of work, as a value.
#![forbid(unsafe_code)]

use std::collections::TryReserveError;
use std::fmt;

/// The work ends here: there is no room for more, or the query is to be stopped. Which of the two the
/// machine finds out when the exception is raised (`Machine::true_reason`).
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

/// Questions about items whose answer may be a [`Stop`].
pub(crate) trait Questions: Iterator + Sized {
    /// Is this so of all of them?
    fn try_all(
        self,
        mut holds: impl FnMut(Self::Item) -> Result<bool, Stop>,
    ) -> Result<bool, Stop> {
        Ok(self.try_position(|item| Ok(!holds(item)?))?.is_none())
    }

    /// The number of the first of which it is so.
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

/// What writes a text to a sink ends as if the sink took no more.
impl From<Stop> for fmt::Error {
    #[cold]
    fn from(_: Stop) -> fmt::Error {
        fmt::Error
    }
}
