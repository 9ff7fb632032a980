//! Unwinding: from a raised exception to the goal that catches it (ISO 7.8.9, 7.8.10).
#![forbid(unsafe_code)]

use super::query::DEPTHS;
use super::throw::{Ball, Throw};
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::GiveBack;
use crate::base::stop::Stop;
use crate::machine::dispatch::regs::Regs;
use crate::machine::events::backtrace::Note;
use crate::machine::events::tracer::{Command, frame};
use crate::machine::events::watched::EXTRA;
use crate::machine::frames::layout::{ChoiceKind, cp};
use crate::machine::frames::shield::Shield;
use crate::machine::frames::stubs;
use crate::machine::frames::suspend::Held;
use crate::machine::ops::guard::run_cleanup;
use crate::machine::search::bags::Bag;
use crate::machine::state::Machine;
use crate::store::address::ChoiceAddr;
use crate::store::cell::Cell;
use crate::store::claims::Life;
use crate::store::heap::View;

/// Number of nested collections below which no memory is given back.
const MANY_BAGS: usize = 1 << 12;

impl Machine {
    /// Unwinds the choice stack because of the pending exception. Continues at one of three places:
    ///
    /// - At the goal that catches the exception, its recovery goal runs.
    /// - At a cleanup goal, that goal runs, and unwinding continues after it.
    /// - At the bottom of the query, the exception is returned.
    pub(crate) fn unwind(&mut self, r: &mut Regs) -> Result<Option<Throw>, Stop> {
        let Some(mut throw) = self.run.raising.pending.take() else {
            unreachable!("raise without an exception");
        };
        // The context is made while the term that it names still exists.
        let note = self.note_pending(r, &mut throw);
        let mut throw = self.ready_to_catch(throw);
        let mut traced = self.traced_goals(&throw);
        if !traced.is_empty() {
            throw.0.trace.get_or_insert_with(|| note.trace(self));
        }
        if std::mem::take(&mut self.run.observers.tracer.holds_exception) {
            throw.0.trace.get_or_insert_with(|| note.trace(self));
            let goal = self.traced_goal();
            self.break_at_exception(r, goal, throw)?;
            return Ok(None);
        }
        self.store.note_tops();
        let limit = matches!(throw.0.ball, Ball::Aborted | Ball::Spent(..));
        loop {
            let b = self.choice;
            match self.choice_kind(b) {
                ChoiceKind::Query => {
                    // The bottom of all queries has no depths, because no query surrounds it.
                    let depths = DEPTHS * usize::from(self.choice_args(b) > DEPTHS);
                    self.restore_for_catch(r, depths);
                    throw.0.trace.get_or_insert_with(|| note.trace(self));
                    return Ok(Some(throw));
                }
                ChoiceKind::Catch => {
                    self.restore_for_catch(r, 3);
                    self.pop_choice();
                    let catchable = self.is_catchable(b, &throw);
                    self.trim_memory(r.e);
                    match throw.0.ball {
                        Ball::Spent(number, _) if catchable => self.stop_budget(number),
                        Ball::Aborted if catchable => self.end_grace(),
                        _ => {}
                    }
                    if catchable && self.catches_or_raises(r, &mut throw, &note) {
                        return Ok(None);
                    }
                }
                ChoiceKind::Cleanup => {
                    self.restore_for_catch(r, 1);
                    let goal = self.x[0];
                    self.cleanup_choice = self.older_cleanup(b);
                    self.pop_choice();
                    if limit && self.grace_is_over() {
                        continue;
                    }
                    throw.0.trace.get_or_insert_with(|| note.trace(self));
                    let next = stubs::rethrow();
                    let shielded = (goal, Shield::Unwinding(throw));
                    *r = run_cleanup(self, *r, shielded, next, Held::arguments(0));
                    return Ok(None);
                }
                _ => {
                    if !traced.is_empty()
                        && b.get(cp::ALT) == stubs::watched_fail()
                        && let Some(command) = self.leave_traced(r, &traced)
                    {
                        if command == Command::Retry {
                            self.retry_traced(r);
                            return Ok(None);
                        }
                        if command == Command::Break {
                            let goal = self.choice_arg(b, self.choice_args(b) - EXTRA);
                            self.keep_depths(self.frame_arg(goal, frame::DEPTHS));
                            self.break_at_exception(r, Some(goal), throw)?;
                            return Ok(None);
                        }
                        traced.clear();
                        throw = Throw::new(match command {
                            Command::Halt => Ball::Halt(0),
                            Command::Stop => Ball::OutOfMemory,
                            _ => Ball::Aborted,
                        });
                    }
                    self.pop_left_choice(r);
                }
            }
        }
    }

    /// Returns the pending exception in the form in which it is caught.
    #[inline(always)]
    fn ready_to_catch(&mut self, mut throw: Throw) -> Throw {
        if let Ball::Error(..) = throw.0.ball {
            let leaves_search = throw.0.leaves_search;
            throw = self.complete(throw);
            throw.0.leaves_search = leaves_search;
        }
        self.run.raising.context = None;
        self.run.observers.observing.exited = 0;
        let throw = self.true_reason(throw);
        if let Ball::OutOfMemory = throw.0.ball {
            self.store.note_reported_shortage();
        }
        throw
    }

    /// Returns whether the goal called at this choice point may catch the exception. Its catcher is in a register.
    fn is_catchable(&mut self, b: ChoiceAddr, throw: &Throw) -> bool {
        match throw.0.ball {
            Ball::Halt(_) => false,
            // Only a catcher that names it, namely a prompt that a program runs.
            Ball::Aborted => self.x[1] == Cell::atom(atoms::ABORTED),
            Ball::Spent(number, _) => self.opened_budget(self.x[1], number),
            // The program leaves a prompt of Lolli.
            Ball::Term(ref ball) if ball.functor() == Some(functors::LEAVING1) => {
                let catcher = self.store.compound(self.x[1]);
                catcher.is_some_and(|(functor, _)| functor == functors::LEAVING1)
            }
            _ if throw.0.leaves_search && self.is_in_search(b) => false,
            _ => !self.passes_catch(b),
        }
    }

    /// Returns the true reason of an exception. Code that abandons its work, or finds no room, may not know why it
    /// must stop.
    pub(crate) fn true_reason(&mut self, throw: Throw) -> Throw {
        match throw.0.ball {
            Ball::Aborted | Ball::OutOfMemory if self.store.events.stop_wanted() => {
                self.stop_reason().unwrap_or(throw)
            }
            _ => throw,
        }
    }

    /// Restores the state at the newest choice point. If `depths` is not 0, that register holds the number of
    /// collections under way.
    fn restore_for_catch(&mut self, r: &mut Regs, depths: usize) {
        self.restore(r);
        self.store.heap_top = r.h;
        let depths = match depths {
            0 => Cell::int(0),
            _ => self.x[depths],
        };
        self.keep_depths(depths);
    }

    /// Drops the collections and exceptions that began later than these.
    pub(in crate::machine) fn keep_depths(&mut self, depths: Cell) {
        let value = depths.int_value();
        let (bags, shields) = ((value >> 24) as usize, (value & 0xff_ffff) as usize);
        self.run.bags.truncate(bags);
        if self.run.bags.capacity() > 4 * bags + MANY_BAGS {
            self.run.bags.give_back(2 * bags);
            let bytes = self.run.bags.capacity() * size_of::<Bag>();
            let less =
                self.store
                    .resize_claim(&mut self.run.bags_claim, bytes as u64, Life::Passing);
            debug_assert!(less.is_ok(), "there is always room for less");
        }
        self.keep_shields(shields);
    }

    /// Returns whether the catcher takes the exception. If finding out is stopped, the reason for the stop is raised
    /// instead.
    fn catches_or_raises(&mut self, r: &mut Regs, throw: &mut Throw, note: &Note) -> bool {
        self.catches(r, throw, note).unwrap_or_else(|stop| {
            self.run.raising.pending = Some(stop.into());
            r.go(stubs::raise());
            true
        })
    }

    /// Unifies the ball with the catcher. If they unify, starts the recovery goal.
    ///
    /// # Errors
    /// Returns an error if the unification is stopped.
    fn catches(&mut self, r: &mut Regs, throw: &mut Throw, note: &Note) -> Result<bool, Stop> {
        let (mut catcher, recovery) = (self.x[1], self.x[2]);
        let asked = self.store.compound(catcher);
        if let Some((functors::RAISED1 | functors::BUDGET1, args)) = asked {
            // The recovery goal may ask where the exception was raised.
            let trace = throw.0.trace.take();
            self.run.raising.traces.last = Some(trace.unwrap_or_else(|| note.trace(self)));
            if let Some((functors::RAISED1, _)) = asked {
                catcher = self.store.arg(args, 0);
            }
        }
        let (top, trail) = (self.store.heap_top, self.store.trail_top);
        self.store.forget_eigenvariables();
        let ball = match self.ball_term(throw) {
            Ok(ball) if self.run.contexts.eigenvariables() > self.store.settled => {
                self.store.settle_ball(&mut self.world.symbols, ball, top)?
            }
            Ok(ball) => ball,
            Err(full) => {
                // The ball is dropped; its replacement needs no room.
                *throw = full.into();
                match self.ball_term(throw) {
                    Ok(ball) => ball,
                    Err(_) => return Ok(false),
                }
            }
        };
        let old = self.store.heap_backtrack;
        self.store.heap_backtrack = top;
        let fits = self.unify(catcher, ball);
        self.store.heap_backtrack = old;
        if fits != Ok(true) {
            self.store.undo_to(trail);
            self.store.set_wakeups(Cell::atom(atoms::NIL));
            self.store.heap_top = top;
            return fits;
        }
        r.h = self.store.heap_top;
        self.reset_heap_limit();
        let has_context = match self.store.compound(ball) {
            Some((functors::ERROR, args)) => !self.store.arg(args, 1).is_var(),
            _ => false,
        };
        // A search raises the exceptions of its parts again.
        if has_context || self.run.branches.is_some() {
            self.note_caught(throw, note);
        }
        self.x[0] = recovery;
        if self.calls_goals_separately() {
            r.go(stubs::call());
        } else {
            self.watch_call(r)?;
            *r = crate::machine::ops::meta::meta_call(self, *r, 1 << 16);
        }
        Ok(true)
    }

    /// Returns the exception as a term on the heap.
    pub(crate) fn ball_term(&mut self, throw: &Throw) -> Result<Cell, Stop> {
        match &throw.0.ball {
            Ball::Term(stored) => self.store.load_term(stored),
            Ball::Error(formal, message) => {
                let formal = self.store.load_term(formal)?;
                let mut context = self.store.new_var();
                if let Some(message) = message {
                    let message = Cell::atom(self.world.symbols.intern_passing(message)?);
                    context = self
                        .store
                        .new_struct(functors::CONTEXT, &[context, message]);
                }
                Ok(self.store.new_struct(functors::ERROR, &[formal, context]))
            }
            Ball::OutOfMemory => {
                let memory = Cell::atom(atoms::MEMORY);
                let formal = self.store.new_struct(functors::RESOURCE_ERROR, &[memory]);
                let context = self.store.new_var();
                Ok(self.store.new_struct(functors::ERROR, &[formal, context]))
            }
            Ball::Halt(status) => Ok(Cell::int(i64::from(*status))),
            Ball::Aborted => Ok(Cell::atom(atoms::ABORTED)),
            Ball::Spent(number, _) => {
                let number = Cell::int(*number);
                Ok(self.store.new_struct(functors::BUDGET1, &[number]))
            }
        }
    }

    /// Returns whether the catcher opened the budget of this number.
    fn opened_budget(&self, catcher: Cell, number: i64) -> bool {
        match self.store.compound(catcher) {
            Some((functors::BUDGET1, args)) => self.store.arg(args, 0) == Cell::int(number),
            _ => false,
        }
    }

    /// Returns the procedure that does not exist, if that is the error.
    fn unknown_procedure(&self, formal: Cell) -> Option<Cell> {
        let View::Struct(functors::EXISTENCE_ERROR, args) = self.store.view(formal) else {
            return None;
        };
        let kind = self.store.view(self.store.arg(args, 0));
        matches!(kind, View::Atom(atoms::PROCEDURE)).then(|| self.store.arg(args, 1))
    }

    /// Returns whether `culprit` is the indicator, perhaps with a module.
    fn names(&self, culprit: Cell, indicator: Cell) -> Result<bool, Stop> {
        let plain = match self.store.view(culprit) {
            View::Struct(functors::COLON, args) => self.store.arg(args, 1),
            _ => culprit,
        };
        self.store.structurally_equal(plain, indicator)
    }

    /// Adds the context to an error: the predicate that raised it, and the message.
    fn complete(&mut self, throw: Throw) -> Throw {
        let Ball::Error(formal, message) = &throw.0.ball else {
            return throw;
        };
        if self.store.reserve(formal.cells.len() + 64).is_err() {
            return throw;
        }
        let Ok(formal) = self.store.load_term(formal) else {
            return throw;
        };
        let indicator = match self.run.raising.context.take() {
            Some(functor) => {
                let indicator = self.indicator(functor);
                match self.unknown_procedure(formal) {
                    // The unknown procedure is no predicate of the system.
                    Some(unknown) if self.names(unknown, indicator) == Ok(true) => unknown,
                    _ => {
                        let system = Cell::atom(atoms::SYSTEM);
                        self.store.new_struct(functors::COLON, &[system, indicator])
                    }
                }
            }
            None => self.store.new_var(),
        };
        let message = match message {
            Some(text) => match self.world.symbols.intern_passing(text) {
                Ok(text) => Cell::atom(text),
                Err(Stop) => return throw,
            },
            None => self.store.new_var(),
        };
        let context = if indicator.is_var() && message.is_var() {
            indicator
        } else {
            self.store
                .new_struct(functors::CONTEXT, &[indicator, message])
        };
        let ball = self.store.new_struct(functors::ERROR, &[formal, context]);
        let mut complete = self.throw_term(ball);
        complete.0.trace = throw.0.trace;
        complete
    }
}
