//! Stopping a query from outside.

use crate::store::events::Events;
use crate::store::os;
use std::sync::Arc;

/// Stops the query that an engine is running, from any thread. The query ends in an error of the
/// kind [`Interrupted`](super::ErrorKind::Interrupted); the engine can be used afterwards.
///
/// [`InterruptHandle::default`] is the handle of no engine, for work of a host's own that watches it:
/// [`testing::Settings::stop`](crate::testing::Settings::stop).
#[derive(Clone, Debug, Default)]
pub struct InterruptHandle(Arc<Events>);

const fn assert_shared<T: Send + Sync + Clone>() {}
const _: () = assert_shared::<InterruptHandle>();

impl InterruptHandle {
    pub(super) fn new(events: Arc<Events>) -> InterruptHandle {
        InterruptHandle(events)
    }

    /// Stops the query that is running. If none is, the next one that is asked is not concerned.
    pub fn interrupt(&self) {
        self.0.interrupt();
        self.0.disturb();
    }

    /// Makes the terminal's interrupt key (Ctrl-C) stop the query. This concerns the whole process,
    /// so it is for programs whose main business the engine is. A second interrupt that finds the
    /// first still unanswered ends the process. False if the system has no such thing.
    pub fn on_ctrl_c(&self) -> bool {
        os::on_interrupt(Arc::clone(&self.0))
    }

    /// Makes the signals TERM and HUP end the query as `halt/1` does, so cleanup goals run. The error is
    /// [`Halt`](super::ErrorKind::Halt) with the status that shells give for the signal: 143 or 129. If no query runs,
    /// the next one ends so, unless the host calls [`InterruptHandle::take_halt`]. A second signal that finds the first
    /// still unanswered ends the process, and a signal that the process ignores stays ignored. This concerns the whole
    /// process. False if the system has no such signals.
    pub fn on_termination(&self) -> bool {
        os::on_termination(Arc::clone(&self.0))
    }
}

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error, where the signal XFSZ would end the process.
/// Commands that the process runs are not concerned.
pub fn report_file_size_limit() {
    os::report_file_size_limit();
}

impl InterruptHandle {
    /// Was something asked to stop that has not answered yet?
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.watch.is_interrupted()
    }

    /// Forgets a request that came when no query was running: who waits for a line of a person's has answered
    /// it so, and another one ends nothing. A request that the process end remains.
    pub fn clear(&self) {
        if !self.halt_wanted() {
            self.0.watch.take_interrupt();
        }
    }

    /// Has a signal asked for the end of the process, which no query has answered yet?
    pub fn halt_wanted(&self) -> bool {
        self.0.watch.halt_wanted()
    }

    /// Takes that request, since the host answers it: the exit status.
    pub fn take_halt(&self) -> Option<i32> {
        let status = self.0.watch.take_halt();
        if status.is_some() {
            self.0.watch.take_interrupt();
        }
        status
    }
}
