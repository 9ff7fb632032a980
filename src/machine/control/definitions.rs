//! Finding the definition of a predicate that its module does not define.
#![forbid(unsafe_code)]

use super::throw::Throw;
use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::flags::UnknownAction;
use crate::base::growth::{Gather, Grow, GrowSet};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::machine::tables::functor_of_program;
use crate::program::module::{Module, Modules};
use crate::program::predicate::{Kind, MetaArg, PredId};
use crate::program::predicates::Predicates;
use crate::store::cell::Cell;
use std::sync::Arc;

/// The predicate of this name that the system or the host keeps to itself, in that module of its own.
fn kept(predicates: &Predicates, home: Atom, functor: Functor) -> Option<PredId> {
    let id = predicates.find(home, functor)?;
    predicates.get(id).traits.protected.then_some(id)
}

fn is_system(modules: &Modules, module: Atom) -> bool {
    modules.find(module).is_some_and(|module| module.system)
}

fn is_protected(modules: &Modules, module: Atom) -> bool {
    modules.find(module).is_some_and(|module| module.protected)
}

fn protected_predicate(
    predicates: &Predicates,
    modules: &Modules,
    module: Atom,
    functor: Functor,
) -> Option<PredId> {
    let sees_host = || module == atoms::LOLLI || !is_system(modules, module);
    let host = || kept(predicates, atoms::USER, functor).filter(|_| sees_host());
    kept(predicates, atoms::SYSTEM, functor).or_else(host)
}

/// May no goal of a program assume the predicate of this name in that module? Lolli has names of the system's for
/// itself, but those of the host are the host's there, too.
pub(crate) fn closed_to_assumptions(
    predicates: &Predicates,
    modules: &Modules,
    module: Atom,
    functor: Functor,
) -> bool {
    if module == atoms::LOLLI {
        return kept(predicates, atoms::USER, functor).is_some();
    }
    is_system(modules, module)
        || is_protected(modules, module)
        || protected_predicate(predicates, modules, module, functor).is_some()
}

impl Machine {
    /// Finds the definition of an undefined predicate: true if it has one now, false if its call
    /// fails.
    pub(crate) fn resolve(&mut self, id: PredId) -> Result<bool, Throw> {
        self.resolve_with(id, None)
    }

    /// The same with this value of the flag `unknown`, not with that of the module.
    pub(crate) fn resolve_with(
        &mut self,
        id: PredId,
        unknown: Option<UnknownAction>,
    ) -> Result<bool, Throw> {
        if self.find_definition(id)? {
            return Ok(true);
        }
        let predicate = self.world.predicates.get(id);
        if predicate.traits.defined || self.is_assumed(id) {
            return Ok(false);
        }
        let (module, functor) = (predicate.module, predicate.functor);
        if module == atoms::LOLLI {
            self.warn_of_undefined(functor)?;
            return Ok(false);
        }
        if self.means_hook(module, functor) {
            return Ok(false);
        }
        // What the system calls within itself is there, but not for programs.
        let within = self.world.predicates.find(atoms::SYSTEM, functor);
        let defined = |id: &PredId| self.world.predicates.get(*id).kind != Kind::Undefined;
        if within.filter(defined).is_some_and(|id| self.is_private(id)) {
            let culprit = self.indicator_from(module, functor)?;
            return Err(self.permission_error(atoms::ACCESS, atoms::PRIVATE_PROCEDURE, culprit));
        }
        let unknown = unknown.map_or_else(|| self.unknown_action(module), Ok);
        match unknown? {
            UnknownAction::Fail | UnknownAction::Warning => Ok(false),
            UnknownAction::Error => {
                let culprit = self.indicator_from(module, functor)?;
                Err(self.existence_error(atoms::PROCEDURE, culprit))
            }
        }
    }

    /// `Name/Arity` as errors of calls show it, with its module unless that is `user`.
    fn indicator_from(&mut self, module: Atom, functor: Functor) -> Result<Cell, Stop> {
        let functor = functor_of_program(&mut self.world.symbols, functor)?;
        let indicator = self.indicator(functor);
        if module == atoms::USER {
            return Ok(indicator);
        }
        let culprit = [Cell::atom(module), indicator];
        Ok(self.store.new_struct(functors::COLON, &culprit))
    }

    /// Returns what happens when a predicate of this module is called that nothing defines: the flag
    /// `unknown` of the module, else that of the nearest module that it takes definitions from.
    pub(crate) fn unknown_action(&self, module: Atom) -> Result<UnknownAction, Stop> {
        let own = |module: Atom| self.world.modules.find(module)?.unknown;
        if module == atoms::USER {
            return Ok(self.world.flags.unknown);
        }
        let found = match own(module) {
            None => self
                .world
                .modules
                .inherited(module)?
                .into_iter()
                .find_map(own),
            found => found,
        };
        Ok(found.unwrap_or(self.world.flags.unknown))
    }

    /// Does a call of the predicate mean one of the system? Finds its definition if it is undefined.
    pub(in crate::machine) fn means_own(&mut self, id: PredId) -> bool {
        let undefined = self.world.predicates.get(id).kind == Kind::Undefined;
        let found = !(undefined && self.asks_for_definition(id))
            && matches!(self.find_definition(id), Ok(true));
        found && !self.is_assumed(id) && self.is_systems(self.definition(id))
    }

    /// Imports the definition of an undefined predicate from the system, a library or `user`, in
    /// that order; false if there is none.
    pub(crate) fn find_definition(&mut self, id: PredId) -> Result<bool, Throw> {
        let (module, functor) = {
            let predicate = self.world.predicates.get(id);
            if predicate.traits.deferred {
                return self.world.upper.autoload(self, id);
            }
            if predicate.kind != Kind::Undefined {
                return Ok(true);
            }
            if predicate.traits.defined {
                return Ok(false);
            }
            (predicate.module, predicate.functor)
        };
        if module == atoms::LOLLI && self.is_special(self.world.symbols.name(functor)) {
            return Err(self.special_arity_error(functor));
        }
        if self.import_inherited(id)? {
            return Ok(true);
        }
        self.world.upper.autoload(self, id)
    }

    /// Imports the definition of an undefined predicate from the system or from a module that its own inherits
    /// from; false if none of them has one.
    pub(in crate::machine) fn import_inherited(&mut self, id: PredId) -> Result<bool, Stop> {
        let predicate = self.world.predicates.get(id);
        let (module, functor) = (predicate.module, predicate.functor);
        if module != atoms::SYSTEM
            && let Some(target) = self.world.predicates.find(atoms::SYSTEM, functor)
            && self.world.predicates.get(target).kind != Kind::Undefined
            && (module == atoms::LOLLI || !self.is_private(target))
        {
            self.import(id, target)?;
            return Ok(true);
        }
        if let Some(target) = self.protected_predicate(module, functor)
            && target != id
            && !self.is_private(target)
        {
            self.import(id, target)?;
            return Ok(true);
        }
        for base in self.world.modules.inherited(module)? {
            let Some(target) = self.world.predicates.find(base, functor) else {
                continue;
            };
            // What a base imports from this very module is no definition.
            let definition = self.definition(target);
            let defined = self.world.predicates.get(definition).kind != Kind::Undefined;
            if definition != id && defined && !self.is_private(target) {
                self.import(id, target)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the predicate of the system or of the host that a call of this functor in `module` means, whatever the
    /// module defines. Modules of the system do not see what the host has in `user`, but Lolli does.
    pub(crate) fn protected_predicate(&self, module: Atom, functor: Functor) -> Option<PredId> {
        protected_predicate(&self.world.predicates, &self.world.modules, module, functor)
    }

    /// Is the module closed to programs, other than by being one of the system?
    pub(crate) fn is_protected_module(&self, module: Atom) -> bool {
        is_protected(&self.world.modules, module) && !self.world.booting
    }

    /// Makes a module for texts of a tenant, which are not the host's: it takes definitions from the system and the host
    /// alone.
    pub(crate) fn make_tenant(&mut self, module: Atom, tenant: Atom) -> Result<(), Stop> {
        self.world.modules.intern(module)?.tenant = Some(tenant);
        self.world.modules.set_bases(module, Vec::new())
    }

    /// Is the module of a text that is not the host's?
    pub(crate) fn is_tenant(&self, module: Atom) -> bool {
        self.tenant_of(module).is_some()
    }

    /// The tenant whose the module is.
    pub(crate) fn tenant_of(&self, module: Atom) -> Option<Atom> {
        self.world.modules.find(module)?.tenant
    }

    /// Are there texts that are not the host's, or is what the host has marked to be kept from texts?
    pub(crate) fn has_strangers(&self) -> bool {
        let strange = |(_, module): (Atom, &Module)| module.protected || module.tenant.is_some();
        self.world.host.policy.strangers || self.world.modules.iter().any(strange)
    }

    /// Is a tenant's text being loaded, and the module neither its own nor one of the system?
    pub(crate) fn leaves_tenant(&self, module: Atom) -> bool {
        let source = self.world.source_module;
        module != source
            && !self.world.booting
            && self.is_tenant(source)
            && module != atoms::LAMBDAS
            && !self.is_system_module(module)
    }

    /// Checks that a program, or the text of a tenant that is being loaded, may change what the module is.
    ///
    /// # Errors
    /// `permission_error(modify, module, Module)`
    pub(crate) fn check_module(&mut self, module: Atom) -> Result<(), Throw> {
        match self.is_changeable(module) {
            true => Ok(()),
            false => Err(self.permission_error(atoms::MODIFY, atoms::MODULE, Cell::atom(module))),
        }
    }

    /// May a program, or the text of a tenant that is being loaded, change what the module is, and what it imports?
    pub(crate) fn is_changeable(&self, module: Atom) -> bool {
        let of_system = self.is_system_module(module) && !self.world.booting;
        !of_system && !self.is_protected_module(module) && !self.leaves_tenant(module)
    }

    /// May no program define or declare this in the module, be it there or not?
    pub(crate) fn is_closed(&self, module: Atom, functor: Functor) -> bool {
        !self.world.booting
            && (self.protected_predicate(module, functor).is_some()
                || self.is_protected_module(module))
    }

    /// May no text and no goal define, declare or change this in the module, be it there or not? Besides what
    /// [`Machine::is_closed`] tells that is so of modules of the system, but for their hooks, and of all modules but its
    /// own while the text of a tenant is being loaded.
    ///
    /// # Errors
    /// Only if there is no memory.
    pub(crate) fn is_shut(&mut self, module: Atom, functor: Functor) -> Result<bool, Throw> {
        let module = self.world.modules.of_inner_name(module);
        if self.is_closed(module, functor) || self.leaves_tenant(module) {
            return Ok(true);
        }
        let free = module == atoms::USER || module == atoms::LAMBDAS || self.world.booting;
        if free || !self.is_system_module(module) {
            return Ok(false);
        }
        self.settle_module(module)?;
        Ok(self.has_strangers() || !self.is_hook_of_system(module, functor))
    }

    /// Does the host keep this name to itself?
    pub(crate) fn is_of_host(&self, functor: Functor) -> bool {
        kept(&self.world.predicates, atoms::USER, functor).is_some() && !self.world.booting
    }

    /// Does the name begin with `$`, as those of what the system calls within itself?
    pub(crate) fn is_own_name(&self, functor: Functor) -> bool {
        let name = self.world.symbols.name(functor);
        let text = self.world.symbols.text(name);
        text.starts_with('$') && text.len() > 1
    }

    /// Does a module of the system keep this predicate of its own to itself?
    pub(crate) fn is_private(&self, id: PredId) -> bool {
        let predicate = self.world.predicates.get(self.definition(id));
        let functor = predicate.functor;
        if !predicate.traits.system || !self.is_system_module(predicate.module) {
            return false;
        }
        let shown =
            |module: &Module| module.exports.contains(&functor) || module.open.contains(&functor);
        let system = predicate.module == atoms::SYSTEM;
        let shown = self.world.modules.find(predicate.module).is_some_and(shown);
        !shown && (!system || self.is_own_name(functor))
    }

    /// The name of a module for goals of the system's own: see [`Modules::inner_name`].
    ///
    /// [`Modules::inner_name`]: crate::program::module::Modules::inner_name
    pub(crate) fn inner_name(&mut self, module: Atom) -> Result<Atom, Stop> {
        match self.is_system_module(module) {
            true => self
                .world
                .modules
                .inner_name(&mut self.world.symbols, module),
            false => Ok(module),
        }
    }

    /// The module in which a goal made at run time finds this predicate. What a module of the system keeps to itself
    /// its own goals may call, which have its inner name.
    ///
    /// # Errors
    /// A permission error if the goal may not call the predicate; resource errors.
    pub(crate) fn accessible(&mut self, module: Atom, functor: Functor) -> Result<Atom, Throw> {
        let home = self.world.modules.of_inner_name(module);
        let defined = |id: &PredId| self.world.predicates.get(*id).kind != Kind::Undefined;
        if home != module {
            let own = self
                .world
                .predicates
                .find(home, functor)
                .is_some_and(|id| defined(&id));
            return Ok(match own || !self.is_own_name(functor) {
                true => home,
                false => atoms::SYSTEM,
            });
        }
        // What Lolli has no definition of it has from the system.
        let from_system = module == atoms::LOLLI && self.is_own_name(functor);
        if !from_system && !self.is_system_module(module) {
            return Ok(module);
        }
        self.settle_module(module)?;
        let defined = |id: &PredId| self.world.predicates.get(*id).kind != Kind::Undefined;
        let own = self.world.predicates.find(module, functor).filter(defined);
        let inherited = || {
            self.world
                .predicates
                .find(atoms::SYSTEM, functor)
                .filter(|_| from_system)
        };
        if !own.or_else(inherited).is_some_and(|id| self.is_private(id)) {
            return Ok(module);
        }
        let indicator = self.indicator(functor);
        let culprit = [Cell::atom(module), indicator];
        let culprit = self.store.new_struct(functors::COLON, &culprit);
        Err(self.permission_error(atoms::ACCESS, atoms::PRIVATE_PROCEDURE, culprit))
    }

    /// Compiles the clauses of a predicate of the system that were left for later.
    ///
    /// # Errors
    /// Only if there is no memory.
    pub(crate) fn complete_predicate(&mut self, id: PredId) -> Result<(), Throw> {
        if self.world.predicates.get(id).traits.deferred {
            self.world.upper.autoload(self, id)?;
        }
        Ok(())
    }

    /// Makes sure that the library is loaded that this module is of, if it is of one: before something
    /// that is not defined there is defined or looked at.
    ///
    /// # Errors
    /// Only if there is no memory.
    pub(crate) fn settle_module(&mut self, module: Atom) -> Result<(), Throw> {
        if module == atoms::USER || self.world.booting || !self.is_system_module(module) {
            return Ok(());
        }
        self.world.upper.load_module(self, module)
    }

    /// The predicates of Lolli of which was told that nothing defines them.
    ///
    /// # Errors
    /// There is no memory.
    pub(crate) fn undefined_told(&self) -> Result<Vec<Functor>, Stop> {
        self.world.undefined_told.iter().copied().gather()
    }

    /// Of these another machine has told.
    ///
    /// # Errors
    /// There is no memory.
    pub(crate) fn note_undefined_told(&mut self, told: &[Functor]) -> Result<(), Stop> {
        told.iter()
            .try_for_each(|&functor| self.world.undefined_told.put_new(functor).map(drop))
    }

    /// Tells, once for each, that a goal of Lolli fails because nothing defines its predicate.
    fn warn_of_undefined(&mut self, functor: Functor) -> Result<(), Stop> {
        let warned = &mut self.world.undefined_told;
        if self.world.flags.unknown == UnknownAction::Fail || !warned.put_new(functor)? {
            return Ok(());
        }
        let trace = self.present_trace(functor);
        self.world.upper.undefined(self, functor, &trace)?;
        Ok(())
    }

    /// The predicate that has the definition of this one.
    pub(crate) fn definition(&self, mut id: PredId) -> PredId {
        // An import leads to what is no import itself (`import`), so there is an end.
        while let Kind::Imported(target) = self.world.predicates.get(id).kind {
            id = target;
        }
        id
    }

    /// Makes `id` the predicate `target` of another module; nothing changes if that is imported
    /// from `id`.
    pub(crate) fn import(&mut self, id: PredId, target: PredId) -> Result<(), Stop> {
        let target = self.definition(target);
        if id == target {
            return Ok(());
        }
        let predicate = self.world.predicates.get_mut(id);
        predicate.kind = Kind::Imported(target);
        predicate.traits.named = false;
        predicate.traits.lazy = false;
        self.world.predicates.reset_entry(id)?;
        if self.qualifies(id, target) {
            let op = crate::code::instruction::Op::ImportMeta;
            let word = crate::code::instruction::encode_wide(op, 0, target.0);
            self.world
                .predicates
                .set_stub(id, [word, u64::from(id.0), 0]);
        }
        self.entries = self.world.predicates.entries();
        Ok(())
    }

    /// Makes undefined again what a module takes from these others without being told to.
    pub(crate) fn forget_imports(&mut self, module: Atom, from: &[Atom]) -> Result<(), Stop> {
        for index in 0..self.world.predicates.len() {
            let id = PredId(index as u32);
            let predicate = self.world.predicates.get(id);
            let Kind::Imported(target) = predicate.kind else {
                continue;
            };
            let (home, functor) = (self.world.predicates.get(target).module, predicate.functor);
            let exported = || {
                let home = self.world.modules.find(home);
                home.is_some_and(|home| home.exports.contains(&functor))
            };
            if predicate.module == module
                && !predicate.traits.named
                && from.contains(&home)
                && !exported()
            {
                self.world.predicates.get_mut(id).kind = Kind::Undefined;
                self.world.predicates.reset_entry(id)?;
            }
        }
        self.entries = self.world.predicates.entries();
        Ok(())
    }

    /// Makes undefined again what modules of programs import under the name of this predicate from elsewhere.
    pub(crate) fn forget_imports_as(&mut self, id: PredId) -> Result<(), Stop> {
        let functor = self.world.predicates.get(id).functor;
        let definition = self.definition(id);
        let modules: Vec<Atom> = self.world.modules.names().gather()?;
        for module in modules {
            let Some(found) = self.world.predicates.find(module, functor) else {
                continue;
            };
            let kind = self.world.predicates.get(found).kind;
            let imported = matches!(kind, Kind::Imported(target) if target != definition);
            if imported && module != atoms::LOLLI && !self.is_system_module(module) {
                self.world.predicates.get_mut(found).kind = Kind::Undefined;
                self.world.predicates.reset_entry(found)?;
            }
        }
        self.entries = self.world.predicates.entries();
        Ok(())
    }

    /// Makes undefined again, and gives, what other modules have taken from this one without naming it, of
    /// predicates that it exports no more.
    pub(crate) fn forget_unexported(
        &mut self,
        home: Atom,
        functors: &[Functor],
    ) -> Result<Vec<PredId>, Stop> {
        let mut lost = Vec::new();
        for index in 0..self.world.predicates.len() {
            let id = PredId(index as u32);
            let predicate = self.world.predicates.get(id);
            if let Kind::Imported(target) = predicate.kind
                && !predicate.traits.named
                && self.world.predicates.get(target).module == home
                && functors.contains(&self.world.predicates.get(target).functor)
            {
                self.world.predicates.get_mut(id).kind = Kind::Undefined;
                self.world.predicates.reset_entry(id)?;
                lost.put(id)?;
            }
        }
        self.entries = self.world.predicates.entries();
        Ok(lost)
    }

    /// Does something happen to arguments when `target` is called as `id`?
    fn qualifies(&self, id: PredId, target: PredId) -> bool {
        let module = self.world.predicates.get(id).module;
        let definition = self.world.predicates.get(target);
        // What Lolli hands to Prolog is put together first.
        if module == atoms::LOLLI && definition.functor.arity() > 0 {
            return true;
        }
        // Goals without a module are those of `user`: so libraries take them, and they hand on what
        // they were given.
        let plain = self.is_system_module(module)
            || (module == atoms::USER && self.is_system_module(definition.module));
        !plain && definition.sensitive()
    }

    /// Does the module belong to the system or to a library?
    pub(crate) fn is_system_module(&self, module: Atom) -> bool {
        is_system(&self.world.modules, module)
    }

    /// Sets what `meta_predicate/1` says of a predicate; calls that are compiled already heed it.
    pub(crate) fn set_meta(&mut self, id: PredId, modes: Arc<[MetaArg]>) -> Result<(), Stop> {
        let predicate = self.world.predicates.get_mut(id);
        predicate.meta = Some(modes);
        let (module, sensitive) = (predicate.module, predicate.sensitive());
        if self.world.booting || self.is_system_module(module) {
            return Ok(());
        }
        if sensitive {
            self.world.predicates.qualify(id)?;
        }
        for importer in self.world.predicates.importers(id)? {
            let named = self.world.predicates.get(importer).traits.named;
            self.import(importer, id)?;
            self.world.predicates.get_mut(importer).traits.named = named;
        }
        self.entries = self.world.predicates.entries();
        Ok(())
    }
}
