//! Pauses and resumes queries: when a user interrupts them, and when they request an inner session.
#![forbid(unsafe_code)]

use super::paused::{Before, BeforeSession, Paused, Why};
use super::throw::Throw;
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::stop::Stop;
use crate::io::stream::StreamId;
use crate::io::stream_table::{USER_INPUT, USER_OUTPUT};
use crate::machine::dispatch::endings::out_of_memory;
use crate::machine::dispatch::regs::Regs;
use crate::machine::events::tracer::Mode;
use crate::machine::frames::layout::{ChoiceKind, cp};
use crate::machine::frames::stubs;
use crate::machine::frames::suspend::{Held, suspend};
use crate::machine::state::Machine;
use crate::store::address::CodeAddr;
use crate::store::cell::Cell;
use crate::store::heap::{View, deref};

/// The predicates to which called bodies are translated. The first argument is a body or the first part of one.
const CONTROL: [(&str, usize); 7] = [
    ("$body", 3),
    ("$and", 4),
    ("$or", 4),
    ("$if", 4),
    ("$if", 5),
    ("$soft", 4),
    ("$soft", 5),
];
/// Maximum number of levels of a body that are searched for its first goal.
const DEEPEST_BODY: u32 = 1 << 16;

impl Machine {
    /// Returns whether the query that is about to call a predicate must pause. It cannot pause if another query waits
    /// for it within an instruction.
    pub(crate) fn is_held(&mut self) -> bool {
        self.run.pausing.wanted
            && self.run.pausing.runs == 1
            && !self.store.wake_pending
            && self.store.events.watch.interrupt_counts()
            && !self.store.events.watch.halt_wanted()
            && !self.catches_aborts()
    }

    /// Returns whether a prompt of the program catches the exception that ends queries.
    fn catches_aborts(&self) -> bool {
        let mut b = self.choice;
        loop {
            match self.choice_kind(b) {
                ChoiceKind::Query => return false,
                ChoiceKind::Catch if deref(self.choice_arg(b, 1)) == Cell::atom(atoms::ABORTED) => {
                    return true;
                }
                _ => b = b.get(cp::PREV),
            }
        }
    }

    /// Pauses the query that was about to call a predicate. It resumes at `p` with the contents of `held`.
    pub(crate) fn hold(
        &mut self,
        mut r: Regs,
        (p, held): (CodeAddr, Held),
        functor: Functor,
    ) -> Regs {
        if !suspend(self, &mut r, p, held) {
            return out_of_memory(self, r);
        }
        let resume = stubs::resume();
        self.pause(r, resume, Why::Interrupted(functor))
    }

    /// Returns the functor to report for the predicate that is about to be called with the present arguments. For a
    /// body, this is the functor of its first goal.
    pub(crate) fn reported_functor(&mut self, functor: Functor) -> Result<Functor, Stop> {
        let name = self.world.symbols.name_text(functor);
        if !CONTROL.contains(&(name, functor.arity())) {
            return Ok(functor);
        }
        let mut goal = self.x[0];
        for _ in 0..DEEPEST_BODY {
            goal = match self.store.view(goal) {
                View::Struct(
                    functors::COMMA
                    | functors::SEMICOLON
                    | functors::ARROW
                    | functors::SOFT_ARROW
                    | functors::NOT,
                    parts,
                ) => self.store.arg(parts, 0),
                View::Struct(functors::COLON, parts) => self.store.arg(parts, 1),
                View::Struct(functor, _) => return Ok(functor),
                View::Atom(name) => return self.world.symbols.functor_passing(name, 0),
                _ => break,
            };
        }
        Ok(functors::CALL1)
    }

    /// Ends the run temporarily; it resumes at `p`.
    pub(crate) fn pause(&mut self, mut r: Regs, p: CodeAddr, why: Why) -> Regs {
        self.store.events.watch.take_interrupt();
        self.reset_heap_limit();
        self.run.pausing.at = Some((p, why));
        r.go(stubs::stop_success());
        r
    }

    /// Returns whether the query can wait for an inner session. It cannot if another query waits for it within an
    /// instruction.
    pub(crate) fn may_break(&self) -> bool {
        self.run.pausing.breaks && self.may_prompt()
    }

    /// Returns whether the query can wait for an inner prompt that is part of it.
    pub(crate) fn may_prompt(&self) -> bool {
        self.run.pausing.runs == 1
    }

    /// Makes the query wait for an inner session; it resumes at `p` with the contents of `held`.
    pub(crate) fn pause_for_break(&mut self, r: Regs, p: CodeAddr, held: Held) -> Regs {
        self.pause_for(Why::Break, r, p, held)
    }

    /// Makes the query wait for the reason `why`; it resumes at `p` with the contents of `held`.
    pub(crate) fn pause_for(&mut self, why: Why, mut r: Regs, p: CodeAddr, held: Held) -> Regs {
        if !suspend(self, &mut r, p, held) {
            return out_of_memory(self, r);
        }
        let resume = stubs::resume();
        self.pause(r, resume, why)
    }

    /// Returns the state of the query if its run has ended temporarily.
    pub(in crate::machine) fn take_paused(&mut self) -> Result<Option<Paused>, Stop> {
        let Some((at, why)) = self.run.pausing.at.take() else {
            return Ok(None);
        };
        let before = match why {
            Why::Interrupted(_) => None,
            Why::Prompt | Why::Break => Some(Before {
                budgets: self.pause_budgets()?,
                of_session: (why == Why::Break).then(|| self.begin_session()),
            }),
        };
        Ok(Some(Paused { at, why, before }))
    }

    /// Puts aside the state that a session within a query replaces.
    fn begin_session(&mut self) -> BeforeSession {
        let before = BeforeSession {
            mode: std::mem::take(&mut self.run.observers.tracer.mode),
            input: self.world.host.streams.current_input(),
            output: self.world.host.streams.current_output(),
        };
        self.make_current(USER_INPUT, USER_OUTPUT);
        before
    }

    /// Restores a paused query and returns the address where it resumes.
    ///
    /// # Errors
    /// Returns the same errors as [`Machine::start_budget`].
    pub(in crate::machine) fn resume_paused(&mut self, paused: Paused) -> Result<CodeAddr, Throw> {
        if let Some(before) = paused.before {
            if let Some(session) = before.of_session {
                // Spy points that were set in the session stay active.
                if session.mode != Mode::Off || self.run.observers.tracer.mode != Mode::Leap {
                    self.run.observers.tracer.mode = session.mode;
                }
                self.make_current(session.input, session.output);
            }
            self.resume_budgets(&before.budgets)?;
        }
        Ok(paused.at)
    }

    /// Makes these the current streams, if they are open.
    fn make_current(&mut self, input: StreamId, output: StreamId) {
        // If the session has closed one of them, the user's stream stays.
        let _ = self.world.host.streams.set_current_input(input);
        let _ = self.world.host.streams.set_current_output(output);
    }
}
