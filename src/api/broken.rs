//! Conditions that make an engine unusable: a panic, or too little memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Minimum memory of an engine, in bytes.
pub(super) const LEAST_MEMORY: usize = 4 << 20;

/// A shared mark that a panic went through an engine, which makes the engine unusable.
#[derive(Clone, Debug, Default)]
pub(super) struct Broken(Arc<AtomicBool>);

impl Broken {
    /// Returns whether a panic went through the engine.
    pub(super) fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Marks the engine as broken.
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
