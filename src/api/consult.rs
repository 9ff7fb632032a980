//! Loading of programs.

use super::engine::{BreakSession, Engine, no_memory};
use super::error::{Error, ErrorKind, Frame, Location};
use super::leave;
use super::solutions::Solutions;
use super::term::Term;
use crate::base::atom_table::atoms;
use crate::base::growth::{Grow, with_room};
use crate::base::source::Span;
use crate::base::warning::Warning;
use crate::builtins::streams::errors_io::NO_TEXT;
use crate::diagnose::messages::place_of;
use crate::diagnose::rules::warn_program;
use crate::io::files::working_directory;
use crate::io::os_names::os_of_text;
use crate::source::diagnostic::{self, MessageForm, Severity};
use crate::source::loading::Loader;
use crate::store::cell::Cell;
use std::fmt;
use std::path::Path;

/// A message of the loader about a place in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The severity of the message.
    pub severity: Severity,
    /// The file, or the name of the text.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The column after the last character of the reported text.
    pub end_column: usize,
    /// The name of the warning, which suppresses it: see [`Engine::silence_warning`].
    pub warning: Option<&'static str>,
    /// The exception as `writeq/1` writes it.
    pub term: Option<String>,
    /// The clauses that led to the exception, innermost first.
    pub backtrace: Vec<Frame>,
    /// The problem, in words.
    pub message: String,
    /// A hint for a solution.
    pub hint: Option<String>,
    /// The whole message as people see it: `FILE:LINE:COLUMN: error: …`, then the source line with the place marked.
    /// It ends with a new line.
    pub rendered: String,
    /// The whole message as a JSON object, as `wamlet --json` prints it.
    pub json: String,
    /// Whether the message reports that memory ran out.
    pub is_memory_limit: bool,
}

impl Diagnostic {
    /// Converts a message of the loader for the host.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub(crate) fn new(from: diagnostic::Diagnostic) -> Diagnostic {
        let place = from.place.as_ref();
        Diagnostic {
            is_memory_limit: from.is_memory_limit(),
            severity: from.severity,
            file: place.map_or_else(String::new, |place| place.file_name().to_owned()),
            line: place.map_or(0, |place| place.line),
            column: place.map_or(0, |place| place.column),
            end_column: place.map_or(0, Location::end_column),
            warning: from.warning.map(Warning::name),
            message: from.full_message(),
            rendered: from.text(MessageForm::Plain),
            json: from.text(MessageForm::Json).trim_end().to_owned(),
            hint: from.hint,
            term: from.term,
            backtrace: from.callers.into_iter().map(Frame::of).collect(),
        }
    }
}

impl fmt::Display for Diagnostic {
    /// Writes `FILE:LINE:COLUMN: error: MESSAGE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = self.severity.word();
        let Diagnostic {
            file,
            line,
            column,
            message,
            ..
        } = self;
        write!(f, "{file}:{line}:{column}: {word}: {message}")
    }
}

/// The errors and warnings of a load. An error in one clause does not keep the other clauses from loading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadReport {
    /// Errors, in the order in which the loader found them.
    pub errors: Vec<Diagnostic>,
    /// Warnings, in the order in which the loader found them.
    pub warnings: Vec<Diagnostic>,
    /// Number of messages that are in neither list. The lists keep the first 1,000 errors and 1,000 warnings, in at
    /// most a sixteenth of the memory of the engine. They always keep the first error and the first warning.
    pub left_out: usize,
}

impl LoadReport {
    /// Returns whether there was neither an error nor a warning.
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty() && self.warnings.is_empty()
    }
}

/// The goal that loads a file.
const CONSULT: &str = "consult(File)";

/// Runs a load, and the break sessions that it requests.
fn advance_load(mut solutions: Solutions<'_>) -> Result<bool, Error> {
    let session = solutions.engine().session;
    solutions.hold_breaks(session.is_some());
    loop {
        match (solutions.advance(), session) {
            (Err(error), Some(session)) if *error.kind() == ErrorKind::Break => {
                session(solutions.engine())?;
            }
            (outcome, _) => return outcome,
        }
    }
}

impl Engine {
    /// Loads a file. Its name may lack the ending `.pl`. Returns a report of the errors and warnings in the program.
    ///
    /// # Errors
    /// - [`ErrorKind::Io`] if the file cannot be read
    /// - [`ErrorKind::Halt`] if a directive in it requests the end of the process
    /// - [`ErrorKind::Resource`] if a limit is reached
    /// - [`ErrorKind::Interrupted`] if the load is interrupted
    ///
    /// Errors in the program itself are in the report.
    pub fn consult_file(&mut self, path: impl AsRef<Path>) -> Result<LoadReport, Error> {
        let name = self.admit_program(path.as_ref())?;
        self.consult(&name, CONSULT)
    }

    /// Loads an image that the host has given under this name.
    pub(super) fn consult_given_image(&mut self, name: &str) -> Result<LoadReport, Error> {
        self.consult(name, CONSULT)
    }

    /// Returns the directory in which the engine finds files with relative names. This is the working directory of
    /// the process until `working_directory/2` sets another one for the engine. In a confined engine it is a guest
    /// name, `/` at first.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Io`] if the process has no working directory any more.
    pub fn working_directory(&mut self) -> Result<std::path::PathBuf, Error> {
        let _at_work = self.machine.world.host.directory.enter();
        let directory = working_directory(leave())
            .map_err(|error| Error::new(ErrorKind::Io, error.to_string()))?;
        Ok(os_of_text(&directory).into_owned().into())
    }

    /// Loads a program from a text. `name` takes the place of a file name. The clauses replace those of an earlier
    /// text with this name. Returns a report of the errors and warnings in the program.
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let mut engine = wamlet::Engine::new()?;
    /// let report = engine.consult_text("small.pl", "p(1).\np(X) :- q(Y).\n")?;
    /// assert_eq!(report.warnings[0].line, 2);
    /// assert!(report.errors.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Engine::consult_file`].
    pub fn consult_text(&mut self, name: &str, text: &str) -> Result<LoadReport, Error> {
        self.consult_given(name, text, CONSULT)
    }

    /// Loads the text of a Lolli module, which queries refer to as `name`. A module with errors is not loaded, and
    /// the report contains the errors.
    pub(crate) fn consult_module_text(
        &mut self,
        name: &str,
        text: &str,
    ) -> Result<LoadReport, Error> {
        self.consult_given(name, text, "'$load_lolli'(File)")
    }

    /// Loads the text into a module, in place of a file.
    pub(super) fn consult_for(
        &mut self,
        module: &str,
        name: &str,
        text: &str,
    ) -> Result<LoadReport, Error> {
        // Each module has its own file of that name.
        let name = format!("{module}/{name}");
        self.with_text_as_file(&name, text, |engine, name| {
            let values = [("Module", Term::atom(module)), ("File", Term::atom(name))];
            engine.consult_by("consult(Module:File)", &values, true)
        })
    }

    /// Runs `goal` to load a text in place of a file.
    fn consult_given(&mut self, name: &str, text: &str, goal: &str) -> Result<LoadReport, Error> {
        self.with_text_as_file(name, text, |engine, name| engine.consult(name, goal))
    }

    /// Uses the text in place of the file `name` while `load` runs.
    fn with_text_as_file(
        &mut self,
        name: &str,
        text: &str,
        load: impl FnOnce(&mut Engine, &str) -> Result<LoadReport, Error>,
    ) -> Result<LoadReport, Error> {
        let _at_work = self.machine.world.host.directory.enter();
        let name = self.machine.world.files.given_name(name);
        let loader = self.machine.world.layers.of::<Loader>();
        loader.texts.retain(|(known, _)| *known != name);
        loader.texts.put((name.clone(), text.into()))?;
        let result = load(self, &name);
        let loader = self.machine.world.layers.of::<Loader>();
        loader.texts.retain(|(known, _)| *known != name);
        result
    }

    fn consult(&mut self, name: &str, goal: &str) -> Result<LoadReport, Error> {
        self.consult_by(goal, &[("File", Term::atom(name))], goal == CONSULT)
    }

    fn consult_by(
        &mut self,
        goal: &str,
        values: &[(&str, Term)],
        raises: bool,
    ) -> Result<LoadReport, Error> {
        self.take_diagnostics();
        let loaded = match self.open_internal(goal, values) {
            Ok(solutions) => advance_load(solutions),
            Err(error) => Err(error),
        };
        let report = self.take_diagnostics();
        match loaded {
            Ok(_) => Ok(report),
            Err(_) if !raises && !report.errors.is_empty() => Ok(report),
            Err(error) => Err(if is_file_error(&error) {
                error.of_kind(ErrorKind::Io)
            } else {
                error
            }),
        }
    }

    /// Sets the function that runs break sessions while the engine loads a file or text. `break/0` and the key `b`
    /// of the tracer request such a session. The load waits for the session, and an error of the session ends the
    /// load. By default no function is set.
    pub fn hold_breaks_of_loading(&mut self, session: BreakSession) {
        self.session = Some(session);
    }

    /// Runs later queries in the module that a loaded file defines, or into which the file was loaded.
    pub(crate) fn enter_module_of_file(&mut self, name: &str) {
        let machine = &mut *self.machine;
        let file = machine.world.files.seek(name);
        let module = file.and_then(|file| machine.world.files.get(file).module);
        machine.world.source_module = module.unwrap_or(atoms::USER);
    }

    /// Returns the spans of a loaded file that are not part of the program.
    pub(crate) fn unread_of_file(&self, name: &str) -> Vec<Span> {
        let machine = &*self.machine;
        let file = machine.world.files.seek(name);
        file.map_or(Vec::new(), |file| {
            machine.world.files.get(file).unread.clone()
        })
    }

    /// Sets the meaning of quotes in later queries to that at the end of the last loaded text.
    pub(crate) fn keep_quotes_of_load(&mut self) {
        let machine = &mut *self.machine;
        if let Some((double, back)) = machine.world.layers.of::<Loader>().quotes {
            machine.world.flags.double_quotes = double;
            machine.world.flags.back_quotes = back;
        }
    }

    /// Loads a file and returns a listing of the instructions of its predicates. The listing helps to understand the
    /// machine.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::consult_file`].
    pub fn list_instructions(&mut self, path: impl AsRef<Path>) -> Result<String, Error> {
        self.consult_file(path)?;
        let m = &mut *self.machine;
        let last = m.world.files.iter().last();
        let mut defined = last.map_or_else(Vec::new, |(_, file)| file.defines.clone());
        // Order of the text.
        defined.sort_by_cached_key(|&id| {
            let predicate = m.world.predicates.get(id);
            let first = predicate.clauses.iter().next();
            (first.map(|(_, clause)| clause.line()), id.0)
        });
        let mut indicators = with_room(defined.len())?;
        for id in defined {
            let predicate = m.world.predicates.get(id);
            let name = Term::atom(m.world.symbols.name_text(predicate.functor));
            let module = Term::atom(m.world.symbols.text(predicate.module));
            let indicator = vec![name, Term::from(predicate.functor.arity())];
            indicators.put(Term::compound(
                ":",
                vec![module, Term::compound("/", indicator)],
            ))?;
        }
        let capture = m.world.host.streams.begin_capture();
        let capture = capture.map_err(|error| Error::new(ErrorKind::Io, error.to_string()))?;
        let mut result = Ok(());
        for indicator in indicators {
            let listed = self.open_internal("vm_list(P)", &[("P", indicator)]);
            result = result.and(listed.and_then(|mut listed| listed.advance()).map(|_| ()));
        }
        let text = self.machine.world.host.streams.end_capture(capture);
        result?;
        text.map_err(|_| no_memory())
    }

    /// Sets whether the loader prints its messages to `user_error` as they arise. The reports contain the messages
    /// in any case. The default is `false`.
    pub fn print_diagnostics(&mut self, print: bool) {
        self.machine.world.layers.of::<Loader>().quiet = !print;
    }

    /// Warns about goals with undefined predicates in the files loaded since the last call. Call this once all files
    /// of a program are loaded and the host has registered its predicates.
    pub fn check_undefined(&mut self) {
        // Without enough memory, the warnings are left out.
        let _ = warn_program(&mut self.machine, false);
    }

    /// Sets whether warnings count as errors, so that a load with a warning is not clean. The default is `false`.
    pub fn warnings_are_errors(&mut self, strict: bool) {
        self.machine.world.layers.of::<Loader>().strict = strict;
    }

    /// Suppresses a warning, such as `singleton`, in files loaded after this call.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Usage`] if no warning has this name.
    pub fn silence_warning(&mut self, name: &str) -> Result<(), Error> {
        let Some(warning) = Warning::from_name(name) else {
            let names = Warning::ALL.iter().map(|warning| warning.name().to_owned());
            let names = names.reduce(|all, name| format!("{all}, {name}"));
            let names = names.unwrap_or_default();
            let message = format!("there is no warning {name}; the warnings are {names}");
            return Err(Error::new(ErrorKind::Usage, message));
        };
        self.machine.world.flags.warnings.set(warning, false);
        Ok(())
    }

    /// Returns the messages of loading since the last call, or since the host last loaded a file. It is for programs
    /// that load files themselves.
    #[expect(
        clippy::disallowed_methods,
        reason = "the public interface fixes a signature without errors"
    )]
    pub fn take_diagnostics(&mut self) -> LoadReport {
        let loader = self.machine.world.layers.of::<Loader>();
        let kept = std::mem::take(&mut loader.kept);
        let given = |messages: Vec<_>| messages.into_iter().map(Diagnostic::new).collect();
        LoadReport {
            errors: given(kept.errors),
            warnings: given(kept.warnings),
            left_out: kept.left_out,
        }
    }

    /// Returns the number of errors in all loads.
    pub fn load_errors(&mut self) -> usize {
        self.machine.world.layers.of::<Loader>().errors
    }

    /// Returns whether one of these errors was the end of memory: a directive or clause needed more than the engine
    /// may use.
    pub fn load_met_memory_limit(&mut self) -> bool {
        self.machine.world.layers.of::<Loader>().met_memory_limit
    }

    /// Returns the goal of `:- initialization(Goal, main)`, if the program has one. A host that runs programs calls
    /// the goal after loading.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn main_goal(&mut self) -> Result<Option<Term>, Error> {
        self.internal_value("Goal", "'$main'(Goal, _)", &[])
    }

    /// Runs the goals that the program has registered with `at_halt/1`, each once. A host calls this when the
    /// program is done. Exceptions of the goals are reported as those of other goals of the program.
    ///
    /// # Errors
    /// - [`ErrorKind::Resource`] if there is not enough memory
    /// - [`ErrorKind::Halt`] if a goal calls `halt/1`
    pub fn run_at_halt(&mut self) -> Result<(), Error> {
        self.open_internal("'$run_at_halt'", &[])?
            .advance()
            .map(|_| ())
    }

    /// Returns the goals of `:- initialization(Goal, program)` in their order, each with the location of its
    /// directive if it is in a file. A host that runs programs calls the goals after loading.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn program_goals(&mut self) -> Result<Vec<(Term, Option<Location>)>, Error> {
        let mut found = Vec::new();
        loop {
            let number = found.len();
            let mut solutions =
                self.open_internal(&format!("'$program'({number}, Goal, _)"), &[])?;
            if !solutions.advance()? {
                return Ok(found);
            }
            let Some(goal) = solutions.get("Goal") else {
                return Ok(found);
            };
            drop(solutions);
            let place = self.machine.store.new_var();
            let any = self.machine.store.new_var();
            let number = Cell::int(number as i64);
            let call = self.goal("$program", &[number, any, place])?;
            let known = matches!(self.machine.call_own(call, atoms::SYSTEM), Ok(true));
            let place = known.then(|| place_of(&self.machine, place)).flatten();
            found.put((goal, place))?;
        }
    }

    /// Returns the location of the directive of [`Engine::main_goal`]. Returns `None` if there is no such directive
    /// or if it is not in a file.
    pub fn main_goal_location(&mut self) -> Option<Location> {
        let place = self.machine.store.new_var();
        let goal = self.machine.store.new_var();
        let call = self.goal("$main", &[goal, place]).ok()?;
        if !matches!(self.machine.call_own(call, atoms::SYSTEM), Ok(true)) {
            return None;
        }
        place_of(&self.machine, place)
    }
}

/// Returns whether the error says that a file cannot be opened.
fn is_file_error(error: &Error) -> bool {
    let formal = |ball: &Term| {
        ball.as_compound()
            .and_then(|ball| ball.args().first().cloned())
    };
    let Some(Term::Compound(formal)) = error.ball().and_then(formal) else {
        return false;
    };
    match (formal.name(), formal.args()) {
        ("syntax_error", [what]) => what.as_atom() == Some(NO_TEXT),
        ("existence_error", [kind, _]) | ("permission_error", [_, kind, _]) => {
            matches!(kind.as_atom(), Some("source_sink" | "file"))
        }
        _ => false,
    }
}
