//! What was refused because an eigenvariable would have left its scope: for who wants to know why a
//! goal fails.
#![forbid(unsafe_code)]

use super::stored::Stored;

/// An older variable, or what was to be free of the eigenvariable, would have held it.
pub(crate) struct Refusal {
    /// The number of the eigenvariable.
    pub(crate) number: i64,
    /// `$eigen(Name, Number)-Value`: what the older variable would have become.
    pub(crate) told: Stored,
}

/// The last refusal, while somebody wants to know.
#[derive(Default)]
pub(crate) struct Refusals {
    /// Does somebody?
    pub(crate) wanted: bool,
    pub(super) last: Option<Box<Refusal>>,
}

impl Refusals {
    /// The last one, once.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Box<Refusal>> {
        self.last.take()
    }
}
