//! Modules: what each exports and imports, and the flags of each.

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
    /// Its own order of definition of the exports.
    pub(crate) export_order: Vec<Functor>,
    /// Operators that others get when they import.
    pub(crate) op_exports: Vec<Operator>,
    /// Belongs to the system: it sees no user predicates and is not listed.
    pub(crate) system: bool,
    /// Marked by the host: what it has is neither changed nor added to.
    pub(crate) protected: bool,
    /// The module that the host has given the tenant whose it is, if it is of a text that is not the host's.
    pub(crate) tenant: Option<Atom>,
    /// Names that no program may define anything under.
    pub(crate) reserved: FastSet<Atom>,
    /// The file that defines it (see [`Files`]), 0 for none.
    pub(crate) file: u32,
    /// Modules whose definitions are those of this one where it has none, after the system's. `None`
    /// for the usual one, which is `user`, of `user` and of the system's own modules none.
    pub(crate) bases: Option<Vec<Atom>>,
    /// What a program has told the class of the module to be.
    pub(crate) class: Option<Atom>,
    /// The flag `unknown`, if the module has a value of its own.
    pub(crate) unknown: Option<UnknownAction>,
    /// The flags `double_quotes` and `back_quotes`, if the module has values of its own.
    pub(crate) quotes: Option<(QuoteMode, QuoteMode)>,
    /// The flag `char_conversion`, likewise.
    pub(crate) char_conversion: Option<bool>,
}

/// All modules of an engine, in order of their making.
#[derive(Default)]
pub(crate) struct Modules {
    table: Shared<IndexMap<Atom, Shared<Module>, FastBuild>>,
    /// Modules of the system by names of theirs that only texts of the system know ([`Modules::inner_name`]).
    inner: Shared<FastMap<Atom, Atom>>,
    pub(super) operators: Operators,
    /// Is told from time to time how many bytes they take.
    watcher: Option<Watcher>,
    /// How many there were before it was to be told.
    unwatched: usize,
}

/// Bytes that a module takes: its record with its name, and the way to it, of a table that grows by copies.
const MODULE_BYTES: usize = size_of::<Module>() + 16 + 16;
/// The watcher is told each time that so many more were made.
const WATCHED: usize = 64;

impl Modules {
    /// No modules, and the operators of the system.
    pub(crate) fn new(symbols: &mut Symbols) -> Result<Modules, Stop> {
        Ok(Modules {
            operators: Operators::new(symbols)?,
            ..Modules::default()
        })
    }

    /// Counts so many bytes that modules take.
    pub(super) fn tell_watcher(&self, bytes: u64) {
        if let Some(watcher) = &self.watcher {
            watcher(bytes);
        }
    }

    /// The module of this name, if there is one.
    pub(crate) fn find(&self, name: Atom) -> Option<&Module> {
        self.table.get(&name).map(|module| &**module)
    }

    /// The module of this name, made if there is none.
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

    /// The same modules for another engine.
    pub(crate) fn fork(&self) -> Modules {
        Modules {
            table: self.table.clone(),
            inner: self.inner.clone(),
            operators: self.operators.clone(),
            watcher: None,
            unwatched: self.table.len(),
        }
    }

    /// From now on this is told, from time to time, how many bytes modules take. Those that there are by
    /// now do not count.
    pub(crate) fn watch(&mut self, watcher: Watcher) {
        self.watcher = Some(watcher);
        self.unwatched = self.table.len();
    }

    /// A name for a module of the system that no program can write: goals that are given it are the system's own,
    /// and may call what the module keeps to itself.
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

    /// The module that this is the inner name of; itself if it is none.
    pub(crate) fn of_inner_name(&self, name: Atom) -> Atom {
        self.inner.get(&name).copied().unwrap_or(name)
    }

    /// All modules with their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Atom, &Module)> {
        self.table.iter().map(|(&name, module)| (name, &**module))
    }

    /// Modules that this one takes definitions from, other than the system, the nearest first.
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

    /// All modules that this one takes definitions from, the nearest first: its bases, each followed
    /// by those that it takes definitions from.
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

    /// Names of all modules.
    pub(crate) fn names(&self) -> impl Iterator<Item = Atom> + '_ {
        self.table.keys().copied()
    }

    /// Names of the modules that programs are shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = Atom> + '_ {
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
