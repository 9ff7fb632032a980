//! The queue of what is to be done. `propagation` empties it.

use crate::store::address::HeapAddr;

/// Priorities: lower ones run first. Those of priority 0 run without waiting.
pub(crate) const PRIORITIES: usize = 4;

/// Who waits to be run. Kept from run to run for its memory.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    /// Lists of variables that have changed, and the propagator that alone changed them, if there is one.
    pub(super) changed: Vec<(HeapAddr, HeapAddr)>,
    /// Those before this are done.
    pub(super) told: usize,
    /// Propagators by priority.
    pub(super) waiting: [Vec<HeapAddr>; PRIORITIES],
    /// Those before these are done.
    pub(super) done: [usize; PRIORITIES],
    /// The propagator that runs.
    pub(super) running: HeapAddr,
    /// Propagations until the next look.
    pub(super) look: u32,
    /// How often it was begun to tell what waits.
    telling: i64,
}

impl Queue {
    /// Begins to tell what waits: nothing has been told.
    pub(crate) fn tell_anew(&mut self) {
        self.telling = self.telling % (1 << 40) + 1;
    }

    /// The mark of what has been told since.
    pub(super) fn telling(&self) -> i64 {
        self.telling
    }
}
