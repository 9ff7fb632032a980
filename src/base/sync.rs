//! The atomic numbers that [`super::alarm`] is made of. A test has others in their place.
#![forbid(unsafe_code)]

pub(super) use std::sync::atomic::{AtomicU64, Ordering};

/// Between a store and a load that keep their order by `SeqCst`. Where a test has other numbers, it makes this a fence.
#[inline(always)]
pub(super) fn in_order() {}
