//! Finds the definition of a predicate that its module does not define.
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

/// Returns the predicate of this name that the system or the host reserves in its own module `home`.
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

/// Returns whether no goal of a program may assume the predicate of this name in that module. Lolli uses some names
/// of the system for itself, but names of the host stay reserved there, too.
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
    /// Finds the definition of an undefined predicate. Returns true if it now has one, and false if its call fails.
    pub(crate) fn resolve(&mut self, id: PredId) -> Result<bool, Throw> {
        self.resolve_with(id, None)
    }

    /// Resolves a predicate as [`Machine::resolve`] does. The value of `unknown` overrides the flag of the module.
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
        // The system has such a predicate for itself, but not for programs.
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

    /// Returns `Name/Arity` as errors of calls show it, with the module unless that is `user`.
    fn indicator_from(&mut self, module: Atom, functor: Functor) -> Result<Cell, Stop> {
        let functor = functor_of_program(&mut self.world.symbols, functor)?;
        let indicator = self.indicator(functor);
        if module == atoms::USER {
            return Ok(indicator);
        }
        let culprit = [Cell::atom(module), indicator];
        Ok(self.store.new_struct(functors::COLON, &culprit))
    }

    /// Returns the action for a call of an undefined predicate of this module. This is the flag `unknown` of the
    /// module, else of the nearest module from which it inherits definitions.
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

    /// Returns whether a call of the predicate calls one of the system. Finds the definition if the predicate is
    /// undefined.
    pub(in crate::machine) fn means_own(&mut self, id: PredId) -> bool {
        let undefined = self.world.predicates.get(id).kind == Kind::Undefined;
        let found = !(undefined && self.must_request_definition(id))
            && matches!(self.find_definition(id), Ok(true));
        found && !self.is_assumed(id) && self.is_systems(self.definition(id))
    }

    /// Imports the definition of an undefined predicate from the system, a library or `user`, in that order. Returns
    /// false if there is none.
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

    /// Imports the definition of an undefined predicate from the system, or from a module that its own module
    /// inherits from. Returns false if none of them has one.
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
            // A predicate that a base imports from this very module is no definition.
            let definition = self.definition(target);
            let defined = self.world.predicates.get(definition).kind != Kind::Undefined;
            if definition != id && defined && !self.is_private(target) {
                self.import(id, target)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the predicate of the system or of the host that a call of this functor in `module` means. It takes
    /// precedence over definitions of the module. Modules of the system do not see the host's predicates in `user`,
    /// but Lolli does.
    pub(crate) fn protected_predicate(&self, module: Atom, functor: Functor) -> Option<PredId> {
        protected_predicate(&self.world.predicates, &self.world.modules, module, functor)
    }

    /// Returns whether the module is closed to programs for another reason than being a system module.
    pub(crate) fn is_protected_module(&self, module: Atom) -> bool {
        is_protected(&self.world.modules, module) && !self.world.booting
    }

    /// Makes a module for texts of a tenant, which do not belong to the host. It inherits definitions only from the
    /// system and the host.
    pub(crate) fn make_tenant(&mut self, module: Atom, tenant: Atom) -> Result<(), Stop> {
        self.world.modules.intern(module)?.tenant = Some(tenant);
        self.world.modules.set_bases(module, Vec::new())
    }

    /// Returns whether the module belongs to a tenant's text.
    pub(crate) fn is_tenant(&self, module: Atom) -> bool {
        self.tenant_of(module).is_some()
    }

    /// Returns the tenant that owns the module.
    pub(crate) fn tenant_of(&self, module: Atom) -> Option<Atom> {
        self.world.modules.find(module)?.tenant
    }

    /// Returns whether there are texts that do not belong to the host, or modules that the host has protected from
    /// texts.
    pub(crate) fn has_foreign_texts(&self) -> bool {
        let strange = |(_, module): (Atom, &Module)| module.protected || module.tenant.is_some();
        self.world.host.policy.strangers || self.world.modules.iter().any(strange)
    }

    /// Returns whether a tenant's text is being loaded and the module is neither its own nor a system module.
    pub(crate) fn leaves_tenant(&self, module: Atom) -> bool {
        let source = self.world.source_module;
        module != source
            && !self.world.booting
            && self.is_tenant(source)
            && module != atoms::LAMBDAS
            && !self.is_system_module(module)
    }

    /// Checks that a program, or the tenant's text being loaded, may change the declarations of the module.
    ///
    /// # Errors
    /// `permission_error(modify, module, Module)`
    pub(crate) fn check_module(&mut self, module: Atom) -> Result<(), Throw> {
        match self.is_changeable(module) {
            true => Ok(()),
            false => Err(self.permission_error(atoms::MODIFY, atoms::MODULE, Cell::atom(module))),
        }
    }

    /// Returns whether a program, or the tenant's text being loaded, may change the declarations and imports of the
    /// module.
    pub(crate) fn is_changeable(&self, module: Atom) -> bool {
        let of_system = self.is_system_module(module) && !self.world.booting;
        !of_system && !self.is_protected_module(module) && !self.leaves_tenant(module)
    }

    /// Returns whether no program may define or declare this predicate in the module, whether it exists or not.
    pub(crate) fn is_closed(&self, module: Atom, functor: Functor) -> bool {
        !self.world.booting
            && (self.protected_predicate(module, functor).is_some()
                || self.is_protected_module(module))
    }

    /// Returns whether no text and no goal may define, declare or change this predicate in the module, whether it
    /// exists or not. This includes the predicates of [`Machine::is_closed`] and those of system modules, except
    /// their hooks. While a tenant's text is being loaded, it includes the predicates of all other modules.
    ///
    /// # Errors
    /// Returns an error only if memory runs out.
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
        Ok(self.has_foreign_texts() || !self.is_hook_of_system(module, functor))
    }

    /// Returns whether the host reserves this name.
    pub(crate) fn is_of_host(&self, functor: Functor) -> bool {
        kept(&self.world.predicates, atoms::USER, functor).is_some() && !self.world.booting
    }

    /// Returns whether the name begins with `$`, as names of internal predicates of the system do.
    pub(crate) fn is_own_name(&self, functor: Functor) -> bool {
        let name = self.world.symbols.name(functor);
        let text = self.world.symbols.text(name);
        text.starts_with('$') && text.len() > 1
    }

    /// Returns whether a module of the system keeps this predicate private.
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

    /// Returns the name of a module for goals of the system: see [`Modules::inner_name`].
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

    /// Returns the module in which a goal made at run time finds this predicate. Only the system's own goals, which
    /// use the inner name of the module, may call its private predicates.
    ///
    /// # Errors
    /// Returns a permission error if the goal may not call the predicate, or a resource error.
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
        // Lolli takes predicates that it does not define from the system.
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

    /// Compiles the deferred clauses of a predicate of the system.
    ///
    /// # Errors
    /// Returns an error only if memory runs out.
    pub(crate) fn complete_predicate(&mut self, id: PredId) -> Result<(), Throw> {
        if self.world.predicates.get(id).traits.deferred {
            self.world.upper.autoload(self, id)?;
        }
        Ok(())
    }

    /// Loads the library to which this module belongs, if any. This happens before an undefined predicate of the
    /// module is defined or inspected.
    ///
    /// # Errors
    /// Returns an error only if memory runs out.
    pub(crate) fn settle_module(&mut self, module: Atom) -> Result<(), Throw> {
        if module == atoms::USER || self.world.booting || !self.is_system_module(module) {
            return Ok(());
        }
        self.world.upper.load_module(self, module)
    }

    /// Returns the undefined predicates of Lolli that were reported.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn reported_undefined(&self) -> Result<Vec<Functor>, Stop> {
        self.world.reported_undefined.iter().copied().gather()
    }

    /// Notes undefined predicates that another machine has reported.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn note_reported_undefined(&mut self, undefined: &[Functor]) -> Result<(), Stop> {
        undefined
            .iter()
            .try_for_each(|&functor| self.world.reported_undefined.put_new(functor).map(drop))
    }

    /// Warns, once per predicate, that a goal of Lolli fails because its predicate is undefined.
    fn warn_of_undefined(&mut self, functor: Functor) -> Result<(), Stop> {
        let warned = &mut self.world.reported_undefined;
        if self.world.flags.unknown == UnknownAction::Fail || !warned.put_new(functor)? {
            return Ok(());
        }
        let trace = self.present_trace(functor);
        self.world.upper.undefined(self, functor, &trace)?;
        Ok(())
    }

    /// Returns the predicate that has the definition of this one.
    pub(crate) fn definition(&self, mut id: PredId) -> PredId {
        // An import leads to a predicate that is not imported itself (`import`), so the loop ends.
        while let Kind::Imported(target) = self.world.predicates.get(id).kind {
            id = target;
        }
        id
    }

    /// Makes `id` an import of the predicate `target` of another module. Changes nothing if `target` is imported from
    /// `id`.
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

    /// Makes predicates undefined again that a module has imported from these others without an explicit request.
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

    /// Makes predicates undefined again that modules of programs import from elsewhere under the name of this
    /// predicate.
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

    /// Makes predicates undefined again that other modules have imported from this one without naming them, if this
    /// module no longer exports them. Returns these predicates.
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

    /// Returns whether arguments change when `target` is called as `id`.
    fn qualifies(&self, id: PredId, target: PredId) -> bool {
        let module = self.world.predicates.get(id).module;
        let definition = self.world.predicates.get(target);
        // Lolli first puts together the goals that it passes to Prolog.
        if module == atoms::LOLLI && definition.functor.arity() > 0 {
            return true;
        }
        // Goals without a module belong to `user`. Libraries assume this, and pass on the goals that they were given.
        let plain = self.is_system_module(module)
            || (module == atoms::USER && self.is_system_module(definition.module));
        !plain && definition.sensitive()
    }

    /// Returns whether the module belongs to the system or to a library.
    pub(crate) fn is_system_module(&self, module: Atom) -> bool {
        is_system(&self.world.modules, module)
    }

    /// Stores the declaration `meta_predicate/1` of a predicate; calls that are already compiled respect it.
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
