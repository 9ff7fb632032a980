//! What happens to an engine from outside, and is polled.
#![forbid(unsafe_code)]

use super::os;
use crate::base::watch::Watch;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8};
use std::time::Duration;

/// How often a thread that waits is disturbed until it notices.
const DISTURBANCES: u32 = 100;
/// The time between.
const BETWEEN_DISTURBANCES: Duration = Duration::from_millis(1);

/// What is polled at calls, and set from outside.
#[derive(Debug, Default)]
pub(crate) struct Events {
    /// Whether the query is to be stopped.
    pub(crate) watch: Arc<Watch>,
    /// Something outside of the areas has grown: whether there is room for it is to be seen.
    pub(crate) room_wanted: AtomicU8,
    /// Does somebody else have them, who may interrupt what runs?
    pub(crate) handed_out: AtomicBool,
}

impl Events {
    /// Is the query to be stopped? What takes long in one go looks from time to time.
    #[inline]
    pub(crate) fn stop_wanted(&self) -> bool {
        self.watch.stop_wanted()
    }

    /// Asks for the query to be stopped; true if that was asked already. Signal handlers may.
    pub(crate) fn interrupt(&self) -> bool {
        let asked = self.watch.interrupt();
        self.watch.look_at_next_call();
        asked
    }

    /// The same since the process is to end, with this status.
    pub(crate) fn halt(&self, status: i32) -> bool {
        let asked = self.watch.halt(status);
        self.watch.look_at_next_call();
        asked
    }

    /// Breaks off the system call in which the engine waits for something outside of it.
    pub(crate) fn disturb(&self) {
        // A signal that comes right before the call does not break it off.
        for _ in 0..DISTURBANCES {
            if !self.disturb_once() {
                return;
            }
            std::thread::sleep(BETWEEN_DISTURBANCES);
        }
    }

    /// The same, once; false if the engine does not wait.
    pub(crate) fn disturb_once(&self) -> bool {
        self.watch.waiting_worker().is_some_and(os::disturb)
    }
}
