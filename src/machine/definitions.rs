//! Finding the definition of a predicate that its module does not define.

use super::state::Machine;
use super::throw::Throw;
use crate::base::flags::UnknownAction;
use crate::base::symbol::{FastSet, Functor, atoms, functors};
use crate::io::stream_table::USER_ERROR;
use crate::program::predicate::{Kind, PredId};
use crate::store::cell::Cell;

/// Predicates of Lolli of which it was told that they are undefined.
#[derive(Default)]
struct Warned(FastSet<Functor>);

impl Machine {
    /// Finds the definition of an undefined predicate: true if it has one now, false if its call
    /// fails.
    pub(crate) fn resolve(&mut self, id: PredId) -> Result<bool, Throw> {
        if self.find_definition(id)? {
            return Ok(true);
        }
        let predicate = self.predicates.get(id);
        if predicate.traits.defined || predicate.traits.assumed {
            return Ok(false);
        }
        let (module, functor) = (predicate.module, predicate.functor);
        if module == atoms::LOLLI {
            self.warn_of_undefined(functor);
            return Ok(false);
        }
        match self.flags.unknown {
            UnknownAction::Fail | UnknownAction::Warning => Ok(false),
            UnknownAction::Error => {
                let mut culprit = self.indicator(functor);
                if module != atoms::USER {
                    culprit = self
                        .store
                        .new_struct(functors::COLON, &[Cell::atom(module), culprit]);
                }
                Err(self.existence_error(atoms::PROCEDURE, culprit))
            }
        }
    }

    /// Imports the definition of an undefined predicate from the system, a library or `user`, in
    /// that order; false if there is none.
    pub(crate) fn find_definition(&mut self, id: PredId) -> Result<bool, Throw> {
        let (module, functor) = {
            let predicate = self.predicates.get(id);
            if predicate.kind != Kind::Undefined {
                return Ok(true);
            }
            if predicate.traits.defined {
                return Ok(false);
            }
            (predicate.module, predicate.functor)
        };
        if module == atoms::LOLLI && self.is_special(self.symbols.name(functor)) {
            return Err(self.special_arity_error(functor));
        }
        if module != atoms::SYSTEM
            && let Some(target) = self.predicates.find(atoms::SYSTEM, functor)
            && self.predicates.get(target).kind != Kind::Undefined
        {
            self.import(id, target);
            return Ok(true);
        }
        let system = self
            .modules
            .find(module)
            .is_some_and(|module| module.system);
        if module != atoms::USER
            && !system
            && let Some(target) = self.predicates.find(atoms::USER, functor)
        {
            let target_kind = self.predicates.get(target).kind;
            if target_kind != Kind::Undefined {
                self.import(id, target);
                return Ok(true);
            }
        }
        let autoload = self.hooks.autoload;
        autoload(self, id)
    }

    /// Tells, once for each, that a goal of Lolli fails because nothing defines its predicate.
    fn warn_of_undefined(&mut self, functor: Functor) {
        let warned = &mut self.extensions.get::<Warned>().0;
        if self.flags.unknown == UnknownAction::Fail || !warned.insert(functor) {
            return;
        }
        let name = self.symbols.text(self.symbols.name(functor));
        let message = format!(
            "Warning: {name}/{} fails: no clause, assumption or Prolog predicate has this name and number of arguments\n",
            functor.arity()
        );
        if let Ok(stream) = self.streams.output(USER_ERROR) {
            // Nothing can be done about an error stream that does not take its message.
            let _ = stream.put_str(&message);
            let _ = stream.flush();
        }
    }

    /// Makes `id` the predicate `target` of another module.
    pub(crate) fn import(&mut self, id: PredId, mut target: PredId) {
        while let Kind::Imported(next) = self.predicates.get(target).kind {
            target = next;
        }
        if id == target {
            return;
        }
        let module = self.predicates.get(id).module;
        self.predicates.get_mut(id).kind = Kind::Imported(target);
        self.predicates.reset_entry(id);
        let user = module == atoms::USER || self.modules.find(module).is_some_and(|m| m.system);
        let meta = self.predicates.get(target).meta.as_ref();
        // What Lolli hands to Prolog is put together first.
        let lolli = module == atoms::LOLLI && self.predicates.get(target).functor.arity() > 0;
        let meta = meta.is_some_and(|modes| modes.iter().any(|mode| mode.sensitive()));
        if !user && (lolli || meta) {
            let op = crate::code::instruction::Op::ImportMeta;
            let word = crate::code::instruction::encode_wide(op, 0, target.0);
            self.predicates.set_stub(id, [word, u64::from(id.0), 0]);
        }
        self.entries = self.predicates.entries();
    }
}
