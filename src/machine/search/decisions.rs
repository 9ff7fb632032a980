//! Searches by several machines for the best value of a variable. Each machine uses the values that the others have
//! found. So the choice points of a machine depend on the other machines. The path to a part of such a search
//! therefore consists of decisions.
#![forbid(unsafe_code)]

use super::path::{Branches, NO_BEST, Step};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::machine::builtin::Decision;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use std::sync::atomic::{AtomicI64, Ordering};

impl Machine {
    /// Begins a search within the present one. The present search notes its branches again after the inner search.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn begin_inner_branches(&mut self) -> Result<(), Stop> {
        let notes = self.store.inspects_choices();
        self.run.outer_branches.put((None, notes))?;
        self.store.set_inspects_choices(false);
        let calls = self.inferences();
        if let Some(outer) = self.run.outer_branches.last_mut() {
            outer.0 = self.run.branches.take();
            outer.0.iter_mut().for_each(|outer| outer.inner = calls);
        }
        Ok(())
    }

    /// Ends the inner search.
    pub(crate) fn end_inner_branches(&mut self) {
        if let Some((outer, notes)) = self.run.outer_branches.pop() {
            self.run.branches = outer;
            let calls = self.inferences();
            if let Some(outer) = &mut self.run.branches {
                outer.within += calls.wrapping_sub(outer.inner);
            }
            self.store.set_inspects_choices(notes);
        }
    }

    /// Returns the branches of the present search and of the searches around it.
    pub(in crate::machine) fn all_branches(&self) -> impl Iterator<Item = &Branches<Machine>> {
        let outer = self.run.outer_branches.iter();
        let outer = outer.filter_map(|(branches, _)| branches.as_deref());
        self.run.branches.as_deref().into_iter().chain(outer)
    }

    /// Returns the least value that any machine has found, if the machines share it.
    fn shared_best(&self) -> Option<&AtomicI64> {
        self.run.branches.as_ref()?.exchange.best()
    }

    /// Returns the least value that other machines have found.
    pub(crate) fn best_of_others(&self) -> Option<i64> {
        let best = self.shared_best()?.load(Ordering::Relaxed);
        (best != NO_BEST).then_some(best)
    }

    /// Shares a value with the other machines.
    pub(crate) fn share_best(&self, value: i64) {
        if let Some(best) = self.shared_best() {
            best.fetch_min(value, Ordering::Relaxed);
        }
    }

    /// Notes the decision made at the newest choice point, which was just noted.
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

    /// Returns the decisions that lead to the part that this machine searches. Each has a flag: whether to make the
    /// decision or its opposite. Later calls return no decisions.
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
    /// Returns the path of decisions to the second branch of a choice point. Returns `None` if a choice point on the
    /// way has no decision, or if the value of a decision is not a small integer.
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
