//! The atomic operations that [`super::alarm`] uses. A test replaces them.
#![forbid(unsafe_code)]

pub(super) use std::sync::atomic::{AtomicU64, Ordering};

/// Stores into a number that only this thread stores. Another thread may change it only by compare-and-exchange.
#[inline(always)]
pub(super) fn store_over(number: &AtomicU64, value: u64) {
    number.store(value, Ordering::Relaxed);
}

/// Marks the place between a store and a load that `SeqCst` keeps in order. A test that replaces the atomic numbers
/// makes this a fence.
#[inline(always)]
pub(super) fn in_order() {}
