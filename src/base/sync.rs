//! The atomic operations and locks of code that tests check in all orders of its steps. Such a test replaces them.
#![forbid(unsafe_code)]

pub(crate) use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
pub(crate) use std::sync::{Condvar, Mutex};

/// Stores into a number that only this thread stores. Another thread may change it only by compare-and-exchange.
#[inline(always)]
pub(super) fn store_over(number: &AtomicU64, value: u64) {
    number.store(value, Ordering::Relaxed);
}

/// Marks the place between a store and a load that `SeqCst` keeps in order. A test that replaces the atomic numbers
/// makes this a fence.
#[inline(always)]
pub(super) fn in_order() {}
