//! Observers: they get a stream of events about the actions of goals, and change nothing.
//!
//! An observer names the kinds of events that it wants. [`Observing::begin`] subscribes it, and it gets each such
//! event until it is ended. The machine makes no event of a kind that no observer wants (`watching`).
#![forbid(unsafe_code)]

use crate::base::growth::Bounded;
use crate::base::stop::Stop;
use crate::code::instruction::Op;
use crate::machine::dispatch::regs::Regs;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::PredId;
use crate::store::address::{CodeAddr, EnvAddr};
use std::any::Any;

/// A set of kinds of events.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(u32);

impl Kinds {
    /// No kind.
    pub(crate) const NONE: Kinds = Kinds(0);
    /// [`Event::Step`]
    pub(crate) const STEP: Kinds = Kinds(1);
    /// [`Event::Call`]
    pub(crate) const CALL: Kinds = Kinds(2);
    /// [`Event::Builtin`]
    pub(crate) const BUILTIN: Kinds = Kinds(4);
    /// [`Event::BuiltinDone`]
    pub(crate) const BUILTIN_DONE: Kinds = Kinds(8);
    /// [`Event::Detour`]
    pub(crate) const DETOUR: Kinds = Kinds(16);
    /// [`Event::Added`]
    pub(crate) const ADDED: Kinds = Kinds(32);
    /// [`Event::Exit`]
    pub(crate) const EXIT: Kinds = Kinds(64);
    /// [`Event::Redo`]
    pub(crate) const REDO: Kinds = Kinds(128);
    /// [`Event::Fail`]
    pub(crate) const FAIL: Kinds = Kinds(256);
    /// [`Event::Raised`]
    pub(crate) const RAISED: Kinds = Kinds(512);
    /// The results of goals that are called. For these kinds each call makes a frame and a choice point, even a last call.
    pub(crate) const PORTS: Kinds = Kinds::EXIT
        .and(Kinds::REDO)
        .and(Kinds::FAIL)
        .and(Kinds::RAISED);
    /// The kinds for which instructions run one at a time.
    pub(in crate::machine) const STEPWISE: Kinds = Kinds::PORTS.and(Kinds(15));

    /// Returns the union of these kinds and others.
    pub(crate) const fn and(self, others: Kinds) -> Kinds {
        Kinds(self.0 | others.0)
    }

    /// Returns whether these kinds and the others overlap.
    #[inline(always)]
    pub(crate) const fn any(self, others: Kinds) -> bool {
        self.0 & others.0 != 0
    }
}

/// An action of a goal.
#[derive(Copy, Clone)]
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "nobody asks for the predicates of ports but tests"
    )
)]
pub(crate) enum Event<'a> {
    /// An instruction is about to run.
    Step(Op),
    /// A clause or call/N is about to call a predicate. For a goal of call/N the event is for that goal, not for call/N.
    Call(PredId),
    /// A builtin is about to run in place.
    Builtin {
        number: u32,
        /// Whether the builtin is the last goal of its clause.
        last: bool,
    },
    /// The builtin with this number has succeeded, failed or raised an exception. The view shows the moment before it ran.
    BuiltinDone { number: u32 },
    /// The instruction is interrupted: the next goal is not its own. Wake-ups are such goals.
    Detour,
    /// A clause is about to be added to its predicate.
    Added(&'a Clause),
    /// The goal of a call has succeeded. This event and the following ones are only for calls that began
    /// while an observer wanted them.
    Exit(PredId),
    /// Backtracking looks for a further solution of the goal. The events of the goals that have called it come first.
    Redo(PredId),
    /// The goal has no solution, or no further one.
    Fail(PredId),
    /// An exception leaves the goal.
    Raised(PredId),
}

impl Event<'_> {
    /// Returns the kind of the event.
    #[inline(always)]
    pub(super) const fn kind(&self) -> Kinds {
        match self {
            Event::Step(_) => Kinds::STEP,
            Event::Call(_) => Kinds::CALL,
            Event::Builtin { .. } => Kinds::BUILTIN,
            Event::BuiltinDone { .. } => Kinds::BUILTIN_DONE,
            Event::Detour => Kinds::DETOUR,
            Event::Added(_) => Kinds::ADDED,
            Event::Exit(_) => Kinds::EXIT,
            Event::Redo(_) => Kinds::REDO,
            Event::Fail(_) => Kinds::FAIL,
            Event::Raised(_) => Kinds::RAISED,
        }
    }
}

/// The view of an observer besides the event: the machine, and the place in the program.
pub(crate) struct View<'a, M> {
    pub(crate) machine: &'a M,
    /// The instruction.
    pub(crate) p: CodeAddr,
    /// The environment.
    pub(crate) e: EnvAddr,
}

/// An observer of a machine `M`, which this file does not know.
pub(crate) trait Observer<M>: Any + Send {
    /// Returns the kinds of events that it wants.
    fn kinds(&self) -> Kinds;
    /// Handles an event of such a kind.
    ///
    /// # Errors
    /// Returns an error if there is no room for it. The query then ends at the next call.
    fn event(&mut self, event: &Event<'_>, view: &View<'_, M>) -> Result<(), Stop>;
    /// Returns whether the events of the observer stop when the host starts the next query that is not nested in another.
    fn stops_with_query(&self) -> bool {
        false
    }
}

/// An observer, and the kinds of events that it still wants.
pub(super) struct Subscriber<M> {
    pub(super) kinds: Kinds,
    pub(super) observer: Box<dyn Observer<M>>,
}

/// The observers of a run, at most one of each type. A stopped observer keeps its results until another one of
/// its type begins or it is taken.
pub(crate) struct Observing<M> {
    /// The kinds of events that some observer wants.
    kinds: Kinds,
    pub(super) all: Vec<Subscriber<M>>,
    /// The builtin that runs, and its instruction, if an observer wants to know its end.
    pub(in crate::machine) within: Option<(u32, Regs)>,
    /// Number of exited goals that the present exception has left, and whose call choice points it has not reached
    /// yet. An exited goal has succeeded and left choice points.
    pub(in crate::machine) exited: usize,
    /// Whether an observer had no room for an event, or was stopped. The next call then raises an exception.
    pub(super) stopped: bool,
}

impl<M> Default for Observing<M> {
    fn default() -> Observing<M> {
        Observing {
            kinds: Kinds::NONE,
            all: Vec::new(),
            within: None,
            exited: 0,
            stopped: false,
        }
    }
}

impl<M: 'static> Observing<M> {
    /// Returns whether an observer wants an event of these kinds.
    #[inline(always)]
    pub(in crate::machine) fn wants(&self, kinds: Kinds) -> bool {
        self.kinds.any(kinds)
    }

    /// Returns whether an observer was stopped since the last call of this function.
    pub(in crate::machine) fn take_stop(&mut self) -> Option<Stop> {
        std::mem::take(&mut self.stopped).then_some(Stop)
    }

    /// Returns whether there is an observer, running or stopped.
    pub(in crate::machine) fn has_any(&self) -> bool {
        !self.all.is_empty()
    }

    /// Subscribes an observer and removes another one of its type. `Machine::recheck_mode` makes
    /// running instructions notice this.
    pub(in crate::machine) fn begin(&mut self, observer: Box<dyn Observer<M>>) {
        let kind = (*observer).type_id();
        self.all.retain(|other| (*other.observer).type_id() != kind);
        self.all.put_bounded(Subscriber {
            kinds: observer.kinds(),
            observer,
        });
        self.settle();
    }

    fn place<T: Observer<M>>(&self) -> Option<usize> {
        let of_type =
            |other: &Subscriber<M>| (*other.observer).type_id() == std::any::TypeId::of::<T>();
        self.all.iter().position(of_type)
    }

    /// Stops the events of the observer of a type.
    pub(crate) fn stop<T: Observer<M>>(&mut self) {
        if let Some(place) = self.place::<T>() {
            self.all[place].kinds = Kinds::NONE;
        }
        self.settle();
    }

    /// Returns the observer of a type, running or stopped.
    pub(crate) fn get<T: Observer<M>>(&self) -> Option<&T> {
        let observer: &dyn Any = &*self.all[self.place::<T>()?].observer;
        observer.downcast_ref()
    }

    /// Ends the observer of a type and returns it.
    pub(crate) fn end<T: Observer<M>>(&mut self) -> Option<Box<T>> {
        let place = self.place::<T>()?;
        let observer: Box<dyn Any> = self.all.remove(place).observer;
        self.settle();
        observer.downcast().ok()
    }

    /// Handles the start of a query of the host that is not nested in another.
    pub(in crate::machine) fn begin_query(&mut self) {
        for other in &mut self.all {
            if other.observer.stops_with_query() {
                other.kinds = Kinds::NONE;
            }
        }
        self.settle();
    }

    fn settle(&mut self) {
        let wanted = self.all.iter().map(|other| other.kinds);
        self.kinds = wanted.fold(Kinds::NONE, Kinds::and);
        self.within = None;
    }
}
