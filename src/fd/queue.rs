//! The queue of constraint work. `propagation` empties it.

use crate::store::address::HeapAddr;

/// Number of priorities. Lower ones run first; priority 0 runs without waiting.
pub(crate) const PRIORITIES: usize = 4;

/// The propagators and variables that wait. Kept between runs to reuse its memory.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// Lists of variables that have changed. With each comes the propagator that made all its changes, if a single
    /// one did.
    pub(super) changed: Vec<(HeapAddr, HeapAddr)>,
    /// Number of entries of `changed` that are done.
    pub(super) changed_done: usize,
    /// Propagators by priority.
    pub(super) waiting: [Vec<HeapAddr>; PRIORITIES],
    /// Number of entries of each list of `waiting` that are done.
    pub(super) done: [usize; PRIORITIES],
    /// The propagator that runs.
    pub(super) running: HeapAddr,
    /// Counter of propagations, for the checks whether to stop.
    pub(super) look: u32,
    /// Number of the present report of waiting propagators.
    telling: i64,
}

impl Queue {
    /// Begins a report of waiting propagators: none has been reported.
    pub(crate) fn begin_report(&mut self) {
        self.telling = self.telling % (1 << 40) + 1;
    }

    /// Returns the mark of the propagators that the present report has listed.
    pub(super) fn report(&self) -> i64 {
        self.telling
    }
}
