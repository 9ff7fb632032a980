//! Following what a program does: the tracer, queries that are stopped and go on, choices that are left.

use super::engine::Engine;
use super::solutions::Solutions;
use crate::machine::events::tracer::Mode;
use crate::tools::tracing::{choice_text, goals_text, public_text};

/// What the tracer of an engine does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Debugging {
    /// Nothing.
    Off,
    /// It stops at spy points.
    SpyPoints,
    /// It shows the calls of all goals.
    Tracing,
}

impl Engine {
    /// What the tracer does: see `trace/0` and `spy/1`.
    pub fn debugging(&self) -> Debugging {
        match self.machine.run.observers.tracer.mode {
            Mode::Leap if !self.machine.run.observers.tracer.spied.is_empty() => {
                Debugging::SpyPoints
            }
            Mode::Off | Mode::Leap => Debugging::Off,
            Mode::Creep | Mode::Skip(_) => Debugging::Tracing,
        }
    }

    /// Has the tracer do something else. It shows goals on the standard error output of the engine, and
    /// asks what to do where the standard input is a terminal.
    pub fn set_debugging(&mut self, debugging: Debugging) {
        self.machine.set_trace_mode(match debugging {
            Debugging::Off => Mode::Off,
            Debugging::SpyPoints => Mode::Leap,
            Debugging::Tracing => Mode::Creep,
        });
    }

    /// Whether a query that an [`InterruptHandle`](super::InterruptHandle) stops can go on afterwards.
    /// Then [`Solutions::advance`] gives an error of the kind
    /// [`ErrorKind::Interrupted`](super::ErrorKind::Interrupted), [`Solutions::stopped_at`] tells where,
    /// and the next call of `advance` goes on. Where the interrupt strikes within a builtin, or within a
    /// query that another one waits for, the query is over as usual. By default all are.
    pub fn stop_and_go(&mut self, wanted: bool) {
        self.machine.run.pausing.wanted = wanted;
    }

    /// Whether the host holds the sessions within queries that `break/0` asks for, and at a terminal the key `b`
    /// of the tracer. Then [`Solutions::advance`] gives an error of the kind
    /// [`ErrorKind::Break`](super::ErrorKind::Break). Other queries may be asked by [`Solutions::engine`] while the
    /// first one waits, not traced unless they say so themselves; the next call of `advance` goes on
    /// with it. Within a query that another one waits for, and by default, `break/0` reads queries itself.
    pub fn hold_breaks(&mut self, wanted: bool) {
        self.breaks = wanted;
    }

    /// The query that was stopped and kept, if there is one: see [`Solutions::keep`].
    pub fn kept_query(&mut self) -> Option<Solutions<'_>> {
        self.open.last()?.interrupted_at()?;
        self.interrupts().clear();
        Some(Solutions::new(self))
    }
}

impl Solutions<'_> {
    /// Whether the host holds the sessions within this query.
    pub(super) fn hold_breaks(&mut self, wanted: bool) {
        if let Some(open) = self.engine().open.last_mut() {
            open.breaks = wanted;
        }
    }

    /// Where the query was stopped that can go on: the predicate that it was about to call, as
    /// `name/arity`.
    pub fn stopped_at(&self) -> Option<String> {
        let functor = self.engine_ref().open.last()?.interrupted_at()?;
        public_text(&self.engine_ref().machine, functor).ok()
    }

    /// The goals that led to where the query is, a line for each, the innermost first. Clauses that a
    /// last call has left are not among them. Without memory for it nothing is told.
    pub fn goal_stack(&mut self) -> String {
        let machine = &mut self.engine().machine;
        let stand = machine.present_stand();
        goals_text(machine, None, stand).unwrap_or_default()
    }

    /// After a solution: what left the newest choice to be tried, if there is one, in words.
    pub fn choice_left(&mut self) -> Option<String> {
        if !self.has_more() {
            return None;
        }
        let engine = self.engine();
        let goal = engine.machine.query_goal(&engine.open.last()?.query);
        choice_text(&mut engine.machine, goal).ok()?
    }

    /// Lets go of the engine, with the query kept as it is: [`Engine::kept_query`] gives it back. The
    /// next query of the engine ends it.
    pub fn keep(self) {
        let _kept = std::mem::ManuallyDrop::new(self);
    }
}
