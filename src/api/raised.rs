//! Conversion of the machine's exceptions to errors of the host, with messages in SWI-Prolog's words.

use super::engine::Engine;
use super::error::{Error, ErrorKind, Frame, Location};
use super::host_goals::REQUIRE_DEFINITION;
use super::lolli::LOLLI;
use super::prolog::PROLOG;
use super::query_language::QueryLanguageRef;
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::Gather;
use crate::base::stop::Stop;
use crate::diagnose::backtrace::of_exception;
use crate::diagnose::hint::{Unknown, endless_hint, hint_for, unbound_hint, variable_goal_hint};
use crate::diagnose::origin::origin;
use crate::diagnose::rules::expressions::is_comparison;
use crate::load::cut_short::{take_interrupted_place, while_loading};
use crate::machine::budget::ends::Amount;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::frames::shield::Shield;
use crate::source::named_goals::{Call, whole_query};
use crate::store::cell::Cell;
use crate::store::heap::View;

/// The location of an exception, the clauses that led there, and a note about the file that was being loaded.
type Raised = (Option<Location>, Vec<Frame>, Option<String>);

impl Engine {
    /// Converts an exception that reached the host.
    pub(super) fn error(&mut self, throw: Throw) -> Error {
        self.error_of(throw, PROLOG)
    }

    /// Converts an exception of a query of Lolli, with messages in the words of a session.
    pub(super) fn lolli_error(&mut self, throw: Throw) -> Error {
        self.error_of(throw, LOLLI)
    }

    /// Converts an exception of a query in the given language.
    pub(super) fn error_of(&mut self, throw: Throw, language: QueryLanguageRef) -> Error {
        let throw = self.machine.true_reason(throw);
        self.machine.end_grace();
        match throw.0.ball {
            Ball::Halt(status) => {
                return Error::new(
                    ErrorKind::Halt(status),
                    format!("halt with status {status}"),
                );
            }
            Ball::Aborted => {
                return Error::new(ErrorKind::Interrupted, "the query was interrupted");
            }
            Ball::Spent(_, Amount::Time(_)) => {
                return Error::new(ErrorKind::TimeLimit, "Time limit exceeded");
            }
            Ball::Spent(_, Amount::Cpu(_)) => {
                return Error::new(ErrorKind::TimeLimit, "Processor time limit exceeded");
            }
            Ball::Spent(_, Amount::Inferences(_)) => {
                return Error::new(ErrorKind::InferenceLimit, "Inference limit exceeded");
            }
            _ => {}
        }
        let Ok(ball) = self.machine.ball_term(&throw) else {
            return Error::new(ErrorKind::Resource, "not enough memory for the exception");
        };
        let text = self.in_scope(|engine| engine.message_text_of(ball));
        let kind = match self
            .formal(ball)
            .and_then(|formal| self.machine.store.compound(formal))
        {
            Some((functors::RESOURCE_ERROR, _)) => ErrorKind::Resource,
            _ => ErrorKind::Uncaught,
        };
        let own = language.message(self, ball);
        let message = own.unwrap_or_else(|| self.message(ball, &text));
        // Parts that do not fit into memory are left out.
        let unknown = Unknown::of(&mut self.machine, ball, None).ok().flatten();
        let hint = match unknown {
            Some(_) => None,
            None => hint_for(&mut self.machine, ball).ok().flatten(),
        };
        let formal = self.in_scope(|engine| language.formal(&engine.machine, ball));
        // The term comes last, since it can use up the rest of the limits. The message does not need it.
        let owned = self.guarded(|engine| Ok(engine.owned_term(ball, &[])?));
        Error::new(kind, message)
            .with_term(owned.ok(), text)
            .with_hint(hint)
            .with_unknown(unknown)
            .with_formal(formal)
    }

    /// Returns a hint about an error of this engine, as part of a sentence. For an undefined predicate, searches all
    /// predicates of the present program and suggests similar ones.
    pub fn hint(&mut self, error: &Error) -> Option<String> {
        let Some(unknown) = error.unknown() else {
            return error.hint().map(str::to_owned);
        };
        let hint = self.guarded(|engine| Ok(unknown.hint(&mut engine.machine)?));
        hint.ok().flatten()
    }

    /// Converts an exception of the newest query, with its location and the clauses that led there.
    pub(super) fn raised_error(&mut self, throw: Throw, language: QueryLanguageRef) -> Error {
        // A limit that has ended the query grants some extra time for this, as for cleanup goals.
        let shielded = self.machine.begin_shield(Shield::Cleanup).is_ok();
        let found = self.guarded(|engine| Ok(engine.raised_location(&throw)?));
        if shielded {
            self.machine.end_cleanup();
        }
        let (location, backtrace, note) = found.ok().flatten().unwrap_or_default();
        let unbound = self.unbound_goal(&throw);
        let asked = self.host_unknown(&throw);
        let mut error = self.error_of(throw, language);
        if *error.kind() == ErrorKind::Resource && error.hint().is_none() {
            let frames = backtrace.iter().filter(|frame| frame.line > 0);
            let hint = frames
                .take(1)
                .find_map(|frame| endless_hint(&frame.predicate, frame.times));
            error = error.with_hint(hint);
        }
        error = error.with_backtrace(backtrace);
        if let Some(note) = note {
            error = error.with_note(&note);
        }
        if asked.is_some() {
            error = error.with_unknown(asked);
        }
        let Some(location) = location else {
            return error;
        };
        if let Some(culprit) = unbound
            && error.hint().is_none()
        {
            let marked = location.source_line.get(location.span.clone());
            let hint = marked.and_then(|marked| {
                match self.machine.world.symbols.name(culprit) == atoms::CALL {
                    true => variable_goal_hint(marked),
                    false => unbound_hint(&self.machine, culprit, marked),
                }
            });
            error = error.with_hint(hint);
        }
        error.with_location(location)
    }

    /// Returns the predicate that the exception reports as undefined, with what the goal of the newest query says about
    /// it. Returns `None` if the query is not one of the host.
    fn host_unknown(&mut self, throw: &Throw) -> Option<Unknown> {
        let open = self.open.last().filter(|open| open.asked)?;
        let goal = self.machine.query_goal(&open.query);
        let (Ball::Term(_) | Ball::Error(..)) = throw.0.ball else {
            return None;
        };
        let ball = self.machine.ball_term(throw).ok()?;
        Unknown::of(&mut self.machine, ball, Some(goal)).ok()?
    }

    /// Returns `call/N` or the arithmetic predicate that raised an instantiation error.
    fn unbound_goal(&mut self, throw: &Throw) -> Option<Functor> {
        let culprit = throw.0.trace.as_ref().and_then(|trace| trace.culprit)?;
        let known = self.machine.world.symbols.name(culprit) == atoms::CALL
            || culprit == functors::IS
            || is_comparison(&self.machine, culprit);
        let ball = self.machine.ball_term(throw).ok().filter(|_| known);
        let formal = ball.and_then(|ball| self.formal(ball));
        (formal == Some(Cell::atom(atoms::INSTANTIATION_ERROR))).then_some(culprit)
    }

    /// Returns the location of the exception in a file or in the text of the newest query, with the clauses that led
    /// there.
    fn raised_location(&mut self, throw: &Throw) -> Result<Option<Raised>, Stop> {
        if let Ball::Halt(_) | Ball::Aborted = throw.0.ball {
            return Ok(None);
        }
        let present = take_interrupted_place(&mut self.machine);
        let Some(trace) = &throw.0.trace else {
            return Ok(present.map(|present| (Some(present), Vec::new(), None)));
        };
        let required = self.required(throw, trace.culprit);
        let Some(open) = self.open.last() else {
            return Ok(None);
        };
        self.machine.undo_query(&open.query);
        let goal = self.machine.query_goal(&open.query);
        let place = origin(&mut self.machine, trace, goal)?;
        let led = of_exception(&mut self.machine, trace, place.as_ref())?;
        let led = led.into_iter().map(Frame::of).gather()?;
        if let Some(place) = place {
            let note = present.and_then(|present| while_loading(&present, &place));
            return Ok(Some((Some(place), led, note)));
        }
        if let Some(present) = present {
            return Ok(Some((Some(present), led, None)));
        }
        let Some(text) = &open.text else {
            return Ok(Some((None, led, None)));
        };
        // A limit ends the whole query, whatever goal was running.
        let limit = matches!(throw.0.ball, Ball::Spent(..));
        let culprit = trace.culprit.filter(|_| !limit);
        let (culprit, args) = match required {
            // The arguments are unknown.
            Some(required) => (Some(required), &Box::default()),
            None => (culprit, &trace.args),
        };
        let call = Call {
            goal,
            culprit,
            args,
        };
        let span = open.language.span_of(&mut self.machine, text, call)?;
        // At a prompt, the location is the whole query.
        let span = span.or_else(|| open.prompted.then(|| whole_query(text)));
        let location = span.map(|span| {
            let (start, end) = (span.start as usize, span.end as usize);
            Location::in_text(None, text, start, end, 1)
        });
        Ok(Some((location, led, None)))
    }

    /// Returns the undefined predicate, if the called goal is the guard that looks for definitions on behalf of the
    /// host.
    fn required(&mut self, throw: &Throw, culprit: Option<Functor>) -> Option<Functor> {
        let name = self.machine.world.symbols.name_text(culprit?);
        if name != REQUIRE_DEFINITION {
            return None;
        }
        let ball = self.machine.ball_term(throw).ok()?;
        let unknown = Unknown::of(&mut self.machine, ball, None).ok()??;
        unknown.functor(&self.machine.world.symbols)
    }

    /// Returns the first argument of `error(Formal, Context)`.
    fn formal(&self, ball: Cell) -> Option<Cell> {
        match self.machine.store.compound(ball) {
            Some((functors::ERROR, args)) => Some(self.machine.store.arg(args, 0)),
            _ => None,
        }
    }

    /// Returns the message of the library for the exception. If memory is too short for that, returns a simple message.
    fn message(&mut self, ball: Cell, text: &str) -> String {
        let uncaught = self.goal("unhandled_exception", &[ball]).ok();
        let message = uncaught.and_then(|term| self.library_message("user", "message_text", term));
        message.unwrap_or_else(|| {
            let formal = self.formal(ball);
            match formal.and_then(|formal| self.machine.store.compound(formal)) {
                Some((functors::RESOURCE_ERROR, args)) => {
                    let what = self.message_text_of(self.machine.store.arg(args, 0));
                    format!("Not enough resources: {what}")
                }
                _ => format!("Unhandled exception: {text}"),
            }
        })
    }

    /// Returns the message that a library predicate makes from the exception.
    pub(super) fn library_message(
        &mut self,
        module: &str,
        predicate: &str,
        ball: Cell,
    ) -> Option<String> {
        let text = self.machine.store.new_var();
        let goal = self.goal(predicate, &[ball, text]).ok()?;
        let module = self.machine.world.symbols.intern(module).ok()?;
        match self.machine.call_own(goal, module) {
            Ok(true) => self.plain_text(text),
            _ => None,
        }
    }

    /// Returns the text of an atom or a string.
    fn plain_text(&self, term: Cell) -> Option<String> {
        let m = &*self.machine;
        match m.store.view(term) {
            View::Atom(atom) => Some(m.world.symbols.text(atom).to_owned()),
            View::String(addr) => Some(m.store.text(addr).to_owned()),
            _ => None,
        }
    }
}

impl Error {
    /// Returns the error with another kind.
    #[expect(
        clippy::disallowed_methods,
        reason = "an error of the public interface has its frames in a vector, and cannot be refused"
    )]
    pub(super) fn of_kind(self, kind: ErrorKind) -> Error {
        let mut error = Error::new(kind, self.message());
        if let Some(location) = self.location() {
            error = error.with_location(location.clone());
        }
        error
            .with_backtrace(self.backtrace().to_vec())
            .with_term(self.ball().cloned(), self.ball_text())
            .with_formal(self.formal_text().map(str::to_owned))
    }
}
