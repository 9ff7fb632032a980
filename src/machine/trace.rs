//! Where an exception was raised: the addresses of code from which control got there.

use super::dispatch::Regs;
use super::frame::env;
use super::goal_stack::Caller;
use super::state::Machine;
use super::throw::{Ball, Throw};
use crate::base::symbol::{Functor, atoms, functors};
use crate::code::instruction::{Op, decode, slot_a};
use crate::store::cell::{Addr, WORD};
use crate::store::raw;

/// So many addresses are kept, the innermost.
const DEPTH: usize = 16;

/// From where an exception was raised.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// The instruction that raised it, 0 if none did, and then the continuations, innermost first:
    /// the calls whose frames a last call has replaced are not among them. The second one may be an
    /// old one of the innermost clause.
    pub(crate) addresses: Box<[Addr]>,
    /// The predicate or builtin whose call raised it.
    pub(crate) culprit: Option<Functor>,
    /// All continuations as far as they are of use, those above among them.
    pub(crate) callers: Box<[Caller]>,
}

/// What is noted of an exception before anything is unwound.
#[derive(Copy, Clone, Debug)]
pub(super) struct Note {
    addresses: [Addr; DEPTH],
    count: usize,
    culprit: Option<Functor>,
    /// The first continuation and the environment when it was raised last.
    next: Addr,
    env: Addr,
}

/// An error that a program has caught: where it was raised is told if the program raises it again.
#[derive(Debug)]
pub(crate) struct Caught {
    /// The words of its term.
    cells: Box<[u64]>,
    /// From where it was raised.
    note: Note,
}

impl Caught {
    /// The words of its term.
    pub(super) fn words(&self) -> &[u64] {
        &self.cells
    }

    /// The predicate or builtin whose call raised it.
    pub(super) fn culprit(&self) -> Option<Functor> {
        self.note.culprit
    }
}

/// What is known of exceptions that were caught.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    /// From where the one was raised that `'$raised'(Ball)` has caught last.
    pub(crate) last: Option<Trace>,
    /// The error that the program has caught last, in case it raises it again.
    pub(crate) caught: Option<Caught>,
}

/// So many words an error has that is known again.
const MOST_WORDS: usize = 256;

impl Note {
    /// What is told of it to who does not catch it: nothing has been done since.
    pub(super) fn trace(&self, m: &Machine) -> Trace {
        Trace {
            addresses: self.addresses[..self.count].into(),
            culprit: self.culprit,
            callers: m.callers(self.next, self.env).into(),
        }
    }
}

impl Machine {
    /// Notes from where the pending exception was raised.
    pub(super) fn note_raised(&mut self, r: &Regs) -> Note {
        let mut addresses = [0; DEPTH];
        addresses[0] = std::mem::take(&mut self.raised_at);
        // The outermost frame, that of the query, continues with its end.
        let (mut next, mut e, mut count) = (self.cont, r.e, 1);
        // Where an instruction was broken off the frame is not known for sure: what was one once may be
        // anything now.
        let frames = self.store.env.base..self.store.env.end;
        let is_frame = |e: Addr| e.is_multiple_of(WORD) && frames.contains(&e);
        while count < DEPTH && next != self.stubs.stop_success() && next != 0 && is_frame(e) {
            addresses[count] = next;
            count += 1;
            next = raw::word(e + env::CP);
            e = raw::word(e + env::CE);
        }
        Note {
            addresses,
            count,
            next: addresses[1],
            env: r.e,
            culprit: self.raise_context.or_else(|| self.calling(addresses[0])),
        }
    }

    /// The program has caught an error, which has a context, as those of the system have.
    pub(super) fn note_caught(&mut self, throw: &mut Throw, note: &Note) {
        if let Ball::Term(stored) = &mut throw.0.ball
            && stored.cells.len() <= MOST_WORDS
        {
            let mut note = *note;
            if let Some(trace) = &throw.0.trace {
                // Cleanup goals have run since.
                note.count = trace.addresses.len().min(DEPTH);
                note.addresses[..note.count].copy_from_slice(&trace.addresses[..note.count]);
                note.culprit = trace.culprit;
            }
            self.traces.caught = Some(Caught {
                cells: std::mem::take(&mut stored.cells),
                note,
            });
        }
    }

    /// What is noted of the pending exception: of an error that the program has caught before
    /// and raises again, where it was raised first.
    pub(super) fn first_note(&mut self, r: &Regs, throw: &Throw) -> Note {
        let note = self.note_raised(r);
        let first = self.traces.caught.as_ref().filter(|caught| {
            let again = match &throw.0.ball {
                Ball::Term(stored) => stored.cells == caught.cells,
                _ => false,
            };
            again && note.culprit == Some(functors::THROW1)
        });
        first.map_or(note, |first| Note {
            next: note.next,
            env: note.env,
            ..first.note
        })
    }

    /// From where control got to a predicate that is called now.
    pub(super) fn present_trace(&mut self, called: Functor) -> Trace {
        let raised = std::mem::take(&mut self.raised_at);
        let r = Regs {
            p: 0,
            h: self.store.heap_top,
            s: 0,
            e: self.env,
        };
        let note = self.note_raised(&r);
        self.raised_at = raised;
        let culprit = Some(called);
        Note { culprit, ..note }.trace(self)
    }

    /// call/N, if the instruction at this address is what it consists of: an error of a goal that cannot be
    /// called names no predicate.
    fn calling(&mut self, at: Addr) -> Option<Functor> {
        if at == 0 {
            return None;
        }
        let word = raw::word(at);
        let arity = slot_a(word);
        (decode(word) == Some(Op::MetaCall)).then(|| self.symbols.functor(atoms::CALL, arity))
    }
}
