//! Prompts: the loop that reads queries, shows their answers and handles replies, in each language. It also runs the
//! prompts inside queries that wait.

use super::answer::full_stop;
use super::debugging::Debugging;
use super::engine::Engine;
use super::error::{Error, ErrorKind};
use super::lolli::LOLLI;
use super::prolog::PROLOG;
use super::prompt_state::PresentQuery;
use super::query_editor::{Plain, QueryEditor};
use super::query_language::{Exit, PromptPosition, QueryLanguageRef, QueryText};
use super::solutions::{OpenQuery, Solutions};
use super::typed::Typed;
use crate::base::growth::Grow;
use crate::base::panics::Entrusted;
use crate::io::line_editor::{LineEditor, Wish};
use crate::lolli::session::Session;
use crate::machine::control::paused::Why;
use crate::source::diagnostic::MessageKind;
use std::time::Instant;

/// Maximum number of queries that wait inside each other. Each takes some of the stack of the process.
const MOST_WAITING: usize = 100;

/// The keys for a query that was stopped.
const STOPPED_KEYS: &str = "a abort  c continue  t trace  e exit  RETURN keep it stopped ? ";

/// The way in which a query ended, or paused.
enum End {
    /// All answers that the user wanted were shown.
    Shown,
    /// The query was stopped and can resume.
    Stopped,
    /// The query has left its prompt, or has printed its result itself.
    Left(Option<Exit>),
}

/// Sessions on the standard streams.
impl Engine {
    /// Runs a session of Prolog on the standard streams of the engine until the input ends. It works like the prompt of
    /// the command. It also runs the sessions that `break/0` and the tracer request.
    ///
    /// # Errors
    /// - [`ErrorKind::Halt`] if a program requests the end of the process
    /// - [`ErrorKind::Io`] if a stream fails
    pub fn prolog_session(&mut self) -> Result<(), Error> {
        self.session(PROLOG)
    }

    /// Runs the break session for the query that waits for it after [`ErrorKind::Break`]. The session uses the language
    /// of the query and lasts until the input ends. The next [`Solutions::advance`] resumes the query.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::prolog_session`].
    pub fn session_within(&mut self) -> Result<(), Error> {
        let language = self.open.last().map_or(PROLOG, |open| open.language);
        self.session(language)
    }

    /// Runs a session, inside the query that waits for it if there is one.
    pub(super) fn session(&mut self, language: QueryLanguageRef) -> Result<(), Error> {
        match self.open.is_empty() {
            true => self
                .queries(PromptPosition::session(language, false))
                .map(|_| ()),
            false => self.nested_session(language),
        }
    }

    /// Sets the editor that reads the lines of queries in sessions, if the standard input of the engine is a terminal.
    /// A single key then requests or declines another answer.
    pub fn set_query_editor(&mut self, editor: impl QueryEditor + 'static) {
        self.prompt().editor = Some(Entrusted::new(Box::new(editor)));
    }

    /// Sets an editor as [`Engine::set_query_editor`] does. The editor does not need the engine.
    pub fn set_line_editor(&mut self, editor: impl LineEditor + 'static) {
        self.set_query_editor(Plain(editor));
    }

    /// Sets whether sessions print the inferences and the time of each query. The time does not include waiting for the
    /// user. The default is `false`.
    pub fn print_times(&mut self, tell: bool) {
        self.prompt().times = tell;
    }
}

/// The loop.
impl Engine {
    /// Runs queries until the user leaves the prompt.
    ///
    /// # Errors
    /// Returns an error if the program halts or a standard stream fails.
    pub(super) fn queries(&mut self, at: PromptPosition) -> Result<Exit, Error> {
        let stops = self.machine.run.pausing.wanted;
        self.machine.run.pausing.wanted |= self.is_edited();
        let way = loop {
            let turn = match self.typed(at.language) {
                Ok(Typed::Query(query)) => match query.is_end() {
                    true => Ok(Some(Exit::End)),
                    false => self.ask_typed(at, &query),
                },
                Ok(Typed::Interrupt) => self.stopped(at),
                Ok(Typed::End) => break Ok(Exit::End),
                Err(error) => break Err(error),
            };
            self.check_undefined();
            match turn {
                Ok(None) if self.is_renewed(at) => break Ok(Exit::Again),
                Ok(None) => {}
                Ok(Some(way)) => break Ok(way),
                Err(error) => break Err(error),
            }
        };
        self.machine.run.pausing.wanted = stops;
        *self.pending_lolli() = None;
        way
    }

    /// Returns whether the session must enter its modules again.
    fn is_renewed(&mut self, at: PromptPosition) -> bool {
        let stopped = self.open.last().and_then(OpenQuery::interrupted_at);
        at.depth == 0 && !at.awaited && stopped.is_none() && at.language.must_reenter(self)
    }

    /// Runs a prompt inside a query, which waits until the prompt ends.
    fn nested(&mut self, what: &str, at: PromptPosition) -> Result<Exit, Error> {
        if self.prompt().waiting == MOST_WAITING {
            let message = format!("{what}: {MOST_WAITING} queries are already waiting");
            self.report(MessageKind::Other, None, &message);
            return Ok(Exit::End);
        }
        self.prompt().waiting += 1;
        let query = std::mem::take(&mut self.prompt().query);
        let asked = self.pending_lolli().take();
        let way = self.queries(at);
        *self.pending_lolli() = asked;
        self.prompt().query = query;
        self.prompt().waiting -= 1;
        way
    }

    /// Runs a session inside a query that waits. The session prints how to end it.
    fn nested_session(&mut self, language: QueryLanguageRef) -> Result<(), Error> {
        let level = self.prompt().level + 1;
        if self.prompt().waiting < MOST_WAITING {
            self.say(&format!(
                "% Break level {level}: Ctrl-D continues the waiting query\n"
            ));
        }
        self.prompt().level = level;
        let way = self.nested("break/0", PromptPosition::session(language, true));
        self.prompt().level = level - 1;
        match way? {
            Exit::Bye => self.halt(),
            _ => Ok(()),
        }
    }

    /// Requests the end of the process.
    fn halt(&mut self) -> Result<(), Error> {
        self.query("halt")?.advance().map(|_| ())
    }

    /// Runs a session for a goal that was not typed in a session. The goal resumes when the session ends.
    pub(super) fn session_of_goal(&mut self) -> Result<(), Error> {
        self.nested("top", PromptPosition::session(LOLLI, false))
            .map(|_| ())
    }

    /// Runs one query and shows its answers.
    ///
    /// # Errors
    /// Returns only errors that end the prompt: the program halts, or a standard stream fails.
    fn ask_typed(&mut self, at: PromptPosition, query: &QueryText) -> Result<Option<Exit>, Error> {
        let Some((text, given)) = at.language.prepared(self, query)? else {
            return Ok(None);
        };
        self.prompt().query = PresentQuery {
            debugging: self.debugging(),
            ..PresentQuery::default()
        };
        self.prompt().unexplained = false;
        self.close_leaked();
        let line = query.line;
        let depth = at.depth + usize::from(at.awaited);
        let opened = self.opening(|engine| {
            at.language.open(engine, (&text, line), &given, depth)?;
            if let Some(open) = engine.open.last_mut() {
                (open.prompted, open.breaks) = (true, true);
            }
            Ok(())
        });
        let result = match opened {
            Ok(()) => Solutions::new(self).answers_or_stop(at),
            Err(error) => Err(error),
        };
        self.ended(at, result, Some(query))
    }

    /// Reports how a query ended. Ends tracing that a key has turned on. Also ends tracing that an aborted query has
    /// turned on.
    fn ended(
        &mut self,
        at: PromptPosition,
        result: Result<End, Error>,
        query: Option<&QueryText>,
    ) -> Result<Option<Exit>, Error> {
        self.print_usage();
        let leaves =
            |error: &Error| error.halt_status().is_some() || *error.kind() == ErrorKind::Io;
        self.end_tracing(&result);
        match result {
            Ok(End::Shown) => {
                self.write_output(at.language.manner().end)?;
                self.flush_output()?;
                Ok(None)
            }
            Ok(End::Stopped) => Ok(None),
            Ok(End::Left(way)) => Ok(way),
            Err(error) if leaves(&error) => Err(error),
            Err(error) => {
                self.report_error(&error, query);
                Ok(None)
            }
        }
    }

    fn end_tracing(&mut self, result: &Result<End, Error>) {
        let aborted = matches!(result, Err(error) if *error.kind() == ErrorKind::Interrupted);
        let leaves = matches!(result, Err(error) if error.halt_status().is_some());
        let present = &mut self.prompt().query;
        let before = present.debugging;
        let by_key = present.traced_by_key && !matches!(result, Ok(End::Stopped));
        present.traced_by_key &= !by_key;
        if self.debugging() != Debugging::Tracing || before == Debugging::Tracing {
            return;
        }
        if aborted || by_key {
            self.set_debugging(before);
        } else if !leaves
            && !std::mem::replace(&mut self.prompt().explained_tracing, true)
            && self.is_edited()
        {
            self.say("% Queries are traced from now on; notrace. turns this off\n");
        }
    }

    /// Shows where the stopped query is, and asks for the next command.
    fn stopped(&mut self, at: PromptPosition) -> Result<Option<Exit>, Error> {
        let Some(mut solutions) = self.kept_query() else {
            return Ok(None);
        };
        let place = solutions.stopped_at().unwrap_or_default();
        let stack = solutions.goal_stack();
        let text = format!("% Stopped in {place}\n{stack}");
        solutions.engine().say(&text);
        loop {
            let engine = solutions.engine();
            engine.say(STOPPED_KEYS);
            match engine.read_key() {
                Some('a') => {
                    drop(solutions);
                    self.say("abort\n% Execution aborted\n");
                    return Ok(None);
                }
                Some('c') => {
                    engine.say("continue\n");
                    break;
                }
                Some('t') => {
                    engine.say("trace\n");
                    engine.trace_present();
                    break;
                }
                Some('e') => {
                    drop(solutions);
                    self.say("exit\n");
                    return self.halt().map(|()| None);
                }
                Some('\n' | '\r' | ' ' | '\u{3}' | '\u{4}') | None => {
                    engine.say("stopped\n");
                    solutions.keep();
                    return Ok(None);
                }
                Some(_) => engine.say("\n"),
            }
        }
        let result = solutions.answers_or_stop(at);
        self.ended(at, result, None)
    }

    /// Returns the query of Lolli that messages refer to, with the line where it begins.
    pub(super) fn pending_lolli(&mut self) -> &mut Option<(usize, String)> {
        &mut self.machine.world.layers.of::<Session>().asked
    }

    fn trace_present(&mut self) {
        self.prompt().query.traced_by_key = true;
        self.set_debugging(Debugging::Tracing);
    }
}

/// Answers.
impl Solutions<'_> {
    /// Shows answers. Keeps an interrupted query if it can resume.
    fn answers_or_stop(mut self, at: PromptPosition) -> Result<End, Error> {
        let result = self.answers(at);
        if let (Err(_), Some(place)) = (&result, self.stopped_at()) {
            let text = format!(
                "% Stopped in {place} (Ctrl-C again shows where; a new query discards it)\n"
            );
            self.engine().say(&text);
            self.keep();
            return Ok(End::Stopped);
        }
        let end = result?;
        self.close()?;
        Ok(end)
    }

    /// Advances to the next solution. Runs the prompts inside the query that the query requests. Returns `Err` with the
    /// way to leave the query's own prompt if one of these prompts ends the query.
    #[expect(
        clippy::disallowed_methods,
        reason = "the prompt reports the failure to the user"
    )]
    fn advance_with_prompts(
        &mut self,
        at: PromptPosition,
    ) -> Result<Result<bool, Option<Exit>>, Error> {
        loop {
            let engine = self.engine();
            let waited = engine.time_waited();
            let (start, before) = (Instant::now(), engine.inferences());
            let outcome = self.advance_once();
            let engine = self.engine();
            let waited = engine.time_waited().saturating_sub(waited);
            let present = &mut engine.prompt().query;
            present.time += start.elapsed().saturating_sub(waited);
            let made = engine.machine.inferences() - before;
            engine.prompt().query.inferences += made;
            match (outcome, self.waits_for()) {
                (Err(_), Some(Why::Break)) => self.engine().nested_session(at.language)?,
                (Err(_), Some(Why::Prompt)) if at.language.manner().has_prompts => {
                    let depth = at.depth + 1;
                    let way = self
                        .engine()
                        .nested("top", PromptPosition { depth, ..at })?;
                    return Ok(Err(match way {
                        Exit::UpAll => at.language.leave(self.engine(), "popall", at)?,
                        Exit::Bye => Some(Exit::Bye),
                        _ => None,
                    }));
                }
                (Err(_), Some(Why::Prompt)) => self.engine().session_of_goal()?,
                (outcome, _) => {
                    let found = outcome?;
                    let engine = self.engine();
                    let way = engine.machine.world.layers.of::<Session>().way.take();
                    return match way {
                        Some(way) => Ok(Err(at.language.leave(engine, &way, at)?)),
                        None => Ok(Ok(found)),
                    };
                }
            }
        }
    }

    /// Shows as many answers of a query as the user wants.
    fn answers(&mut self, at: PromptPosition) -> Result<End, Error> {
        let manner = at.language.manner();
        // Number of answers to show before the next question.
        let mut wanted: u64 = 1;
        let mut first = true;
        loop {
            match self.advance_with_prompts(at)? {
                Ok(true) => {}
                Ok(false) => {
                    self.engine().show(at, manner.no)?;
                    self.engine().flush_output()?;
                    if first && std::mem::take(&mut self.engine().prompt().unexplained) {
                        self.engine().explain_failure();
                    }
                    return Ok(End::Shown);
                }
                Err(way) => return Ok(End::Left(way)),
            }
            first = false;
            let last = !self.has_more() && !manner.asks_after_last;
            let mut text = self.text()?.unwrap_or_default();
            if manner.keeps_values {
                let mut values = std::mem::take(&mut self.engine().prompt().values);
                let kept = values.keep(self);
                self.engine().prompt().values = values;
                kept?;
            }
            if last {
                let stop = full_stop(&text);
                self.engine().show(at, &format!("{text}{stop}\n"))?;
                self.engine().hint_at_full_answer(&text)?;
                return Ok(End::Shown);
            }
            if !manner.typed_gap || self.engine().is_edited() {
                text.put(' ')?;
            }
            self.engine().show(at, &text)?;
            self.engine().flush_output()?;
            wanted -= 1;
            while wanted == 0 {
                match self.engine().wish(at.language)? {
                    Wish::More(more) => wanted = more,
                    Wish::Traced => {
                        self.engine().trace_present();
                        wanted = 1;
                    }
                    Wish::Again => self.show_in_full()?,
                    Wish::Choice => {
                        let choice = self.choice_left();
                        let choice = choice.unwrap_or_else(|| "no choice that is known".to_owned());
                        self.engine().say(&format!("% {choice}\n"));
                        self.engine().show_again(&text)?;
                    }
                    Wish::Stop | Wish::Told(_) => {
                        self.engine().end_answer(manner.stop)?;
                        self.engine().write_output(manner.yes)?;
                        return Ok(End::Shown);
                    }
                }
            }
            self.engine().end_answer(";\n")?;
        }
    }

    /// Shows the present answer again in full.
    fn show_in_full(&mut self) -> Result<(), Error> {
        let depth = std::mem::replace(&mut self.engine().answer_depth, 0);
        let whole = self.text();
        self.engine().answer_depth = depth;
        let whole = whole?.unwrap_or_default();
        self.engine().show_again(&format!("{whole} "))
    }
}
