//! Loading programs.

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

/// What loading has to say about a place in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// The file or the name of the text.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The column after the last character that is meant.
    pub end_column: usize,
    /// The name of the warning, by which it is silenced.
    pub warning: Option<&'static str>,
    /// The exception as `writeq/1` writes it.
    pub term: Option<String>,
    /// The clauses that led to the exception, innermost first.
    pub backtrace: Vec<Frame>,
    /// What is wrong, in words.
    pub message: String,
    /// What may help.
    pub hint: Option<String>,
    /// The whole as it is shown to people: `FILE:LINE:COLUMN: error: …`, then the line with the
    /// place marked. It ends with a new line.
    pub rendered: String,
    /// The whole as an object of JSON, as `wamlet --json` tells it.
    pub json: String,
    /// Is it about the end of memory?
    pub is_memory_limit: bool,
}

impl Diagnostic {
    /// The same for the host.
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
            rendered: from.shown(MessageForm::Plain),
            json: from.shown(MessageForm::Json).trim_end().to_owned(),
            hint: from.hint,
            term: from.term,
            backtrace: from.callers.into_iter().map(Frame::of).collect(),
        }
    }
}

impl fmt::Display for Diagnostic {
    /// `FILE:LINE:COLUMN: error: MESSAGE`
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

/// What loading a program had to say. What is wrong with one clause does not keep the others from
/// being loaded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadReport {
    /// Errors, in the order in which they were found.
    pub errors: Vec<Diagnostic>,
    /// Warnings, likewise.
    pub warnings: Vec<Diagnostic>,
    /// Number of messages that are in neither list. The first 1,000 errors and 1,000 warnings are there, unless
    /// they need more than a sixteenth of the memory of the engine; the first of each always is.
    pub left_out: usize,
}

impl LoadReport {
    /// Was there neither error nor warning?
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty() && self.warnings.is_empty()
    }
}

/// The goal that loads a file.
const CONSULT: &str = "consult(File)";

/// Loads, with the sessions that are asked for on the way.
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
    /// Loads a file. Its name may lack the ending `.pl`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the file cannot be read; [`ErrorKind::Halt`] if a directive of it asks
    /// for the end of the process; [`ErrorKind::Resource`] and [`ErrorKind::Interrupted`]. What is
    /// wrong with the program is told in the report.
    pub fn consult_file(&mut self, path: impl AsRef<Path>) -> Result<LoadReport, Error> {
        let name = self.admit_program(path.as_ref())?;
        self.consult(&name, CONSULT)
    }

    /// Loads an image that the host has given under this name.
    pub(super) fn consult_given_image(&mut self, name: &str) -> Result<LoadReport, Error> {
        self.consult(name, CONSULT)
    }

    /// Where the engine sees files that have relative names: the working directory of the process, until
    /// `working_directory/2` gives the engine one of its own. In a confined engine it is a guest name, `/` at first.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the process has none any more.
    pub fn working_directory(&mut self) -> Result<std::path::PathBuf, Error> {
        let _at_work = self.machine.world.host.directory.enter();
        let directory = working_directory(leave())
            .map_err(|error| Error::new(ErrorKind::Io, error.to_string()))?;
        Ok(os_of_text(&directory).into_owned().into())
    }

    /// Loads a program given as text, under a name that stands for its file. Clauses that an
    /// earlier text of this name defined are replaced.
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
    /// As [`Engine::consult_file`].
    pub fn consult_text(&mut self, name: &str, text: &str) -> Result<LoadReport, Error> {
        self.consult_given(name, text, CONSULT)
    }

    /// Loads the text of a Lolli module, which queries name by `name`. A module with errors is refused;
    /// the report tells them.
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
        // Each module has a file of that name.
        let name = format!("{module}/{name}");
        self.give_text(&name, text, |engine, name| {
            let values = [("Module", Term::atom(module)), ("File", Term::atom(name))];
            engine.consult_by("consult(Module:File)", &values, true)
        })
    }

    /// Loads a text in place of a file by a goal.
    fn consult_given(&mut self, name: &str, text: &str, goal: &str) -> Result<LoadReport, Error> {
        self.give_text(name, text, |engine, name| engine.consult(name, goal))
    }

    /// Has the text stand for a file while something loads it by its name.
    fn give_text(
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
        let loaded = match self.ask(goal, values) {
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

    /// What holds the sessions that `break/0` and the key `b` of the tracer ask for while the engine loads a file
    /// or text. The load waits meanwhile, and an error of the session ends it. At first nothing does.
    pub fn hold_breaks_of_loading(&mut self, session: BreakSession) {
        self.session = Some(session);
    }

    /// Asks queries from now on in the module that a loaded file defines, or was loaded into.
    pub(crate) fn enter_module_of_file(&mut self, name: &str) {
        let machine = &mut *self.machine;
        let file = machine.world.files.seek(name);
        let module = file.and_then(|file| machine.world.files.get(file).module);
        machine.world.source_module = module.unwrap_or(atoms::USER);
    }

    /// What of the text of a loaded file is no part of the program.
    pub(crate) fn unread_of_file(&self, name: &str) -> Vec<Span> {
        let machine = &*self.machine;
        let file = machine.world.files.seek(name);
        file.map_or(Vec::new(), |file| {
            machine.world.files.get(file).unread.clone()
        })
    }

    /// Reads what is quoted in queries from now on as the last text that was loaded has it at its end.
    pub(crate) fn keep_quotes_of_load(&mut self) {
        let machine = &mut *self.machine;
        if let Some((double, back)) = machine.world.layers.of::<Loader>().quotes {
            machine.world.flags.double_quotes = double;
            machine.world.flags.back_quotes = back;
        }
    }

    /// Loads a file and lists the instructions of what it defines, for those who look into the
    /// machine.
    ///
    /// # Errors
    /// As [`Engine::consult_file`].
    pub fn list_instructions(&mut self, path: impl AsRef<Path>) -> Result<String, Error> {
        self.consult_file(path)?;
        let m = &mut *self.machine;
        let last = m.world.files.iter().last();
        let mut defined = last.map_or_else(Vec::new, |(_, file)| file.defines.clone());
        // In the order of the text.
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
            let listed = self.ask("vm_list(P)", &[("P", indicator)]);
            result = result.and(listed.and_then(|mut listed| listed.advance()).map(|_| ()));
        }
        let text = self.machine.world.host.streams.end_capture(capture);
        result?;
        text.map_err(|_| no_memory())
    }

    /// Prints the messages of loading to `user_error` as they come. They are in the reports all
    /// the same. At first they are not printed.
    pub fn print_diagnostics(&mut self, print: bool) {
        self.machine.world.layers.of::<Loader>().quiet = !print;
    }

    /// Warns of goals in the files loaded since the last time for which nothing is defined: to be called
    /// once all files of a program are loaded, and what the host itself defines is there.
    pub fn check_undefined(&mut self) {
        // What there is no memory for is not told of.
        let _ = warn_program(&mut self.machine, false);
    }

    /// Whether warnings are errors: a load that has one is not clean. At first they are not.
    pub fn warnings_are_errors(&mut self, strict: bool) {
        self.machine.world.layers.of::<Loader>().strict = strict;
    }

    /// Silences a warning by its name, such as `singleton`, in files that are loaded from here on.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] if no warning has this name.
    pub fn silence_warning(&mut self, name: &str) -> Result<(), Error> {
        let Some(warning) = Warning::from_name(name) else {
            let message = format!("no warning has the name {name}");
            return Err(Error::new(ErrorKind::Usage, message));
        };
        self.machine.world.flags.warnings.set(warning, false);
        Ok(())
    }

    /// What loading had to say since this was last asked, or the last file was loaded by the host:
    /// for programs that load files themselves.
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

    /// Number of errors in all that was loaded.
    pub fn load_errors(&mut self) -> usize {
        self.machine.world.layers.of::<Loader>().errors
    }

    /// Was one of these errors the end of memory: a directive or clause needed more than the engine may have?
    pub fn load_met_memory_limit(&mut self) -> bool {
        self.machine.world.layers.of::<Loader>().met_memory_limit
    }

    /// The goal that a program gave by `:- initialization(Goal, main)`, if it did: a host that runs
    /// programs calls it after loading.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`] if there is no memory.
    pub fn main_goal(&mut self) -> Result<Option<Term>, Error> {
        self.ask_for("Goal", "'$main'(Goal, _)", &[])
    }

    /// Runs the goals that the program has registered by `at_halt/1`, each once. A host calls it when
    /// it is done with the program; what goals throw is told as for other goals of the program.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`] if there is no memory; [`ErrorKind::Halt`] if a goal calls `halt/1`.
    pub fn run_at_halt(&mut self) -> Result<(), Error> {
        self.ask("'$run_at_halt'", &[])?.advance().map(|_| ())
    }

    /// The goals that programs gave by `:- initialization(Goal, program)`, in their order, with the places
    /// of these directives where they stand in files: a host that runs programs calls them after loading.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`] if there is no memory.
    pub fn program_goals(&mut self) -> Result<Vec<(Term, Option<Location>)>, Error> {
        let mut found = Vec::new();
        loop {
            let number = found.len();
            let mut solutions = self.ask(&format!("'$program'({number}, Goal, _)"), &[])?;
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

    /// Where the directive of [`Engine::main_goal`] stands. None if there is none, or if the goal was
    /// not given in a file.
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

/// Is it the error of a file that cannot be opened?
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
