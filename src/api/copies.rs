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

/// What [`Program::compiled_library`] gives.
static COMPILED: Once<Program> = Once::new();

/// Bytes of memory for the terms of the engine that loads the library of the system.
const MEMORY: usize = 1 << 28;

impl Program {
    /// The library of the system, made once in a process: its clauses are compiled by each engine that first calls them.
    /// Engines that are made after [`Program::compiled_library`] have those of it.
    pub(super) fn library() -> Result<&'static Program, Error> {
        static LIBRARY: Once<Program> = Once::new();
        match COMPILED.get() {
            Some(program) => Ok(program),
            None => once(&LIBRARY, || first_engine()?.published(|_| Ok(()))),
        }
    }

    /// The library of the system with all of its clauses compiled, made once in a process, for programs of many engines.
    /// That takes some twenty times as long as to make [`Program::library`].
    pub(super) fn compiled_library() -> Result<&'static Program, Error> {
        once(&COMPILED, || first_engine()?.snapshot())
    }

    /// A new engine of this program.
    ///
    /// # Errors
    /// [`ErrorKind::Resource`] if there is no memory.
    pub fn engine(&self) -> Result<Engine, Error> {
        self.engine_with(self.0.settings.memory)
    }

    /// A new engine of this program whose terms may take `memory` bytes.
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
    /// Sets what a machine is to be like.
    fn give(&self, m: &mut Machine) {
        m.run.collector.always = self.collect_always;
        m.world.symbols.wastes_numbers = self.wastes_numbers;
        m.world.predicates.wastes_numbers = self.wastes_numbers;
        give_streams(m, &self.capabilities);
    }

    /// What an engine with this new machine reads texts of the host with.
    fn scope_in(&self, m: &Machine) -> Option<HostScope> {
        let of_program = || HostScope::of(m);
        let own = self.capabilities.has_host_scope();
        own.then(|| self.scope.clone().unwrap_or_else(of_program))
    }
}

/// What is made once.
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
    Error::new(ErrorKind::Resource, "there is no memory for an engine")
}

/// The standard streams that go with these capabilities.
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
    /// Does something with the operators and flags of the host's scope, if it has one of its own. No goal of others may
    /// run meanwhile.
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

    /// Gives the engine these capabilities, and the standard streams that go with them.
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
    /// The program of the engine as it is now, for any number of engines: clauses, operators, flags, modules, tables and
    /// global variables. Clauses of the system's library that no engine has called so far are compiled, so that none of the
    /// new engines does it; that takes some forty milliseconds, unless the engine stems from [`Program::builder`].
    ///
    /// # Errors
    /// [`ErrorKind::Usage`] if a query is open, or a function that was registered by [`Engine::register`] belongs to this
    /// engine alone; [`ErrorKind::Resource`] if there is no memory.
    pub fn snapshot(mut self) -> Result<Program, Error> {
        self.published(|m| {
            complete_library(m)?;
            m.compile_own()
        })
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
        self.published(Machine::compile_own)?.engine()
    }

    /// Makes the engine what it was when it was made of its program: the library of the system, or what
    /// [`Program::engine`] or [`Engine::fork`] were called of. All that texts and goals have added, changed or opened
    /// since is gone, and so are functions registered and streams set by the host.
    ///
    /// Handles that were taken before ([`Engine::interrupt_handle`]) stop nothing any more.
    ///
    /// # Errors
    /// [`ErrorKind::Internal`] if a panic has broken the engine; [`ErrorKind::Usage`] within [`Engine::within`];
    /// [`ErrorKind::Resource`] if there is no memory: then the engine is of no use.
    pub fn reset(&mut self) -> Result<(), Error> {
        if self.broken.get() {
            let message = "a panic has broken the engine";
            return Err(Error::new(ErrorKind::Internal, message));
        }
        self.end_forgotten();
        if self.limited > 0 {
            let message = "work within a budget is under way: the engine cannot be reset in it";
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

    /// Lets it have no more than its budget allows.
    fn give_room(&mut self) {
        if self.allowed.room != Room::UNLIMITED {
            self.set_room(self.allowed.room);
        }
    }

    /// The program of the engine, once its machine has been made ready.
    fn published(
        &mut self,
        ready: impl FnOnce(&mut Machine) -> Result<(), Throw>,
    ) -> Result<Program, Error> {
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

/// The engine that loads the library of the system; all others are made of its program.
fn first_engine() -> Result<Engine, Error> {
    let mut machine = Machine::new(refusals::whole(), &All, MEMORY)
        .map_err(|_| Error::new(ErrorKind::Resource, "there is no memory for an engine"))?;
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
    engine.forget_terms();
    engine.print_diagnostics(false);
    engine
        .ask("create_prolog_flag(argv, [], [type(term)])", &[])?
        .advance()?;
    Ok(engine)
}
