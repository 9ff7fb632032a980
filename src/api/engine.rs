//! The engine as a host sees it: construction, settings and simple queries.

use super::broken::Broken;
use super::budget::{Bounds, Budget};
use super::capabilities::Capabilities;
use super::error::{Error, ErrorKind};
use super::interrupt::InterruptHandle;
use super::program::Program;
use super::solutions::{OpenQuery, Solution, Solutions};
use super::term::Term;
use super::to_heap::{BuildError, Variables, build};
use crate::base::atom_table::functors;
use crate::base::flags::QuoteMode;
use crate::base::growth::Gather;
use crate::base::stop::Stop;
use crate::builtins::term_io::term_text::write_stopped;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::host_scope::HostScope;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::text::write_options::{WriteEnv, WriteOptions};
use crate::text::writer::{message_text, try_term_text};

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Number of standard streams: input, output and error output.
const STANDARD_STREAMS: usize = 3;

/// A function that runs a session within a load until the user ends the session.
pub type BreakSession = fn(&mut Engine) -> Result<(), Error>;

/// A Prolog engine: its program, its settings, its streams and its memory.
///
/// Engines are independent of each other. An engine can move to another thread. It runs one query at a time.
///
/// ```
/// use wamlet::Engine;
///
/// # fn main() -> Result<(), wamlet::Error> {
/// let mut engine = Engine::new()?;
/// engine.consult_text("greeting.pl", "greet(Name, hello(Name)).")?;
/// let solution = engine.query_once("greet(world, X)")?.expect("there is an answer");
/// assert_eq!(solution.to_string(), "X = hello(world)");
/// # Ok(())
/// # }
/// ```
pub struct Engine {
    pub(super) machine: Box<Machine>,
    /// The program from which the engine was made. `None` for the engine that loads the system's library.
    pub(super) program: Option<Program>,
    /// The resources outside the engine that programs may use.
    pub(super) capabilities: Arc<Capabilities>,
    /// The host's own scope for reading its texts. `None` if the definitions of loaded programs apply to them, too.
    pub(super) scope: Option<HostScope>,
    /// Open queries, innermost last.
    pub(super) open: Vec<OpenQuery>,
    /// Number of open queries that their holders can still continue during a new query.
    pub(super) lent: usize,
    /// Maximum depth of subterms in the text of an answer. 0 means no limit.
    pub(super) answer_depth: u32,
    /// The budget of each query.
    pub(super) allowed: Budget,
    /// The budget of the query that is being opened.
    pub(super) given: Budget,
    /// Whether work runs that this budget limits.
    pub(super) bounded: bool,
    /// Number of nested budgets around the running work.
    pub(super) limited: usize,
    /// Number of resets.
    pub(super) resets: u64,
    /// Whether a panic has gone through the engine.
    pub(super) broken: Broken,
    /// Whether the host runs break sessions within queries.
    pub(super) breaks: bool,
    /// The function that runs break sessions within a load.
    pub(super) session: Option<BreakSession>,
}

// An engine can move between threads.
const fn assert_send<T: Send>() {}
const _: () = assert_send::<Engine>();
const _: () = assert_send::<Error>();
const _: () = assert_send::<Term>();

impl Engine {
    /// Opens a query. The engine searches for each solution when the host requests it.
    ///
    /// `text` is a goal as typed at a prompt, with or without its final full stop.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Syntax`] if the text is not a goal. Later errors are results of the iteration.
    pub fn query(&mut self, text: &str) -> Result<Solutions<'_>, Error> {
        self.query_with(text, &[])
    }

    /// Opens a query and binds some of its variables to `values`. The engine never reads a value as program text.
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// use wamlet::{Engine, Term};
    ///
    /// let mut engine = Engine::new()?;
    /// let name = Term::atom("it's \\ odd");
    /// let mut solutions = engine.query_with("atom_length(Name, N)", &[("Name", name)])?;
    /// let solution = solutions.next().expect("one solution")?;
    /// assert_eq!(solution.get("N"), Some(&Term::from(10)));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`ErrorKind::Syntax`] if the text is not a goal
    /// - [`ErrorKind::Usage`] if the query has no variable with a given name
    pub fn query_with(
        &mut self,
        text: &str,
        values: &[(&str, Term)],
    ) -> Result<Solutions<'_>, Error> {
        self.close_leaked();
        self.open_query(text, values)?;
        Ok(Solutions::new(self))
    }

    /// Opens a query as [`Engine::query_with`] does, with its own budget. The smaller limits of `budget` and of the
    /// engine's budget count. They cover all of the query: reading the text, searching for solutions, and converting
    /// values for the host.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::query_with`] and those of the budget.
    pub fn query_within(
        &mut self,
        budget: &Budget,
        text: &str,
        values: &[(&str, Term)],
    ) -> Result<Solutions<'_>, Error> {
        self.close_leaked();
        self.given = *budget;
        let opened = self.open_query(text, values);
        self.given = Budget::default();
        opened?;
        Ok(Solutions::new(self))
    }

    /// Opens a query of Wamlet itself. Errors do not show its text.
    pub(super) fn open_internal(
        &mut self,
        text: &str,
        values: &[(&str, Term)],
    ) -> Result<Solutions<'_>, Error> {
        self.open_own(text, values)?;
        if let Some(open) = self.open.last_mut() {
            open.text = None;
            open.asked = false;
            open.breaks = false;
        }
        Ok(Solutions::new(self))
    }

    /// Sets the depth below which later answers show subterms as `...`. The default 0 means no limit.
    pub fn set_answer_depth(&mut self, depth: u32) {
        self.answer_depth = depth;
    }

    /// Sets whether a query without solutions explains why, on the standard error output: which assumptions were left
    /// over and which goals had no solution. The default is `false`.
    pub fn explain_failures(&mut self, explain: bool) {
        self.machine.run.observers.last_query.explain = explain;
    }

    /// Returns the first solution of a query, or `None` if it has none.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::query`], those that the query raises, and those of [`Solutions::close`].
    pub fn query_once(&mut self, text: &str) -> Result<Option<Solution>, Error> {
        self.once(text)
    }

    /// Returns the meaning of double quotes in queries.
    pub(crate) fn quotes(&self) -> QuoteMode {
        self.machine.world.flags.double_quotes
    }

    /// Reads a term of an answer. Double quotes denote a string there, whatever they mean in programs.
    pub(crate) fn parse_answer(&mut self, text: &str) -> Result<Term, Error> {
        let strings = QuoteMode::String;
        self.in_scope(|engine| {
            let flags = &mut engine.machine.world.flags;
            let before = std::mem::replace(&mut flags.double_quotes, strings);
            let term = engine.parse_term(text);
            engine.machine.world.flags.double_quotes = before;
            term
        })
    }

    /// Returns the text of a term as `writeq/1` writes it, with the operators of this engine.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory for the whole text, and the errors of the limits
    /// of a query.
    pub fn format_term(&mut self, term: &Term) -> Result<String, Error> {
        self.within_query_limits(|engine| {
            let mut variables = Variables::default();
            let cell = engine.build_term(term, &mut variables)?;
            let names = variables
                .into_iter()
                .map(|(name, var)| (var, name.to_string()))
                .gather()?;
            let options = WriteOptions {
                variable_names: names,
                ..WriteOptions::writeq()
            };
            let text = engine.in_scope(|engine| {
                Ok::<_, Stop>(try_term_text(&engine.write_env()?, cell, &options))
            })?;
            let text = text.map_err(|stop| engine.error(write_stopped(stop)));
            engine.discard_unused_terms();
            Ok(text?)
        })
    }

    /// Runs work for the host that is not a query, within the limits of a query.
    pub(super) fn within_query_limits<T>(
        &mut self,
        work: impl FnOnce(&mut Engine) -> Result<T, Ended>,
    ) -> Result<T, Error> {
        if self.open.is_empty() {
            self.interrupts().clear();
        }
        self.within_bounds(Bounds::fresh(), |engine| {
            engine.guarded(|engine| {
                engine.machine.sweep_between_queries()?;
                work(engine)
            })
        })
    }

    /// Runs work outside the instructions of the machine. The system may refuse memory for it, and an interrupt can
    /// stop it like an instruction.
    pub(super) fn guarded<T>(
        &mut self,
        work: impl FnOnce(&mut Engine) -> Result<T, Ended>,
    ) -> Result<T, Error> {
        let watch = Arc::clone(&self.machine.store.events.watch);
        let within = watch.set_within_instruction(true);
        let result = work(self);
        watch.set_within_instruction(within);
        result.map_err(|ended| match ended {
            Ended::Error(error) => error,
            Ended::Stop if watch.stop_wanted() => self.error(Throw::new(Ball::Aborted)),
            Ended::Stop => no_memory(),
        })
    }

    /// Sets the arguments of the program: the flag `argv`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn set_args<S: AsRef<str>>(&mut self, args: &[S]) -> Result<(), Error> {
        let atoms = args.iter().map(|arg| Term::atom(arg.as_ref()));
        self.set_flag("argv", &Term::list(atoms.gather()?))
    }

    /// Sets a Prolog flag, as `create_prolog_flag/3` does, for loaded texts and for queries.
    ///
    /// # Errors
    /// Returns the exceptions of `create_prolog_flag/3`.
    pub fn set_flag(&mut self, name: &str, value: &Term) -> Result<(), Error> {
        if self.scope.is_some() {
            self.in_scope(|engine| engine.set_flag_here(name, value))?;
        }
        self.set_flag_here(name, value)
    }

    fn set_flag_here(&mut self, name: &str, value: &Term) -> Result<(), Error> {
        let values = [("Flag", Term::atom(name)), ("Value", value.clone())];
        let mut solutions = self.open_internal("'$create_flag'(Flag, Value)", &values)?;
        solutions.advance().map(|_| ())
    }

    /// Returns the value of a Prolog flag, or `None` if there is no flag with this name.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn flag(&mut self, name: &str) -> Result<Option<Term>, Error> {
        let values = [("Flag", Term::atom(name))];
        let goal =
            "catch(system:current_prolog_flag(Flag, Value), error(domain_error(_, _), _), fail)";
        self.internal_value("Value", goal, &values)
    }

    /// Returns the value of a variable in the first solution of a query of Wamlet itself.
    pub(super) fn internal_value(
        &mut self,
        name: &str,
        goal: &str,
        values: &[(&str, Term)],
    ) -> Result<Option<Term>, Error> {
        let mut solutions = self.open_internal(goal, values)?;
        let found = solutions.advance()?;
        Ok(solutions.get(name).filter(|_| found))
    }

    /// Returns a handle that can stop the running query from another thread.
    pub fn interrupt_handle(&self) -> InterruptHandle {
        let events = &self.machine.store.events;
        events.handed_out.store(true, Ordering::Relaxed);
        InterruptHandle::new(Arc::clone(events))
    }

    /// Returns an interrupt handle for the engine itself.
    pub(super) fn interrupts(&self) -> InterruptHandle {
        InterruptHandle::new(Arc::clone(&self.machine.store.events))
    }

    /// Returns the number of calls so far, which measures the work of the engine.
    pub fn inferences(&self) -> u64 {
        self.machine.inferences()
    }

    /// Returns the time for which queries waited for the user, for example at a prompt of the tracer.
    pub fn time_waited(&self) -> Duration {
        self.machine.time_waited()
    }

    /// Returns the number of times that goals changed or read state that lasts between queries. While this number is
    /// constant, the next query finds the same state as the last one, except for text in the standard streams.
    pub(crate) fn effects(&self) -> u64 {
        self.machine.world.effects
    }

    /// Returns whether only the standard streams are open.
    pub(crate) fn has_standard_streams_only(&self) -> bool {
        self.machine.world.host.streams.iter().count() <= STANDARD_STREAMS
    }

    // ---- for this layer -----------------------------------------------------------------------

    /// Discards all terms. No query may be open.
    pub(super) fn discard_terms(&mut self) {
        debug_assert!(self.open.is_empty());
        if !self.machine.store.is_resting() {
            self.machine.reset_stacks();
        }
    }

    /// Discards terms that are no longer needed, if no query is open.
    pub(super) fn discard_unused_terms(&mut self) {
        if self.open.is_empty() && !self.broken.get() {
            self.discard_terms();
        }
    }

    /// Builds a term of the host on the heap.
    pub(super) fn build_term(
        &mut self,
        term: &Term,
        variables: &mut Variables,
    ) -> Result<Cell, Ended> {
        let m = &mut *self.machine;
        build(&mut m.store, &mut m.world.symbols, term, variables, true).map_err(|error| {
            let (kind, message) = match error {
                BuildError::Memory => (ErrorKind::Resource, "not enough memory for the term"),
                BuildError::Arity => (ErrorKind::Usage, "a term has too many arguments"),
                BuildError::Stopped => return Ended::Stop,
            };
            Error::new(kind, message).into()
        })
    }

    /// Returns the tables that the writer needs.
    pub(super) fn write_env(&self) -> Result<WriteEnv<'_>, Stop> {
        self.machine.write_env()
    }

    /// Returns a term as `writeq/1` writes it, or the beginning of that text. Returns `...` if there is not enough
    /// memory.
    pub(super) fn message_text_of(&self, term: Cell) -> String {
        let text = self
            .write_env()
            .ok()
            .and_then(|env| message_text(&env, term, &WriteOptions::writeq()).ok());
        text.unwrap_or_else(|| "...".to_owned())
    }

    /// Builds the goal `name(args…)` after reserving space for it.
    pub(super) fn goal(&mut self, name: &str, args: &[Cell]) -> Result<Cell, Error> {
        let m = &mut *self.machine;
        let name = m.world.symbols.intern(name).map_err(|Stop| no_memory())?;
        if args.is_empty() {
            return Ok(Cell::atom(name));
        }
        if m.store.reserve(args.len() + 1).is_err() {
            return Err(Error::new(ErrorKind::Resource, "there is no memory"));
        }
        let functor = m.world.symbols.functor(name, args.len());
        let functor = functor.map_err(|Stop| no_memory())?;
        Ok(m.store.new_struct(functor, args))
    }

    /// Returns the goal of a query without its optional `?-`.
    pub(super) fn without_prefix(&self, term: Cell) -> Cell {
        match self.machine.store.compound(term) {
            Some((functors::QUERY, args)) => self.machine.store.arg(args, 0),
            _ => term,
        }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("inferences", &self.machine.inferences())
            .finish_non_exhaustive()
    }
}

/// The reason why work for the host outside the machine's instructions ended early.
pub(super) enum Ended {
    /// The work failed with an error.
    Error(Error),
    /// There was not enough memory, or the work was stopped.
    Stop,
}

impl From<Error> for Ended {
    fn from(error: Error) -> Ended {
        Ended::Error(error)
    }
}

impl From<Stop> for Ended {
    fn from(_: Stop) -> Ended {
        Ended::Stop
    }
}

/// Returns the error for memory that the system or a limit refuses to work outside the machine's instructions.
pub(super) fn no_memory() -> Error {
    refused("memory", "there is no memory")
}

/// Returns the error `resource_error(Resource)` for an exhausted resource.
pub(super) fn refused(resource: &str, message: &str) -> Error {
    let formal = Term::compound("resource_error", vec![Term::atom(resource)]);
    let ball = Term::compound("error", vec![formal, Term::var("_")]);
    let formal = format!("resource_error({resource})");
    Error::new(ErrorKind::Resource, message)
        .with_term(Some(ball), format!("error({formal},_)"))
        .with_formal(Some(formal))
}

impl From<Stop> for Error {
    fn from(_: Stop) -> Error {
        no_memory()
    }
}

#[cfg(test)]
mod tests {
    use super::Engine;
    use crate::diagnose::goal_places_tests::compare_calls;
    use crate::library::prelude_tests::compare_outlines;

    #[test]
    fn outlines_match_reader() {
        let mut engine = Engine::new().unwrap();
        engine.machine.wake().unwrap();
        compare_outlines(&mut engine.machine);
    }

    #[test]
    fn spans_of_calls() {
        let mut engine = Engine::new().unwrap();
        let text = include_str!("../diagnose/goal_places_tests.pl");
        engine.consult_text("goals.pl", text).unwrap();
        let found = compare_calls(&mut engine.machine).unwrap();
        // Each line lists the goals that the test expects in it.
        let wanted = text.lines().enumerate().flat_map(|(index, line)| {
            let named = line.split_once("%= ").map_or("", |parts| parts.1);
            let goals = named.split("; ").filter(|goal| !goal.is_empty());
            goals.map(move |goal| format!("{}: {goal}", index + 1))
        });
        let (mut wanted, mut found): (Vec<_>, Vec<_>) = (wanted.collect(), found);
        wanted.sort();
        found.sort();
        assert_eq!(found, wanted);
    }
}
