//! What is noted of goals that assume and use, when it is asked for: by programs that want to know
//! why a goal failed, which resources a solution used, or to see each use as it happens.
//!
//! While something is noted instructions are done one at a time, with a look at each before it is done
//! (`ops::recorded`), so goals that nobody asks about pay nothing. What happened on the present branch
//! is a list on the heap whose head is trailed, so that backtracking takes back what it undoes; failures
//! are kept off the heap, those of the branches that used most.
#![forbid(unsafe_code)]

use crate::base::atom_table::FastMap;
use crate::base::named::named;
use crate::machine::dispatch::regs::Regs;
use crate::program::predicate::PredId;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::cell::Cell;
use crate::store::stored::Stored;

/// The most failures that are kept.
pub(in crate::machine) const KEPT: usize = 24;
/// The most of them that are of one kind at one place.
pub(in crate::machine) const ALIKE: usize = 2;
/// The most resources that the report of one failure names.
pub(in crate::machine) const TOLD: usize = 5;
/// The most events that are looked through for one failure.
pub(in crate::machine) const LOOKED_THROUGH: usize = 20_000;

/// The number of kinds of events that the list on the heap can hold: the first ones of [`Event`].
const LISTED: usize = 9;

named! {
    /// What happened: the first argument of an event in the list.
    Event {
        /// Something was assumed: the record, the step in which.
        Assumed "assumed",
        /// A goal was called that assumptions may prove: its number, the goal, the step in which.
        Called "called",
        /// A record was used: the record, the step.
        Used "used",
        /// A goal has succeeded: its number.
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
        /// Something is left at the end of a scope: in traces only.
        Left "left",
        /// Nothing was found for a goal: in traces only.
        Missed "missed",
        /// A goal is called: in search trees only.
        Goal "goal",
        /// A clause is entered: in search trees only.
        Clause "clause",
        /// What was assumed so far may be left: in search trees only.
        Erased "erased",
        /// A solution of a goal is collected: in search trees only.
        Collected "collected",
    }
}

impl Event {
    /// The one of this number in the list.
    pub(in crate::machine) fn of(number: i64) -> Event {
        let listed = Event::ALL[..LISTED].get(number as usize);
        listed.copied().unwrap_or(Event::Missed)
    }
}

/// What a recorder is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To say why a goal fails: within so many calls, and without side effects.
    Failures(u64),
    /// To know what a solution used.
    Solution,
    /// To show what happens as it happens.
    Trace,
    /// To draw the search tree.
    Tree,
}

/// Why the run of a goal was ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoppedBy {
    /// It took too many calls.
    Calls,
    /// It was about to do something that cannot be undone: the number of a builtin.
    Effect(u32),
}

/// A clause of a program: the addresses of its block, its predicate, and where it stands.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    pub(in crate::machine) start: CodeAddr,
    pub(in crate::machine) end: CodeAddr,
    /// Its predicate.
    pub(crate) predicate: PredId,
    /// Its file.
    pub(crate) file: u32,
    /// Its line in that file.
    pub(crate) line: u32,
}

/// A failure that was noted.
pub(crate) struct Failure {
    /// Number of linear resources that were used before it.
    pub(crate) rank: i64,
    pub(in crate::machine) key: (u32, i64),
    /// What is to be told of it.
    pub(crate) term: Stored,
}

/// Where a goal was called.
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

/// Greater numbers begin anew.
const MAX_ACTIVATION: i64 = (1 << 28) - 1;
/// Mask of the number of a place.
pub(in crate::machine) const PLACE_MASK: i64 = (1 << 24) - 1;

/// Eigenvariables that were made together.
#[derive(Copy, Clone, Debug)]
pub(in crate::machine) struct Made {
    /// The number of the first; the last one has that before the first of those made next.
    pub(in crate::machine) first: i64,
    /// The clause that made them.
    pub(in crate::machine) place: i64,
    /// Are they the local names of a module?
    pub(in crate::machine) local: bool,
}

/// What notes what goals assume and use.
pub(crate) struct Recorder {
    /// What for.
    pub(crate) purpose: Purpose,
    /// False while the machine runs something of its own.
    pub(in crate::machine) active: bool,
    /// The choice point at its beginning, [`ChoiceAddr::NONE`] for none: without it the recorder has come to its end.
    pub(in crate::machine) base: ChoiceAddr,
    /// Where the present goal was called.
    pub(in crate::machine) site: Site,
    /// Numbers of the clauses that are being done, by their environments.
    pub(in crate::machine) activations: FastMap<EnvAddr, i64>,
    /// Number of environments made so far.
    pub(in crate::machine) started: i64,
    /// Was an environment made by the last instruction?
    pub(in crate::machine) allocates: bool,
    /// The number of calls at which the goal is ended.
    pub(in crate::machine) limit: u64,
    /// The number of instructions after which it is ended.
    pub(in crate::machine) instructions: u64,
    /// Why the goal was ended.
    pub(crate) stopped: Option<StoppedBy>,
    /// The current output at its beginning.
    pub(in crate::machine) output: crate::io::stream::StreamId,
    /// Clauses of programs by address.
    pub(crate) places: Vec<Place>,
    /// The last instruction: its registers, the continuation, and how many resources were used before it.
    pub(in crate::machine) last: (Regs, CodeAddr, i64),
    /// The eigenvariables that were made, oldest first.
    pub(in crate::machine) made: Vec<Made>,
    /// For each goal of the present branch whether it has ever succeeded.
    pub(in crate::machine) exited: Vec<bool>,
    /// Number of failures noted so far, kept or not.
    pub(in crate::machine) noted: i64,
    /// Those kept, the ones of the branches that used most.
    pub(crate) failures: Vec<Failure>,
    /// What is known for a search tree, if one is drawn.
    pub(in crate::machine) drawing: Option<Drawing>,
    /// The recorder that goes on after this one.
    pub(in crate::machine) outer: Option<Box<Recorder>>,
}

impl Recorder {
    /// This one and those that go on after it.
    pub(in crate::machine) fn all(&self) -> impl Iterator<Item = &Recorder> {
        std::iter::successors(Some(self), |recorder| recorder.outer.as_deref())
    }
}

/// A clause: its addresses, and where it stands.
#[derive(Copy, Clone, Debug)]
pub(in crate::machine) struct Known {
    pub(in crate::machine) start: CodeAddr,
    pub(in crate::machine) end: CodeAddr,
    pub(in crate::machine) entry: CodeAddr,
    pub(in crate::machine) place: (u32, u32),
    pub(in crate::machine) users: bool,
}

/// What is known while a tree is drawn.
#[derive(Debug, Default)]
pub(in crate::machine) struct Drawing {
    /// The clauses of this generation of the database, by address.
    pub(in crate::machine) clauses: Vec<Known>,
    pub(in crate::machine) generation: Option<u64>,
    /// Was the next instruction told of?
    pub(in crate::machine) told: bool,
    /// Does the system call the goal that call/N is about to call?
    pub(in crate::machine) from_system: bool,
    /// Do goals of the program go through `prelude/linear/linear_tree.pl`?
    pub(in crate::machine) follows: bool,
    /// Is the next goal of call/N called as it is?
    pub(in crate::machine) as_it_is: bool,
    /// The event that came last on the branch that an exception was raised on.
    pub(in crate::machine) raised: i64,
}
