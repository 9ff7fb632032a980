//! The end of a piece of work, as a value.

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

/// What writes a text to a sink ends as if the sink took no more.
impl From<Stop> for fmt::Error {
    #[cold]
    fn from(_: Stop) -> fmt::Error {
        fmt::Error
    }
}
