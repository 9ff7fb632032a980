//! Events that reach an engine from outside, and that it polls.
#![forbid(unsafe_code)]

use super::os;
use crate::base::watch::Watch;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8};
use std::time::Duration;

/// Number of attempts to disturb a waiting thread until it notices.
const DISTURBANCES: u32 = 100;
/// Time between two attempts.
const BETWEEN_DISTURBANCES: Duration = Duration::from_millis(1);

/// Events that other threads set and calls poll.
#[derive(Debug, Default)]
pub(crate) struct Events {
    /// The watch, which knows whether the query must stop.
    pub(crate) watch: Arc<Watch>,
    /// Why the next call must check for room; 0 if it need not. Data outside of the areas have grown then.
    pub(crate) room_wanted: AtomicU8,
    /// Whether the host holds these events and may interrupt the engine.
    pub(crate) handed_out: AtomicBool,
}

impl Events {
    /// Returns whether the query must stop. Long work within one call checks this from time to time.
    #[inline]
    pub(crate) fn stop_wanted(&self) -> bool {
        self.watch.stop_wanted()
    }

    /// Requests that the query stop. Returns whether this was requested before. Signal handlers may call it.
    pub(crate) fn interrupt(&self) -> bool {
        let asked = self.watch.interrupt();
        self.watch.look_at_next_call();
        asked
    }

    /// Requests that the query stop because the process must end with this status. Returns whether this was
    /// requested before.
    pub(crate) fn halt(&self, status: i32) -> bool {
        let asked = self.watch.halt(status);
        self.watch.look_at_next_call();
        asked
    }

    /// Interrupts the system call in which the engine waits for something outside of it.
    pub(crate) fn disturb(&self) {
        // A signal that arrives just before the call does not interrupt it.
        for _ in 0..DISTURBANCES {
            if !self.disturb_once() {
                return;
            }
            std::thread::sleep(BETWEEN_DISTURBANCES);
        }
    }

    /// Interrupts that system call with one signal. Returns false if the engine does not wait.
    pub(crate) fn disturb_once(&self) -> bool {
        self.watch.waiting_worker().is_some_and(os::disturb)
    }
}
