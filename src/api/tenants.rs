//! Modules of the host, and modules of tenants, whose texts do not come from the host.

use super::consult::LoadReport;
use super::engine::{Engine, no_memory};
use super::error::{Error, ErrorKind};
use crate::base::atom_table::{Atom, Functor, atoms};
use crate::base::growth::Gather;
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::program::predicate::{Kind, PredId};

impl Engine {
    /// Makes a module a module of the host. From then on no text and no goal can change it: its clauses (also of
    /// dynamic predicates), declarations, operators, flags, exports, and the modules that it imports from.
    ///
    /// All modules see the exports of the module as they see a builtin. None of them can define another predicate of
    /// the same name and arity. For `user`, this holds for all predicates that it defines. A module that already has
    /// its own such predicate keeps it.
    ///
    /// The module continues to call the predicates that it calls now. It keeps its imports from `user`. Of later
    /// definitions in `user` it sees only predicates that the host registers or marks.
    ///
    /// Attempts to change the module raise `permission_error(modify, static_procedure, Name/Arity)` or
    /// `permission_error(modify, module, Module)`.
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let mut engine = wamlet::Engine::new()?;
    /// engine.consult_text("policy.pl", ":- module(policy, [allow/1]).\nallow(X) :- staff(X).\nstaff(ann).\n")?;
    /// engine.protect("policy")?;
    /// for text in ["allow(_).", "policy:staff(bob).", ":- dynamic policy:staff/1."] {
    ///     assert_eq!(engine.consult_text("other.pl", text)?.errors.len(), 1);
    /// }
    /// assert!(engine.query_once("allow(ann)")?.is_some());
    /// assert!(engine.query_once("allow(bob)")?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`ErrorKind::Usage`] if there is no such module, or if it belongs to the system or to a tenant.
    pub fn protect(&mut self, module: &str) -> Result<(), Error> {
        self.machine.wake().map_err(|Stop| no_memory())?;
        let m = &mut *self.machine;
        let name = m.world.symbols.find(module);
        let known = name.filter(|&name| m.world.modules.find(name).is_some());
        let Some(name) = known.or(name.filter(|&name| name == atoms::USER)) else {
            return Err(usage(format!("there is no module {module}")));
        };
        if m.is_system_module(name) || m.is_tenant(name) {
            return Err(usage(format!(
                "the module {module} does not belong to the host"
            )));
        }
        close(m, name).map_err(|Stop| no_memory())
    }

    /// Loads the text of a tenant into its own module. The text of a tenant does not come from the host. `name` takes
    /// the place of a file name, as in [`Engine::consult_text`]. Returns a report of the errors and warnings in the
    /// text.
    ///
    /// The module sees the system, the predicates that the host has registered, and the exports of modules that the
    /// host has marked by [`Engine::protect`]. It sees no predicates of `user` or of other tenants. It has its own
    /// operators and its own flags `double_quotes`, `back_quotes`, `unknown` and `char_conversion`, which do not affect
    /// the reading of other texts. It cannot set other flags of the engine. While the text is loaded, it can define
    /// predicates and modules of its own only.
    ///
    /// Goals of the host name the module: `shop:price(tea, P)`.
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let mut engine = wamlet::Engine::new()?;
    /// let north = ":- op(700, xfx, costs).\n:- set_prolog_flag(double_quotes, atom).\ntea costs 3.\nname(\"north\").\n";
    /// let south = ":- set_prolog_flag(double_quotes, codes).\ncosts(tea, 4).\nname(\"s\").\n";
    /// for (module, text) in [("north", north), ("south", south)] {
    ///     assert!(engine.consult_tenant(module, "shop.pl", text)?.is_clean());
    /// }
    /// let goal = "north:costs(tea, N), south:costs(tea, S), north:name(A), south:name(B)";
    /// let solution = engine.query_once(goal)?.expect("a solution");
    /// assert_eq!(solution.to_string(), "N = 3,\nS = 4,\nA = north,\nB = [115]");
    /// assert!(engine.query_once("tea costs 3").is_err());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`ErrorKind::Usage`] if the module exists and does not belong to a tenant, and otherwise the errors of
    /// [`Engine::consult_text`].
    pub fn consult_tenant(
        &mut self,
        module: &str,
        name: &str,
        text: &str,
    ) -> Result<LoadReport, Error> {
        self.machine.wake().map_err(|Stop| no_memory())?;
        let m = &mut *self.machine;
        let atom = m.world.symbols.intern(module).map_err(|Stop| no_memory())?;
        if !m.is_tenant(atom) {
            if atom == atoms::USER || atom == atoms::LOLLI || m.world.modules.find(atom).is_some() {
                return Err(usage(format!(
                    "the module {module} does not belong to a tenant"
                )));
            }
            m.make_tenant(atom, atom).map_err(|Stop| no_memory())?;
        }
        self.consult_for(module, name, text)
    }
}

fn usage(message: String) -> Error {
    Error::new(ErrorKind::Usage, message)
}

/// Fixes the imports of a module from `user`. The module keeps its present imports and does not import later
/// definitions of `user`.
fn settle(m: &mut Machine, module: Atom, ids: &[PredId]) -> Result<(), Stop> {
    for &id in ids {
        let predicate = m.world.predicates.get(id);
        let (functor, kind) = (predicate.functor, predicate.kind);
        if predicate.module != module {
            continue;
        }
        if kind == Kind::Undefined
            && let Some(above) = m.world.predicates.find(atoms::USER, functor)
        {
            let definition = m.definition(above);
            let kind = m.world.predicates.get(definition).kind;
            if matches!(kind, Kind::Static | Kind::Dynamic) {
                m.import(id, definition)?;
            }
        }
        let predicate = m.world.predicates.get_mut(id);
        predicate.traits.named |= matches!(predicate.kind, Kind::Imported(_));
    }
    m.world.modules.set_bases(module, Vec::new())
}

/// Closes a module, and makes its visible names names of the host.
fn close(m: &mut Machine, module: Atom) -> Result<(), Stop> {
    let ids: Vec<PredId> = m.world.predicates.ids().gather()?;
    let found = m.world.modules.intern(module)?;
    let exported: Vec<Functor> = found.export_order.iter().copied().gather()?;
    found.protected = true;
    m.run.contexts.recheck();
    if module != atoms::USER {
        settle(m, module, &ids)?;
    }
    for id in ids {
        let predicate = m.world.predicates.get(id);
        let (functor, kind) = (predicate.functor, predicate.kind);
        if predicate.module != module {
            continue;
        }
        let own = matches!(kind, Kind::Static | Kind::Dynamic);
        let named = match module {
            atoms::USER if own => id,
            atoms::USER => continue,
            _ if exported.contains(&functor) => {
                let named = m.intern_predicate(atoms::USER, functor)?;
                let taken = m.world.predicates.get(named).kind;
                if matches!(taken, Kind::Static | Kind::Dynamic) {
                    continue;
                }
                m.import(named, id)?;
                named
            }
            _ => continue,
        };
        m.world.predicates.get_mut(named).traits.protected = true;
        m.forget_imports_as(named)?;
    }
    Ok(())
}
