//! Giving the memory of erased clauses back.
//!
//! A clause that is erased stays in the list of its predicate while a call that began before may
//! still come to it, which the choice stack tells; and its code stays while a continuation, a choice
//! point or a term on the heap may refer to it. The latter is found out by looking at every word of
//! the stacks that could be such an address.

use crate::base::symbol::FastMap;
use crate::machine::frame::{ChoiceKind, NO_FRAME, cp};
use crate::machine::state::Machine;
use crate::program::clause_list::ClauseCode;
use crate::program::predicate::PredId;
use crate::store::cell::{Addr, WORD};
use crate::store::raw;
use std::sync::Arc;

/// Fewer dead clauses than this are left where they are.
const FEW_DEAD: usize = 16;
/// Fewer words of retired code than this are left where they are.
const FEW_WORDS: usize = 1 << 16;
/// What a clause takes besides its words.
const CLAUSE_WORDS: usize = 16;

/// When to look again.
#[derive(Default)]
struct Reclaim {
    /// For predicates whose dead clauses could not be removed at little cost: the number of dead
    /// clauses from which on it is tried again.
    retry: FastMap<PredId, usize>,
    /// Words of the code retired since the last collection, and before it what was left over.
    retired_words: usize,
    /// Their number from which on a collection is due.
    limit: usize,
}

fn code_words(code: &ClauseCode) -> usize {
    code.words.len() + code.pools.iter().map(|pool| pool.len()).sum::<usize>() + CLAUSE_WORDS
}

impl Machine {
    /// Marks a clause dead; false if it was dead already. The caller then calls
    /// [`Machine::remove_dead`].
    pub(crate) fn erase_clause(&mut self, id: PredId, position: i64) -> bool {
        let generation = self.predicates.generation + 1;
        let clauses = &mut self.predicates.get_mut(id).clauses;
        let Some(code) = clauses.get(position).map(|clause| Arc::clone(&clause.code)) else {
            return false;
        };
        if !clauses.erase(position, generation) {
            return false;
        }
        self.predicates.generation = generation;
        self.extensions.get::<Reclaim>().retired_words += code_words(&code);
        self.predicates.retired.push(code);
        true
    }

    /// Removes the dead clauses of a predicate if there are many and no call is going through them.
    pub(crate) fn remove_dead(&mut self, id: PredId) {
        let dead = self.predicates.get(id).clauses.dead();
        if dead < FEW_DEAD {
            return;
        }
        let retry = self.extensions.get::<Reclaim>().retry.get(&id).copied();
        if retry.is_some_and(|retry| dead < retry) {
            return;
        }
        let (open, steps) = self.call_is_open(id);
        if !open {
            // Code that `erase_clause` retired stands there twice now, which does no harm.
            let codes = self.predicates.get_mut(id).clauses.purge();
            self.predicates.retired.extend(codes);
        }
        let wait = FEW_DEAD.max(steps / 8);
        let retry = if open { dead + wait } else { wait };
        let table = &mut self.extensions.get::<Reclaim>().retry;
        if retry > FEW_DEAD {
            table.insert(id, retry);
        } else {
            table.remove(&id);
        }
    }

    /// Is a call of the predicate, or an enumeration of its clauses, to be taken up again? Also how
    /// many choice points were looked at.
    fn call_is_open(&self, id: PredId) -> (bool, usize) {
        let mut b = self.choice;
        let mut steps = 1;
        loop {
            if self.choice_kind(b) == ChoiceKind::Dynamic {
                let index = self.choice_args(b) - 3;
                if self.choice_arg(b, index).int_value() == i64::from(id.0) {
                    return (true, steps);
                }
            }
            let older = raw::word(b + cp::PREV);
            if older == b {
                return (false, steps);
            }
            b = older;
            steps += 1;
        }
    }

    /// Frees retired code that nothing refers to, if there is much of it. Only for builtins that are
    /// never compiled in place: code that runs without being somebody's continuation is not seen.
    pub(crate) fn free_retired_code(&mut self) {
        let (words, limit) = {
            let reclaim = self.extensions.get::<Reclaim>();
            (reclaim.retired_words, reclaim.limit.max(FEW_WORDS))
        };
        if words < limit {
            return;
        }
        let areas = self.used_areas();
        let used: usize = areas
            .iter()
            .map(|&(from, to)| ((to - from) / WORD) as usize)
            .sum();
        if words < used / 4 {
            self.extensions.get::<Reclaim>().limit = used / 4;
            return;
        }
        let mut codes = std::mem::take(&mut self.predicates.retired);
        let mut finder = Finder::new(&codes);
        for (from, to) in areas {
            finder.look_at(raw::words(from, ((to - from) / WORD) as usize));
        }
        finder.look_at(&[self.cont]);
        for cell in self.x {
            finder.look_at(&[cell.0]);
        }
        let mut marks = finder.found.iter();
        codes.retain(|_| marks.next().copied().unwrap_or(true));
        let left: usize = codes.iter().map(|code| code_words(code)).sum();
        self.predicates.retired = codes;
        let reclaim = self.extensions.get::<Reclaim>();
        reclaim.retired_words = left;
        reclaim.limit = 2 * left + FEW_WORDS.max(used / 4);
    }

    /// Those parts of the areas that are in use.
    fn used_areas(&self) -> [(Addr, Addr); 4] {
        let store = &self.store;
        let choice_top = self.choice + cp::ARGS + self.choice_args(self.choice) as u64 * WORD;
        let env_top = self.env_top(self.env, NO_FRAME).max(self.env_floor);
        [
            (store.heap.base, store.heap_top),
            (store.env.base, env_top),
            (store.choice.base, choice_top),
            (store.trail.base, store.trail_top),
        ]
    }
}

/// Finds which pieces of code words refer to.
struct Finder {
    /// Address ranges in order, each with the index of the code that it belongs to.
    ranges: Vec<(Addr, Addr, usize)>,
    found: Vec<bool>,
    first: Addr,
    end: Addr,
}

impl Finder {
    fn new(codes: &[Arc<ClauseCode>]) -> Finder {
        let mut ranges = Vec::with_capacity(codes.len());
        for (index, code) in codes.iter().enumerate() {
            let start = code.entry();
            ranges.push((start, start + code.words.len() as u64 * WORD, index));
            for pool in &code.pools {
                // The root of a pool is its first object.
                let start = pool.root().addr();
                ranges.push((start, start + pool.len() as u64 * WORD, index));
            }
        }
        ranges.sort_unstable();
        let first = ranges.first().map_or(u64::MAX, |range| range.0);
        let end = ranges.last().map_or(0, |range| range.1);
        Finder {
            ranges,
            found: vec![false; codes.len()],
            first,
            end,
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
