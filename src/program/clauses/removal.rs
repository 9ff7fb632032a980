//! Removal of dead clauses from a list, once no call can reach them.

use super::clause::Clause;
use super::clause_list::ClauseList;
use super::entries::Entry;
use super::generation::{ALIVE, Generation};
use crate::base::growth::{GiveBack, Within};
use crate::program::indexes::arg_index::Place;
use std::collections::VecDeque;

/// Minimum number of dead clauses for a removal.
const FEW_DEAD: usize = 16;
/// Maximum number of gaps for each living clause. While no clause moves, the place of a clause follows from its
/// position.
const GAPS: usize = 3;

impl ClauseList {
    /// Returns whether enough clauses are dead to look for clauses that can be removed.
    pub(crate) fn purge_is_due(&self) -> bool {
        let dead = self.dead();
        dead >= FEW_DEAD && dead >= self.purge_at
    }

    /// Removes dead clauses that none of the calls of these generations, in ascending order, can reach. `cost` is the
    /// effort of finding the generations: the higher it is, the later the next removal. `gone` receives the removed
    /// clauses. Clauses stay if `gone` has no room for them.
    pub(crate) fn purge(&mut self, open: &[Generation], cost: usize, gone: &mut Vec<Clause>) {
        while let Some(entry) = self.entries.list.front()
            && entry.died != ALIVE
            && (entry.clause.is_none() || entry.unreachable(open))
            && gone.try_reserve(1).is_ok()
        {
            let Some(Entry { clause, place, .. }) = self.entries.list.pop_front() else {
                break;
            };
            let Some(clause) = clause else {
                self.gaps -= 1;
                continue;
            };
            self.indexes.remove_first(&clause, place.position());
            gone.put_within(clause);
        }
        if self.dead() >= self.sweep_at.max(self.live / 4) + FEW_DEAD {
            self.sweep(open, gone);
            self.sweep_at = self.dead() + self.dead() / 4;
        }
        self.sweep_at = self.sweep_at.min(self.dead() + self.dead() / 4);
        self.purge_at = self.dead() + FEW_DEAD.max(cost / 8);
        if self.entries.list.capacity() > 64
            && self.entries.list.len() < self.entries.list.capacity() / 4
        {
            self.entries.list.give_back(self.entries.list.len() * 2);
        }
        if self.entries.list.is_empty() {
            self.indexes.clear();
        }
        if self.dying.len() > 2 * self.dead() + FEW_DEAD {
            // Clauses at the front were removed without a look at this list.
            let first = self
                .entries
                .list
                .front()
                .map(|entry| entry.place.position());
            self.dying
                .retain(|&position| first.is_some_and(|first| position >= first));
            self.dying.shrink_to(2 * self.dying.len());
        }
    }

    /// Removes dead clauses anywhere in the list.
    fn sweep(&mut self, open: &[Generation], gone: &mut Vec<Clause>) {
        let from = gone.len();
        // Without memory the clauses stay until there is some.
        if gone.try_reserve(self.dead()).is_err() {
            return;
        }
        self.remove_unreachable(open, gone);
        if self.gaps > GAPS * self.live + FEW_DEAD {
            self.close_gaps();
        }
        let entries = &self.entries;
        let stays = |position| entries.entry(position).is_some();
        self.indexes.remove(&gone[from..], stays);
    }

    /// Leaves gaps in place of dead clauses. `gone` must have room for them.
    fn remove_unreachable(&mut self, open: &[Generation], gone: &mut Vec<Clause>) {
        let before = gone.len();
        let mut remove = |entry: &mut Entry| {
            let goes = entry.died != ALIVE && entry.unreachable(open);
            if let Some(clause) = entry.clause.take_if(|_| goes) {
                gone.put_within(clause);
            }
        };
        if self.dying_lost {
            self.entries.list.iter_mut().for_each(remove);
            let dead = |entry: &&Entry| entry.is_dying();
            self.dying.clear();
            let left = self.entries.list.iter().filter(dead).count();
            self.dying_lost = self.dying.try_reserve(left).is_err();
            if !self.dying_lost {
                let left = self.entries.list.iter().filter(dead);
                self.dying
                    .put_all_within(left.map(|entry| entry.place.position()));
            }
        } else {
            let mut dying = std::mem::take(&mut self.dying);
            dying.retain(|&position| {
                let at = self.entries.lower(position);
                let entry = self.entries.list.get_mut(at);
                let entry = entry.filter(|entry| entry.place.position() == position);
                entry.is_some_and(|entry| {
                    remove(entry);
                    entry.is_dying()
                })
            });
            self.dying = dying;
        }
        self.gaps += gone.len() - before;
    }

    /// Moves the clauses together.
    fn close_gaps(&mut self) {
        let mut kept = VecDeque::new();
        if kept.try_reserve(self.kept()).is_err() {
            return;
        }
        for mut entry in std::mem::take(&mut self.entries.list) {
            if entry.clause.is_some() {
                entry.place = Place::new(entry.place.position());
                kept.put_within(entry);
            }
        }
        self.entries.list = kept;
        self.gaps = 0;
    }
}
