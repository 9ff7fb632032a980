//! Counts the clauses that goals enter: a look at each instruction before it is done.

use super::coverage::{Counted, Coverage};
use super::regs::Regs;
use super::state::Machine;
use super::stubs;
use crate::base::grow::Grow;
use crate::code::instruction::{Op, decode};
use crate::program::predicate::PredId;

impl Machine {
    /// It is counted no more; gives what was found.
    pub(crate) fn end_coverage(&mut self) -> Option<Box<Coverage>> {
        let mut coverage = self.run.observers.profiles.coverage.take()?;
        coverage.outdated = true;
        self.gather_clauses(&mut coverage, true);
        Some(coverage)
    }

    /// Adds the clauses that have come since this was done last; with `all` also those whose code is still
    /// to be made, as it is when they are first called.
    fn gather_clauses(&self, coverage: &mut Coverage, all: bool) {
        if !std::mem::take(&mut coverage.outdated) {
            return;
        }
        let known = coverage.places.len();
        for predicate in (0..self.world.predicates.len() as u32).map(PredId) {
            for (_, clause) in self.world.predicates.get(predicate).clauses.iter() {
                let range = clause.addresses();
                let ready = all || clause.has_code();
                let places = &coverage.places[..known];
                let is_known = places.binary_search_by_key(&range.start, |place| place.0);
                if clause.file() == 0 || !ready || is_known.is_ok() {
                    continue;
                }
                coverage
                    .places
                    .put((range.start, range.end, coverage.clauses.len()));
                coverage.clauses.put(Counted {
                    predicate,
                    clause: clause.clone(),
                    entered: 0,
                });
            }
        }
        coverage.places.sort_unstable();
    }
}

/// Looks at an instruction before it is done.
pub(super) fn look(m: &mut Machine, r: &Regs, w: u64) {
    let Some(coverage) = &mut m.run.observers.profiles.coverage else {
        return;
    };
    if !coverage.present.0.contains(&r.p) || coverage.present.1.is_none() {
        if coverage.beginning.is_some() {
            if r.p == stubs::rare() || decode(w) == Some(Op::UnifyRest) {
                // A part of the instruction before.
                return;
            }
            if r.p == stubs::raise() {
                coverage.enter();
            }
            coverage.beginning = None;
        }
        if coverage.outdated {
            let Some(mut outdated) = m.run.observers.profiles.coverage.take() else {
                return;
            };
            m.gather_clauses(&mut outdated, false);
            outdated.find(r.p);
            m.run.observers.profiles.coverage = Some(outdated);
        } else if !coverage.present.0.contains(&r.p) {
            coverage.find(r.p);
        }
    }
    let Some(coverage) = &mut m.run.observers.profiles.coverage else {
        return;
    };
    let Some(index) = coverage.present.1 else {
        return;
    };
    if r.p == coverage.clauses[index].clause.entry() {
        coverage.beginning = Some(index);
    }
    if coverage.beginning.is_some() && decode(w).is_some_and(is_of_goal) {
        coverage.enter();
    }
}

/// Does such an instruction belong to a goal, or to the end of a clause, and never to a head?
fn is_of_goal(op: Op) -> bool {
    matches!(
        op,
        Op::Call
            | Op::Execute
            | Op::DeallocateExecute
            | Op::Proceed
            | Op::DeallocateProceed
            | Op::Fail
            | Op::TryElse
            | Op::NeckCut
            | Op::CutY
            | Op::SaveChoice
            | Op::SoftCut
            | Op::Builtin
            | Op::BuiltinProceed
            | Op::Nondet
            | Op::Arg
            | Op::MetaCall
            | Op::BodyCall
            | Op::CutTo
            | Op::CollectBegin
            | Op::ScopeBegin
            | Op::ScopeFrame
            | Op::BangBegin
            | Op::BangFrame
    )
}
