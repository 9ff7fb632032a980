//! Goals that set something up, and those that clean up: what stops a query waits for them a little.
//!
//! While such a goal runs the limits within which it began are reached later by a fixed [grace], and an
//! interrupt waits as long; whatever is due then stops the query at the first call after the goal. So
//! what was set up is cleaned up, whichever limits end close together, and no other goal runs longer
//! than it may. Limits that such a goal sets itself are none of this.
//!
//! [grace]: crate::base::watch::GRACE_TIME
#![forbid(unsafe_code)]

use crate::machine::control::throw::Throw;

/// A goal that runs, and for which what stops the query waits.
#[derive(Debug)]
pub(crate) enum Shield {
    /// One that sets up, and what follows up to the beginning of the goal with a cleanup.
    Setup,
    /// One that cleans up.
    Cleanup,
    /// The same; then this exception goes on.
    Unwinding(Throw),
}
