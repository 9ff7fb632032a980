//! Memory that is taken outside of the areas, as it counts against the limit of an engine (see `memory_limit`).
#![forbid(unsafe_code)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How long something outside of the areas lives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// Until the program drops it.
    Kept,
    /// As long as a goal runs, or an exception is under way.
    Passing,
}

/// Bytes that are taken outside of the areas.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    /// All that was claimed.
    pub(super) claimed: AtomicU64,
    /// Bytes of tables that count themselves.
    pub(super) told: [AtomicU64; 4],
    /// Bytes of all that was in use when an error told of a shortage, until there is room again.
    pub(super) short_at: AtomicU64,
    /// Bytes that names took then, if nearly as many as they may.
    pub(super) names_at: AtomicU64,
}

/// Tables that tell how many bytes they take.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Names.
    Names,
    /// Predicates, whatever their clauses take.
    Predicates,
    /// Modules, whatever is defined in them.
    Modules,
    /// What finds assumptions by their first arguments.
    Assumptions,
}

impl Outside {
    pub(super) fn told(&self, what: Told) -> &AtomicU64 {
        &self.told[what as usize]
    }

    /// Bytes in all.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = |number: &AtomicU64| number.load(Ordering::Relaxed);
        bytes(&self.claimed) + self.told.iter().map(bytes).sum::<u64>()
    }
}

/// Memory outside of the areas that counts against the limit, for as long as this value lives.
#[derive(Debug, Default)]
pub(crate) struct Claim {
    pub(super) outside: Option<Arc<Outside>>,
    pub(super) bytes: u64,
}

impl Claim {
    /// How much it is.
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
