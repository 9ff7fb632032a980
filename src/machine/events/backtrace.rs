//! Notes from where an exception is raised, before anything is unwound: a [`Trace`] is made of it.
#![forbid(unsafe_code)]

use super::trace::{Caller, Caught, Goals, Trace};
use crate::base::atom_table::{Functor, atoms, functors};
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

/// Number of addresses kept, the innermost.
const DEPTH: usize = 16;

/// Number of arguments noted of a call.
const ARGS: usize = 8;

/// What is noted of an exception before anything is unwound.
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

/// Most words of an error that is recognised when it is raised again.
const MOST_WORDS: usize = 256;

/// Number of frames looked at when an error is caught, which has to be fast.
const MOST_FRAMES: u32 = 128;

impl Note {
    /// What is told of it to who does not catch it: nothing has been done since.
    pub(in crate::machine) fn trace(&self, m: &Machine) -> Box<Trace> {
        let (next, e) = self.rest();
        self.trace_with(m.callers(next, e))
    }

    /// Where the callers are to be looked for that the noted goals do not tell.
    fn rest(&self) -> (CodeAddr, EnvAddr) {
        match self.goals.as_ref().and_then(|goals| goals.chain.as_ref()) {
            Some(chain) => chain.rest.unwrap_or((CodeAddr::NONE, EnvAddr::NONE)),
            None => (self.next(), self.env),
        }
    }

    /// The first continuation.
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
    /// Notes from where the pending exception was raised.
    fn note_raised(&mut self, r: &Regs) -> Note {
        let mut addresses = [CodeAddr::NONE; DEPTH];
        addresses[0] = std::mem::take(&mut self.run.raising.at);
        // The outermost frame, that of the query, continues with its end.
        let (mut next, mut e, mut count) = (self.cont, r.e, 1);
        // Where an instruction was broken off the frame is not known for sure: what was one once may be
        // anything now.
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

    /// Notes the goals that led to the instruction that raised an exception, as far as they are known; with the one
    /// at which a limit was met.
    #[cold]
    #[inline(never)]
    fn note_goals(&mut self, note: &mut Note, r: &Regs, limit: bool) {
        let raised = note.addresses[0];
        if raised == CodeAddr::NONE {
            return;
        }
        let chain = self.chain(raised, r);
        if let Some(chain) = &chain {
            // These are sure, and those of last calls are among them.
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

    /// The program has caught an error, which has a context, as those of the system have.
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

    /// From where the error was raised that the program has caught last, if this is it.
    ///
    /// # Errors
    /// There is no room to compare them.
    pub(crate) fn caught_trace(&mut self, ball: Cell) -> Result<Option<Box<Trace>>, Throw> {
        let stored = self.store.store_ball(ball)?;
        let caught = self.run.raising.traces.caught.as_ref();
        let same = caught.filter(|caught| caught.cells == stored.cells);
        Ok(same.map(|caught| caught.trace.clone()))
    }

    /// Notes from where the pending exception was raised; of an error that the program has caught and
    /// raises again that is told from where it was raised first.
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

    /// From where control got to a predicate that is called now.
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

    /// call/N, if the instruction at this address is what it consists of: an error of a goal that cannot be
    /// called names no predicate.
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
