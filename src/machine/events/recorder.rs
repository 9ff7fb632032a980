//! The recorder notes what goals assume and use. Programs start it to find out why a goal failed or which resources a
//! solution used, or to show each use as it happens.
//!
//! While it is active instructions run one at a time, and each is examined before it runs (`ops::recorded`). So
//! goals that are not recorded pay nothing. The events of the present branch are a list on the heap. Its head is
//! trailed, so backtracking removes the events that it undoes. Failures are kept outside the heap: those of the
//! branches that used most resources.
#![forbid(unsafe_code)]

use crate::base::atom_table::FastMap;
use crate::base::named::named;
use crate::machine::dispatch::regs::Regs;
use crate::program::predicate::PredId;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::cell::Cell;
use crate::store::stored::Stored;

/// Maximum number of failures that are kept.
pub(in crate::machine) const KEPT: usize = 24;
/// Maximum number of failures of one kind at one place that are kept.
pub(in crate::machine) const ALIKE: usize = 2;
/// Maximum number of resources that the report of one failure names.
pub(in crate::machine) const MAX_REPORTED: usize = 5;
/// Maximum number of events that are searched for one failure.
pub(in crate::machine) const LOOKED_THROUGH: usize = 20_000;

/// Number of kinds of events that the list on the heap can hold: the first ones of [`Event`].
const LISTED: usize = 9;

named! {
    /// The kind of an event: the first argument of an event in the list.
    Event {
        /// Something was assumed. Arguments: the record, the step that assumed it.
        Assumed "assumed",
        /// A goal was called that assumptions may prove. Arguments: its number, the goal, the step that called it.
        Called "called",
        /// A record was used. Arguments: the record, the step.
        Used "used",
        /// A goal has succeeded. Argument: its number.
        Exited "exited",
        /// A goal under `{}` begins.
        Banged "banged",
        /// A goal under `{}` has succeeded.
        Unbanged "unbanged",
        /// The first half of `&` begins.
        WithBegun "with_begun",
        /// The second half of `&` begins.
        WithHalved "with_halved",
        /// Both halves have succeeded.
        WithEnded "with_ended",
        /// Resources are left at the end of a scope; in traces only.
        Left "left",
        /// Nothing was found for a goal; in traces only.
        Missed "missed",
        /// A goal is called; in search trees only.
        Goal "goal",
        /// A clause is entered; in search trees only.
        Clause "clause",
        /// The assumptions so far may be left; in search trees only.
        Erased "erased",
        /// A solution of a goal is collected; in search trees only.
        Collected "collected",
    }
}

impl Event {
    /// Returns the kind with this number in the list.
    pub(in crate::machine) fn of(number: i64) -> Event {
        let listed = Event::ALL[..LISTED].get(number as usize);
        listed.copied().unwrap_or(Event::Missed)
    }
}

/// The purpose of a recorder.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To explain why a goal fails, within this number of calls and without side effects.
    Failures(u64),
    /// To know the resources that a solution used.
    Solution,
    /// To show events as they happen.
    Trace,
    /// To draw the search tree.
    Tree,
}

/// The reason why the recorder ended a goal.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoppedBy {
    /// The goal took too many calls.
    Calls,
    /// The goal was about to do something that cannot be undone, by the builtin with this number.
    Effect(u32),
}

/// A clause of a program: the addresses of its block, its predicate, its file and line.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pub(in crate::machine) start: CodeAddr,
    pub(in crate::machine) end: CodeAddr,
    /// The predicate of the clause.
    pub(crate) predicate: PredId,
    /// The file of the clause.
    pub(crate) file: u32,
    /// The line of the clause in that file.
    pub(crate) line: u32,
}

/// A failure that was noted.
pub(crate) struct Failure {
    /// Number of linear resources used before the failure.
    pub(crate) rank: i64,
    pub(in crate::machine) key: (u32, i64),
    /// The term that reports the failure.
    pub(crate) term: Stored,
}

/// The place where a goal was called.
#[derive(Copy, Clone, Debug, Default)]
pub(in crate::machine) struct Site {
    /// The number of a place, from 1; 0 for the query.
    pub(in crate::machine) place: i64,
    /// The number of the use of that clause.
    pub(in crate::machine) activation: i64,
}

impl Site {
    pub(in crate::machine) fn packed(self, event: Event) -> Cell {
        let activation = self.activation & MAX_ACTIVATION;
        Cell::int(event as i64 | self.place << 8 | activation << 32)
    }
}

/// Maximum number of a use in a packed event; greater numbers wrap around.
const MAX_ACTIVATION: i64 = (1 << 28) - 1;
/// Mask of the number of a place.
pub(in crate::machine) const PLACE_MASK: i64 = (1 << 24) - 1;

/// Eigenvariables that were made together.
#[derive(Copy, Clone, Debug)]
pub(in crate::machine) struct Made {
    /// The number of the first. The last one has the number before the first of the next group.
    pub(in crate::machine) first: i64,
    /// The clause that made the eigenvariables.
    pub(in crate::machine) place: i64,
    /// Whether the eigenvariables are the local names of a module.
    pub(in crate::machine) local: bool,
}

/// A recorder of assumptions and their uses.
pub(crate) struct Recorder {
    /// The purpose of the recorder.
    pub(crate) purpose: Purpose,
    /// Whether the recorder records; false while the machine runs goals of its own.
    pub(in crate::machine) active: bool,
    /// The choice point at its start; [`ChoiceAddr::NONE`] for none. The recorder has ended when that choice point is gone.
    pub(in crate::machine) base: ChoiceAddr,
    /// The place where the present goal was called.
    pub(in crate::machine) site: Site,
    /// Numbers of the active clauses, by their environments.
    pub(in crate::machine) activations: FastMap<EnvAddr, i64>,
    /// Number of environments made so far.
    pub(in crate::machine) started: i64,
    /// Whether the last instruction made an environment.
    pub(in crate::machine) allocates: bool,
    /// The number of calls at which the goal ends.
    pub(in crate::machine) limit: u64,
    /// The number of instructions after which the goal ends.
    pub(in crate::machine) instructions: u64,
    /// The reason why the goal was ended.
    pub(crate) stopped: Option<StoppedBy>,
    /// The current output at its start.
    pub(in crate::machine) output: crate::io::stream::StreamId,
    /// Clauses of programs by address.
    pub(crate) places: Vec<Place>,
    /// The last instruction: its registers, the continuation, and the number of resources used before it.
    pub(in crate::machine) last: (Regs, CodeAddr, i64),
    /// The eigenvariables that were made, oldest first.
    pub(in crate::machine) made: Vec<Made>,
    /// For each goal of the present branch, whether it has ever succeeded.
    pub(in crate::machine) exited: Vec<bool>,
    /// Number of failures noted so far, kept or not.
    pub(in crate::machine) noted: i64,
    /// The failures that are kept: those of the branches that used most resources.
    pub(crate) failures: Vec<Failure>,
    /// The state of the search tree, if one is drawn.
    pub(in crate::machine) drawing: Option<Drawing>,
    /// The recorder that goes on after this one.
    pub(in crate::machine) outer: Option<Box<Recorder>>,
}

impl Recorder {
    /// Returns this recorder and those that go on after it.
    pub(in crate::machine) fn all(&self) -> impl Iterator<Item = &Recorder> {
        std::iter::successors(Some(self), |recorder| recorder.outer.as_deref())
    }
}

/// A clause: its addresses, file and line.
#[derive(Copy, Clone, Debug)]
pub(in crate::machine) struct Known {
    pub(in crate::machine) start: CodeAddr,
    pub(in crate::machine) end: CodeAddr,
    pub(in crate::machine) entry: CodeAddr,
    pub(in crate::machine) place: (u32, u32),
    pub(in crate::machine) users: bool,
}

/// The state of a search tree that is drawn.
#[derive(Debug, Default)]
pub(in crate::machine) struct Drawing {
    /// The clauses of this generation of the database, by address.
    pub(in crate::machine) clauses: Vec<Known>,
    pub(in crate::machine) generation: Option<u64>,
    /// Whether the next instruction was already reported.
    pub(in crate::machine) reported: bool,
    /// Whether the system calls the goal that call/N is about to call.
    pub(in crate::machine) from_system: bool,
    /// Whether goals of the program go through `prelude/linear/linear_tree.pl`.
    pub(in crate::machine) follows: bool,
    /// Whether call/N calls the next goal directly.
    pub(in crate::machine) as_it_is: bool,
    /// The last event on the branch that raised an exception.
    pub(in crate::machine) raised: i64,
}
