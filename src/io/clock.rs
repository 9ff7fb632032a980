//! The clocks of the host.

use crate::base::needs::{Clock, Permit};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Returns the seconds since 1970.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn epoch(_: &Permit<Clock>) -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |time| time.as_secs_f64())
}

/// Returns the present moment of the monotonic clock.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn instant(_: &Permit<Clock>) -> Instant {
    Instant::now()
}
