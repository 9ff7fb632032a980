//! What a host allows a query: time, and inferences.

use crate::base::room::Gather;
use crate::machine::budget::limits::Amount;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Less memory than this is not enough for an engine.
pub(super) const LEAST_MEMORY: usize = 4 << 20;

/// What a query or the loading of a file may use up, or has used up.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Allowance {
    /// Time in which the machine runs.
    pub(super) time: Option<Duration>,
    /// Calls.
    pub(super) inferences: Option<u64>,
}

impl Allowance {
    /// The budgets of something that begins, the outer one first.
    pub(super) fn amounts(self) -> Vec<Amount> {
        let inferences = self.inferences.map(Amount::Inferences);
        let time = self.time.map(Amount::Time);
        inferences.into_iter().chain(time).collect_bounded()
    }
}

/// What a query has used up.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Spent {
    pub(super) time: Duration,
    pub(super) inferences: u64,
}

/// Whether a panic has come through an engine, which is of no use then.
#[derive(Clone, Debug, Default)]
pub(super) struct Broken(pub(super) Arc<AtomicBool>);

impl Broken {
    /// Has it?
    pub(super) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
