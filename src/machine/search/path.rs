//! The branches that a search takes: what leads from its beginning to where it is, so that another machine can go
//! there by itself and search there.
//!
//! A search is the work between the beginning of a collection of solutions and its end. Its choice points are numbered
//! in the order in which they are made, each from the number of the one that the search has gone back to; what goals
//! make that are done once more each time (conditions, collections within) counts likewise. So the number of a choice
//! point depends only on the branches that lead to it. Goals that are done once more use numbers again that others have
//! later: the calls tell them apart that were made since the branch before on the path began. A path is the numbers of the
//! choice points whose branches matter, with the calls and these branches (the oracles of W. F. Clocksin, "Principles of the DelPhi parallel inference machine",
//! 1987). A choice point that was cut away is made and cut away again by whoever comes by.
//!
//! A noted choice point goes on at the instruction `next_branch`, which counts the branch and does the instruction that
//! was there. Only the oldest choice points are noted: from `most_open` open ones on nothing is noted until
//! the search comes back to one that is. That does not change a number of one that is noted.
//!
//! Where the machines tell each other what they have found, as branch and bound does, the choice points of one differ from
//! those of another. The path is then what was decided: the number of a step is that of the variable, its
//! word the value, and its branch tells whether the variable has that value or not. See [`decisions`](super::decisions).
#![forbid(unsafe_code)]

use crate::base::stop::Stop;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

/// Who takes parts of a search, for other machines `M`.
pub(crate) trait Exchange<M>: Send + Sync {
    /// Is something to be done at the next call? Asked now and then.
    fn is_due(&self) -> bool;
    /// Does it. The environment is `e`; the other registers are up to date in the machine.
    ///
    /// # Errors
    /// There is no memory.
    fn look(&self, m: &mut M, e: EnvAddr) -> Result<(), Stop>;
    /// The least value that one of the machines has found, if it is the least that they look for: [`NO_BEST`] at first.
    fn best(&self) -> Option<&AtomicI64>;
}

/// In place of a least value where none was found.
pub(crate) const NO_BEST: i64 = i64::MAX;

/// A step of a path: which branch of which choice point. The first branch is 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The number of the choice point and of the calls before it, as [`number_of`] puts them together.
    pub(crate) number: u64,
    /// The word that tells its kind and its registers.
    pub(crate) meta: u64,
    /// The branch that is taken first.
    pub(crate) branch: u32,
    /// The first branch after it that is not.
    pub(crate) end: u32,
}

/// In place of the end of branches where nobody knows how many there are.
pub(crate) const ALL: u32 = u32::MAX;

/// Bits of the number of a choice point in that of a step.
const NUMBER_BITS: u32 = 20;

/// What a choice point is known by: its number, and the calls since the branch before on the path began.
pub(super) fn number_of(number: u64, calls: u64) -> u64 {
    let calls = calls & ((1 << 40) - 1);
    calls << NUMBER_BITS | number & ((1 << NUMBER_BITS) - 1)
}

/// A choice point that was noted, with the branch that was taken of it last.
#[derive(Copy, Clone, Debug)]
pub(super) struct Taken {
    pub(super) step: Step,
    /// Its number, the calls before it was made, and before its present branch began.
    pub(super) number: u64,
    pub(super) made: u64,
    pub(super) since: u64,
    /// Where it is; [`ChoiceAddr::NONE`] once its last branch was taken.
    pub(super) choice: ChoiceAddr,
    /// The choice point before it. Once that is gone the branch does not matter, unless branches before it have led to
    /// solutions: it was cut, or the goal has failed whose beginning that was.
    pub(super) before: ChoiceAddr,
    /// The instruction of its next branch.
    pub(super) alternative: CodeAddr,
    /// The branch to be taken before anything is done.
    pub(super) target: u32,
    /// Its branches stay with this machine: they may cut what is older. They are noted because they matter.
    pub(super) stays: bool,
    /// How many solutions there were when it was made, if that is known.
    pub(super) solutions: Option<u64>,
    /// Did branches before this one lead to solutions here, or may they have?
    pub(super) led: bool,
    /// What was decided in the first branch, if it is that of a search.
    pub(super) decision: Option<(i64, Cell)>,
}

impl Taken {
    /// Does it matter also when the choice point was cut? Branches before it have led to solutions, or may do so
    /// elsewhere.
    fn matters(&self) -> bool {
        self.led || self.target > 0
    }

    /// Has it branches that nobody has taken?
    pub(super) fn has_more(&self) -> bool {
        !self.stays && self.choice != ChoiceAddr::NONE && self.step.branch + 1 < self.step.end
    }
}

/// Of so many open choice points at first all are noted.
pub(super) const FIRST_OPEN: usize = 64;
/// So many are noted, however much is done between them.
const LEAST_OPEN: usize = 3;
/// After so many notes it is looked at what they cost.
const NOTES: u32 = 128;
/// So many calls for each note make it cheap.
const CALLS_A_NOTE: u64 = 64;

/// The branches that a search has taken.
pub(crate) struct Branches<M> {
    /// The collection of its solutions, and the number of those around it.
    pub(super) base: ChoiceAddr,
    pub(super) bag: usize,
    /// The number of the next choice point.
    pub(super) next: u64,
    /// The choice points whose branches matter, oldest first.
    pub(super) taken: Vec<Taken>,
    /// The places of those that are on the stack.
    pub(super) open: Vec<usize>,
    /// The first of these that may have branches that nobody has taken.
    pub(super) first_open: usize,
    /// So many that have such are noted.
    pub(super) most_open: usize,
    pub(super) notes: u32,
    pub(super) calls: u64,
    /// Where to begin, how far it has come on the way there, and the calls before it came so far.
    pub(super) path: Vec<Step>,
    pub(super) done: usize,
    pub(super) mark: u64,
    /// Calls of searches within it, which differ from machine to machine, and those before the one that is under way.
    pub(super) within: u64,
    pub(super) inner: u64,
    /// Calls before it began, and before that was reached.
    pub(super) began: u64,
    pub(super) reached: Option<u64>,
    /// Calls before it has ended.
    pub(super) ended: Option<u64>,
    pub(super) exchange: Arc<dyn Exchange<M>>,
    /// Where paths are decisions: those of its own path, and whether they were made.
    pub(super) given: Option<Vec<Step>>,
    pub(super) went: bool,
}

impl<M> Branches<M> {
    /// The instructions where noted choice points go on.
    pub(in crate::machine) fn alternatives(&self) -> impl Iterator<Item = CodeAddr> {
        self.taken.iter().map(|taken| taken.alternative)
    }

    /// Forgets those that do not matter where `choice` is the newest choice point.
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

    /// The step of the path that belongs to a choice point, before which so many calls were made.
    pub(super) fn step_of(&mut self, number: u64, meta: u64, calls: u64) -> Option<Step> {
        let number = number_of(number, calls.wrapping_sub(self.mark));
        let step = *self.path.get(self.done)?;
        (step.number == number && step.meta == meta).then(|| {
            self.done += 1;
            step
        })
    }

    /// Has the search come to where it is to begin?
    pub(super) fn is_there(&self) -> bool {
        self.done == self.path.len()
    }

    /// Are enough choice points noted?
    pub(super) fn is_enough(&self) -> bool {
        self.is_there() && self.open.len() - self.first_open >= self.most_open
    }

    /// Counts a note, and looks now and then what they cost.
    pub(super) fn count(&mut self, calls: u64) -> bool {
        self.notes += 1;
        if !self.notes.is_multiple_of(NOTES) {
            return false;
        }
        if calls.wrapping_sub(self.calls) < u64::from(NOTES) * CALLS_A_NOTE && self.is_there() {
            let less = self.most_open - self.most_open / 8 - 1;
            self.most_open = less.max(LEAST_OPEN);
        }
        self.calls = calls;
        self.exchange.is_due()
    }

    /// More are to be noted: there was nothing to give.
    pub(super) fn want_more(&mut self) {
        self.most_open += 2;
    }
}
