//! Engines of programs, and copies of engines.

use super::broken::Broken;
use super::budget::{Budget, Room};
use super::capabilities::Capabilities;
use super::engine::{Engine, no_memory};
use super::error::{Error, ErrorKind};
use super::program::{Program, Published, Settings};
use super::refusals;
use super::upper::All;
use crate::base::once::Once;
use crate::base::stop::Stop;
use crate::library::prelude::{boot, complete_library};
use crate::lolli::origin::LOLLI;
use crate::machine::control::throw::Throw;
use crate::machine::host_scope::HostScope;
use crate::machine::state::Machine;
use crate::machine::template::Template;
use crate::machine::world::Confinement;
use crate::source::language;
use std::sync::Arc;

/// The result of [`Program::compiled_library`].
static COMPILED: Once<Program> = Once::new();

/// Bytes of memory for the terms of the engine that loads the library of the system.
const MEMORY: usize = 1 << 28;

impl Program {
    /// Returns the library of the system, made once per process. Each engine compiles the clauses that it calls first.
    /// Once [`Program::compiled_library`] has run, this returns its result, with all clauses compiled.
    pub(super) fn library() -> Result<&'static Program, Error> {
        static LIBRARY: Once<Program> = Once::new();
        match COMPILED.get() {
            Some(program) => Ok(program),
            None => once(&LIBRARY, || first_engine()?.published(|_| Ok(()))),
        }
    }

    /// Returns the library of the system with all of its clauses compiled, made once per process. It is meant for
    /// programs with many engines. It takes about twenty times as long to make as [`Program::library`].
    pub(super) fn compiled_library() -> Result<&'static Program, Error> {
        once(&COMPILED, || first_engine()?.snapshot())
    }

    /// Returns a new engine with this program.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Resource`] if there is not enough memory.
    pub fn engine(&self) -> Result<Engine, Error> {
        self.engine_with(self.0.settings.memory)
    }

    /// Returns a new engine with this program. Its terms may take `memory` bytes.
    pub(super) fn engine_with(&self, memory: usize) -> Result<Engine, Error> {
        let settings = &self.0.settings;
        let machine = self.0.template.machine(memory, &settings.confinement);
        let mut machine = machine.map_err(|Stop| no_engine())?;
        settings.give(&mut machine);
        let scope = settings.scope_in(&machine);
        let mut engine = Engine {
            machine,
            program: Some(self.clone()),
            capabilities: Arc::clone(&settings.capabilities),
            scope,
            open: Vec::new(),
            lent: 0,
            answer_depth: settings.answer_depth,
            allowed: settings.allowed,
            given: Budget::default(),
            bounded: false,
            limited: 0,
            resets: 0,
            broken: Broken::default(),
            breaks: settings.breaks,
            session: None,
        };
        engine.give_room();
        Ok(engine)
    }
}

impl Settings {
    /// Applies the settings to a machine.
    fn give(&self, m: &mut Machine) {
        m.run.collector.always = self.collect_always;
        m.world.symbols.wastes_numbers = self.wastes_numbers;
        m.world.predicates.wastes_numbers = self.wastes_numbers;
        give_streams(m, &self.capabilities);
    }

    /// Returns the scope in which an engine with this new machine reads texts of the host.
    fn scope_in(&self, m: &Machine) -> Option<HostScope> {
        let of_program = || HostScope::of(m);
        let own = self.capabilities.has_host_scope();
        own.then(|| self.scope.clone().unwrap_or_else(of_program))
    }
}

/// Returns the program in `known`. Makes it first if it does not exist yet.
fn once(
    known: &'static Once<Program>,
    make: impl FnOnce() -> Result<Program, Error>,
) -> Result<&'static Program, Error> {
    match known.get() {
        Some(program) => Ok(program),
        None => {
            let program = make()?;
            Ok(known.get_or_make(|| program))
        }
    }
}

fn no_engine() -> Error {
    Error::new(ErrorKind::Resource, "not enough memory for an engine")
}

/// Sets the standard streams that belong to these capabilities.
fn give_streams(m: &mut Machine, capabilities: &Capabilities) {
    let streams = &mut m.world.host.streams;
    streams.set_most_streams(capabilities.most_streams());
    if let Some(text) = capabilities.input_text() {
        streams.set_user_input_text(text);
    }
    if let (Some(output), Some(errors)) = (capabilities.sink(), capabilities.sink()) {
        streams.set_user_output(Box::new(output));
        streams.set_user_error(Box::new(errors));
    }
}

impl Engine {
    /// Runs `work` with the operators and flags of the host's scope, if the host has its own. Goals of programs must
    /// not run meanwhile.
    pub(super) fn in_scope<T>(&mut self, work: impl FnOnce(&mut Engine) -> T) -> T {
        let Some(mut scope) = self.scope.take() else {
            return work(self);
        };
        scope.swap(&mut self.machine);
        let result = work(self);
        scope.swap(&mut self.machine);
        self.scope = Some(scope);
        result
    }

    /// Gives the engine these capabilities and the standard streams that belong to them.
    pub(super) fn confine(&mut self, capabilities: Capabilities) -> Result<(), Error> {
        let policy = capabilities.policy();
        let builtins = refusals::table(policy.granted)?;
        let directory = capabilities.directory()?;
        self.machine.confine(&Confinement {
            policy: Arc::new(policy),
            directory,
            builtins,
        });
        give_streams(&mut self.machine, &capabilities);
        let own = capabilities.has_host_scope();
        self.scope = own.then(|| HostScope::of(&self.machine));
        self.capabilities = Arc::new(capabilities);
        Ok(())
    }
}

impl Engine {
    /// Returns the program of the engine as it is now, for any number of engines: clauses, operators, flags, modules,
    /// tables and global variables. Compiles the library clauses that no engine has called so far, so that the new
    /// engines need not do it. That takes about forty milliseconds, unless the engine comes from [`Program::builder`].
    ///
    /// # Errors
    /// - [`ErrorKind::Usage`] if a query is open, or if a function from [`Engine::register`] belongs to this engine
    ///   alone
    /// - [`ErrorKind::Resource`] if there is not enough memory
    pub fn snapshot(mut self) -> Result<Program, Error> {
        self.published(|m| {
            complete_library(m)?;
            m.compile_own()
        })
    }

    /// Returns another engine like this one. Both start with the present state, and neither sees later changes of the
    /// other. Running goals, values set until backtracking and open streams are not copied.
    ///
    /// The first fork after a change publishes the program. Its time depends on the size of the change. Every other
    /// fork takes the same time, whatever the size of the program.
    ///
    /// # Errors
    /// Returns the errors of [`Engine::snapshot`].
    pub fn fork(&mut self) -> Result<Engine, Error> {
        self.published(Machine::compile_own)?.engine()
    }

    /// Restores the state in which the engine was made from its program. That program is the library of the system, or
    /// the program of [`Program::engine`] or [`Engine::fork`]. Everything that texts and goals have added, changed or
    /// opened since then is lost. Functions that the host registered and streams that it set are lost, too.
    ///
    /// Handles that [`Engine::interrupt_handle`] returned earlier have no effect any more.
    ///
    /// # Errors
    /// - [`ErrorKind::Internal`] if a panic has broken the engine
    /// - [`ErrorKind::Usage`] within [`Engine::within`]
    /// - [`ErrorKind::Resource`] if there is not enough memory; the engine cannot be used afterwards
    pub fn reset(&mut self) -> Result<(), Error> {
        if self.broken.get() {
            let message = "the engine is unusable after a panic";
            return Err(Error::new(ErrorKind::Internal, message));
        }
        self.close_leaked();
        if self.limited > 0 {
            let message = "the engine cannot be reset while it works within a budget";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let Some(Program(published)) = &self.program else {
            unreachable!("the engine that loads the library is published, and gone");
        };
        let Published { template, settings } = &**published;
        let renewed = template.renew(&mut self.machine, settings.memory, &settings.confinement);
        if renewed.is_err() {
            self.broken.set();
            return Err(no_engine());
        }
        settings.give(&mut self.machine);
        self.scope = settings.scope_in(&self.machine);
        self.open.clear();
        self.resets += 1;
        (self.answer_depth, self.allowed) = (settings.answer_depth, settings.allowed);
        (self.breaks, self.session, self.lent) = (settings.breaks, None, 0);
        self.give_room();
        Ok(())
    }

    /// Limits the engine to the memory and streams of its budget.
    fn give_room(&mut self) {
        if self.allowed.room != Room::UNLIMITED {
            self.set_room(self.allowed.room);
        }
    }

    /// Returns the program of the engine, after `ready` has prepared its machine.
    fn published(
        &mut self,
        ready: impl FnOnce(&mut Machine) -> Result<(), Throw>,
    ) -> Result<Program, Error> {
        if !self.open.is_empty() {
            let message = "the engine cannot be copied while a query is open";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        if let Some(id) = self.unshared_function() {
            let (_, functor) = self.machine.world.predicates.home(id);
            let name = self.machine.world.symbols.name_text(functor);
            let message = format!(
                "the function of {name}/{} belongs to a single engine; register it with the program",
                functor.arity()
            );
            return Err(Error::new(ErrorKind::Usage, message));
        }
        self.machine.wake().map_err(|Stop| no_memory())?;
        self.discard_terms();
        let publish = |m: &mut Machine| -> Result<Template, Throw> {
            ready(m)?;
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
            confinement: m.confinement(),
            capabilities: Arc::clone(&self.capabilities),
            scope: self.scope.clone(),
        };
        Ok(Program(Arc::new(Published { template, settings })))
    }
}

/// Returns the engine that loads the library of the system. All other engines are made from its program.
fn first_engine() -> Result<Engine, Error> {
    let mut machine = Machine::new(refusals::whole(), &All, MEMORY)
        .map_err(|_| Error::new(ErrorKind::Resource, "not enough memory for an engine"))?;
    machine.world.layers.of::<language::Lolli>().0 = Some(LOLLI);
    let mut engine = Engine {
        machine,
        program: None,
        capabilities: Arc::new(Capabilities::full()),
        scope: None,
        open: Vec::new(),
        lent: 0,
        answer_depth: 0,
        allowed: Budget::default(),
        given: Budget::default(),
        bounded: false,
        limited: 0,
        resets: 0,
        broken: Broken::default(),
        breaks: false,
        session: None,
    };
    if let Err(throw) = boot(&mut engine.machine) {
        return Err(engine.error(throw));
    }
    engine.discard_terms();
    engine.print_diagnostics(false);
    engine
        .open_internal("create_prolog_flag(argv, [], [type(term)])", &[])?
        .advance()?;
    Ok(engine)
}
