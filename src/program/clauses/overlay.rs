//! The changes of an engine to the clauses that a program publishes: which of them are dead for this engine. The
//! clauses that the engine has added are in a list of their own, before and after the published ones.

use super::clause_list::{CallKeys, Clause, Selection};
use super::frozen::{Frozen, fits};
use super::generation::Generation;
use crate::base::atom_table::FastMap;
use crate::base::growth::{GrowMap, GrowTable};
use crate::base::stop::Stop;
use crate::ir::key::Key;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// The death of a clause.
struct Death {
    /// First generation that does not see the clause.
    generation: Generation,
    /// Number of clauses right after it that are known to be dead, too.
    skip: u32,
}

/// Number of dead clauses that a search skips before it notes them.
const FEW_PASSED: usize = 16;

/// The clauses of a program; some of them may be dead.
pub(super) struct Overlay {
    frozen: Arc<Frozen>,
    /// The dead clauses, by their places in the list.
    died: FastMap<u32, Death>,
    /// For an index and a key, the position up to which all clauses of the key are dead. The key of the map is
    /// [`Selection::number`] and the key of the call.
    passed: FastMap<(i64, Key), i64>,
}

impl Overlay {
    pub(super) fn new(frozen: Arc<Frozen>) -> Overlay {
        Overlay {
            frozen,
            died: FastMap::default(),
            passed: FastMap::default(),
        }
    }

    /// Returns the range of positions of the clauses. No other clause has a position in it.
    pub(super) fn range(&self) -> Range<i64> {
        self.frozen.list().range()
    }

    /// Returns all the clauses.
    pub(super) fn frozen(&self) -> &Frozen {
        &self.frozen
    }

    /// Returns the number of living clauses.
    pub(super) fn living(&self) -> usize {
        self.frozen.list().len() - self.died.len()
    }

    /// Returns the clause at this position, living or dead.
    pub(super) fn get(&self, position: i64) -> Option<&Clause> {
        self.frozen.list().get(position)
    }

    fn place(&self, position: i64) -> Option<u32> {
        let entries = self.frozen.entries();
        let place = entries.place_of(position);
        let entry = entries.list.get(place)?;
        (entry.place.position() == position).then_some(place as u32)
    }

    fn is_visible(&self, place: u32, generation: Generation) -> bool {
        let death = self.died.get(&place);
        death.is_none_or(|death| generation < death.generation)
    }

    /// Returns whether there is a living clause at this position.
    pub(super) fn is_alive(&self, position: i64) -> bool {
        let place = self.place(position);
        place.is_some_and(|place| !self.died.contains_key(&place))
    }

    /// Returns the clauses with their positions and whether they are alive.
    pub(super) fn iter(&self) -> impl Iterator<Item = (i64, &Clause, bool)> {
        let entries = self.frozen.entries().list.iter().enumerate();
        entries.filter_map(|(place, entry)| {
            let alive = !self.died.contains_key(&(place as u32));
            Some((entry.place.position(), entry.clause.as_ref()?, alive))
        })
    }

    /// Marks a clause dead from `generation` on. Returns false if there is no living clause at this position.
    pub(super) fn erase(&mut self, position: i64, generation: Generation) -> Result<bool, Stop> {
        let Some(place) = self.place(position) else {
            return Ok(false);
        };
        if self.died.contains_key(&place) {
            return Ok(false);
        }
        let skip = 0;
        self.died.put_entry(place, Death { generation, skip })?;
        Ok(true)
    }

    /// Marks all living clauses dead that `goes` accepts.
    pub(super) fn erase_all(
        &mut self,
        generation: Generation,
        goes: impl Fn(&Clause) -> bool,
    ) -> Result<usize, Stop> {
        let before = self.died.len();
        for (place, entry) in self.frozen.entries().list.iter().enumerate() {
            let clause = entry.clause.as_ref();
            if !self.died.contains_key(&(place as u32)) && clause.is_some_and(&goes) {
                self.died.make_room()?;
                let skip = 0;
                self.died
                    .put_entry(place as u32, Death { generation, skip })?;
            }
        }
        Ok(self.died.len() - before)
    }

    /// Revives the clauses that died in `generation` and returns their number.
    pub(super) fn revive(&mut self, generation: Generation) -> usize {
        let before = self.died.len();
        self.died.retain(|_, death| death.generation != generation);
        self.died.values_mut().for_each(|death| death.skip = 0);
        self.passed.clear();
        before - self.died.len()
    }

    /// Returns the position of the first clause of the selection at or after `from` that the generation sees. If
    /// `present` is true, the generation sees none of the dead clauses.
    pub(super) fn next(
        &mut self,
        selection: Selection,
        call: &CallKeys,
        from: i64,
        (generation, present): (Generation, bool),
    ) -> Option<i64> {
        if selection == Selection::Nothing {
            return None;
        }
        let Some((index, key)) = self.frozen.index_of(selection, call) else {
            return self.next_of_all(call, from, generation, present);
        };
        let noted = (selection.number(), key);
        let begin = match self.passed.get(&noted) {
            Some(&passed) if present => from.max(passed),
            _ => from,
        };
        let (passed, first_seen) = (Cell::new(0), Cell::new(self.range().end));
        let found = index.next_frozen(key, begin, |position| {
            let place = self.place(position);
            let sees = place.is_some_and(|place| self.is_visible(place, generation));
            match sees {
                true => first_seen.update(|first: i64| first.min(position)),
                false => passed.update(|passed| passed + 1),
            }
            sees && self.fits(position, call)
        });
        if present && passed.get() >= FEW_PASSED && from <= self.range().start {
            // This only saves time: without memory the next call searches again.
            // A living clause that does not fit this call may fit another one.
            let _ = self.passed.put_entry(noted, first_seen.get());
        }
        found
    }

    fn fits(&self, position: i64, call: &CallKeys) -> bool {
        let clause = self.get(position);
        clause.is_some_and(|clause| fits(clause, call))
    }

    fn next_of_all(
        &mut self,
        call: &CallKeys,
        from: i64,
        generation: Generation,
        present: bool,
    ) -> Option<i64> {
        let mut at = self.frozen.entries().place_of(from) as u32;
        loop {
            let entry = self.frozen.entries().list.get(at as usize)?;
            if !self.is_visible(at, generation) {
                at = if present { self.skip_dead(at) } else { at + 1 };
                continue;
            }
            if entry
                .clause
                .as_ref()
                .is_some_and(|clause| fits(clause, call))
            {
                return Some(entry.place.position());
            }
            at += 1;
        }
    }

    /// Goes from a place whose clause is dead to the first later place whose clause is not. Notes the length of the
    /// run.
    fn skip_dead(&mut self, at: u32) -> u32 {
        let mut end = at;
        while let Some(death) = self.died.get(&end) {
            end += 1 + death.skip;
        }
        if let Some(death) = self.died.get_mut(&at) {
            death.skip = end - at - 1;
        }
        end
    }
}
