//! Coverage: the clauses of the user's files that goals have entered, and how often.
//!
//! A goal enters a clause when the head fits and the unifications, comparisons, tests and arithmetic at the start
//! of the body succeed or raise an exception. Indexing decides how much of these a call checks before it
//! reaches the clause.

use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowTable};
use crate::base::stop::Stop;
use crate::code::instruction::Op;
use crate::diagnose::backtrace::name_of;
use crate::diagnose::origin::is_of_user;
use crate::machine::events::observer::{Event, Kinds, Observer, View};
use crate::machine::state::Machine;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use std::ops::Range;

/// A clause of a file, and how often it was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClauseEntries {
    /// The file.
    pub(crate) file: String,
    /// The first line of the clause.
    pub(crate) line: usize,
    /// The predicate, as `name/arity`.
    pub(crate) predicate: String,
    /// How often goals entered the clause.
    pub(crate) times: u64,
}

/// Ends the count and returns the clauses in the order of their lines. A clause that was loaded several times
/// occurs once.
pub(crate) fn end_coverage(m: &mut Machine) -> Result<Vec<ClauseEntries>, Stop> {
    let Some(mut coverage) = m.run.observers.observing.end::<Coverage>() else {
        return Ok(Vec::new());
    };
    coverage.outdated = true;
    coverage.gather(m, true)?;
    let mut found: Vec<ClauseEntries> = Vec::new();
    let mut places = FastMap::default();
    for counted in &coverage.clauses {
        let (predicate, clause) = (counted.predicate, &counted.clause);
        if !is_of_user(m, predicate, clause) {
            continue;
        }
        places.make_room()?;
        let key = (
            clause.file(),
            clause.line(),
            predicate,
            clause.fingerprint()?,
        );
        let place = *places.entry(key).or_insert(found.len());
        if place < found.len() {
            found[place].times += counted.entered;
            continue;
        }
        found.put(ClauseEntries {
            file: m.world.files.get(clause.file()).name.to_string(),
            line: clause.line() as usize,
            predicate: name_of(m, predicate)?,
            times: counted.entered,
        })?;
    }
    found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    Ok(found)
}

/// A clause of a file during the count.
struct Counted {
    predicate: PredId,
    /// The clause itself. Holding it keeps other clauses from its place in memory.
    clause: Clause,
    /// How often goals entered the clause.
    entered: u64,
}

/// The state of the count.
pub(crate) struct Coverage {
    /// All clauses of files since the count began, in the order in which they were found.
    clauses: Vec<Counted>,
    /// The addresses of the clauses, in order, with their numbers.
    places: Vec<(CodeAddr, CodeAddr, usize)>,
    /// Whether there may be new clauses.
    outdated: bool,
    /// The address range of the last instruction, and the clause of this range, if any.
    present: (Range<CodeAddr>, Option<usize>),
    /// The clause whose head is being unified.
    beginning: Option<usize>,
}

impl Default for Coverage {
    fn default() -> Coverage {
        Coverage {
            clauses: Vec::new(),
            places: Vec::new(),
            outdated: true,
            present: (CodeAddr::NONE..CodeAddr::NONE, None),
            beginning: None,
        }
    }
}

impl Observer<Machine> for Coverage {
    fn kinds(&self) -> Kinds {
        Kinds::STEP.and(Kinds::DETOUR).and(Kinds::ADDED)
    }

    fn event(&mut self, event: &Event<'_>, view: &View<'_, Machine>) -> Result<(), Stop> {
        match *event {
            Event::Step(op) => self.step(op, view)?,
            Event::Detour => self.enter(),
            Event::Added(clause) => self.outdated |= clause.file() != 0,
            _ => {}
        }
        Ok(())
    }
}

impl Coverage {
    /// Handles an instruction that is about to run.
    fn step(&mut self, op: Op, view: &View<'_, Machine>) -> Result<(), Stop> {
        let at = view.p;
        if !self.present.0.contains(&at) || self.present.1.is_none() {
            if self.beginning.is_some() {
                if matches!(op, Op::Rare | Op::UnifyRest) {
                    // This is a part of the previous instruction.
                    return Ok(());
                }
                if op == Op::Raise {
                    self.enter();
                }
                self.beginning = None;
            }
            if self.outdated {
                self.gather(view.machine, false)?;
                self.find(at);
            } else if !self.present.0.contains(&at) {
                self.find(at);
            }
        }
        let Some(index) = self.present.1 else {
            return Ok(());
        };
        if at == self.clauses[index].clause.entry() {
            self.beginning = Some(index);
        }
        if self.beginning.is_some() && is_of_goal(op) {
            self.enter();
        }
        Ok(())
    }

    /// Adds the new clauses since the last call. With `all`, also adds clauses without code; a clause gets its code when it
    /// is first called.
    fn gather(&mut self, m: &Machine, all: bool) -> Result<(), Stop> {
        if !std::mem::take(&mut self.outdated) {
            return Ok(());
        }
        let known = self.places.len();
        for predicate in m.world.predicates.ids() {
            for (_, clause) in m.world.predicates.get(predicate).clauses.iter() {
                let range = clause.addresses();
                let ready = all || clause.has_code();
                let places = &self.places[..known];
                let is_known = places.binary_search_by_key(&range.start, |place| place.0);
                if clause.file() == 0 || !ready || is_known.is_ok() {
                    continue;
                }
                self.places
                    .put((range.start, range.end, self.clauses.len()))?;
                self.clauses.put(Counted {
                    predicate,
                    clause: clause.clone(),
                    entered: 0,
                })?;
            }
        }
        self.places.sort_unstable();
        Ok(())
    }

    /// Counts the clause whose head was being unified as entered.
    fn enter(&mut self) {
        if let Some(index) = self.beginning.take() {
            self.clauses[index].entered += 1;
        }
    }

    /// Finds the clause of an instruction, and the address range of this clause or of the gap.
    fn find(&mut self, at: CodeAddr) {
        let after = self.places.partition_point(|place| place.0 <= at);
        let before = after.checked_sub(1).map(|index| self.places[index]);
        self.present = match before {
            Some((start, end, index)) if at < end => (start..end, Some(index)),
            _ => {
                let start = before.map_or(CodeAddr::NONE, |place| place.1);
                let end = self
                    .places
                    .get(after)
                    .map_or(CodeAddr::MAX, |place| place.0);
                (start..end, None)
            }
        };
    }
}

/// Returns whether such an instruction belongs to a goal, or to the end of a clause, and never to a head.
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
