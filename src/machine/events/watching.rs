//! The next instruction of watched goals, and its meaning for the watchers.
#![forbid(unsafe_code)]

use super::observer::{Event, Kinds};
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode, wide};
use crate::machine::control::called_goal::goal_of_call;
use crate::machine::dispatch::regs::Regs;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::CodeAddr;
use crate::store::raw;

/// The kinds of events that need the goal of call/N.
const CALLS: Kinds = Kinds::CALL.and(Kinds::PORTS);
/// The instruction word of `call/1`.
const CALL1: u64 = 1 << 16;

/// The instruction that is about to run.
#[derive(Copy, Clone)]
pub(in crate::machine) struct Next {
    pub(in crate::machine) word: u64,
    pub(in crate::machine) op: Op,
    /// The predicate that it calls; for the instruction of call/N, the predicate of the goal.
    /// `None` if no watcher needs it.
    pub(in crate::machine) called: Option<PredId>,
    /// Whether the instruction calls call/N. The instruction of call/N comes next then.
    pub(in crate::machine) of_call: bool,
}

impl Machine {
    /// Makes every running form of dispatch return to `dispatch::forms::run`, because the mode may have changed.
    pub(in crate::machine) fn recheck_mode(&mut self) {
        if self.run.pausing.runs > 0 {
            // As for wake-ups, though there may be none.
            self.store.wake_pending = true;
        }
    }

    /// Notes that the goal in X0 is about to be called without an instruction.
    pub(in crate::machine) fn watch_call(&mut self, r: &Regs) -> Result<(), Stop> {
        let noted = self.notes_calls();
        if !noted && !self.run.observers.observing.wants(Kinds::CALL) {
            return Ok(());
        }
        let called = goal_of_call(self, CALL1, Op::MetaCall)?;
        if let Some(called) = called {
            self.notify(&Event::Call(called), r);
        }
        if noted {
            self.run.observers.expected_call = called.map(|id| (id, CodeAddr::NONE));
        }
        Ok(())
    }
}

/// Decodes the instruction at P.
#[inline]
pub(in crate::machine) fn decoded(
    m: &mut Machine,
    r: &Regs,
    word: u64,
) -> Result<Option<Next>, Stop> {
    let Some(op) = decode(word) else {
        return Ok(None);
    };
    let mut next = Next {
        word,
        op,
        called: None,
        of_call: false,
    };
    match op {
        Op::Call | Op::Execute | Op::DeallocateExecute => {
            let id = PredId(wide(word));
            next.called = Some(id);
            next.of_call = decode(raw::word(m.world.predicates.entry(id))) == Some(Op::MetaCall);
        }
        Op::MetaCall | Op::BodyCall if wants_goals(m) => {
            m.store.heap_top = r.h;
            next.called = goal_of_call(m, word, op)?;
        }
        // Otherwise call/1 comes next.
        Op::CatchBegin | Op::CleanupBegin if !m.calls_goals_separately() && wants_goals(m) => {
            m.store.heap_top = r.h;
            next.called = goal_of_call(m, CALL1, Op::MetaCall)?;
        }
        _ => {}
    }
    Ok(Some(next))
}

/// Returns whether a watcher needs the predicate that call/N calls.
fn wants_goals(m: &Machine) -> bool {
    m.run.observers.observing.wants(CALLS)
        || m.run.observers.tracer.is_on()
        || m.notes_calls()
        || m.draws()
}

/// Notifies the observers of the instruction that is about to run.
#[inline]
pub(in crate::machine) fn notify(m: &mut Machine, r: &Regs, next: Next) {
    // If the search tree has reported the instruction, the observers were notified then: the same instruction comes again.
    if m.run.observers.observing.wants(Kinds::STEPWISE) && !m.is_reported() {
        notify_next(m, r, next);
    }
}

fn notify_next(m: &mut Machine, r: &Regs, next: Next) {
    if let Some((number, before)) = m.run.observers.observing.within.take() {
        m.notify(&Event::BuiltinDone { number }, &before);
    }
    m.notify(&Event::Step(next.op), r);
    if m.store.wake_pending && !matches!(next.op, Op::Call | Op::Execute | Op::DeallocateExecute) {
        // The instruction comes again after the wake-ups.
        return;
    }
    if let Some(called) = next.called.filter(|_| !next.of_call) {
        m.notify(&Event::Call(called), r);
    }
    if matches!(next.op, Op::Builtin | Op::BuiltinProceed) {
        let number = wide(next.word);
        if m.run.observers.observing.wants(Kinds::BUILTIN_DONE) {
            m.run.observers.observing.within = Some((number, *r));
        }
        let last = next.op == Op::BuiltinProceed;
        m.notify(&Event::Builtin { number, last }, r);
    }
}
