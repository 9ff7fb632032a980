//! Memory outside of the areas that counts against the limit of an engine (see `memory_limit`).
#![forbid(unsafe_code)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The lifetime of data outside of the areas.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// The data live until the program drops them.
    Kept,
    /// The data live while a goal runs or an exception is under way.
    Passing,
}

/// Bytes that are taken outside of the areas.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    /// Bytes of all claims.
    pub(super) claimed: AtomicU64,
    /// Bytes of tables that count themselves.
    pub(super) table_bytes: [AtomicU64; 4],
    /// Bytes that were in use when an error last reported a shortage; 0 once there is room again.
    pub(super) short_at: AtomicU64,
    /// Bytes that names took then, if these are nearly as many as allowed; otherwise 0.
    pub(super) names_at: AtomicU64,
}

/// Tables that report their size in bytes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reported {
    /// Names.
    Names,
    /// Predicates, without their clauses.
    Predicates,
    /// Modules, without their definitions.
    Modules,
    /// Indexes that find assumptions by their first arguments.
    Assumptions,
}

impl Outside {
    pub(super) fn reported(&self, what: Reported) -> &AtomicU64 {
        &self.table_bytes[what as usize]
    }

    /// Returns the number of all bytes.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |number: &AtomicU64| number.load(Ordering::Relaxed);
        bytes(&self.claimed) + self.table_bytes.iter().map(bytes).sum::<u64>()
    }
}

/// Memory outside of the areas that counts against the limit while this value lives.
#[derive(Debug, Default)]
pub(crate) struct Claim {
    pub(super) outside: Option<Arc<Outside>>,
    pub(super) bytes: u64,
}

impl Claim {
    /// Returns the number of bytes claimed.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if let Some(outside) = &self.outside {
            outside.claimed.fetch_sub(self.bytes, Ordering::Relaxed);
        }
    }
}
