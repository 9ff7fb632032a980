//! For those who cannot return a [`Stop`] yet: what ends the work unwinds to the instruction, as it does where
//! the trail is full.

use super::stop::Stop;
use std::panic::resume_unwind;

/// What was made, or the end of the instruction.
#[inline(always)]
pub(crate) fn unwound<T>(result: Result<T, Stop>) -> T {
    match result {
        Ok(made) => made,
        Err(Stop) => end_refused(),
    }
}

/// The same of what a call gives.
pub(crate) trait Unwound {
    /// What was made.
    type Made;
    /// What was made, or the end of the instruction.
    fn unwound(self) -> Self::Made;
}

impl<T> Unwound for Result<T, Stop> {
    type Made = T;

    #[inline(always)]
    fn unwound(self) -> T {
        unwound(self)
    }
}

/// Ends the instruction: there is no memory, or the query is to be stopped.
#[cold]
#[inline(never)]
pub(crate) fn end_refused() -> ! {
    resume_unwind(Box::new(Stop))
}
