//! Debugging: the tracer, queries that stop and resume, and remaining choice points.

use super::engine::Engine;
use super::solutions::Solutions;
use crate::machine::events::tracer::Mode;
use crate::tools::tracing::{choice_text, goals_text, public_text};

/// The mode of the tracer of an engine.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Debugging {
    /// The tracer is off.
    Off,
    /// The tracer stops at spy points.
    SpyPoints,
    /// The tracer shows the calls of all goals.
    Tracing,
}

impl Engine {
    /// Returns the mode of the tracer: see `trace/0` and `spy/1`.
    pub fn debugging(&self) -> Debugging {
        match self.machine.run.observers.tracer.mode {
            Mode::Leap if !self.machine.run.observers.tracer.spied.is_empty() => {
                Debugging::SpyPoints
            }
            Mode::Off | Mode::Leap => Debugging::Off,
            Mode::Creep | Mode::Skip(_) => Debugging::Tracing,
        }
    }

    /// Sets the mode of the tracer. The tracer shows goals on the standard error output of the engine. If the
    /// standard input is a terminal, the tracer waits for a command at each goal.
    pub fn set_debugging(&mut self, debugging: Debugging) {
        self.machine.set_trace_mode(match debugging {
            Debugging::Off => Mode::Off,
            Debugging::SpyPoints => Mode::Leap,
            Debugging::Tracing => Mode::Creep,
        });
    }

    /// Sets whether a query that an [`InterruptHandle`](super::InterruptHandle) stops can resume. If so,
    /// [`Solutions::advance`] returns an error of the kind
    /// [`ErrorKind::Interrupted`](super::ErrorKind::Interrupted), and [`Solutions::stopped_at`] returns the place.
    /// The next call of `advance` resumes the query. An interrupt inside a builtin, or inside a query that another
    /// query waits for, ends the query as usual. By default every interrupt ends its query.
    pub fn stop_and_go(&mut self, wanted: bool) {
        self.machine.run.pausing.wanted = wanted;
    }

    /// Sets whether the host runs the sessions that `break/0` requests within queries, and, at a terminal, the key
    /// `b` of the tracer. If so, [`Solutions::advance`] returns an error of the kind
    /// [`ErrorKind::Break`](super::ErrorKind::Break). The host can run other queries through [`Solutions::engine`]
    /// while the first one waits. They are not traced unless they turn on tracing themselves. The next call of
    /// `advance` resumes the first query. By default, and within a query that another query waits for, `break/0`
    /// itself reads queries.
    pub fn hold_breaks(&mut self, wanted: bool) {
        self.breaks = wanted;
    }

    /// Returns the query that was stopped and kept, if there is one: see [`Solutions::keep`].
    pub fn kept_query(&mut self) -> Option<Solutions<'_>> {
        self.open.last()?.interrupted_at()?;
        self.interrupts().clear();
        Some(Solutions::new(self))
    }
}

impl Solutions<'_> {
    /// Sets whether the host runs the sessions within this query.
    pub(super) fn hold_breaks(&mut self, wanted: bool) {
        if let Some(open) = self.engine().open.last_mut() {
            open.breaks = wanted;
        }
    }

    /// Returns the predicate that the query was about to call when it stopped, as `name/arity`. Returns `None` if
    /// the query is not stopped or cannot resume.
    pub fn stopped_at(&self) -> Option<String> {
        let functor = self.engine_ref().open.last()?.interrupted_at()?;
        public_text(&self.engine_ref().machine, functor).ok()
    }

    /// Returns the goals that led to the present goal of the query, one per line, innermost first. Clauses that a
    /// last call has left are not among them. Returns an empty text if there is not enough memory.
    pub fn goal_stack(&mut self) -> String {
        let machine = &mut self.engine().machine;
        let stand = machine.present_place();
        goals_text(machine, None, stand).unwrap_or_default()
    }

    /// Describes the goal that left the newest choice point, after a solution. Returns `None` if no choice point is
    /// left.
    pub fn choice_left(&mut self) -> Option<String> {
        if !self.has_more() {
            return None;
        }
        let engine = self.engine();
        let goal = engine.machine.query_goal(&engine.open.last()?.query);
        choice_text(&mut engine.machine, goal).ok()?
    }

    /// Releases the engine and keeps the query as it is: [`Engine::kept_query`] returns it. The next query of the
    /// engine ends the kept one.
    pub fn keep(self) {
        let _kept = std::mem::ManuallyDrop::new(self);
    }
}
