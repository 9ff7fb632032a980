//! Interrupts: stopping a query from outside.

use crate::store::events::Events;
use crate::store::os;
use std::sync::Arc;

/// A handle that stops the running query of an engine, from any thread. The query ends with an error of the kind
/// [`Interrupted`](super::ErrorKind::Interrupted). The engine can be used afterwards.
///
/// [`InterruptHandle::default`] belongs to no engine. It is for other work of the host that checks the handle:
/// [`testing::Settings::stop`](crate::testing::Settings::stop).
#[derive(Clone, Debug, Default)]
pub struct InterruptHandle(Arc<Events>);

const fn assert_shared<T: Send + Sync + Clone>() {}
const _: () = assert_shared::<InterruptHandle>();

impl InterruptHandle {
    pub(super) fn new(events: Arc<Events>) -> InterruptHandle {
        InterruptHandle(events)
    }

    /// Stops the running query. If no query runs, the next query is not affected.
    pub fn interrupt(&self) {
        self.0.interrupt();
        self.0.disturb();
    }

    /// Makes the terminal's interrupt key (Ctrl-C) stop the query. Returns `false` if the system does not support this.
    /// The setting affects the whole process, so it is for programs whose main purpose is the engine. If the first
    /// interrupt is still unanswered, a second one ends the process.
    pub fn on_ctrl_c(&self) -> bool {
        os::on_interrupt(Arc::clone(&self.0))
    }

    /// Makes the signals TERM and HUP end the query as `halt/1` does, so cleanup goals run. Returns `false` if the
    /// system has no such signals.
    ///
    /// The error is [`Halt`](super::ErrorKind::Halt) with the status that shells report for the signal: 143 or 129. If
    /// no query runs, the next one ends this way, unless the host calls [`InterruptHandle::take_halt`]. If the first
    /// signal is still unanswered, a second one ends the process. A signal that the process ignores stays ignored. The
    /// setting affects the whole process.
    pub fn on_termination(&self) -> bool {
        os::on_termination(Arc::clone(&self.0))
    }
}

/// Makes a write beyond the limit of file sizes (`ulimit -f`) an error. Without this call the signal XFSZ ends the
/// process. The setting does not affect commands that the process runs.
pub fn report_file_size_limit() {
    os::report_file_size_limit();
}

impl InterruptHandle {
    /// Returns whether a request to stop is still unanswered.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.watch.is_interrupted()
    }

    /// Discards an interrupt that arrived while no query was running. A host that reads a line of input answers the
    /// interrupt this way, and a second interrupt does not end the process. A request to end the process remains.
    pub fn clear(&self) {
        if !self.halt_wanted() {
            self.0.watch.take_interrupt();
        }
    }

    /// Returns whether a signal has requested the end of the process and no query has answered it yet.
    pub fn halt_wanted(&self) -> bool {
        self.0.watch.halt_wanted()
    }

    /// Takes the request to end the process and returns its exit status. The host must then end the process itself.
    pub fn take_halt(&self) -> Option<i32> {
        let status = self.0.watch.take_halt();
        if status.is_some() {
            self.0.watch.take_interrupt();
        }
        status
    }
}
