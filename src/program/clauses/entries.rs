//! The clauses of one predicate in order, each with its life. A clause keeps its position, which is
//! never given to another one, and positions grow from clause to clause.

use super::clause::Clause;
use super::generation::{ALIVE, Generation};
use crate::program::indexes::arg_index::Place;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A clause in its list.
pub(in crate::program) struct Entry {
    /// Nothing where a dead clause was removed: a gap.
    pub(in crate::program) clause: Option<Clause>,
    /// First generation that sees it.
    pub(in crate::program) born: Generation,
    /// First generation that does not see it.
    pub(in crate::program) died: Generation,
    pub(in crate::program) place: Place,
}

impl Entry {
    /// Does a call of this generation see it?
    pub(in crate::program) fn visible(&self, generation: Generation) -> bool {
        self.born <= generation && generation < self.died
    }

    /// Can none of the calls of these generations, in ascending order, come to it?
    pub(in crate::program) fn unreachable(&self, open: &[Generation]) -> bool {
        let first = open.partition_point(|&generation| generation < self.born);
        open.get(first)
            .is_none_or(|&generation| generation >= self.died)
    }

    /// Its position, the clause, and whether that is alive; nothing of a gap.
    pub(in crate::program) fn parts(&self) -> Option<(i64, &Clause, bool)> {
        let clause = self.clause.as_ref()?;
        Some((self.place.position(), clause, self.died == ALIVE))
    }

    /// Is it dead, and not removed yet?
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
    /// In the order of their positions.
    pub(in crate::program) list: VecDeque<Entry>,
    /// The place that was looked for last.
    last_place: AtomicUsize,
    /// Do several engines look for places? Then none is noted.
    pub(in crate::program) shared: bool,
}

impl Entries {
    /// Place in the list of the first clause at `position` or after it.
    #[inline(always)]
    pub(in crate::program) fn lower(&self, position: i64) -> usize {
        // One clause is looked up several times in a row.
        let last = self.last_place.load(Ordering::Relaxed);
        match self.list.get(last) {
            Some(entry) if entry.place.position() == position => last,
            _ => self.find(position),
        }
    }

    /// A place that is likely to be asked for next.
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

    /// The same as [`Entries::lower`], of entries that several engines look at: nothing is noted.
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
        // Clauses were removed, and the others moved, most often everywhere: the place is near this one.
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

    /// The entry of a clause.
    pub(in crate::program) fn entry(&self, position: i64) -> Option<&Entry> {
        let entry = self.list.get(self.lower(position))?;
        (entry.place.position() == position && entry.clause.is_some()).then_some(entry)
    }

    /// The clauses, living and dead, with their positions.
    pub(in crate::program) fn clauses(&self) -> impl Iterator<Item = (i64, &Clause)> + Clone {
        self.list
            .iter()
            .filter_map(|entry| Some((entry.place.position(), entry.clause.as_ref()?)))
    }
}
