//! Modules: what each exports and imports, and the files that were loaded.

use super::predicate::PredId;
use crate::base::grow::{Gather, Grow, GrowTable, room_for_one};
use crate::base::source::Span;
use crate::base::symbol::{Atom, FastMap, FastSet, Functor, Watcher, atoms};
use indexmap::IndexMap;
use indexmap::map::Entry;
use std::sync::Arc;

/// A module.
#[derive(Default, Debug)]
pub(crate) struct Module {
    /// Predicates that others may import.
    pub(crate) exports: FastSet<Functor>,
    /// Its own order of definition of the exports.
    pub(crate) export_order: Vec<Functor>,
    /// Belongs to the system: it sees no user predicates and is not listed.
    pub(crate) system: bool,
    /// Names that no program may define anything under.
    pub(crate) reserved: FastSet<Atom>,
    /// The file that defines it (see [`Files`]), 0 for none.
    pub(crate) file: u32,
    /// Modules whose definitions are those of this one where it has none, after the system's. `None`
    /// for the usual one, which is `user`, of `user` and of the system's own modules none.
    pub(crate) bases: Option<Vec<Atom>>,
    /// What a program has told the class of the module to be.
    pub(crate) class: Option<Atom>,
}

/// All modules of an engine, in order of their making.
#[derive(Default)]
pub(crate) struct Modules {
    table: IndexMap<Atom, Module>,
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
    /// The module of this name, if there is one.
    pub(crate) fn find(&self, name: Atom) -> Option<&Module> {
        self.table.get(&name)
    }

    /// The module of this name, made if there is none.
    pub(crate) fn intern(&mut self, name: Atom) -> &mut Module {
        self.table.make_room();
        let entry = self.table.entry(name);
        if let (Some(watcher), Entry::Vacant(vacant)) = (&self.watcher, &entry)
            && vacant.index().is_multiple_of(WATCHED)
        {
            watcher((vacant.index().saturating_sub(self.unwatched) * MODULE_BYTES) as u64);
        }
        entry.or_default()
    }

    /// From now on this is told, from time to time, how many bytes modules take. Those that there are by
    /// now do not count.
    pub(crate) fn watch(&mut self, watcher: Watcher) {
        self.watcher = Some(watcher);
        self.unwatched = self.table.len();
    }

    /// All modules with their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Atom, &Module)> {
        self.table.iter().map(|(&name, module)| (name, module))
    }

    /// Modules that this one takes definitions from, other than the system, the nearest first.
    pub(crate) fn bases(&self, name: Atom) -> &[Atom] {
        match self.table.get(&name) {
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
    pub(crate) fn inherited(&self, name: Atom) -> Vec<Atom> {
        let mut found = Vec::new();
        let mut todo = self.bases(name).iter().rev().copied().gather();
        while let Some(base) = todo.pop() {
            if base != name && base != atoms::SYSTEM && !found.contains(&base) {
                found.put(base);
                todo.put_all(self.bases(base).iter().rev().copied());
            }
        }
        found
    }

    /// Names of all modules.
    pub(crate) fn names(&self) -> impl Iterator<Item = Atom> + '_ {
        self.table.keys().copied()
    }

    /// Adds an export.
    pub(crate) fn export(&mut self, module: Atom, functor: Functor) {
        let module = self.intern(module);
        module.exports.make_room();
        room_for_one(&mut module.export_order);
        if module.exports.insert(functor) {
            module.export_order.put(functor);
        }
    }
}

/// A loaded file.
#[derive(Debug, Default)]
pub(crate) struct File {
    /// Its path, or the name given to a text.
    pub(crate) name: Box<str>,
    /// The module that it defines or was loaded into.
    pub(crate) module: Option<Atom>,
    /// Predicates that it has defined so far.
    pub(crate) defines: Vec<PredId>,
    /// Predicates that it has declared to be something.
    pub(crate) declares: Vec<PredId>,
    /// Is it being loaded?
    pub(crate) loading: bool,
    /// Was it not loaded to its end?
    pub(crate) broken: bool,
    /// Its text, if the host gave it and it is not large: for messages about places in it.
    pub(crate) text: Option<Arc<str>>,
    /// The module that it was loaded into.
    pub(crate) context: Option<Atom>,
    /// Time of its last change when it was loaded, in seconds since 1970; `None` of texts that are no
    /// files.
    pub(crate) time: Option<f64>,
    /// Files that it includes.
    pub(crate) includes: Vec<u32>,
    /// What of its text is no part of the program: branches of conditions that were not read, and what stands after
    /// `end_of_file`. An end that is not known yet is `u32::MAX`.
    pub(crate) unread: Vec<Span>,
    /// Names that clauses begin with which have syntax errors, with their lines.
    pub(crate) refused: Vec<(Box<str>, u32)>,
    /// Was it told that it is gone?
    pub(crate) told_gone: bool,
}

/// All files an engine has loaded. Index 0 stands for none.
#[derive(Debug)]
pub(crate) struct Files {
    table: Vec<File>,
    by_name: FastMap<Box<str>, u32>,
}

impl Default for Files {
    fn default() -> Files {
        Files {
            table: vec![File::default()],
            by_name: FastMap::default(),
        }
    }
}

impl Files {
    /// The file of this name, made if it is new.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        if let Some(&index) = self.by_name.get(name) {
            return index;
        }
        self.by_name.make_room();
        let index = self.add_text(name);
        self.by_name.insert(name.into(), index);
        index
    }

    /// A new entry for a text that has this name but is no file, nor ever found by its name.
    pub(crate) fn add_text(&mut self, name: &str) -> u32 {
        let index = self.table.len() as u32;
        self.table.put(File {
            name: name.into(),
            ..File::default()
        });
        index
    }

    /// A file with all that it includes, be it by way of others.
    pub(crate) fn with_included(&self, file: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut todo = vec![file];
        while let Some(file) = todo.pop() {
            if !found.contains(&file) {
                found.put(file);
                todo.put_all(self.get(file).includes.iter().copied());
            }
        }
        found
    }

    /// The file that was loaded when this one was included; itself if it was not.
    pub(crate) fn source(&self, file: u32) -> u32 {
        if self.get(file).context.is_some() {
            return file;
        }
        let mut loaded = self.iter().filter(|(_, other)| other.context.is_some());
        let found = loaded.find(|&(other, _)| self.with_included(other).contains(&file));
        found.map_or(file, |(source, _)| source)
    }

    /// The file of this name, if it was loaded.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// A file; index 0 is the empty one.
    pub(crate) fn get(&self, index: u32) -> &File {
        self.table.get(index as usize).unwrap_or(&self.table[0])
    }

    /// A file, to be changed.
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut File> {
        self.table.get_mut(index as usize)
    }

    /// Names of all files, in order of loading.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &File)> {
        self.table
            .iter()
            .enumerate()
            .skip(1)
            .map(|(index, file)| (index as u32, file))
    }
}
