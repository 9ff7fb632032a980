//! Shields: setup and cleanup goals delay the end of their query a little.
//!
//! While such a goal runs, a fixed [grace] extends the limits within which the goal began, and delays interrupts.
//! Any stop that is due then ends the query at the first call after the goal. So every completed setup gets its
//! cleanup, even if several limits end close together. No other goal runs longer than it may. A limit that such a
//! goal sets itself is not extended.
//!
//! [grace]: crate::base::watch::GRACE_TIME
#![forbid(unsafe_code)]

use crate::machine::control::throw::Throw;

/// A running goal that delays the end of its query.
#[derive(Debug)]
pub(crate) enum Shield {
    /// A setup goal, and the code after it up to the start of the goal with a cleanup.
    Setup,
    /// A cleanup goal.
    Cleanup,
    /// A cleanup goal that interrupts this exception.
    Unwinding(Throw),
}
