//! The atomic numbers that [`super::alarm`] is made of. A test has others in their place.
#![forbid(unsafe_code)]

pub(super) use std::sync::atomic::{AtomicU64, Ordering};

/// Changes a number that only this thread stores, and another one exchanges for what it becomes.
#[inline(always)]
pub(super) fn store_over(number: &AtomicU64, value: u64) {
    number.store(value, Ordering::Relaxed);
}

/// Between a store and a load that keep their order by `SeqCst`. Where a test has other numbers, it makes this a fence.
#[inline(always)]
pub(super) fn in_order() {}
