//! Which clauses of files goals have come to, and how often. While this is counted instructions are done
//! one at a time, with a look at each.
//!
//! A clause is entered when its head fits and the unifications, comparisons, tests and arithmetic that its body
//! begins with hold, or raise an exception: how much of that a call looks at before it comes to the clause
//! is a matter of indexing.

use super::regs::Regs;
use super::state::Machine;
use super::stubs;
use crate::base::grow::Grow;
use crate::code::instruction::{Op, decode};
use crate::program::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::store::cell::Addr;
use std::ops::Range;

/// A clause of a file.
#[derive(Clone)]
pub(crate) struct Counted {
    /// Its predicate.
    pub(crate) predicate: PredId,
    /// The clause itself. As it is held, no other one comes to its place in memory.
    pub(crate) clause: Clause,
    /// How often it was entered.
    pub(crate) entered: u64,
}

/// What is counted.
#[derive(Default)]
pub(crate) struct Coverage {
    /// All clauses of files that there were since this was begun, as they were found.
    pub(crate) clauses: Vec<Counted>,
    /// Where they lie, in order, with their numbers.
    places: Vec<(Addr, Addr, usize)>,
    /// There may be others by now.
    pub(crate) outdated: bool,
    /// The addresses that the last instruction was found in, and the clause that they are of, if any.
    present: (Range<Addr>, Option<usize>),
    /// The clause whose head is being unified.
    beginning: Option<usize>,
}

impl std::fmt::Debug for Coverage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} clauses", self.clauses.len())
    }
}

impl Coverage {
    /// The clause whose head was being unified has been entered.
    fn enter(&mut self) {
        if let Some(index) = self.beginning.take() {
            self.clauses[index].entered += 1;
        }
    }

    /// Finds the clause that an instruction is of, and the addresses for which that holds.
    fn find(&mut self, at: Addr) {
        let after = self.places.partition_point(|place| place.0 <= at);
        let before = after.checked_sub(1).map(|index| self.places[index]);
        self.present = match before {
            Some((start, end, index)) if at < end => (start..end, Some(index)),
            _ => {
                let start = before.map_or(0, |place| place.1);
                let end = self.places.get(after).map_or(Addr::MAX, |place| place.0);
                (start..end, None)
            }
        };
    }
}

impl Machine {
    /// From now on it is counted how often clauses are entered, anew.
    pub(crate) fn begin_coverage(&mut self) {
        self.run.observers.profiles.coverage = Some(Box::new(Coverage {
            outdated: true,
            ..Coverage::default()
        }));
    }

    /// It is counted no more; gives what was found.
    pub(crate) fn end_coverage(&mut self) -> Option<Box<Coverage>> {
        let mut coverage = self.run.observers.profiles.coverage.take()?;
        coverage.outdated = true;
        self.gather_clauses(&mut coverage, true);
        Some(coverage)
    }

    /// A clause comes into being.
    pub(crate) fn note_clause(&mut self, clause: &Clause) {
        if let Some(coverage) = &mut self.run.observers.profiles.coverage
            && clause.file() != 0
        {
            coverage.outdated = true;
        }
    }

    /// The goal that comes next is not the next instruction of the clause, but was reached by it.
    pub(super) fn note_detour(&mut self) {
        if let Some(coverage) = &mut self.run.observers.profiles.coverage {
            coverage.enter();
        }
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
