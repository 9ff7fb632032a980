//! Lolli: queries, sessions, where modules are.

use super::engine::{Ended, Engine};
use super::error::{Error, ErrorKind};
use super::message::Message;
use super::solutions::{Solutions, Style};
use super::term::Term;
use crate::base::atom_table::functors;
use crate::base::growth::Gather;
use crate::base::panics::Entrusted;
use crate::builtins::linear::lolli_text::answer_text;
use crate::builtins::term_io::clause_reader::ReadError;
use crate::io::line_editor::LineEditor;
use crate::lolli::files::LolliFolders;
use crate::lolli::query::{check_query, read_goal};
use crate::lolli::session::Session;
use crate::machine::budget::limits::Budget;
use crate::machine::control::throw::Throw;
use crate::source::diagnostic::{MessageKind, Severity};
use crate::store::cell::Cell;
use std::path::Path;
use std::time::Instant;

/// So many queries may wait for a session: each takes some of the stack of the process.
const MOST_WAITING: usize = 100;

impl Engine {
    /// Asks a query of Lolli: a goal as it is typed in a session. The text of an answer is that of a
    /// session: `Name <- term` for each variable that has a value, `solved` if none has one.
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
    /// [`ErrorKind::Syntax`] if the text is not one term of Lolli; [`ErrorKind::Uncaught`] if it is no
    /// goal. What goes wrong later is an error of the iteration.
    pub fn lolli_query(&mut self, text: &str) -> Result<Solutions<'_>, Error> {
        self.lolli_query_in(&[], text)
    }

    /// The same in the context of modules: `NAME ARGUMENT …`, or the name of a file that ends in `.ll`,
    /// the first one outermost.
    ///
    /// # Errors
    /// As [`Engine::lolli_query`].
    pub fn lolli_query_in(&mut self, modules: &[&str], text: &str) -> Result<Solutions<'_>, Error> {
        self.end_forgotten();
        self.admit_modules(modules)?;
        self.opening(|engine| engine.open_lolli(modules, text))?;
        Ok(Solutions::new(self))
    }

    fn open_lolli(&mut self, modules: &[&str], text: &str) -> Result<(), Ended> {
        let query = match read_goal(&mut self.machine, text) {
            Ok(query) => query,
            Err(ReadError::Syntax(error)) => return Err(self.syntax_error(text, &error).into()),
            Err(ReadError::Throw(throw)) => return Err(self.reading_error(throw).into()),
        };
        if let Err(throw) = check_query(&mut self.machine, query.goal) {
            return Err(self.lolli_error(throw).into());
        }
        let goal = if modules.is_empty() {
            self.goal("asked", &[query.goal])?
        } else {
            let texts = modules.iter().map(|module| Term::atom(*module)).gather()?;
            let texts = self.build_term(&Term::list(texts), &mut Default::default())?;
            self.goal("query_in", &[texts, query.goal])?
        };
        let session = self.machine.world.symbols.intern("lolli_session")?;
        let goal = self.in_module(session, goal)?;
        self.open_goal(goal, query.variables, Style::Lolli)?;
        if let Some(open) = self.open.last_mut() {
            open.text = Some(text.into());
        }
        Ok(())
    }

    /// The error of a text that cannot be read, or is not read to its end.
    fn reading_error(&mut self, throw: Throw) -> Error {
        let error = self.lolli_error(throw);
        match error.kind() {
            ErrorKind::Uncaught => error.of_kind(ErrorKind::Syntax),
            _ => error,
        }
    }

    /// Reads a term of Lolli, such as a value in an answer. What is written `f a b` is the term `f(a, b)`.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if the text is not one term of Lolli.
    pub fn parse_lolli_term(&mut self, text: &str) -> Result<Term, Error> {
        self.alone(|engine| {
            let query = match read_goal(&mut engine.machine, text) {
                Ok(query) => query,
                Err(ReadError::Syntax(error)) => {
                    return Err(engine.syntax_error(text, &error).into());
                }
                Err(ReadError::Throw(throw)) => return Err(engine.reading_error(throw).into()),
            };
            let names: Vec<(Cell, String)> = query
                .variables
                .into_iter()
                .map(|(name, var)| (var, name))
                .gather()?;
            let term = match engine.machine.put_together(query.goal) {
                Ok(term) => engine.owned_term(term, &names)?,
                Err(full) => return Err(engine.error(full.into()).into()),
            };
            engine.tidy();
            Ok(term)
        })
    }

    /// Runs a session of Lolli on the standard streams of the engine, in the context of modules as in
    /// [`Engine::lolli_query_in`], until the input ends or `bye` is asked. It holds the sessions itself that
    /// `break/0` and the tracer ask for. Where a query waits for it, as one that has ended in
    /// [`ErrorKind::Break`], it tells so, has the context of that query, too, and `bye` is the wish that the process end.
    ///
    /// # Errors
    /// What keeps it from beginning; [`ErrorKind::Halt`] if a program asks for the end of the process;
    /// [`ErrorKind::Io`] if a stream fails.
    pub fn lolli_session(&mut self, modules: &[&str]) -> Result<(), Error> {
        // Each of its queries is bounded, the session is not.
        let outer = std::mem::replace(&mut self.bounded, true);
        let allowed = if outer {
            Budget::default()
        } else {
            self.allowed
        };
        let allowed = self.swap_query_budget(allowed);
        let ended = self.hold_session(modules);
        self.swap_query_budget(allowed);
        self.bounded = outer;
        if self.open.is_empty() && !outer {
            self.machine.forget_budgets();
        }
        ended
    }

    /// Runs a session, and those within it, which have the context of the query that waits.
    fn hold_session(&mut self, modules: &[&str]) -> Result<(), Error> {
        self.admit_modules(modules)?;
        let level = self.open.len();
        if level > MOST_WAITING {
            let message = format!("break/0: {MOST_WAITING} queries wait already");
            let message = Message::new(Severity::Error, MessageKind::Other, message);
            self.show_message(&message);
            return Ok(());
        }
        if level > 0 {
            // What was written comes first, on lines of its own.
            if self.output_column() > 0 {
                self.write_output("\n")?;
            }
            self.flush_output()?;
            let text = format!("% Break level {level}: Ctrl-D goes on with the query that waits\n");
            self.write_error_output(&text)?;
        }
        let texts = Term::list(modules.iter().map(|module| Term::atom(*module)).gather()?);
        let values = [("Modules", texts), ("Level", Term::from(level))];
        let goal = "use_module(library(lolli), []), lolli_session:start(Modules, Level)";
        self.open_query(goal, &values)?;
        if let Some(open) = self.open.last_mut() {
            open.style = Style::Lolli;
            open.asked = false;
            open.breaks = true;
        }
        let outer = self.machine.world.layers.of::<Session>().waiting;
        let asked = self.machine.world.layers.of::<Session>().asked.clone();
        let mut solutions = Solutions::new(self);
        let ended = loop {
            let layers = &mut solutions.engine().machine.world.layers;
            layers.of::<Session>().waiting = level;
            match solutions.advance() {
                Err(error) if *error.kind() == ErrorKind::Break => {
                    if let Err(error) = solutions.engine().hold_session(&[]) {
                        break Err(error);
                    }
                }
                outcome => break outcome.map(|_| ()),
            }
        };
        drop(solutions);
        self.machine.world.layers.of::<Session>().waiting = outer;
        self.machine.world.layers.of::<Session>().asked = asked;
        ended
    }

    /// Sets what each query of a session may use up; gives what it was.
    fn swap_query_budget(&mut self, allowed: Budget) -> Budget {
        let place = &mut self.machine.world.layers.of::<Session>().allowed;
        std::mem::replace(place, allowed)
    }

    /// Lets sessions of Lolli ask this editor for the lines of queries, as far as the standard input of
    /// the engine is a terminal. A key then says whether another answer is wanted.
    pub fn set_line_editor(&mut self, editor: impl LineEditor + 'static) {
        let place = &mut self.machine.world.layers.of::<Session>().editor;
        *place = Some(Entrusted::new(Box::new(editor)));
    }

    /// Lets sessions of Lolli tell what each query takes: inferences, and time without that in which a
    /// person was waited for. At first they do not.
    #[expect(clippy::disallowed_methods, reason = "the host itself asks")]
    pub fn tell_times(&mut self, tell: bool) {
        self.machine.world.layers.of::<Session>().times = tell.then(Instant::now);
    }

    /// Adds a directory in which modules of Lolli are looked for, after that of the file that names the
    /// module and the working directory.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn add_module_folder(&mut self, folder: impl AsRef<Path>) {
        // Without room for it nothing is found there.
        let _ = self.admit_module_folder(folder.as_ref());
        let folders = &mut self.machine.world.layers.of::<LolliFolders>().0;
        folders.push(folder.as_ref().to_owned());
    }

    /// `module:goal`
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

    /// The text of the answer of a query of Lolli.
    pub(super) fn lolli_answer(&self, vars: &[(String, Cell)]) -> Result<String, Error> {
        answer_text(&self.machine, vars)
            .map_err(|_| Error::new(ErrorKind::Resource, "the answer is too long"))
    }
}
