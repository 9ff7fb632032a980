//! Modules: their exports, imports and flags.

use super::operators::{Operator, Operators};
use crate::base::atom_table::{
    Atom, FastBuild, FastMap, FastSet, Functor, Symbols, Watcher, atoms,
};
use crate::base::flags::{QuoteMode, UnknownAction};
use crate::base::growth::{Gather, Grow, GrowMap, GrowSet, GrowTable, room_for_one};
use crate::base::shared::Shared;
use crate::base::stop::Stop;
use indexmap::IndexMap;
use indexmap::map::Entry;

/// A module.
#[derive(Clone, Default, Debug)]
pub(crate) struct Module {
    /// Predicates that others may import.
    pub(crate) exports: FastSet<Functor>,
    /// Predicates of a module of the system that it does not export, but that clauses of programs may call.
    pub(crate) open: FastSet<Functor>,
    /// The exports in the order in which the module declares them.
    pub(crate) export_order: Vec<Functor>,
    /// Operators that an importing module gets.
    pub(crate) op_exports: Vec<Operator>,
    /// Whether it belongs to the system: it sees no user predicates and is not listed.
    pub(crate) system: bool,
    /// Whether the host has protected it: its definitions can neither be changed nor extended.
    pub(crate) protected: bool,
    /// The module that the host gave to the tenant who owns this one; `None` if its text is the host's.
    pub(crate) tenant: Option<Atom>,
    /// Names that no program may use for a definition.
    pub(crate) reserved: FastSet<Atom>,
    /// The file that defines the module (see [`Files`]), 0 for none.
    pub(crate) file: u32,
    /// Modules from which it takes the definitions that neither it nor the system has. `None` means the usual:
    /// `user`, or no module for `user` and for the system's own modules.
    pub(crate) bases: Option<Vec<Atom>>,
    /// The class that a program has set for the module.
    pub(crate) class: Option<Atom>,
    /// The flag `unknown`, if the module has a value of its own.
    pub(crate) unknown: Option<UnknownAction>,
    /// The flags `double_quotes` and `back_quotes`, if the module has values of its own.
    pub(crate) quotes: Option<(QuoteMode, QuoteMode)>,
    /// The flag `char_conversion`, if the module has a value of its own.
    pub(crate) char_conversion: Option<bool>,
}

/// All modules of an engine, in order of creation.
#[derive(Default)]
pub(crate) struct Modules {
    table: Shared<IndexMap<Atom, Shared<Module>, FastBuild>>,
    /// Modules of the system, by names that only texts of the system know ([`Modules::inner_name`]).
    inner: Shared<FastMap<Atom, Atom>>,
    pub(super) operators: Operators,
    /// Function that receives the bytes that the modules take, from time to time.
    watcher: Option<Watcher>,
    /// Number of modules that existed before the watcher was set.
    unwatched: usize,
}

/// Bytes that a module takes: its record with its name, and its share of a table that grows by copies.
const MODULE_BYTES: usize = size_of::<Module>() + 16 + 16;
/// Number of new modules between two calls of the watcher.
const WATCHED: usize = 64;

impl Modules {
    /// Makes a value without modules, with the operators of the system.
    pub(crate) fn new(symbols: &mut Symbols) -> Result<Modules, Stop> {
        Ok(Modules {
            operators: Operators::new(symbols)?,
            ..Modules::default()
        })
    }

    /// Passes a number of bytes that modules take to the watcher.
    pub(super) fn report_bytes(&self, bytes: u64) {
        if let Some(watcher) = &self.watcher {
            watcher(bytes);
        }
    }

    /// Returns the module of this name, if there is one.
    pub(crate) fn find(&self, name: Atom) -> Option<&Module> {
        self.table.get(&name).map(|module| &**module)
    }

    /// Returns the module of this name, and makes it if there is none.
    pub(crate) fn intern(&mut self, name: Atom) -> Result<&mut Module, Stop> {
        if self.table.contains_key(&name) {
            return Ok(self.table.own().entry(name).or_default().own());
        }
        let table = self.table.own();
        table.make_room()?;
        let entry = table.entry(name);
        if let (Some(watcher), Entry::Vacant(vacant)) = (&self.watcher, &entry)
            && vacant.index().is_multiple_of(WATCHED)
        {
            watcher((vacant.index().saturating_sub(self.unwatched) * MODULE_BYTES) as u64);
        }
        Ok(entry.or_default().own())
    }

    /// Returns the same modules for another engine.
    pub(crate) fn fork(&self) -> Modules {
        Modules {
            table: self.table.clone(),
            inner: self.inner.clone(),
            operators: self.operators.clone(),
            watcher: None,
            unwatched: self.table.len(),
        }
    }

    /// Sets the watcher, which receives the bytes that modules take from time to time. Modules that exist now do not
    /// count.
    pub(crate) fn watch(&mut self, watcher: Watcher) {
        self.watcher = Some(watcher);
        self.unwatched = self.table.len();
    }

    /// Returns a name for a module of the system that no program can write. Goals with this name belong to the system
    /// and may call predicates that the module does not export.
    pub(crate) fn inner_name(&mut self, symbols: &mut Symbols, module: Atom) -> Result<Atom, Stop> {
        let known = self.inner.iter().find(|(_, home)| **home == module);
        if let Some((&name, _)) = known {
            return Ok(name);
        }
        let text = symbols.text(module).to_owned();
        let name = symbols.nameless(&text)?;
        self.inner.own().put_entry(name, module)?;
        Ok(name)
    }

    /// Returns the module with this inner name; the name itself if it is no inner name.
    pub(crate) fn of_inner_name(&self, name: Atom) -> Atom {
        self.inner.get(&name).copied().unwrap_or(name)
    }

    /// Returns all modules with their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Atom, &Module)> {
        self.table.iter().map(|(&name, module)| (name, &**module))
    }

    /// Returns the modules, other than the system, from which this one takes definitions, the nearest first.
    pub(crate) fn bases(&self, name: Atom) -> &[Atom] {
        match self.find(name) {
            Some(Module {
                bases: Some(bases), ..
            }) => bases,
            Some(Module { system: true, .. }) => &[],
            _ if name == atoms::USER => &[],
            _ => &[atoms::USER],
        }
    }

    /// Returns all modules from which this one takes definitions, the nearest first. They are its bases, each
    /// followed by the modules from which that base takes definitions.
    pub(crate) fn inherited(&self, name: Atom) -> Result<Vec<Atom>, Stop> {
        let mut found = Vec::new();
        let mut todo = self.bases(name).iter().rev().copied().gather()?;
        while let Some(base) = todo.pop() {
            if base != name && base != atoms::SYSTEM && !found.contains(&base) {
                found.put(base)?;
                todo.put_all(self.bases(base).iter().rev().copied())?;
            }
        }
        Ok(found)
    }

    /// Returns the names of all modules.
    pub(crate) fn names(&self) -> impl Iterator<Item = Atom> + '_ {
        self.table.keys().copied()
    }

    /// Returns the names of the modules that programs can see.
    pub(crate) fn visible_names(&self) -> impl Iterator<Item = Atom> + '_ {
        self.names().filter(|&name| name != atoms::LAMBDAS)
    }

    /// Adds an export.
    pub(crate) fn export(&mut self, module: Atom, functor: Functor) -> Result<(), Stop> {
        let module = self.intern(module)?;
        module.exports.make_room()?;
        room_for_one(&mut module.export_order)?;
        if module.exports.put_new(functor)? {
            module.export_order.put(functor)?;
        }
        Ok(())
    }
}
