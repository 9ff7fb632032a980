//! Frees the memory of erased clauses.
//!
//! An erased clause stays in the list of its predicate while an older call may still reach it. The choice stack shows
//! these calls. Its code stays while a continuation, a choice point or a term on the heap may refer to it. It also
//! stays while the code of an index that one of these refers to does. The collector finds such references by looking
//! at every word of the stacks that could be such an address.
#![forbid(unsafe_code)]

use crate::base::atom_table::FastSet;
use crate::base::growth::{Gather, Grow, GrowSet, filled};
use crate::base::stop::Stop;
use crate::machine::dispatch::regs::Regs;
use crate::machine::events::observer::Event;
use crate::machine::frames::layout::{ChoiceKind, cp};
use crate::machine::state::Machine;
use crate::program::clauses::clause_list::Clause;
use crate::program::clauses::generation::Generation;
use crate::program::predicate::{Kind, PredId};
use crate::program::retired::Retired;
use crate::store::address::EnvAddr;
use crate::store::cell::WORD;
use crate::store::claims::Life;

/// Number of words of retired code below which it is not freed.
const FEW_WORDS: usize = 1 << 16;
/// Bytes of a clause besides its words: its places in the list and in indexes, and the overhead of the system.
const CLAUSE_BYTES: u64 = 96;

/// Returns the bytes of a clause that count against the limit.
fn clause_bytes(clause: &Clause) -> u64 {
    let block = clause.addresses();
    block.end - block.start + CLAUSE_BYTES
}

impl Machine {
    /// Returns the lifetime of the memory of a predicate's clauses and indexes. The library of the system must load
    /// and run even if programs have filled their part of the memory.
    fn life_of_clauses(&self, id: PredId) -> Life {
        let predicate = self.world.predicates.get(id);
        let system = predicate.kind != Kind::Dynamic && self.is_system_module(predicate.module);
        if self.world.booting || system {
            Life::Passing
        } else {
            Life::Kept
        }
    }

    /// Counts the memory of a clause that is about to be added to its predicate.
    pub(crate) fn claim_clause(&mut self, id: PredId, clause: &Clause) -> Result<(), Stop> {
        self.notify(&Event::Added(clause), &Regs::NONE);
        let life = self.life_of_clauses(id);
        let bytes = self.world.clauses_claim.bytes() + clause_bytes(clause);
        self.store
            .resize_claim(&mut self.world.clauses_claim, bytes, life)
    }

    /// Counts the present memory of the indexes of a predicate.
    pub(crate) fn claim_indexes(&mut self, id: PredId) -> Result<(), Stop> {
        let (now, before) = self.world.predicates.get(id).clauses.index_bytes();
        if now != before {
            let bytes = (self.world.clauses_claim.bytes() + now).saturating_sub(before);
            let life = self.life_of_clauses(id);
            self.store
                .resize_claim(&mut self.world.clauses_claim, bytes, life)?;
            let clauses = &mut self.world.predicates.get_mut(id).clauses;
            clauses.count_index_bytes(now);
        }
        Ok(())
    }

    /// Stops counting the memory of clauses.
    fn release_clauses(&mut self, bytes: u64) {
        let left = self.world.clauses_claim.bytes().saturating_sub(bytes);
        let less = self
            .store
            .resize_claim(&mut self.world.clauses_claim, left, Life::Kept);
        debug_assert!(less.is_ok(), "there is always room for less");
    }

    /// Replaces a clause without code by the same clause with its code. Nothing refers to the old clause: it never
    /// ran, and readers copy its terms.
    pub(crate) fn give_code(
        &mut self,
        id: PredId,
        position: i64,
        clause: Clause,
    ) -> Result<(), Stop> {
        self.claim_clause(id, &clause)?;
        let loaded = clause.file() != 0;
        let clauses = &mut self.world.predicates.get_mut(id).clauses;
        if let Some(stored) = clauses.replace(position, clause) {
            self.release_clauses(clause_bytes(&stored));
        }
        if loaded {
            self.world.predicates.note_loaded(id, position)?;
        }
        Ok(())
    }

    /// Marks a clause dead; returns false if it was dead already. The caller then calls [`Machine::remove_dead`].
    ///
    /// # Errors
    /// Returns an error if there is no memory for the mark.
    pub(crate) fn erase_clause(&mut self, id: PredId, position: i64) -> Result<bool, Stop> {
        let generation = self.world.predicates.generation + 1;
        let clauses = &mut self.world.predicates.get_mut(id).clauses;
        if !clauses.erase(position, generation)? {
            return Ok(false);
        }
        self.world.predicates.generation = generation;
        Ok(true)
    }

    /// Removes the dead clauses of a predicate that no open call can reach, if there are many.
    pub(crate) fn remove_dead(&mut self, id: PredId) -> Result<(), Stop> {
        if self.world.predicates.get(id).clauses.purge_is_due() {
            self.purge(id)?;
        }
        Ok(())
    }

    /// Removes the dead clauses of a predicate that no open call can reach.
    pub(crate) fn purge(&mut self, id: PredId) -> Result<(), Stop> {
        let (open, steps) = self.open_generations(id)?;
        self.purge_of(id, &open, steps);
        Ok(())
    }

    /// Removes the dead clauses of predicates that are no longer defined, if no call enumerates their clauses.
    pub(in crate::machine) fn purge_undefined(&mut self) -> Result<(), Stop> {
        let dying = self.world.predicates.undefined_with_clauses()?;
        if dying.is_empty() {
            return Ok(());
        }
        let mut called: FastSet<u32> = FastSet::default();
        let mut b = self.choice;
        loop {
            if self.choice_kind(b) == ChoiceKind::Dynamic {
                called.put_new(self.choice_arg(b, self.choice_args(b) - 3).int_value() as u32)?;
            }
            let older = b.get(cp::PREV);
            if older == b {
                break;
            }
            b = older;
        }
        let kept = self.world.predicates.kept.iter().copied().gather()?;
        for id in dying {
            if !called.contains(&id.0) {
                self.purge_of(id, &kept, 1);
            }
        }
        Ok(())
    }

    /// Removes the dead clauses of a predicate that calls of these generations cannot reach.
    fn purge_of(&mut self, id: PredId, open: &[Generation], steps: usize) {
        let is_dynamic = self.world.predicates.get(id).kind == Kind::Dynamic;
        let mut freed = 0;
        // The address of a clause from a file may be that of its predicate.
        self.world.predicates.purge(id, open, steps, |clause| {
            let goes = is_dynamic && clause.file() == 0 && clause.is_self_contained();
            if goes {
                freed += clause_bytes(clause);
            }
            goes
        });
        self.release_clauses(freed);
        // If the indexes have grown and there is no room, the next clause reports that.
        self.claim_indexes(id).unwrap_or(());
    }

    /// Returns the generations of the open calls of a predicate and of the open enumerations of its clauses, and the
    /// kept generations. They are in ascending order. Also returns the number of choice points that were looked at.
    fn open_generations(&self, id: PredId) -> Result<(Vec<Generation>, usize), Stop> {
        let mut open = self.world.predicates.kept.iter().copied().gather()?;
        let mut b = self.choice;
        let mut steps = 1;
        loop {
            if self.choice_kind(b) == ChoiceKind::Dynamic {
                let index = self.choice_args(b) - 3;
                if self.choice_arg(b, index).int_value() as u32 == id.0 {
                    open.put(self.choice_arg(b, index + 2).int_value() as Generation)?;
                }
            }
            let older = b.get(cp::PREV);
            if older == b {
                break;
            }
            b = older;
            steps += 1;
        }
        open.sort_unstable();
        open.dedup();
        Ok((open, steps))
    }

    /// Frees retired code that nothing refers to, if there is much of it. Only for builtins that are never compiled
    /// in place, because the search does not see code that runs without being a continuation.
    pub(crate) fn free_retired_code(&mut self) -> Result<(), Stop> {
        let retired = &self.world.predicates.retired;
        if retired.words < retired.limit.max(FEW_WORDS) {
            return Ok(());
        }
        let areas = self.used_words(self.env);
        let used: usize = areas.iter().map(|words| words.len()).sum();
        if retired.words < used / 4 {
            self.world.predicates.retired.limit = used / 4;
            return Ok(());
        }
        self.free_retired(self.env)?;
        let retired = &mut self.world.predicates.retired;
        retired.limit = 2 * retired.words + FEW_WORDS.max(used / 4);
        Ok(())
    }

    /// Frees retired code that nothing in the areas refers to. The environment is `e`. Only code to which
    /// continuations lead may run.
    pub(in crate::machine) fn free_retired(&mut self, e: EnvAddr) -> Result<(), Stop> {
        // It refers to places in code.
        self.run.raising.traces.caught = None;
        let retired = &self.world.predicates.retired;
        let mut finder = Finder::new(retired)?;
        for words in self.used_words(e) {
            finder.look_at(words);
        }
        finder.look_at(&[self.cont.bits()]);
        for alternative in self
            .all_branches()
            .flat_map(|branches| branches.alternatives())
        {
            finder.look_at(&[alternative.bits()]);
        }
        for continuation in self.world.tables.continuations() {
            finder.look_at(&continuation.cells);
        }
        for cell in self.x {
            finder.look_at(&[cell.word()]);
        }
        finder.follow(retired)?;
        let bytes = |retired: &Retired| retired.clauses.iter().map(clause_bytes).sum::<u64>();
        let retired = &mut self.world.predicates.retired;
        let before = bytes(retired);
        retired.keep(&finder.found);
        let after = bytes(retired);
        self.release_clauses(before - after);
        Ok(())
    }
}

/// Finds the pieces of code to which words refer.
struct Finder {
    /// Address ranges in order, each with the index of the code to which it belongs.
    ranges: Vec<(u64, u64, usize)>,
    found: Vec<bool>,
    first: u64,
    end: u64,
}

impl Finder {
    fn new(retired: &Retired) -> Result<Finder, Stop> {
        let mut ranges = retired
            .ranges()
            .enumerate()
            .map(|(index, range)| (range.start.bits(), range.end.bits(), index))
            .gather()?;
        ranges.sort_unstable();
        let first = ranges.first().map_or(u64::MAX, |range| range.0);
        let end = ranges.last().map_or(0, |range| range.1);
        let found = filled(false, ranges.len())?;
        Ok(Finder {
            ranges,
            found,
            first,
            end,
        })
    }

    /// Follows the code of indexes, which refers to clauses and other indexes, and marks all of these.
    fn follow(&mut self, retired: &Retired) -> Result<(), Stop> {
        let first = retired.clauses.len();
        let mut pending = (0..retired.indexes.len()).gather()?;
        loop {
            let before = pending.len();
            pending.retain(|&index| {
                let found = self.found[first + index];
                if found {
                    self.look_at(&retired.indexes[index]);
                }
                !found
            });
            if pending.len() == before {
                return Ok(());
            }
        }
    }

    fn look_at(&mut self, words: &[u64]) {
        for &word in words {
            let address = word & !(WORD - 1);
            if address < self.first || address >= self.end {
                continue;
            }
            let after = self.ranges.partition_point(|range| range.0 <= address);
            if let Some(&(_, end, index)) = after.checked_sub(1).and_then(|at| self.ranges.get(at))
                && address < end
            {
                self.found[index] = true;
            }
        }
    }
}
