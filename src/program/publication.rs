//! The part of the table of predicates that programs publish, and the tables of engines that rest on it.

use super::predicates::{CHUNK, Chunk, Keys, Predicates, QUALIFIED, Qualifier};
use crate::base::atom_table::FastMap;
use crate::base::growth::{Gather, Grow, GrowBy, GrowMap, Within, room_for_one, with_room};
use crate::base::stop::Stop;
use crate::store::address::CodeAddr;
use crate::store::cell::WORD;
use std::sync::Arc;

/// The part of the table that engines share besides the records.
#[derive(Default)]
pub(super) struct Published {
    pub(super) chunks: Vec<Arc<Chunk>>,
    /// The keys, in parts, for programs that add few predicates to those of others.
    pub(super) keys: Vec<Arc<Keys>>,
    /// Addresses that calls of the predicates themselves jump to.
    pub(super) entries: Vec<CodeAddr>,
    /// The places of predicates with qualifiers in `qualifiers`.
    pub(super) qualified: FastMap<u32, u32>,
    /// The qualifiers in their initial state.
    pub(super) qualifiers: Vec<Qualifier>,
}

impl Predicates {
    /// Returns whether the whole table is published and unchanged since.
    pub(crate) fn is_published(&self) -> bool {
        self.table.iter().all(Vec::is_empty) && self.published.entries.len() == self.entries.len()
    }

    /// Publishes all predicates: forks share them from now on. No call may be running, and all clauses must have
    /// their code.
    ///
    /// # Errors
    /// Returns an error if memory is short; then some predicates may be published and others not.
    pub(crate) fn publish(&mut self) -> Result<(), Stop> {
        for id in self.ids() {
            if !self.get(id).index.is_empty() {
                // The code that selects clauses is made again, for all engines.
                self.reset_entry(id)?;
            }
        }
        self.publish_loaded()?;
        for record in self.table.iter_mut().flatten() {
            record.clauses.freeze(&mut self.retired.clauses)?;
        }
        self.publish_table()?;
        self.retired.settle(0, |_| false);
        (self.kept, self.unwatched) = (Vec::new(), self.entries.len());
        Ok(())
    }

    /// Publishes the records, whose clauses are published, and the rest of the table.
    fn publish_table(&mut self) -> Result<(), Stop> {
        let mut published = Published {
            keys: self.published_keys()?,
            entries: self.ids().map(|id| self.own_entry(id)).gather()?,
            ..Published::default()
        };
        for id in self.ids() {
            if let Some(&qualifier) = self.qualifier(id) {
                let [op, ..] = qualifier;
                let own = self.own_entry(id).bits();
                let place = published.qualifiers.len() as u32;
                published.qualified.put_entry(id.0, place)?;
                let has_clauses = u64::from(self.has_clauses(id));
                published.qualifiers.put([op, 0, own, has_clauses])?;
            }
        }
        let mut qualifiers = Vec::of(&published.qualifiers)?;
        published.chunks = with_room(self.table.len())?;
        for (number, own) in self.table.iter_mut().enumerate() {
            let known = self.published.chunks.get(number);
            published.chunks.put_within(match known {
                Some(known) if own.is_empty() => Arc::clone(known),
                _ => Arc::new(std::mem::take(own)),
            });
        }
        std::mem::swap(&mut self.published_qualifiers, &mut qualifiers);
        let old = std::mem::replace(&mut self.published, Arc::new(published));
        self.keys = FastMap::default();
        // Entries that were kept in qualifiers are kept in the new qualifiers.
        let was_qualifier = |id: &u32, at: CodeAddr| {
            let own = self.qualifiers.get(id).map(|own| CodeAddr::of(&**own));
            own.is_some_and(|own| own + QUALIFIED * WORD == at)
        };
        let moved = self.diverted.extract_if(|id, at| was_qualifier(id, *at));
        moved.for_each(drop);
        for (&id, &place) in &self.published.qualified {
            if !self.diverted.contains_key(&id) {
                let words = &self.published_qualifiers[place as usize];
                self.entries[id as usize] = CodeAddr::of(words);
            }
        }
        self.qualifiers = FastMap::default();
        drop((old, qualifiers));
        Ok(())
    }

    /// Returns whether this is a fork of `other` in which predicates were called and nothing else has changed.
    fn is_fork_of(&self, other: &Predicates) -> bool {
        Arc::ptr_eq(&self.published, &other.published)
            && self.is_published()
            && !self.entries_set
            && self.qualifiers.is_empty()
            && self.diverted.is_empty()
            && self.retired.is_empty()
            && self.free.is_empty()
    }

    /// Returns the result of [`Predicates::fork`] of the other table, in place if little has changed.
    pub(crate) fn renewed(mut self, other: &Predicates) -> Result<Predicates, Stop> {
        if !self.is_fork_of(other) {
            return other.fork();
        }
        self.generation = other.generation;
        self.kept.clear();
        self.loaded_code = other.loaded_code.fork();
        (self.made, self.referenced) = (other.made, other.referenced);
        self.wastes_numbers = other.wastes_numbers;
        Ok(self)
    }

    /// Returns all keys, in parts. A part that is no larger than those after it is merged with them, so there are few
    /// parts.
    fn published_keys(&self) -> Result<Vec<Arc<Keys>>, Stop> {
        let mut parts = self.published.keys.iter().cloned().gather()?;
        let mut size = self.keys.len();
        if size == 0 {
            return Ok(parts);
        }
        let mut merged = Vec::new();
        while let Some(part) = parts.pop_if(|part| part.len() <= size) {
            size += part.len();
            merged.put(part)?;
        }
        let mut keys = Keys::default();
        keys.try_reserve(size)?;
        let merged = merged.iter().map(|part| &**part);
        for (&key, &id) in merged.chain([&self.keys]).flatten() {
            keys.put_within((key, id));
        }
        room_for_one(&mut parts)?;
        parts.put_within(Arc::new(keys));
        Ok(parts)
    }

    /// Returns the table of another engine, with the same predicates. All must be published.
    pub(crate) fn fork(&self) -> Result<Predicates, Stop> {
        debug_assert!(self.is_published(), "shared predicates do not change");
        let mut fork = Predicates {
            published: Arc::clone(&self.published),
            table: with_room(self.table.len() + 1)?,
            entries: with_room(self.entries.len() + CHUNK)?,
            published_qualifiers: Vec::of(&self.published.qualifiers)?,
            generation: self.generation,
            loaded_code: self.loaded_code.fork(),
            made: self.made,
            referenced: self.referenced,
            wastes_numbers: self.wastes_numbers,
            unwatched: self.entries.len(),
            ..Predicates::default()
        };
        (0..self.table.len()).for_each(|_| fork.table.put_within(Vec::new()));
        fork.entries.put_slice(&self.published.entries)?;
        for (&id, &place) in &self.published.qualified {
            let words = &fork.published_qualifiers[place as usize];
            fork.entries[id as usize] = CodeAddr::of(words);
        }
        Ok(fork)
    }
}
