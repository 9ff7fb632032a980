//! The clauses of one predicate in order, each with the generations of its life. A clause keeps its position. No
//! other clause ever gets that position, and positions grow from clause to clause.

use super::clause::Clause;
use super::generation::{ALIVE, Generation};
use crate::program::indexes::arg_index::Place;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A clause in its list.
pub(in crate::program) struct Entry {
    /// The clause, or `None` for a gap: a place from which a dead clause was removed.
    pub(in crate::program) clause: Option<Clause>,
    /// First generation that sees the clause.
    pub(in crate::program) born: Generation,
    /// First generation that no longer sees the clause.
    pub(in crate::program) died: Generation,
    pub(in crate::program) place: Place,
}

impl Entry {
    /// Returns whether a call of this generation sees the clause.
    pub(in crate::program) fn visible(&self, generation: Generation) -> bool {
        self.born <= generation && generation < self.died
    }

    /// Returns whether no call of these generations, in ascending order, can reach the clause.
    pub(in crate::program) fn unreachable(&self, open: &[Generation]) -> bool {
        let first = open.partition_point(|&generation| generation < self.born);
        open.get(first)
            .is_none_or(|&generation| generation >= self.died)
    }

    /// Returns the position, the clause, and whether it is alive; `None` for a gap.
    pub(in crate::program) fn parts(&self) -> Option<(i64, &Clause, bool)> {
        let clause = self.clause.as_ref()?;
        Some((self.place.position(), clause, self.died == ALIVE))
    }

    /// Returns whether the clause is dead but not removed yet.
    pub(in crate::program) fn is_dying(&self) -> bool {
        self.died != ALIVE && self.clause.is_some()
    }
}

impl AsMut<Place> for Entry {
    fn as_mut(&mut self) -> &mut Place {
        &mut self.place
    }
}

/// The entries of a predicate.
#[derive(Default)]
pub(in crate::program) struct Entries {
    /// The entries, in the order of their positions.
    pub(in crate::program) list: VecDeque<Entry>,
    /// The place that was looked up last.
    last_place: AtomicUsize,
    /// Whether several engines look up places. If so, no place is noted.
    pub(in crate::program) shared: bool,
}

impl Entries {
    /// Returns the place in the list of the first clause at `position` or after it.
    #[inline(always)]
    pub(in crate::program) fn lower(&self, position: i64) -> usize {
        // One clause is looked up several times in a row.
        let last = self.last_place.load(Ordering::Relaxed);
        match self.list.get(last) {
            Some(entry) if entry.place.position() == position => last,
            _ => self.find(position),
        }
    }

    /// Notes a place that the next lookup is likely to ask for.
    #[inline(always)]
    pub(in crate::program) fn expect(&self, place: usize) {
        self.last_place.store(place, Ordering::Relaxed);
    }

    fn find(&self, position: i64) -> usize {
        let place = self.place_of(position);
        if place < self.list.len() && !self.shared {
            self.expect(place);
        }
        place
    }

    /// Returns the same place as [`Entries::lower`] but notes nothing, because several engines may read the entries.
    pub(in crate::program) fn place_of(&self, position: i64) -> usize {
        let list = &self.list;
        let before = |place: usize| list[place].place.position() < position;
        let (Some(first), Some(end)) = (list.front(), list.back()) else {
            return 0;
        };
        let (first, end) = (first.place.position(), end.place.position());
        if position <= first {
            return 0;
        }
        if position > end {
            return list.len();
        }
        if end - first + 1 == list.len() as i64 {
            return (position - first) as usize;
        }
        // Clauses were removed and the others moved together, usually all over the list. So the place is near this
        // guess.
        let share = (position - first) as f64 / (end - first) as f64;
        let guess = (share * (list.len() - 1) as f64) as usize;
        let (mut low, mut high);
        let mut stride = 1;
        if before(guess) {
            (low, high) = (guess + 1, list.len());
            while low + stride < high && before(low + stride) {
                low += stride + 1;
                stride *= 2;
            }
            high = high.min(low + stride);
        } else {
            high = guess;
            while high > stride && !before(high - stride) {
                high -= stride;
                stride *= 2;
            }
            low = high.saturating_sub(stride);
        }
        while low < high {
            let middle = (low + high) / 2;
            if before(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the entry of a clause.
    pub(in crate::program) fn entry(&self, position: i64) -> Option<&Entry> {
        let entry = self.list.get(self.lower(position))?;
        (entry.place.position() == position && entry.clause.is_some()).then_some(entry)
    }

    /// Returns the clauses, living and dead, with their positions.
    pub(in crate::program) fn clauses(&self) -> impl Iterator<Item = (i64, &Clause)> + Clone {
        self.list
            .iter()
            .filter_map(|entry| Some((entry.place.position(), entry.clause.as_ref()?)))
    }
}
