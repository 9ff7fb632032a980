//! Clauses of a predicate in order, with the logical update view (ISO 7.5.4) and, for dynamic
//! predicates, hash indexes on arguments that grow with the clauses.
//!
//! Each clause carries the generation of its birth and of its death; a call sees the clauses that
//! live in the generation in which it started. Positions count from the first clause ever and may
//! be negative (`asserta/1`), so they stay valid whatever is added.

use crate::base::symbol::FastMap;
pub(crate) use crate::ir::key::{KEYED_ARGS, Key, may_match};
use crate::store::copy::{Pool, Stored};
use std::collections::VecDeque;
use std::sync::Arc;

/// A generation of the database of an engine.
pub(crate) type Generation = u64;
/// The generation of what has not died.
pub(crate) const ALIVE: Generation = Generation::MAX;

/// Compiled code with what it refers to; immutable and shareable.
pub(crate) struct ClauseCode {
    /// The instructions.
    pub(crate) words: Box<[u64]>,
    /// Ground terms that the code refers to by address.
    pub(crate) pools: Vec<Pool>,
}

impl ClauseCode {
    /// Address of the first instruction.
    pub(crate) fn entry(&self) -> u64 {
        self.words.as_ptr() as u64
    }
}

/// One clause.
pub(crate) struct Clause {
    /// Its code.
    pub(crate) code: Arc<ClauseCode>,
    /// The clause as a term `Head :- Body`, for `clause/2`, `retract/1` and listings.
    pub(crate) source: Stored,
    /// What the head's first arguments are.
    pub(crate) keys: Box<[Key]>,
    /// Is the body `true`?
    pub(crate) is_fact: bool,
    /// Index of the file it was loaded from, 0 for none.
    pub(crate) file: u32,
    /// Line in that file.
    pub(crate) line: u32,
    /// First generation that sees it.
    pub(crate) born: Generation,
    /// First generation that does not see it.
    pub(crate) died: Generation,
}

impl Clause {
    /// Does a call of this generation see it?
    pub(crate) fn visible(&self, generation: Generation) -> bool {
        self.born <= generation && generation < self.died
    }
}

/// Fewer clauses than this are searched one by one.
const INDEX_FROM: usize = 8;

#[derive(Default)]
struct ArgIndex {
    buckets: FastMap<Key, VecDeque<i64>>,
    /// Positions of the clauses with [`Key::Any`] or [`Key::Boxed`]: what an unseen key matches.
    others: VecDeque<i64>,
    useful: bool,
}

impl ArgIndex {
    fn new(list: &ClauseList, arg: usize) -> ArgIndex {
        let mut index = ArgIndex::default();
        for (offset, clause) in list.clauses.iter().enumerate() {
            if let Some(clause) = clause {
                index.insert(clause.keys[arg], list.first + offset as i64, false);
            }
        }
        let keyed = index.buckets.len();
        index.useful = keyed > 1 && index.others.len() * 2 <= list.live;
        index
    }

    fn insert(&mut self, key: Key, position: i64, front: bool) {
        let add = |positions: &mut VecDeque<i64>| {
            if front {
                positions.push_front(position)
            } else {
                positions.push_back(position)
            }
        };
        match key {
            Key::Any | Key::Boxed => {
                self.buckets.values_mut().for_each(add);
                add(&mut self.others);
            }
            _ => {
                let others = &self.others;
                add(self.buckets.entry(key).or_insert_with(|| others.clone()));
            }
        }
    }

    fn remove(&mut self, key: Key, position: i64) {
        let drop = |positions: &mut VecDeque<i64>| {
            if let Ok(at) = positions.binary_search(&position) {
                positions.remove(at);
            }
        };
        match key {
            Key::Any | Key::Boxed => {
                self.buckets.values_mut().for_each(drop);
                drop(&mut self.others);
            }
            _ => {
                if let Some(positions) = self.buckets.get_mut(&key) {
                    drop(positions);
                    if positions.is_empty() {
                        self.buckets.remove(&key);
                    }
                }
            }
        }
    }
}

/// The clauses of one predicate.
#[derive(Default)]
pub(crate) struct ClauseList {
    clauses: VecDeque<Option<Box<Clause>>>,
    /// Position of the first entry.
    first: i64,
    live: usize,
    dead: Vec<i64>,
    indexes: Vec<Option<ArgIndex>>,
}

/// Which clauses a call has to look at: an argument and its key, or all.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// All clauses.
    All,
    /// Those that the index of this argument holds for the key.
    Keyed(u16, Key),
}

impl ClauseList {
    /// Number of living clauses.
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    /// The clause at a position.
    pub(crate) fn get(&self, position: i64) -> Option<&Clause> {
        let offset = usize::try_from(position - self.first).ok()?;
        self.clauses.get(offset)?.as_deref()
    }

    /// Living clauses in order, with their positions.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, &Clause)> {
        self.clauses
            .iter()
            .enumerate()
            .filter_map(|(offset, clause)| {
                let clause = clause.as_deref()?;
                (clause.died == ALIVE).then_some((self.first + offset as i64, clause))
            })
    }

    /// Adds a clause at the end, or at the front.
    pub(crate) fn add(&mut self, clause: Clause, front: bool) -> i64 {
        let position = if front {
            self.first - 1
        } else {
            self.first + self.clauses.len() as i64
        };
        for (arg, index) in self.indexes.iter_mut().enumerate() {
            if let Some(index) = index {
                index.insert(clause.keys[arg], position, front);
            }
        }
        if front {
            self.clauses.push_front(Some(Box::new(clause)));
            self.first -= 1;
        } else {
            self.clauses.push_back(Some(Box::new(clause)));
        }
        self.live += 1;
        position
    }

    /// Marks a clause dead from `generation` on; false if it was dead already.
    pub(crate) fn erase(&mut self, position: i64, generation: Generation) -> bool {
        let Ok(offset) = usize::try_from(position - self.first) else {
            return false;
        };
        match self.clauses.get_mut(offset) {
            Some(Some(clause)) if clause.died == ALIVE => {
                clause.died = generation;
                self.live -= 1;
                self.dead.push(position);
                true
            }
            _ => false,
        }
    }

    /// Number of dead clauses not yet removed.
    pub(crate) fn dead(&self) -> usize {
        self.dead.len()
    }

    /// Removes the dead clauses; nobody may be iterating. Their code is returned: it may still
    /// be running.
    pub(crate) fn purge(&mut self) -> Vec<Arc<ClauseCode>> {
        let mut codes = Vec::new();
        for position in std::mem::take(&mut self.dead) {
            let offset = (position - self.first) as usize;
            if let Some(clause) = self.clauses[offset].take() {
                for (arg, index) in self.indexes.iter_mut().enumerate() {
                    if let Some(index) = index {
                        index.remove(clause.keys[arg], position);
                    }
                }
                if !clause.is_fact {
                    codes.push(clause.code);
                }
            }
        }
        while let Some(None) = self.clauses.front() {
            self.clauses.pop_front();
            self.first += 1;
        }
        while let Some(None) = self.clauses.back() {
            self.clauses.pop_back();
        }
        if self.clauses.len() > 2 * self.live + 16 {
            self.close_gaps();
        }
        codes
    }

    fn close_gaps(&mut self) {
        self.clauses.retain(Option::is_some);
        self.indexes.clear();
    }

    /// The best selection for these argument keys (`None`: unbound). Builds indexes when there
    /// are enough clauses.
    pub(crate) fn select(&mut self, keys: &[Key]) -> Selection {
        if self.clauses.len() < INDEX_FROM {
            return Selection::All;
        }
        for (arg, &key) in keys.iter().enumerate() {
            if matches!(key, Key::Any | Key::Boxed) {
                continue;
            }
            if self.indexes.len() <= arg {
                self.indexes.resize_with(arg + 1, || None);
            }
            if self.indexes[arg].is_none() {
                self.indexes[arg] = Some(ArgIndex::new(self, arg));
            }
            if let Some(index) = &self.indexes[arg]
                && index.useful
            {
                return Selection::Keyed(arg as u16, key);
            }
        }
        Selection::All
    }

    /// Position of the first clause of the selection at or after `from` that the generation sees.
    pub(crate) fn next(
        &self,
        selection: Selection,
        keys: &[Key],
        from: i64,
        generation: Generation,
    ) -> Option<i64> {
        let fits = |clause: &Clause| {
            clause.visible(generation)
                && clause.keys.iter().zip(keys).all(|(&a, &b)| may_match(a, b))
        };
        let bucket = match selection {
            Selection::All => None,
            Selection::Keyed(arg, key) => {
                match self.indexes.get(arg as usize).and_then(Option::as_ref) {
                    Some(index) => Some(index.buckets.get(&key).unwrap_or(&index.others)),
                    None => None,
                }
            }
        };
        if let Some(bucket) = bucket {
            let start = bucket.partition_point(|&position| position < from);
            return bucket
                .iter()
                .skip(start)
                .copied()
                .find(|&at| self.get(at).is_some_and(fits));
        }
        let start = usize::try_from(from.saturating_sub(self.first)).unwrap_or(0);
        let found = self
            .clauses
            .iter()
            .enumerate()
            .skip(start)
            .find(|(_, clause)| clause.as_deref().is_some_and(fits));
        found.map(|(offset, _)| self.first + offset as i64)
    }

    /// A position before every clause.
    pub(crate) fn start(&self) -> i64 {
        self.first
    }
}
