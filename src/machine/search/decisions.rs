//! Searches for the best value of a variable that several machines do: each makes use of what the others have found. The
//! choice points of a machine depend on that, so what leads to a part of the search is told by decisions.
#![forbid(unsafe_code)]

use super::path::{Branches, NO_BEST, Step};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::machine::builtin::Decision;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use std::sync::atomic::{AtomicI64, Ordering};

impl Machine {
    /// A search begins within the one that is under way, whose branches are noted again after it.
    ///
    /// # Errors
    /// There is no memory.
    pub(crate) fn begin_inner_branches(&mut self) -> Result<(), Stop> {
        let notes = self.store.notes_choices();
        self.run.outer_branches.put((None, notes))?;
        self.store.note_choices(false);
        let calls = self.inferences();
        if let Some(outer) = self.run.outer_branches.last_mut() {
            outer.0 = self.run.branches.take();
            outer.0.iter_mut().for_each(|outer| outer.inner = calls);
        }
        Ok(())
    }

    /// It has ended.
    pub(crate) fn end_inner_branches(&mut self) {
        if let Some((outer, notes)) = self.run.outer_branches.pop() {
            self.run.branches = outer;
            let calls = self.inferences();
            if let Some(outer) = &mut self.run.branches {
                outer.within += calls.wrapping_sub(outer.inner);
            }
            self.store.note_choices(notes);
        }
    }

    /// The branches of the search that is under way, and of those around it.
    pub(in crate::machine) fn all_branches(&self) -> impl Iterator<Item = &Branches<Machine>> {
        let outer = self.run.outer_branches.iter();
        let outer = outer.filter_map(|(branches, _)| branches.as_deref());
        self.run.branches.as_deref().into_iter().chain(outer)
    }

    /// The least value that one of the machines has found, where they tell each other.
    fn told_best(&self) -> Option<&AtomicI64> {
        self.run.branches.as_ref()?.exchange.best()
    }

    /// The least value that others have found.
    pub(crate) fn best_of_others(&self) -> Option<i64> {
        let best = self.told_best()?.load(Ordering::Relaxed);
        (best != NO_BEST).then_some(best)
    }

    /// Tells others of a value.
    pub(crate) fn tell_best(&self, value: i64) {
        if let Some(best) = self.told_best() {
            best.fetch_min(value, Ordering::Relaxed);
        }
    }

    /// Notes what was decided at the newest choice point, which was noted just now.
    #[cold]
    #[inline(never)]
    pub(in crate::machine) fn note_decision(&mut self, decision: Decision) {
        if let Some(branches) = &mut self.run.branches
            && branches.given.is_some()
            && let Some(taken) = branches.taken.last_mut()
            && taken.choice == self.choice
        {
            taken.decision = Some(decision);
        }
    }

    /// The decisions that lead to the part that is to be searched, each with whether it is made or its opposite. They are
    /// given once.
    pub(crate) fn take_given_decisions(&mut self) -> Result<Vec<(Decision, bool)>, Stop> {
        let Some(branches) = &mut self.run.branches else {
            return Ok(Vec::new());
        };
        if std::mem::replace(&mut branches.went, true) {
            return Ok(Vec::new());
        }
        let steps = branches.given.iter().flatten();
        steps
            .map(|step| {
                let value = Cell::of_word(step.meta);
                ((step.number as i64, value), step.branch == 0)
            })
            .gather()
    }
}

impl<M> Branches<M> {
    /// What leads to the second branch of a choice point, if that is told by decisions: `None` if one of them is none of a
    /// search, or of a large number.
    pub(super) fn decisions_to(&self, place: usize) -> Result<Option<Vec<Step>>, Stop> {
        let given = self.given.iter().flatten();
        let mut path = given.copied().gather()?;
        for (at, taken) in self.taken.iter().enumerate().take(place + 1) {
            let Some((number, value)) = taken.decision.filter(|(_, value)| value.is_int()) else {
                return Ok(None);
            };
            path.put(Step {
                number: number as u64,
                meta: value.word(),
                branch: if at == place { 1 } else { taken.step.branch },
                end: taken.step.end,
            })?;
        }
        Ok(Some(path))
    }
}
