//! Notes about the place where an exception is raised, taken before anything is unwound. They become a [`Trace`].
#![forbid(unsafe_code)]

use super::trace::{Caller, CarriedTrace, Caught, Goals, Trace};
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::text_of;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode, slot_a};
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::layout::env;
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::store::address::{CodeAddr, EnvAddr, HeapAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::deref;
use crate::store::raw;

/// Maximum number of addresses kept: the innermost ones.
const DEPTH: usize = 16;

/// Maximum number of arguments of a call that are noted.
const ARGS: usize = 8;

/// The notes about an exception, taken before anything is unwound.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Note {
    addresses: [CodeAddr; DEPTH],
    count: usize,
    culprit: Option<Functor>,
    args: [Cell; ARGS],
    known_args: usize,
    /// The environment at that time.
    env: EnvAddr,
    goals: Option<Box<Goals>>,
}

/// Maximum number of words of an error that is recognised when it is raised again.
const MOST_WORDS: usize = 256;

/// Number of frames searched when an error is caught; a catch has to be fast.
const MOST_FRAMES: u32 = 128;

impl Note {
    /// Returns the trace for code that does not catch the exception. No goal has run since the notes were taken.
    pub(in crate::machine) fn trace(&self, m: &Machine) -> Box<Trace> {
        let (next, e) = self.rest();
        self.trace_with(m.callers(next, e))
    }

    /// Returns the continuation and environment from which callers are searched that are not among the noted goals.
    fn rest(&self) -> (CodeAddr, EnvAddr) {
        match self.goals.as_ref().and_then(|goals| goals.chain.as_ref()) {
            Some(chain) => chain.rest.unwrap_or((CodeAddr::NONE, EnvAddr::NONE)),
            None => (self.next(), self.env),
        }
    }

    /// Returns the first continuation.
    fn next(&self) -> CodeAddr {
        let next = self.addresses.get(1).copied();
        next.filter(|_| self.count > 1).unwrap_or(CodeAddr::NONE)
    }

    fn trace_with(&self, callers: Vec<Caller>) -> Box<Trace> {
        Box::new(Trace {
            addresses: self.addresses[..self.count].into(),
            culprit: self.culprit,
            args: self.args[..self.known_args].into(),
            callers: callers.into(),
            goals: self.goals.clone(),
        })
    }
}

impl Machine {
    /// Notes the place where the pending exception was raised.
    fn note_raised(&mut self, r: &Regs) -> Note {
        let mut addresses = [CodeAddr::NONE; DEPTH];
        addresses[0] = std::mem::take(&mut self.run.raising.at);
        // The outermost frame, that of the query, continues with the end of the query.
        let (mut next, mut e, mut count) = (self.cont, r.e, 1);
        // If an instruction was interrupted, the frame is not certain: its memory may hold anything now.
        let frames = self.store.env.base..self.store.env.end;
        let is_frame = |e: EnvAddr| e.bits().is_multiple_of(WORD) && frames.contains(&e);
        while count < DEPTH
            && next != stubs::stop_success()
            && next != CodeAddr::NONE
            && is_frame(e)
        {
            addresses[count] = next;
            count += 1;
            next = e.get(env::CP);
            e = e.get(env::CE);
        }
        let culprit = self
            .run
            .raising
            .context
            .or_else(|| self.calling(addresses[0]));
        let mut note = Note {
            addresses,
            count,
            env: r.e,
            culprit,
            args: [Cell::int(0); ARGS],
            known_args: 0,
            goals: None,
        };
        let called = addresses[0] != CodeAddr::NONE
            && matches!(
                decode(raw::word(addresses[0])),
                Some(Op::Builtin | Op::BuiltinProceed | Op::Nondet | Op::Arg | Op::Undefined)
            );
        if let Some(culprit) = culprit.filter(|_| called) {
            note.known_args = culprit.arity().min(ARGS);
            for (arg, &given) in note.args[..note.known_args].iter_mut().zip(&self.x) {
                *arg = deref(given);
            }
        }
        note
    }

    /// Notes the known goals that led to the instruction that raised an exception, and with
    /// `limit` the goal that met the limit.
    #[cold]
    #[inline(never)]
    fn note_goals(&mut self, note: &mut Note, r: &Regs, limit: bool) {
        let raised = note.addresses[0];
        if raised == CodeAddr::NONE {
            return;
        }
        let chain = self.chain(raised, r);
        if let Some(chain) = &chain {
            // These addresses are certain, and include those of last calls.
            note.count = 1;
            let sure = chain.callers.iter().skip(1).map(|caller| caller.address);
            for (place, address) in note.addresses.iter_mut().skip(1).zip(sure) {
                *place = address;
                note.count += 1;
            }
        }
        let met = match limit {
            true => self.goal_at_limit(raised, note.culprit),
            false => None,
        };
        note.goals = Some(Box::new(Goals { chain, met }));
    }

    /// Notes that the program has caught an error with a context, such as the errors of the system.
    pub(in crate::machine) fn note_caught(&mut self, throw: &mut Throw, note: &Note) {
        if let Ball::Term(stored) = &mut throw.0.ball
            && stored.cells.len() <= MOST_WORDS
        {
            // Cleanup goals may have run since.
            let trace = throw.0.trace.take().unwrap_or_else(|| {
                let (next, e) = note.rest();
                note.trace_with(self.nearest_callers(next, e, MOST_FRAMES))
            });
            self.run.raising.traces.caught = Some(Caught {
                cells: std::mem::take(&mut stored.cells),
                trace,
            });
        }
    }

    /// Returns the trace of the last error that the program has caught, if `ball` is that error.
    ///
    /// # Errors
    /// Returns an error if there is no room to compare them.
    pub(crate) fn caught_trace(&mut self, ball: Cell) -> Result<Option<Box<Trace>>, Throw> {
        let stored = self.store.store_ball(ball)?;
        let caught = self.run.raising.traces.caught.as_ref();
        let same = caught.filter(|caught| caught.cells == stored.cells);
        Ok(same.map(|caught| caught.trace.clone()))
    }

    /// Returns the trace of the last error that the program has caught, for another machine, if `ball` is that error.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub(crate) fn carried_trace(&mut self, ball: Cell) -> Result<Option<CarriedTrace>, Throw> {
        let Some(trace) = self.caught_trace(ball)? else {
            return Ok(None);
        };
        let culprit = trace.culprit.map(|culprit| {
            let name = self.world.symbols.name_text(culprit);
            Ok::<_, Stop>((text_of(name)?, culprit.arity()))
        });
        Ok(Some(CarriedTrace {
            addresses: trace.addresses,
            culprit: culprit.transpose()?,
            callers: trace.callers,
        }))
    }

    /// Notes the trace of an error that another machine has caught. The program may raise the error again.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub(crate) fn receive_trace(&mut self, ball: Cell, carried: CarriedTrace) -> Result<(), Throw> {
        let symbols = &mut self.world.symbols;
        let culprit = match carried.culprit {
            Some((name, arity)) => {
                let name = symbols.intern_passing(&name)?;
                Some(symbols.functor_passing(name, arity)?)
            }
            None => None,
        };
        let trace = Box::new(Trace {
            addresses: carried.addresses,
            culprit,
            args: Box::default(),
            callers: carried.callers,
            goals: None,
        });
        let cells = self.store.store_ball(ball)?.cells;
        self.run.raising.traces.caught = Some(Caught { cells, trace });
        Ok(())
    }

    /// Notes the place where the pending exception was raised. If the program raises an error again that it has
    /// caught, its trace stays that of the first time.
    pub(in crate::machine) fn note_pending(&mut self, r: &Regs, throw: &mut Throw) -> Note {
        let mut note = self.note_raised(r);
        let limit = match throw.0.ball {
            Ball::OutOfMemory => !self.store.events.stop_wanted(),
            Ball::Spent(..) => true,
            _ => false,
        };
        if limit || self.notes_calls() {
            self.note_goals(&mut note, r, limit);
        }
        if let Some(caught) = &self.run.raising.traces.caught
            && note.culprit == Some(functors::THROW1)
            && let Ball::Term(stored) = &throw.0.ball
            && stored.cells == caught.cells
        {
            throw.0.trace.get_or_insert_with(|| caught.trace.clone());
        }
        note
    }

    /// Returns the trace of a predicate that is being called.
    pub(in crate::machine) fn present_trace(&mut self, called: Functor) -> Box<Trace> {
        let raised = std::mem::take(&mut self.run.raising.at);
        let r = Regs::new(
            CodeAddr::NONE,
            self.store.heap_top,
            HeapAddr::NONE,
            self.env,
        );
        let note = self.note_raised(&r);
        self.run.raising.at = raised;
        let (culprit, known_args) = (Some(called), 0);
        Note {
            culprit,
            known_args,
            ..note
        }
        .trace(self)
    }

    /// Returns the functor of call/N if the instruction at this address is the body of call/N. So the error for a
    /// goal that cannot be called names no predicate.
    fn calling(&mut self, at: CodeAddr) -> Option<Functor> {
        if at == CodeAddr::NONE {
            return None;
        }
        let word = raw::word(at);
        let arity = slot_a(word);
        (decode(word) == Some(Op::MetaCall))
            .then(|| self.world.symbols.functor(atoms::CALL, arity).ok())
            .flatten()
    }
}
