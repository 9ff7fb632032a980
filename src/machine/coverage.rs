//! Which clauses of files goals have come to, and how often. While this is counted instructions are done
//! one at a time, with a look at each.
//!
//! A clause is entered when its head fits and the unifications, comparisons, tests and arithmetic that its body
//! begins with hold, or raise an exception: how much of that a call looks at before it comes to the clause
//! is a matter of indexing.

use crate::program::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::store::cell::Addr;
use std::ops::Range;

/// A clause of a file.
#[derive(Clone)]
pub(crate) struct Counted {
    /// Its predicate.
    pub(crate) predicate: PredId,
    /// The clause itself. As it is held, no other one comes to its place in memory.
    pub(crate) clause: Clause,
    /// How often it was entered.
    pub(crate) entered: u64,
}

/// What is counted.
#[derive(Default)]
pub(crate) struct Coverage {
    /// All clauses of files that there were since this was begun, as they were found.
    pub(crate) clauses: Vec<Counted>,
    /// Where they lie, in order, with their numbers.
    pub(super) places: Vec<(Addr, Addr, usize)>,
    /// There may be others by now.
    pub(crate) outdated: bool,
    /// The addresses that the last instruction was found in, and the clause that they are of, if any.
    pub(super) present: (Range<Addr>, Option<usize>),
    /// The clause whose head is being unified.
    pub(super) beginning: Option<usize>,
}

impl std::fmt::Debug for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} clauses", self.clauses.len())
    }
}

impl Coverage {
    /// The clause whose head was being unified has been entered.
    pub(super) fn enter(&mut self) {
        if let Some(index) = self.beginning.take() {
            self.clauses[index].entered += 1;
        }
    }

    /// Finds the clause that an instruction is of, and the addresses for which that holds.
    pub(super) fn find(&mut self, at: Addr) {
        let after = self.places.partition_point(|place| place.0 <= at);
        let before = after.checked_sub(1).map(|index| self.places[index]);
        self.present = match before {
            Some((start, end, index)) if at < end => (start..end, Some(index)),
            _ => {
                let start = before.map_or(0, |place| place.1);
                let end = self.places.get(after).map_or(Addr::MAX, |place| place.0);
                (start..end, None)
            }
        };
    }
}
