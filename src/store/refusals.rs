//! Bindings that were refused because an eigenvariable would have left its scope. They explain why a goal fails.
#![forbid(unsafe_code)]

use super::stored::Stored;

/// A refused binding: an older variable, or a term that must be free of the eigenvariable, would have held it.
pub(crate) struct Refusal {
    /// The number of the eigenvariable.
    pub(crate) number: i64,
    /// `$eigen(Name, Number)-Value`, where `Value` is the refused value.
    pub(crate) pair: Stored,
}

/// The last refusal, while refusals are recorded.
#[derive(Default)]
pub(crate) struct Refusals {
    /// Whether refusals are recorded.
    pub(crate) wanted: bool,
    pub(super) last: Option<Box<Refusal>>,
}

impl Refusals {
    /// Returns the last refusal and forgets it.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Box<Refusal>> {
        self.last.take()
    }
}
