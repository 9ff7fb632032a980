//! Programs that engines share, and engines that are copied.

use super::broken::Broken;
use super::builder::first_engine;
use super::engine::{Engine, no_memory};
use super::error::{Error, ErrorKind};
use crate::base::growth::Gather;
use crate::base::stop::Stop;
use crate::machine::budget::limits::Budget;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::template::Template;
use std::sync::{Arc, OnceLock};

/// A loaded program, of which engines are made. It is not changed any more: clones stand for the same program, and may be
/// sent to other threads.
///
/// An engine of a program has all of it as its own: what it adds, retracts, declares or sets is seen by no other one. What
/// it does not change is shared, so that an engine takes little time and memory, whatever the size of the program.
///
/// ```
/// use wamlet::Engine;
///
/// # fn main() -> Result<(), wamlet::Error> {
/// let mut engine = Engine::new()?;
/// engine.consult_text("colours.pl", ":- dynamic colour/1. colour(red). colour(green).")?;
/// let program = engine.snapshot()?;
///
/// let (mut one, mut other) = (program.engine()?, program.engine()?);
/// one.query_once("retract(colour(red))")?;
/// assert!(one.query_once("colour(red)")?.is_none());
/// assert!(other.query_once("colour(red)")?.is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Program(Arc<Published>);

/// What a program is made of.
struct Published {
    template: Template,
    settings: Settings,
}

/// How engines of a program are set.
#[derive(Clone)]
struct Settings {
    memory: usize,
    answer_depth: u32,
    allowed: Budget,
    breaks: bool,
    /// Collect garbage at every call?
    collect_always: bool,
    wastes_numbers: bool,
    most_files: usize,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Program").finish_non_exhaustive()
    }
}

impl Program {
    /// The library of the system, made once in a process.
    pub(super) fn of_system() -> Result<&'static Program, Error> {
        static SYSTEM: OnceLock<Program> = OnceLock::new();
        match SYSTEM.get() {
            Some(program) => Ok(program),
            None => {
                let mut engine = first_engine()?;
                let program = engine.published(false)?;
                Ok(SYSTEM.get_or_init(|| program))
            }
        }
    }

    /// A new engine of this program.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`] if there is no memory.
    pub fn engine(&self) -> Result<Engine, Error> {
        self.engine_with(self.0.settings.memory)
    }

    /// The same with so many bytes of memory for its terms.
    pub(super) fn engine_with(&self, memory: usize) -> Result<Engine, Error> {
        let settings = &self.0.settings;
        let machine = self.0.template.machine(memory);
        let mut machine = machine.map_err(|Stop| no_engine())?;
        settings.give(&mut machine);
        Ok(Engine {
            machine,
            program: Some(self.clone()),
            open: Vec::new(),
            lent: 0,
            answer_depth: settings.answer_depth,
            allowed: settings.allowed,
            bounded: false,
            broken: Broken::default(),
            breaks: settings.breaks,
            session: None,
        })
    }
}

impl Settings {
    /// Sets what a machine is to be like.
    fn give(&self, m: &mut Machine) {
        m.run.collector.always = self.collect_always;
        m.world.symbols.wastes_numbers = self.wastes_numbers;
        m.world.predicates.wastes_numbers = self.wastes_numbers;
        m.world.host.streams.set_most_files(self.most_files);
    }
}

fn no_engine() -> Error {
    Error::new(ErrorKind::Resource, "there is no memory for an engine")
}

/// Compiles all clauses that wait for it; those of the system's library, too, if that is asked for.
fn compile_all(m: &mut Machine, library: bool) -> Result<(), Throw> {
    let upper = m.world.upper;
    for id in m.world.predicates.ids() {
        let predicate = m.world.predicates.get(id);
        if predicate.clauses.shared().is_some() {
            continue;
        }
        if predicate.traits.deferred && library {
            upper.autoload(m, id)?;
        }
        let clauses = m.world.predicates.get(id).clauses.own_from(i64::MIN);
        let interpreted = clauses.filter(|(_, clause)| clause.is_interpreted());
        let positions: Vec<i64> = interpreted.map(|(position, _)| position).gather()?;
        for position in positions {
            upper.compile_clause(m, id, position)?;
        }
    }
    Ok(())
}

impl Engine {
    /// The program of the engine as it is now, for any number of engines: clauses, operators, flags, modules, tables and
    /// global variables.
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] if a query is open, or a function that was registered by [`Engine::register`] belongs to this
    /// engine alone; [`ErrorKind::Resource`] if there is no memory.
    pub fn snapshot(mut self) -> Result<Program, Error> {
        self.published(true)
    }

    /// Another engine like this one. Both go on with what is there now, and see nothing of what the other one does. Goals
    /// that run, and what is set until backtracking, do not come along, nor do the streams that are open.
    ///
    /// The first fork after a change of the program publishes it, in a time that depends on what has changed; then a fork
    /// takes the same time, whatever the size of the program.
    ///
    /// # Errors
    /// As [`Engine::snapshot`].
    pub fn fork(&mut self) -> Result<Engine, Error> {
        self.published(true)?.engine()
    }

    /// Makes the engine what it was when it was made of its program: the library of the system, or what
    /// [`Program::engine`] or [`Engine::fork`] were called of. All that texts and goals have added, changed or opened
    /// since is gone, and so are functions registered and streams set by the host.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if a panic has broken the engine; [`ErrorKind::Resource`] if there is no memory: then the
    /// engine is of no use.
    pub fn reset(&mut self) -> Result<(), Error> {
        if self.broken.get() {
            let message = "a panic has broken the engine";
            return Err(Error::new(ErrorKind::Internal, message));
        }
        self.end_forgotten();
        let Some(Program(published)) = &self.program else {
            unreachable!("the engine that loads the library is published, and gone");
        };
        let Published { template, settings } = &**published;
        let renewed = template.renew(&mut self.machine, settings.memory);
        if renewed.is_err() {
            self.broken.set();
            return Err(no_engine());
        }
        settings.give(&mut self.machine);
        self.open.clear();
        (self.answer_depth, self.allowed) = (settings.answer_depth, settings.allowed);
        (self.breaks, self.session, self.lent) = (settings.breaks, None, 0);
        Ok(())
    }

    fn published(&mut self, library: bool) -> Result<Program, Error> {
        if !self.open.is_empty() {
            let message = "a query is open: the engine cannot be copied within it";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        if let Some(id) = self.unshared_function() {
            let (_, functor) = self.machine.world.predicates.home(id);
            let name = self.machine.world.symbols.name_text(functor);
            let message = format!(
                "the function of {name}/{} belongs to one engine: register it with the program",
                functor.arity()
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        self.machine.wake().map_err(|Stop| no_memory())?;
        self.forget_terms();
        let publish = |m: &mut Machine| -> Result<Template, Throw> {
            compile_all(m, library)?;
            m.publish()?;
            Ok(m.template()?)
        };
        let template = publish(&mut self.machine).map_err(|throw| self.error(throw))?;
        let m = &*self.machine;
        let settings = Settings {
            memory: m.run.memory,
            answer_depth: self.answer_depth,
            allowed: self.allowed,
            breaks: self.breaks,
            collect_always: m.run.collector.always,
            wastes_numbers: m.world.symbols.wastes_numbers,
            most_files: m.world.host.streams.most_files(),
        };
        Ok(Program(Arc::new(Published { template, settings })))
    }
}
