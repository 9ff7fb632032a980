//! Templates of engines: the world that all engines of a program begin with, without host and goals. A template does
//! not change any more. Engines share it, and copy each part that they change when they change it.
#![forbid(unsafe_code)]

use super::contexts::slots::Declared;
use super::control::call_cache::CallCache;
use super::control::throw::Throw;
use super::memory::globals::Given;
use super::run::Run;
use super::state::Machine;
use super::tables::Tables;
use super::upper_layers::{Layers, Part, Upper};
use super::world::{Confinement, Foundation, Host, UserFlag, World};
use crate::base::atom_table::{Atom, FastMap, FastSet, Symbols};
use crate::base::flags::Flags;
use crate::base::growth::{Gather, Grow};
use crate::base::shared::Shared;
use crate::base::stop::Stop;
use crate::program::files::Files;
use crate::program::module::Modules;
use crate::program::predicate::PredId;
use crate::program::predicates::Predicates;
use crate::program::records::Records;
use crate::store::claims::{Claim, Life, Reported};
use crate::store::heap::Store;
use indexmap::IndexMap;

/// A world that does not change any more.
pub(crate) struct Template {
    foundation: Shared<Foundation>,
    symbols: Symbols,
    predicates: Predicates,
    records: Records,
    modules: Modules,
    files: Files,
    flags: Flags,
    user_flags: Shared<IndexMap<Atom, UserFlag>>,
    char_conversions: Shared<FastMap<char, char>>,
    source_module: Atom,
    indexing: bool,
    tables: Tables,
    parts: Vec<Part>,
    /// The values of global variables.
    globals: Vec<(Atom, Given)>,
    /// The predicates that may be assumed, in the order of their slots.
    assumable: Vec<PredId>,
    /// The assumptions that files declare.
    declared: Vec<Declared>,
    upper: &'static dyn Upper<Machine>,
    /// Whether engines dispatch by tail calls.
    tail_calls: bool,
}

// Engines on any thread are made from templates.
const fn assert_shared<T: Send + Sync>() {}
const _: () = assert_shared::<Template>();

impl Machine {
    /// Compiles the engine's own clauses that are not compiled yet.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub(crate) fn compile_own(&mut self) -> Result<(), Throw> {
        let upper = self.world.upper;
        for id in self.world.predicates.ids() {
            let predicate = self.world.predicates.get(id);
            if predicate.clauses.shared().is_some() {
                continue;
            }
            if predicate.traits.deferred {
                upper.autoload(self, id)?;
            }
            let clauses = self.world.predicates.get(id).clauses.own_from(i64::MIN);
            let interpreted = clauses.filter(|(_, clause)| clause.is_interpreted());
            let positions: Vec<i64> = interpreted.map(|(position, _)| position).gather()?;
            for position in positions {
                upper.compile_clause(self, id, position)?;
            }
        }
        Ok(())
    }

    /// Publishes the present world: engines made from its template share it from now on. This engine shares it too
    /// and goes on. No goal runs, and all clauses have their code.
    ///
    /// # Errors
    /// Returns an error if there is no memory. The world is still usable then.
    pub(crate) fn publish(&mut self) -> Result<(), Stop> {
        self.forget_own_entries();
        let world = &mut *self.world;
        world.symbols.freeze()?;
        if !world.predicates.is_published() {
            world.predicates.publish()?;
        }
        world.records.publish(&self.store)?;
        world.tables.publish();
        world.call_cache.clear();
        self.entries = world.predicates.entries();
        // The memory of clauses now belongs to the program.
        let claim = &mut self.world.clauses_claim;
        let less = self.store.resize_claim(claim, 0, Life::Kept);
        debug_assert!(less.is_ok(), "there is always room for less");
        Ok(())
    }

    /// Returns the template for engines of the same program. Everything is published before.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub(crate) fn template(&mut self) -> Result<Template, Stop> {
        let globals = self.stored_globals()?;
        let world = &*self.world;
        Ok(Template {
            foundation: world.foundation.clone(),
            symbols: world.symbols.fork(),
            predicates: world.predicates.fork()?,
            records: world.records.fork(),
            modules: world.modules.fork(),
            files: world.files.clone(),
            flags: world.flags.clone(),
            user_flags: world.user_flags.clone(),
            char_conversions: world.char_conversions.clone(),
            source_module: world.source_module,
            indexing: world.indexing,
            tables: world.tables.fork()?,
            parts: world.layers.parts()?,
            globals,
            assumable: self.run.contexts.predicates().gather()?,
            declared: self.run.contexts.declared.iter().cloned().gather()?,
            upper: world.upper,
            tail_calls: self.run.tail_calls,
        })
    }
}

impl Template {
    /// Returns a world from this template with these predicates, for an engine that uses this
    /// store and has this confinement.
    fn world(
        &self,
        store: &Store,
        to: &Confinement,
        mut predicates: Predicates,
    ) -> Result<World, Stop> {
        let mut symbols = self.symbols.fork();
        symbols.watch(store.watcher(Reported::Names));
        predicates.watch(store.watcher(Reported::Predicates));
        let mut modules = self.modules.fork();
        modules.watch(store.watcher(Reported::Modules));
        Ok(World {
            foundation: self.foundation.clone(),
            symbols,
            predicates,
            clauses_claim: Claim::default(),
            records: self.records.fork(),
            modules,
            files: self.files.clone(),
            flags: self.flags.clone(),
            user_flags: self.user_flags.clone(),
            char_conversions: self.char_conversions.clone(),
            source_module: self.source_module,
            booting: false,
            indexing: self.indexing,
            effects: 0,
            call_cache: CallCache::new(),
            host: Host::new(store, to),
            tables: self.tables.fork()?,
            reported_undefined: FastSet::default(),
            upper: self.upper,
            layers: Layers::of_parts(&self.parts)?,
        })
    }

    /// Returns a machine with a world from this template.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    pub(crate) fn machine(&self, memory: usize, to: &Confinement) -> Result<Box<Machine>, Stop> {
        let store = Store::resting(memory);
        let world = self.world(&store, to, self.predicates.fork()?)?;
        let mut machine = Machine::from_world(Box::new(world), store, memory);
        self.begin(&mut machine)?;
        Ok(machine)
    }

    /// Replaces the world of a machine with a new one from this template, and drops its goals.
    ///
    /// # Errors
    /// Returns an error if there is no memory. The machine is unusable then.
    pub(crate) fn renew(
        &self,
        machine: &mut Machine,
        memory: usize,
        to: &Confinement,
    ) -> Result<(), Stop> {
        machine.store.rest();
        machine.store.reset_table_sizes();
        machine.store.renew_events();
        let predicates = std::mem::take(&mut machine.world.predicates);
        let predicates = predicates.renewed(&self.predicates)?;
        *machine.world = self.world(&machine.store, to, predicates)?;
        machine.run = Run::new(memory);
        machine.entries = machine.world.predicates.entries();
        let memory = machine.store.area_bytes();
        machine.world.symbols.set_memory(memory);
        self.begin(machine)
    }

    /// Initializes a machine whose run is new.
    fn begin(&self, machine: &mut Machine) -> Result<(), Stop> {
        machine.run.tail_calls = self.tail_calls;
        for &predicate in &self.assumable {
            let contexts = &mut machine.run.contexts;
            contexts.assumable(&mut machine.world.predicates, predicate)?;
        }
        let declared = &mut machine.run.contexts.declared;
        declared.put_all(self.declared.iter().cloned())?;
        machine.give_globals(&self.globals)
    }
}
