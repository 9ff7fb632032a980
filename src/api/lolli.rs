//! Lolli: queries, sessions, where modules are.

use super::engine::Engine;
use super::error::{Error, ErrorKind};
use super::solutions::{Solutions, Style};
use super::term::Term;
use crate::base::symbol::{atoms, functors};
use crate::builtins::clause_reader::ReadError;
use crate::builtins::lolli_text::answer_text;
use crate::io::line_editor::LineEditor;
use crate::load::lolli_files::LolliFolders;
use crate::load::lolli_query::{check_query, read_lolli};
use crate::load::lolli_session::SessionEditor;
use crate::store::cell::Cell;
use crate::text::lolli::reader::Rest;
use std::path::Path;

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
    /// [`ErrorKind::Syntax`] if the text is no term of Lolli; [`ErrorKind::Uncaught`] if it is no goal.
    /// What goes wrong later is an error of the iteration.
    pub fn lolli_query(&mut self, text: &str) -> Result<Solutions<'_>, Error> {
        self.lolli_query_in(&[], text)
    }

    /// The same in the context of modules: `NAME ARGUMENT …`, or the name of a file that ends in `.ll`,
    /// the first one outermost.
    ///
    /// # Errors
    /// As [`Engine::lolli_query`].
    pub fn lolli_query_in(&mut self, modules: &[&str], text: &str) -> Result<Solutions<'_>, Error> {
        if self.open.is_empty() {
            self.reset();
            self.interrupt_handle().clear();
        }
        let mut at = 0;
        let query = match read_lolli(&mut self.machine, text, &mut at, Rest::Nothing) {
            Ok(Some((query, _))) => query,
            Ok(None) => {
                let message = "there is no goal in the text";
                return Err(Error::new(ErrorKind::Syntax, message));
            }
            Err(ReadError::Syntax(error)) => return Err(self.syntax_error(text, &error)),
            Err(ReadError::Throw(throw)) => return Err(self.error(throw)),
        };
        let rest = text.get(at..).unwrap_or("");
        match read_lolli(&mut self.machine, rest, &mut 0, Rest::Nothing) {
            Ok(None) => {}
            _ => {
                let message = "the text goes on after the end of the goal";
                return Err(Error::new(ErrorKind::Syntax, message));
            }
        }
        if let Err(throw) = check_query(&mut self.machine, query.goal) {
            return Err(self.error(throw));
        }
        let goal = if modules.is_empty() {
            self.in_module(atoms::LOLLI, query.goal)?
        } else {
            let texts = modules.iter().map(|module| Term::atom(*module)).collect();
            let texts = self.build_term(&Term::list(texts), &mut Default::default())?;
            let goal = self.goal("query_in", &[texts, query.goal])?;
            let session = self.machine.symbols.intern("lolli_session");
            self.in_module(session, goal)?
        };
        self.open_goal(goal, query.variables, Style::Lolli)?;
        Ok(Solutions::new(self))
    }

    /// Runs a session of Lolli on the standard streams of the engine, in the context of modules as in
    /// [`Engine::lolli_query_in`], until the input ends or `bye` is asked.
    ///
    /// # Errors
    /// What keeps it from beginning; [`ErrorKind::Halt`] if a program asks for the end of the process;
    /// [`ErrorKind::Io`] if a stream fails.
    pub fn lolli_session(&mut self, modules: &[&str]) -> Result<(), Error> {
        let texts = Term::list(modules.iter().map(|module| Term::atom(*module)).collect());
        let values = [("Modules", texts)];
        let goal = "use_module(library(lolli), []), lolli_session:start(Modules)";
        self.query_with(goal, &values)?.advance().map(|_| ())
    }

    /// Lets sessions of Lolli ask this editor for the lines of queries, as far as the standard input of
    /// the engine is a terminal. A key then says whether another answer is wanted.
    pub fn set_line_editor(&mut self, editor: impl LineEditor + 'static) {
        let place = self.machine.extensions.get::<SessionEditor>();
        place.0 = Some(Box::new(editor));
    }

    /// Adds a directory in which modules of Lolli are looked for, after that of the file that names the
    /// module and the working directory.
    pub fn add_module_folder(&mut self, folder: impl AsRef<Path>) {
        let folders = self.machine.extensions.get::<LolliFolders>();
        folders.0.push(folder.as_ref().to_owned());
    }

    /// `module:goal`
    fn in_module(&mut self, module: crate::base::symbol::Atom, goal: Cell) -> Result<Cell, Error> {
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
