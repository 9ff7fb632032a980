//! Lolli: queries, sessions and folders of modules.

use super::answer::Answer;
use super::engine::{Ended, Engine};
use super::error::{Error, ErrorKind};
use super::prompt_output::USER_INPUT_NAME;
use super::query_language::{
    Exit, Extent, Given, Manner, Prepared, PromptPosition, QueryLanguage, QueryLanguageRef,
    QueryText, ReadTerm,
};
use super::solutions::Solutions;
use super::term::Term;
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::{Gather, GrowAt, text_of};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::linear::lolli_text::answer_text;
use crate::builtins::term_io::clause_reader::ReadError;
use crate::library::prelude::load_lolli;
use crate::lolli::files::LolliFolders;
use crate::lolli::origin::in_lolli_query;
use crate::lolli::query::{
    LolliQuery, bindings_list, check_query, query_end, read_goal, read_lolli,
};
use crate::lolli::session::stamped;
use crate::machine::control::paused::Why;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::source::named_goals::Call;
use crate::store::cell::Cell;
use crate::text::lolli::reader::{QueryEnd, Rest};
use std::path::Path;

/// The language Lolli.
pub(super) const LOLLI: QueryLanguageRef = &Lolli;

impl Engine {
    /// Opens a query of Lolli: a goal as typed in a session. The text of an answer is that of a session: `Name <- term`
    /// for each variable with a value, or `solved` if no variable has a value.
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let mut engine = wamlet::Engine::new()?;
    /// let mut solutions = engine.lolli_query("p 1 => p 2 -o (p X , p Y)")?;
    /// let solution = solutions.next().expect("a solution")?;
    /// assert_eq!(solution.to_string(), "X <- 2 ,\nY <- 1");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`ErrorKind::Syntax`] if the text is not one term of Lolli
    /// - [`ErrorKind::Uncaught`] if the term is not a goal
    ///
    /// Later errors are results of the iteration.
    pub fn lolli_query(&mut self, text: &str) -> Result<Solutions<'_>, Error> {
        self.lolli_query_in(&[], text)
    }

    /// Opens a query of Lolli in the context of modules, the first one outermost. Each module is `NAME ARGUMENT …`, or
    /// the name of a file that ends in `.ll`.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::lolli_query`].
    pub fn lolli_query_in(&mut self, modules: &[&str], text: &str) -> Result<Solutions<'_>, Error> {
        self.close_leaked();
        self.admit_modules(modules)?;
        self.opening(|engine| engine.open_lolli(modules, text))?;
        Ok(Solutions::new(self))
    }

    fn open_lolli(&mut self, modules: &[&str], text: &str) -> Result<(), Ended> {
        let (goal, vars) = LOLLI.read(self, text)?;
        if let Err(throw) = check_query(&mut self.machine, goal) {
            return Err(self.lolli_error(throw).into());
        }
        let goal = if modules.is_empty() {
            self.goal("asked", &[goal])?
        } else {
            let texts = modules.iter().map(|module| Term::atom(*module)).gather()?;
            let texts = self.build_term(&Term::list(texts), &mut Default::default())?;
            self.goal("query_in", &[texts, goal])?
        };
        let session = self.machine.world.symbols.intern("lolli_session")?;
        let goal = self.in_module(session, goal)?;
        self.open_goal(goal, vars, LOLLI)?;
        if let Some(open) = self.open.last_mut() {
            open.text = Some(text.into());
        }
        Ok(())
    }

    /// Converts the result of reading a text of Lolli.
    fn read_lolli_text(
        &mut self,
        text: &str,
        read: Result<LolliQuery, ReadError>,
    ) -> Result<ReadTerm, Ended> {
        match read {
            Ok(query) => Ok((query.goal, query.variables)),
            Err(ReadError::Syntax(error)) => Err(self.syntax_error(text, &error).into()),
            Err(ReadError::Throw(throw)) => Err(self.reading_error(throw).into()),
        }
    }

    /// Returns the error for a text that cannot be read, or not to its end.
    fn reading_error(&mut self, throw: Throw) -> Error {
        let error = self.lolli_error(throw);
        match error.kind() {
            ErrorKind::Uncaught => error.of_kind(ErrorKind::Syntax),
            _ => error,
        }
    }

    /// Reads a term of Lolli, such as a value in an answer. The text `f a b` denotes the term `f(a, b)`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Syntax`] if the text is not one term of Lolli.
    pub fn parse_lolli_term(&mut self, text: &str) -> Result<Term, Error> {
        self.parse_in(LOLLI, text)
    }

    /// Runs a session of Lolli on the standard streams of the engine until the input ends or the user types `bye`. The
    /// context contains the modules, as in [`Engine::lolli_query_in`]. The session itself runs the sessions that
    /// `break/0` and the tracer request.
    ///
    /// If a query waits for the session, for example after [`ErrorKind::Break`], the session says so. Its context then
    /// includes that of the waiting query, and `bye` ends the process.
    ///
    /// # Errors
    /// - the error that prevents the session from starting
    /// - [`ErrorKind::Halt`] if a program requests the end of the process
    /// - [`ErrorKind::Io`] if a stream fails
    pub fn lolli_session(&mut self, modules: &[&str]) -> Result<(), Error> {
        if modules.is_empty() || !self.open.is_empty() {
            return self.session(LOLLI);
        }
        while self.session_in(modules)? == Exit::Again {}
        Ok(())
    }

    /// Runs a session in the context of modules. A query creates the context and waits for the session.
    fn session_in(&mut self, modules: &[&str]) -> Result<Exit, Error> {
        self.admit_modules(modules)?;
        let texts = Term::list(modules.iter().map(|module| Term::atom(*module)).gather()?);
        // Limits apply to each query of the session, not to the session as a whole.
        let bounded = std::mem::replace(&mut self.bounded, true);
        let goal = "use_module(library(lolli), []), lolli_session:start(Modules)";
        let opened = self.open_query(goal, &[("Modules", texts)]);
        if let Some(open) = self.open.last_mut() {
            (open.language, open.asked) = (LOLLI, false);
        }
        let mut session = Solutions::new(self);
        let begun = opened.and_then(|()| session.advance_once());
        session.engine().bounded = bounded;
        match session.waits_for() {
            Some(Why::Prompt) => session
                .engine()
                .queries(PromptPosition::session(LOLLI, false)),
            _ => begun.map(|_| Exit::End),
        }
    }

    /// Adds a directory in which the engine looks for modules of Lolli. It looks there after the directory of the file
    /// that names the module and the working directory.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn add_module_folder(&mut self, folder: impl AsRef<Path>) {
        // If there is not enough memory, no modules are found there.
        let _ = self.admit_module_folder(folder.as_ref());
        let folders = &mut self.machine.world.layers.of::<LolliFolders>().0;
        folders.push(folder.as_ref().to_owned());
    }

    /// Builds the goal `module:goal`.
    fn in_module(
        &mut self,
        module: crate::base::atom_table::Atom,
        goal: Cell,
    ) -> Result<Cell, Error> {
        let m = &mut *self.machine;
        if m.store.reserve(3).is_err() {
            return Err(Error::new(ErrorKind::Resource, "there is no memory"));
        }
        Ok(m.store
            .new_struct(functors::COLON, &[Cell::atom(module), goal]))
    }
}

/// Lolli, as typed in sessions.
pub(super) struct Lolli;

impl QueryLanguage for Lolli {
    fn read(&self, engine: &mut Engine, text: &str) -> Result<ReadTerm, Ended> {
        let read = read_goal(&mut engine.machine, text);
        engine.read_lolli_text(text, read)
    }

    fn answer(&self, engine: &mut Engine, vars: &[(String, Cell)]) -> Result<Answer, Ended> {
        let answer = engine.answer(vars)?;
        let text = self.answer_text(engine, vars)?;
        Ok(Answer { text, ..answer })
    }

    fn answer_text(&self, engine: &mut Engine, vars: &[(String, Cell)]) -> Result<String, Ended> {
        let text = answer_text(&engine.machine, vars);
        Ok(text.map_err(|_| Error::new(ErrorKind::Resource, "the answer is too long"))?)
    }

    fn message(&self, engine: &mut Engine, ball: Cell) -> Option<String> {
        engine.library_message("lolli_session", "message", ball)
    }

    fn span_of(&self, m: &mut Machine, text: &str, call: Call<'_>) -> Result<Option<Span>, Stop> {
        in_lolli_query(m, text, call.culprit)
    }

    fn manner(&self) -> &'static Manner {
        &Manner {
            begins_lines: false,
            typed_gap: true,
            asks_after_last: true,
            whole_queries: false,
            keeps_values: false,
            has_prompts: true,
            explains_after: true,
            no: "no\n",
            stop: "\n",
            yes: "yes\n",
            end: "",
        }
    }

    fn extent(&self, engine: &mut Engine, text: &str, more: bool) -> Result<Extent, Error> {
        // Without an answer before it, `;` asks for an answer that does not exist.
        if text.trim_end() == ";" {
            return Ok(Extent::Blank);
        }
        match query_end(&mut engine.machine, text) {
            Ok(QueryEnd::Absent) => Ok(Extent::Blank),
            Ok(QueryEnd::Text) if more => Ok(Extent::Unfinished),
            Err(ReadError::Throw(throw)) => Err(engine.error(throw)),
            _ => Ok(Extent::Whole(text.len())),
        }
    }

    fn read_query(&self, engine: &mut Engine) -> Result<Option<QueryText>, Error> {
        engine.lines_of_query(LOLLI)
    }

    fn reply(&self, line: Option<&str>, terminal: bool) -> (bool, bool) {
        // Input from a file need not contain replies. There, only an empty line or a line with a single word is a
        // reply. Any other line begins the next query.
        let line = line.unwrap_or_default();
        let more = line.starts_with(';');
        let word = line.trim().chars().all(char::is_alphanumeric);
        (terminal || more || word, more)
    }

    fn prepared(&self, engine: &mut Engine, query: &QueryText) -> Result<Option<Prepared>, Error> {
        // A text that is not a query does not end a stopped query.
        if let Err(ReadError::Syntax(error)) = query_end(&mut engine.machine, &query.text) {
            let error = engine.syntax_error(&query.text, &error);
            engine.report_error(&error, Some(query));
            return Ok(None);
        }
        Ok(Some((text_of(&query.text)?, Vec::new())))
    }

    fn open(
        &self,
        engine: &mut Engine,
        (text, line): (&str, usize),
        _: &[Given],
        depth: usize,
    ) -> Result<(), Ended> {
        let place = (USER_INPUT_NAME, line);
        let read = read_lolli(&mut engine.machine, text, Rest::OfLine, place);
        let (goal, vars) = engine.read_lolli_text(text, read)?;
        *engine.pending_lolli() = Some((line, text_of(text)?));
        let m = &mut engine.machine;
        let opened = load_lolli(m).and_then(|()| {
            let vars = stamped(m, vars)?;
            Ok((bindings_list(m, &vars)?, vars))
        });
        let (names, vars) = match opened {
            Ok(opened) => opened,
            Err(throw) => return Err(engine.lolli_error(throw).into()),
        };
        let depth = Cell::int(i64::try_from(depth).unwrap_or(i64::MAX >> 8));
        let goal = engine.goal("query", &[depth, names, goal])?;
        let session = engine.machine.world.symbols.intern("lolli_session")?;
        let goal = engine.in_module(session, goal)?;
        engine.open_goal(goal, vars, LOLLI)?;
        if let Some(open) = engine.open.last_mut() {
            open.text = Some(text.into());
        }
        Ok(())
    }

    fn plain_goal(&self, m: &Machine, goal: Cell) -> Cell {
        match m.store.compound(goal) {
            Some((functor, args)) => m.store.arg(args, functor.arity() - 1),
            None => goal,
        }
    }

    fn noted(&self, m: &mut Machine, goal: Cell, limit: Option<&str>) -> Result<Cell, Stop> {
        let (plain, module) = m.strip_module(goal, atoms::USER);
        let query = match m.store.compound(plain) {
            Some((functor, args)) if m.world.symbols.name_text(functor) == "query" => args,
            _ => return Ok(goal),
        };
        let mut parts = vec![m.store.arg(query, 1), m.store.arg(query, 2)];
        if let Some(limit) = limit {
            parts.put_at(0, Cell::atom(m.world.symbols.intern_passing(limit)?))?;
        }
        let name = if limit.is_some() {
            "stopped_by_limit"
        } else {
            "attempt"
        };
        let name = m.world.symbols.intern(name)?;
        let functor = m.world.symbols.functor(name, parts.len())?;
        m.store.reserve(8)?;
        let goal = m.store.new_struct(functor, &parts);
        Ok(m.store
            .new_struct(functors::COLON, &[Cell::atom(module), goal]))
    }

    fn leave(
        &self,
        engine: &mut Engine,
        way: &str,
        at: PromptPosition,
    ) -> Result<Option<Exit>, Error> {
        let (text, way) = match way {
            "abort" => ("\naborted...\n", None),
            "pop" | "popall" if at.depth == 0 && at.awaited => (
                "A query waits for this prompt; end_of_file continues it.\n",
                None,
            ),
            "pop" if at.depth == 0 => (
                "You are now at the top level. Use 'bye' to leave Lolli.\n",
                None,
            ),
            "pop" => ("Returning to previous top level...\n", Some(Exit::Up)),
            "popall" if at.depth == 0 => ("Returning to topmost level.\n", None),
            "popall" => ("", Some(Exit::UpAll)),
            "bye" => ("", Some(Exit::Bye)),
            _ => ("", None),
        };
        engine.write_output(text)?;
        engine.flush_output()?;
        Ok(way)
    }

    fn must_reenter(&self, engine: &mut Engine) -> bool {
        if engine.open.is_empty() {
            return false;
        }
        let renewed = engine.open_internal("lolli_session:renewed", &[]);
        let renewed = renewed.and_then(|mut query| query.advance());
        renewed.unwrap_or_else(|error| {
            engine.report_error(&error, None);
            false
        })
    }
}
