//! Code that may still be running though no call reaches it any more.

use super::clauses::clause_list::Clause;
use crate::base::growth::GiveBack;
use crate::store::address::CodeAddr;
use std::ops::Range;

/// Code that no call reaches any more, while continuations, choice points or terms may refer to it.
#[derive(Default)]
pub(crate) struct Retired {
    /// Clauses.
    pub(crate) clauses: Vec<Clause>,
    /// Code of indexes.
    pub(crate) indexes: Vec<Vec<u64>>,
    /// Number of words of all retired clauses and indexes.
    pub(crate) words: usize,
    /// Number of words at which the engine looks for code that can be freed.
    pub(crate) limit: usize,
}

impl Retired {
    /// Returns whether there is no such code.
    pub(super) fn is_empty(&self) -> bool {
        self.clauses.is_empty() && self.indexes.is_empty()
    }

    /// Frees those of the clauses from place `from` on that may be freed at once, and counts the others.
    pub(super) fn settle(&mut self, from: usize, mut goes: impl FnMut(&Clause) -> bool) {
        let mut at = from;
        while let Some(clause) = self.clauses.get(at) {
            if goes(clause) {
                self.clauses.swap_remove(at);
            } else {
                self.words += words(&clause.addresses());
                at += 1;
            }
        }
        if self.clauses.capacity() > 4 * at + SPARE_PLACES {
            self.clauses.give_back(2 * at);
        }
    }

    /// Returns the address ranges: first those of the clauses, then those of the indexes.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<CodeAddr>> {
        let indexes = self.indexes.iter().map(|code| {
            let start = CodeAddr::of(code);
            start..start + code.len() as u64 * 8
        });
        self.clauses.iter().map(Clause::addresses).chain(indexes)
    }

    /// Frees the code that is not marked; the marks are in the order of [`Retired::ranges`].
    pub(crate) fn keep(&mut self, marks: &[bool]) {
        let mut marks = marks.iter();
        self.clauses
            .retain(|_| marks.next().copied().unwrap_or(true));
        self.indexes
            .retain(|_| marks.next().copied().unwrap_or(true));
        self.words = self.ranges().map(|range| words(&range)).sum();
        self.clauses.give_back(0);
        self.indexes.give_back(0);
    }
}

/// Number of spare places for retired clauses that stay allocated.
const SPARE_PLACES: usize = 1 << 10;

pub(super) fn words(range: &Range<CodeAddr>) -> usize {
    ((range.end - range.start) / 8) as usize
}
