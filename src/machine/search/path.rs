//! The branches that a search takes. A path leads from the beginning of the search to its present place. With the
//! path, another machine can go to that place and search there.
//!
//! A search is the work between the beginning and the end of a collection of solutions. Its choice points are
//! numbered in the order in which they are pushed. After backtracking to a choice point, numbering continues from the
//! number of that choice point. Choice points of goals that are run again each time (conditions, inner collections)
//! count likewise. So the number of a choice point depends only on the branches that lead to it.
//!
//! Goals that are run again reuse numbers that other choice points get later. The number of calls since the previous
//! branch of the path distinguishes them. A path consists of the numbers of the choice points whose branches matter,
//! each with its calls and its branch (the oracles of W. F. Clocksin, "Principles of the DelPhi parallel inference
//! machine", 1987). A machine that follows the path also pushes, and cuts, the choice points that were cut.
//!
//! A noted choice point continues at the instruction `next_branch`. This instruction counts the branch and does the
//! instruction that was there before. Only the oldest choice points are noted. With `most_open` open choice points,
//! the search notes no more until it backtracks to a noted one. This does not change the number of any noted choice
//! point.
//!
//! In branch and bound, the machines share the values that they have found. So the choice points of the machines
//! differ, and the path consists of decisions instead. The number of a step is the number of the variable, and its
//! word is the value. Its branch says whether the variable has that value or not. See
//! [`decisions`](super::decisions).
#![forbid(unsafe_code)]

use crate::base::stop::Stop;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

/// The interface that gives parts of a search to other machines `M`.
pub(crate) trait Exchange<M>: Send + Sync {
    /// Returns whether there is work for the next call. Called from time to time.
    fn is_due(&self) -> bool;
    /// Does the work. The environment is `e`; the other registers are up to date in the machine.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    fn look(&self, m: &mut M, e: EnvAddr) -> Result<(), Stop>;
    /// Returns the least value that one of the machines has found, if they search for the least value. At first it is
    /// [`NO_BEST`].
    fn best(&self) -> Option<&AtomicI64>;
}

/// The mark for a missing least value.
pub(crate) const NO_BEST: i64 = i64::MAX;

/// A step of a path: a branch of a choice point. The first branch is 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The number of the choice point and of the calls before it, combined by [`number_of`].
    pub(crate) number: u64,
    /// The META word, with the kind and the number of registers.
    pub(crate) meta: u64,
    /// The branch that is taken first.
    pub(crate) branch: u32,
    /// The end of the branches: the first branch that is not taken.
    pub(crate) end: u32,
}

/// The mark for the end of the branches if their number is unknown.
pub(crate) const ALL: u32 = u32::MAX;

/// Bits of the number of a choice point in the number of a step.
const NUMBER_BITS: u32 = 20;

/// Combines the number of a choice point with the number of calls since the previous branch of the path began.
pub(super) fn number_of(number: u64, calls: u64) -> u64 {
    let calls = calls & ((1 << 40) - 1);
    calls << NUMBER_BITS | number & ((1 << NUMBER_BITS) - 1)
}

/// A noted choice point, with the branch that was taken last.
#[derive(Copy, Clone, Debug)]
pub(super) struct Taken {
    pub(super) step: Step,
    /// The number of the choice point, the calls before it was pushed, and the calls before its present branch began.
    pub(super) number: u64,
    pub(super) made: u64,
    pub(super) since: u64,
    /// The address of the choice point; [`ChoiceAddr::NONE`] after its last branch was taken.
    pub(super) choice: ChoiceAddr,
    /// The older choice point. When that is gone, the branch matters only if earlier branches have led to solutions.
    /// The older choice point goes when it is cut, or when the goal that it began fails.
    pub(super) before: ChoiceAddr,
    /// The instruction of the next branch of the choice point.
    pub(super) alternative: CodeAddr,
    /// The branch to take before anything else is done.
    pub(super) target: u32,
    /// Whether its branches stay with this machine, because they may cut older choice points. It is noted because its
    /// branches matter.
    pub(super) stays: bool,
    /// The number of solutions when the choice point was pushed, if known.
    pub(super) solutions: Option<u64>,
    /// Whether earlier branches have led, or may have led, to solutions.
    pub(super) led: bool,
    /// The decision of the first branch, if the choice point belongs to a builtin that searches.
    pub(super) decision: Option<(i64, Cell)>,
}

impl Taken {
    /// Returns whether the branch matters even after the choice point was cut. It does if earlier branches have led
    /// to solutions, or may do so in another machine.
    fn matters(&self) -> bool {
        self.led || self.target > 0
    }

    /// Returns whether the choice point has branches that no machine has taken.
    pub(super) fn has_more(&self) -> bool {
        !self.stays && self.choice != ChoiceAddr::NONE && self.step.branch + 1 < self.step.end
    }
}

/// Number of open choice points that are all noted at first.
pub(super) const FIRST_OPEN: usize = 64;
/// Least number of open choice points that are noted, whatever the cost.
const LEAST_OPEN: usize = 3;
/// Number of notes after which their cost is measured.
const NOTES: u32 = 128;
/// Number of calls per note that make notes cheap.
const CALLS_A_NOTE: u64 = 64;

/// The work of a machine for a part of a search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// The calls for the part.
    pub(crate) calls: u64,
    /// The calls on the way to the beginning of the part.
    pub(crate) on_the_way: u64,
    /// The steps of builtins for the part.
    pub(crate) steps: u64,
    /// The steps of builtins on the way there.
    pub(crate) steps_on_the_way: u64,
}

/// The branches that a search has taken.
pub(crate) struct Branches<M> {
    /// The choice point of the collection of solutions, and the number of collections around it.
    pub(super) base: ChoiceAddr,
    pub(super) bag: usize,
    /// The number of the next choice point.
    pub(super) next: u64,
    /// The choice points whose branches matter, oldest first.
    pub(super) taken: Vec<Taken>,
    /// The places in `taken` of those that are on the choice stack.
    pub(super) open: Vec<usize>,
    /// The first of these that may have branches that no machine has taken.
    pub(super) first_open: usize,
    /// Maximum number of noted choice points that have such branches.
    pub(super) most_open: usize,
    pub(super) notes: u32,
    pub(super) calls: u64,
    /// The path to the beginning of this part, the number of steps done, and the calls before the last of these
    /// steps.
    pub(super) path: Vec<Step>,
    pub(super) done: usize,
    pub(super) mark: u64,
    /// The calls of inner searches, which differ between machines, and the calls before the present inner search.
    pub(super) within: u64,
    pub(super) inner: u64,
    /// The calls before the search began, and before it reached the end of its path.
    pub(super) began: u64,
    pub(super) reached: Option<u64>,
    /// The steps of builtins before the search began, and before it reached the end of its path.
    pub(super) steps_before: u64,
    pub(super) steps: u64,
    /// The calls before the search ended.
    pub(super) ended: Option<u64>,
    pub(super) exchange: Arc<dyn Exchange<M>>,
    /// The path of this part if paths are decisions, and whether these decisions were made.
    pub(super) given: Option<Vec<Step>>,
    pub(super) went: bool,
}

impl<M> Branches<M> {
    /// Returns the instructions where noted choice points continue.
    pub(in crate::machine) fn alternatives(&self) -> impl Iterator<Item = CodeAddr> {
        self.taken.iter().map(|taken| taken.alternative)
    }

    /// Forgets the choice points that do not matter when `choice` is the newest choice point.
    pub(super) fn drop_newer(&mut self, choice: ChoiceAddr) {
        let is_gone = |taken: &Taken| taken.before > choice || taken.choice > choice;
        let mut first = self.taken.len();
        while first > 0 && is_gone(&self.taken[first - 1]) {
            first -= 1;
        }
        while self.open.last().is_some_and(|&place| place >= first) {
            self.open.pop();
        }
        let mut kept = first;
        for place in first..self.taken.len() {
            let taken = self.taken[place];
            if taken.matters() {
                self.taken[kept] = Taken {
                    choice: ChoiceAddr::NONE,
                    before: taken.before.min(choice),
                    ..taken
                };
                kept += 1;
            }
        }
        self.taken.truncate(kept);
        self.first_open = self.first_open.min(self.open.len());
    }

    /// Returns the step of the path that belongs to a choice point. `calls` calls were made before the choice point.
    pub(super) fn step_of(&mut self, number: u64, meta: u64, calls: u64) -> Option<Step> {
        let number = number_of(number, calls.wrapping_sub(self.mark));
        let step = *self.path.get(self.done)?;
        (step.number == number && step.meta == meta).then(|| {
            self.done += 1;
            step
        })
    }

    /// Returns whether the search has reached the end of its path.
    pub(super) fn is_at_part(&self) -> bool {
        self.done == self.path.len()
    }

    /// Returns whether enough choice points are noted.
    pub(super) fn is_enough(&self) -> bool {
        self.is_at_part() && self.open.len() - self.first_open >= self.most_open
    }

    /// Counts a note, and checks the cost of notes from time to time. Returns whether the exchange has work.
    pub(super) fn count(&mut self, calls: u64) -> bool {
        self.notes += 1;
        if !self.notes.is_multiple_of(NOTES) {
            return false;
        }
        if calls.wrapping_sub(self.calls) < u64::from(NOTES) * CALLS_A_NOTE && self.is_at_part() {
            let less = self.most_open - self.most_open / 8 - 1;
            self.most_open = less.max(LEAST_OPEN);
        }
        self.calls = calls;
        self.exchange.is_due()
    }

    /// Raises the number of choice points to note, because no part could be given away.
    pub(super) fn want_more(&mut self) {
        self.most_open += 2;
    }
}
