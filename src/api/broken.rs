//! What makes an engine of no use: a panic, or too little memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Less memory than this is not enough for an engine.
pub(super) const LEAST_MEMORY: usize = 4 << 20;

/// Whether a panic has come through an engine, which is of no use then.
#[derive(Clone, Debug, Default)]
pub(super) struct Broken(Arc<AtomicBool>);

impl Broken {
    /// Has it?
    pub(super) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// It has.
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
