//! Where the time goes while a goal runs: calls are counted, and from time to time it is noted which
//! clauses wait for the present goal. Meanwhile instructions are done one at a time, with a look at each.

use super::coverage::Coverage;
use super::regs::Regs;
use crate::base::symbol::FastMap;
use crate::program::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::store::cell::Addr;
use std::time::{Duration, Instant};

/// What is found out of the time that goals take, and of the clauses that they come to.
#[derive(Debug, Default)]
pub(crate) struct Profiles {
    /// Of the goal that runs.
    pub(crate) running: Option<Box<Profile>>,
    /// Of the last one that has ended.
    pub(crate) last: Option<Box<Profile>>,
    /// Which clauses were entered, while that is counted.
    pub(crate) coverage: Option<Box<Coverage>>,
}

/// What is known of a goal that has run or runs.
#[derive(Debug)]
pub(crate) struct Profile {
    /// How often each predicate was called.
    pub(crate) calls: FastMap<PredId, u64>,
    /// How often each builtin was called in place, by its number.
    pub(crate) builtins: FastMap<u32, u64>,
    /// The time with each stack of predicates, the outermost first; a builtin may be the last.
    pub(crate) stacks: FastMap<(Vec<PredId>, Option<u32>), Duration>,
    /// When the clock was looked at last.
    pub(super) last: Instant,
    /// Calls until the clock is looked at.
    pub(super) left: u32,
    /// The builtin that is being done, and the instruction.
    pub(super) within: Option<(u32, Regs)>,
    /// The clauses of all predicates, by address.
    pub(super) code: Vec<(Addr, Addr, PredId)>,
    /// The generation of the database in which they were gathered.
    pub(super) generation: u64,
}

impl Profiles {
    /// From now on calls are counted.
    pub(super) fn begin(&mut self) {
        self.running = Some(Box::new(Profile::new()));
    }

    /// No more calls are counted; what was found is kept.
    pub(super) fn end(&mut self) {
        if let Some(profile) = self.running.take() {
            self.last = Some(profile);
        }
    }

    /// From now on it is counted how often clauses are entered, anew.
    pub(crate) fn begin_coverage(&mut self) {
        self.coverage = Some(Box::new(Coverage {
            outdated: true,
            ..Coverage::default()
        }));
    }

    /// A clause comes into being.
    pub(crate) fn note_clause(&mut self, clause: &Clause) {
        if let Some(coverage) = &mut self.coverage
            && clause.file() != 0
        {
            coverage.outdated = true;
        }
    }

    /// The goal that comes next is not the next instruction of the clause, but was reached by it.
    pub(super) fn note_detour(&mut self) {
        if let Some(coverage) = &mut self.coverage {
            coverage.enter();
        }
    }
}

impl Profile {
    pub(super) fn new() -> Profile {
        Profile {
            calls: FastMap::default(),
            builtins: FastMap::default(),
            stacks: FastMap::default(),
            last: Instant::now(),
            left: CALLS,
            within: None,
            code: Vec::new(),
            generation: u64::MAX,
        }
    }

    pub(super) fn predicate_at(&self, at: Addr) -> Option<PredId> {
        let after = self.code.partition_point(|range| range.0 <= at);
        let &(_, end, id) = self.code.get(after.checked_sub(1)?)?;
        (at < end).then_some(id)
    }
}

/// So many calls lie between two looks at the clock.
pub(super) const CALLS: u32 = 8;
