//! The operators of modules (SWI-Prolog manual, 6.9). A module sees its own operators, then those of the modules from
//! which it takes definitions, usually `user`, then those of the system. A view is one table of all operators that a
//! module sees. Reader, writer and compiler take it as an argument.

use super::module::Modules;
use crate::base::atom_table::{Atom, FastBuild, Symbols, atoms};
use crate::base::growth::{Grow, GrowMap};
use crate::base::op_table::{OpClass, OpDef, OpTable, OpType};
use crate::base::shared::Shared;
use crate::base::stop::Stop;
use indexmap::IndexMap;
use std::sync::OnceLock;

/// An operator that a module exports: priority, type and name.
pub(crate) type Operator = (u16, OpType, Atom);

/// The operator tables of an engine.
#[derive(Clone, Default)]
pub(crate) struct Operators {
    /// The operators that the modules of the system see.
    system: Shared<OpTable>,
    /// The operators that `user` sees. Every module without operators that takes its definitions from `user` sees
    /// them, too.
    user: Shared<OpTable>,
    /// The modules with operators of their own.
    own: Shared<IndexMap<Atom, Shared<Own>, FastBuild>>,
}

/// The operators of one module.
#[derive(Clone, Default)]
struct Own {
    /// The operators that the module defines. Priority 0 hides an operator of another module.
    defs: IndexMap<(Atom, OpClass), OpDef, FastBuild>,
    /// The operators that the module sees, made at the first use.
    view: OnceLock<OpTable>,
}

impl Own {
    fn add_to(&self, view: &mut OpTable) -> Result<(), Stop> {
        for (&(name, _), def) in &self.defs {
            view.add(name, def.priority, def.op_type)?;
        }
        Ok(())
    }
}

impl Operators {
    /// Makes tables with the operators of the system alone.
    pub(super) fn new(symbols: &mut Symbols) -> Result<Operators, Stop> {
        let system = OpTable::new(symbols)?;
        Ok(Operators {
            user: system.copy()?.into(),
            system: system.into(),
            own: Shared::default(),
        })
    }

    /// Drops the views that depend on those of other modules.
    fn forget_views(&mut self) {
        if self.own.values().any(|own| own.view.get().is_some()) {
            for own in self.own.own().values_mut() {
                own.own().view.take();
            }
        }
    }
}

impl Modules {
    /// Returns the operators of all modules.
    pub(crate) fn operators(&self) -> &Operators {
        &self.operators
    }

    /// Exchanges the operators of all modules for others.
    pub(crate) fn swap_operators(&mut self, others: &mut Operators) {
        std::mem::swap(&mut self.operators, others);
    }

    /// Returns the operators that a module sees.
    pub(crate) fn ops(&self, module: Atom) -> Result<&OpTable, Stop> {
        let Operators { system, user, own } = &self.operators;
        if module == atoms::USER {
            return Ok(user);
        }
        if let Some(own) = own.get(&module) {
            if own.view.get().is_none() {
                // No one else makes it meanwhile.
                let _ = own.view.set(self.merged(module, own)?);
            }
            return Ok(own.view.get().unwrap_or(user));
        }
        let bases = self.bases(module);
        if own.is_empty() {
            return Ok(if bases.is_empty() { system } else { user });
        }
        // Each base has the next one as its base, so the recursion ends.
        bases.first().map_or(Ok(system), |&base| self.ops(base))
    }

    /// Returns the table of the operators that a module with these operators of its own sees.
    fn merged(&self, module: Atom, own: &Own) -> Result<OpTable, Stop> {
        let Operators {
            system,
            user,
            own: all,
        } = &self.operators;
        let mut inherited = self.inherited(module)?;
        // Usually `user` is the farthest.
        let mut view = match inherited.pop_if(|base| *base == atoms::USER) {
            Some(_) => user.copy()?,
            None => system.copy()?,
        };
        for base in inherited.iter().rev() {
            if *base == atoms::USER {
                for (name, def) in user.changes() {
                    view.add(name, def.priority, def.op_type)?;
                }
            } else if let Some(own) = all.get(base) {
                own.add_to(&mut view)?;
            }
        }
        own.add_to(&mut view)?;
        Ok(view)
    }

    /// Makes `name` an operator of a module; priority 0 removes it there. An operator of `system` holds for all
    /// modules except those that have changed it.
    pub(crate) fn define_op(
        &mut self,
        module: Atom,
        (priority, op_type, name): Operator,
    ) -> Result<(), Stop> {
        match module {
            atoms::SYSTEM => {
                let Operators { system, user, .. } = &mut self.operators;
                system.own().add_of_system(name, priority, op_type)?;
                user.own().add_of_system(name, priority, op_type)?;
                self.operators.forget_views();
            }
            atoms::USER => {
                let Operators { system, user, .. } = &mut self.operators;
                match priority == 0 && system.get(name, op_type.class()).is_none() {
                    true => user.own().remove(name, op_type)?,
                    false => user.own().add(name, priority, op_type)?,
                }
                self.operators.forget_views();
            }
            _ => self.define_own(module, (priority, op_type, name))?,
        }
        Ok(())
    }

    fn define_own(
        &mut self,
        module: Atom,
        (priority, op_type, name): Operator,
    ) -> Result<(), Stop> {
        if !self.operators.own.contains_key(&module) {
            self.add_own(module)?;
        }
        let class = op_type.class();
        let is_inherited = priority == 0
            && self
                .merged(module, &Own::default())?
                .get(name, class)
                .is_some();
        let view = self.operators.own.own().get_mut(&module);
        let mut view = view.and_then(|own| own.own().view.take());
        // Modules that take definitions from this one see the change.
        self.operators.forget_views();
        let Some(own) = self.operators.own.own().get_mut(&module) else {
            return Ok(());
        };
        let own = own.own();
        if priority != 0 || is_inherited {
            own.defs
                .put_entry((name, class), OpDef { priority, op_type })?;
            if let Some(view) = &mut view {
                view.add(name, priority, op_type)?;
            }
        } else {
            own.defs.swap_remove(&(name, class));
            if let Some(view) = &mut view {
                view.remove(name, op_type)?;
            }
        }
        if let Some(view) = view {
            own.view = OnceLock::from(view);
        }
        Ok(())
    }

    /// Switches the operators of the system that no program has changed to their meaning with the flag `iso` or
    /// without it.
    pub(crate) fn take_face(&mut self, iso: bool) -> Result<(), Stop> {
        self.operators.system.own().apply_iso(iso)?;
        self.operators.user.own().apply_iso(iso)?;
        self.operators.forget_views();
        Ok(())
    }

    /// Sets the modules from which a module takes definitions. Its view of the operators is made again.
    pub(crate) fn set_bases(&mut self, module: Atom, bases: Vec<Atom>) -> Result<(), Stop> {
        if bases.len() > 1 && !self.operators.own.contains_key(&module) {
            // It sees operators that no single base sees.
            self.add_own(module)?;
        }
        self.intern(module)?.bases = Some(bases);
        self.operators.forget_views();
        Ok(())
    }

    fn add_own(&mut self, module: Atom) -> Result<(), Stop> {
        self.report_bytes(self.operators.user.bytes());
        self.intern(module)?;
        self.operators
            .own
            .own()
            .put_entry(module, Own::default().into())?;
        Ok(())
    }

    /// Adds an operator to the exports of a module.
    pub(crate) fn export_op(&mut self, module: Atom, operator: Operator) -> Result<(), Stop> {
        let exports = &mut self.intern(module)?.op_exports;
        let (_, op_type, name) = operator;
        let same =
            |&(_, other, known): &Operator| known == name && other.class() == op_type.class();
        match exports.iter_mut().find(|known| same(known)) {
            Some(known) => *known = operator,
            None => exports.put(operator)?,
        }
        Ok(())
    }

    /// Returns the names of all operators of all modules.
    pub(crate) fn op_names(&self) -> impl Iterator<Item = Atom> + '_ {
        let Operators { system, user, own } = &self.operators;
        let own = own.values().flat_map(|own| own.defs.keys());
        let tables = system.iter().chain(user.iter()).map(|(name, _)| name);
        let exported = self
            .iter()
            .flat_map(|(_, module)| module.op_exports.iter().map(|&(_, _, name)| name));
        tables.chain(own.map(|&(name, _)| name)).chain(exported)
    }
}

#[cfg(test)]
mod tests {
    use super::{Modules, Operator};
    use crate::base::atom_table::{Atom, Symbols, atoms};
    use crate::base::op_table::{OpClass, OpDef, OpType};

    /// A sequence of numbers (Marsaglia's xorshift).
    struct Random(u64);

    impl Random {
        fn of<T: Copy>(&mut self, items: &[T]) -> T {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            items[self.0 as usize % items.len()]
        }
    }

    /// Finds a definition in the modules, the nearest first, without views: the expected result.
    fn looked_up(
        defined: &[(Atom, Operator)],
        modules: impl IntoIterator<Item = Atom>,
        (name, class): (Atom, OpClass),
    ) -> Option<OpDef> {
        for seen in modules.into_iter().chain([atoms::SYSTEM]) {
            let last = defined.iter().rev().find(|(home, (_, op_type, known))| {
                *home == seen && *known == name && op_type.class() == class
            });
            if let Some(&(_, (priority, op_type, _))) = last {
                return (priority != 0).then_some(OpDef { priority, op_type });
            }
        }
        None
    }

    #[test]
    fn views_agree_with_a_walk_through_the_modules() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..60 {
            let mut symbols = Symbols::new().unwrap();
            let mut modules = Modules::new(&mut symbols).unwrap();
            modules.intern(atoms::SYSTEM).unwrap().system = true;
            let [first, second, third] =
                ["m1", "m2", "m3"].map(|name| symbols.intern(name).unwrap());
            let places = [first, second, third, atoms::USER, atoms::SYSTEM];
            let names = ["+", "-", "==>", "<--"].map(|name| symbols.intern(name).unwrap());
            // The initial operators of the system.
            let defaults: Vec<(Atom, OpDef)> = modules.ops(atoms::SYSTEM).unwrap().iter().collect();
            let of_system =
                |&(name, def): &(Atom, OpDef)| (atoms::SYSTEM, (def.priority, def.op_type, name));
            let mut defined: Vec<(Atom, Operator)> = defaults.iter().map(of_system).collect();
            for _ in 0..40 {
                if random.of(&[true, false, false, false]) {
                    let bases: &[&[Atom]] = &[&[], &[second], &[second, third], &[atoms::USER]];
                    modules.set_bases(first, random.of(bases).to_vec()).unwrap();
                    let bases: &[&[Atom]] = &[&[third], &[atoms::USER], &[third, atoms::USER]];
                    modules
                        .set_bases(second, random.of(bases).to_vec())
                        .unwrap();
                }
                let types = [OpType::Xfx, OpType::Yfx, OpType::Fy];
                let operator = (
                    random.of(&[0, 200, 700]),
                    random.of(&types),
                    random.of(&names),
                );
                let home = random.of(&places);
                modules.define_op(home, operator).unwrap();
                let key = (operator.2, operator.1.class());
                if operator.0 == 0
                    && looked_up(&defined, modules.inherited(home).unwrap(), key).is_none()
                {
                    // There is no operator to hide.
                    defined.retain(|(module, (_, op_type, name))| {
                        (*module, *name, op_type.class()) != (home, key.0, key.1)
                    });
                } else {
                    defined.push((home, operator));
                }
                for module in places {
                    let seen = [module]
                        .into_iter()
                        .chain(modules.inherited(module).unwrap());
                    for name in names {
                        for class in [OpClass::Prefix, OpClass::Infix] {
                            assert_eq!(
                                modules.ops(module).unwrap().get(name, class),
                                looked_up(&defined, seen.clone(), (name, class)),
                                "{} in {}",
                                symbols.text(name),
                                symbols.text(module),
                            );
                        }
                    }
                }
            }
        }
    }
}
