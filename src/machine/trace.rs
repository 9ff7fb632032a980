//! Where an exception was raised: the addresses of code from which control got there.

use super::dispatch::Regs;
use super::frame::env;
use super::goal_stack::Caller;
use super::state::Machine;
use crate::base::symbol::{Functor, atoms};
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
    /// The environment at that time.
    env: Addr,
}

impl Note {
    /// What is told of it to who does not catch it: nothing has been done since.
    pub(super) fn trace(&self, m: &Machine) -> Trace {
        let next = self.addresses.get(1).copied().filter(|_| self.count > 1);
        Trace {
            addresses: self.addresses[..self.count].into(),
            culprit: self.culprit,
            callers: m.callers(next.unwrap_or(0), self.env).into(),
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
            env: r.e,
            culprit: self.raise_context.or_else(|| self.calling(addresses[0])),
        }
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
