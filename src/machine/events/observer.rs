//! Observers: who is told what goals do, as a stream of events, and changes nothing of it.
//!
//! An observer names the kinds of events that it wants, is subscribed ([`Observing::begin`]), and gets each
//! such event until it is ended. The machine makes no event of a kind that nobody wants (`watching`).
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
    /// None.
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
    /// What becomes of goals that are called. For these each call makes a frame and a choice point, last calls too.
    pub(crate) const PORTS: Kinds = Kinds::EXIT
        .and(Kinds::REDO)
        .and(Kinds::FAIL)
        .and(Kinds::RAISED);
    /// The kinds for which instructions are done one at a time.
    pub(in crate::machine) const STEPWISE: Kinds = Kinds::PORTS.and(Kinds(15));

    /// These and those.
    pub(crate) const fn and(self, others: Kinds) -> Kinds {
        Kinds(self.0 | others.0)
    }

    /// Are there any of those among these?
    #[inline(always)]
    pub(crate) const fn any(self, others: Kinds) -> bool {
        self.0 & others.0 != 0
    }
}

/// Something that goals do.
#[derive(Copy, Clone)]
#[cfg_attr(
    not(test),
    expect(
        dead_code,
        reason = "nobody asks for the predicates of ports but tests"
    )
)]
pub(crate) enum Event<'a> {
    /// An instruction is about to be done.
    Step(Op),
    /// A clause is about to call a predicate, or call/N is: the event is for the goal of call/N, not for call/N.
    Call(PredId),
    /// A builtin, by its number, is about to be done in place.
    Builtin {
        number: u32,
        /// Is it the last goal of its clause?
        last: bool,
    },
    /// That builtin has been done: it has succeeded, failed or raised an exception. The view is of the moment before.
    BuiltinDone { number: u32 },
    /// The goal that comes next is not that of the next instruction, but was reached by it: wake-ups.
    Detour,
    /// A clause is about to be added to its predicate.
    Added(&'a Clause),
    /// The goal of a call has succeeded. From here on the events are for calls that began while an observer wanted them.
    Exit(PredId),
    /// A further solution of the goal is wanted. The events of goals that have called it come first.
    Redo(PredId),
    /// The goal has no (further) solution.
    Fail(PredId),
    /// An exception leaves the goal.
    Raised(PredId),
}

impl Event<'_> {
    /// Its kind.
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

/// What an observer sees besides the event: the machine, and where in the program it is.
pub(crate) struct View<'a, M> {
    pub(crate) machine: &'a M,
    /// The instruction.
    pub(crate) p: CodeAddr,
    /// The environment.
    pub(crate) e: EnvAddr,
}

/// What gets events of a machine `M`, which this file does not know.
pub(crate) trait Observer<M>: Any + Send {
    /// The kinds of events that it wants.
    fn kinds(&self) -> Kinds;
    /// Gets an event of such a kind.
    ///
    /// # Errors
    /// There is no room for it: the query ends at the next call.
    fn event(&mut self, event: &Event<'_>, view: &View<'_, M>) -> Result<(), Stop>;
    /// Does it get no more events when the host asks the next query, which is not within another one?
    fn stops_with_query(&self) -> bool {
        false
    }
}

/// An observer, and the kinds of events that it still wants.
pub(super) struct Subscriber<M> {
    pub(super) kinds: Kinds,
    pub(super) observer: Box<dyn Observer<M>>,
}

/// The observers of a run: one of each type at most. One that was stopped stays with what it has found, until
/// another one of its type begins or it is taken.
pub(crate) struct Observing<M> {
    /// The kinds of events that somebody wants.
    kinds: Kinds,
    pub(super) all: Vec<Subscriber<M>>,
    /// The builtin that is being done, and the instruction, if its end is wanted.
    pub(in crate::machine) within: Option<(u32, Regs)>,
    /// The goals that an exception came by that have succeeded and left choices: the choice points of their calls are
    /// still to come.
    pub(in crate::machine) exited: usize,
    /// An observer had no room for what it was told, or was stopped: the next call raises that.
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
    /// Is an event of these kinds wanted?
    #[inline(always)]
    pub(in crate::machine) fn wants(&self, kinds: Kinds) -> bool {
        self.kinds.any(kinds)
    }

    /// Was an observer stopped since this was asked?
    pub(in crate::machine) fn take_stop(&mut self) -> Option<Stop> {
        std::mem::take(&mut self.stopped).then_some(Stop)
    }

    /// Is there an observer, even one that was stopped?
    pub(in crate::machine) fn has_any(&self) -> bool {
        !self.all.is_empty()
    }

    /// Subscribes an observer in the place of one of its type. Instructions that run are told by
    /// `Machine::choose_mode_anew`.
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

    /// The observer of a type gets no more events.
    pub(crate) fn stop<T: Observer<M>>(&mut self) {
        if let Some(place) = self.place::<T>() {
            self.all[place].kinds = Kinds::NONE;
        }
        self.settle();
    }

    /// The observer of a type, running or stopped.
    pub(crate) fn get<T: Observer<M>>(&self) -> Option<&T> {
        let observer: &dyn Any = &*self.all[self.place::<T>()?].observer;
        observer.downcast_ref()
    }

    /// Ends the observer of a type.
    pub(crate) fn end<T: Observer<M>>(&mut self) -> Option<Box<T>> {
        let place = self.place::<T>()?;
        let observer: Box<dyn Any> = self.all.remove(place).observer;
        self.settle();
        observer.downcast().ok()
    }

    /// The host asks a query that is not within another one.
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
