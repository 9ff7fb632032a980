//! Predicates: what an engine knows of each, keyed by module, name and arity.

use super::clause_list::{ClauseCode, ClauseList, Generation};
use crate::base::symbol::{Atom, FastMap, Functor};
use crate::code::instruction::{Op, encode_wide};
use std::sync::Arc;

/// Index of a predicate in the table of its engine.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PredId(pub(crate) u32);

/// How a predicate is defined.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Not at all, so far.
    Undefined,
    /// By clauses that do not change while they run.
    Static,
    /// By clauses that may change at any time.
    Dynamic,
    /// By a builtin of the engine's table.
    Builtin(u32),
    /// By instructions of its own.
    Control,
    /// As another module's predicate.
    Imported(PredId),
}

/// What a predicate was declared to be, and how it may be treated.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Traits {
    /// Belongs to the system: its clauses are not shown and it cannot be changed.
    pub(crate) system: bool,
    /// A control construct or ISO builtin: no module may define its own.
    pub(crate) protected: bool,
    /// Clauses may come from several files.
    pub(crate) multifile: bool,
    /// Clauses need not be together.
    pub(crate) discontiguous: bool,
    /// Declared by `dynamic/1` or `discontiguous/1` or defined: its call fails instead of raising
    /// an existence error.
    pub(crate) defined: bool,
}

/// One predicate.
pub(crate) struct Predicate {
    /// Its module.
    pub(crate) module: Atom,
    /// Name and arity.
    pub(crate) functor: Functor,
    /// How it is defined.
    pub(crate) kind: Kind,
    /// Declarations.
    pub(crate) traits: Traits,
    /// Argument modes given by `meta_predicate/1`, one cell each: an integer, `^`, `//`, `:` or a mode.
    pub(crate) meta: Option<Box<[MetaArg]>>,
    /// Its clauses.
    pub(crate) clauses: ClauseList,
    /// Code of its index, built in parts; they live as long as the predicate is not linked anew.
    pub(crate) index: Vec<Box<[u64]>>,
    /// Nodes of the index not built yet: argument set excluded and clause positions.
    pub(crate) nodes: Vec<(u32, Vec<i64>)>,
    /// Instructions for its entry, of fixed place.
    pub(crate) stub: Box<[u64; 4]>,
}

/// What `meta_predicate/1` says of an argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum MetaArg {
    /// A goal to be called with that many further arguments.
    Goal(u8),
    /// A goal under `^`.
    Existential,
    /// A grammar body.
    Grammar,
    /// Anything sensitive to the module.
    Module,
    /// Not sensitive; the atom is its mode.
    Plain(Atom),
}

impl MetaArg {
    /// Must the argument carry its module?
    pub(crate) fn sensitive(self) -> bool {
        !matches!(self, MetaArg::Plain(_))
    }
}

/// All predicates of an engine.
#[derive(Default)]
pub(crate) struct Predicates {
    table: Vec<Predicate>,
    /// Entry address of each predicate: what call instructions read.
    entries: Vec<u64>,
    keys: FastMap<(Atom, Functor), PredId>,
    /// Code that may still be running though its clause is gone.
    pub(crate) retired: Vec<Arc<ClauseCode>>,
    /// Index code that may still be running.
    pub(crate) retired_index: Vec<Box<[u64]>>,
    /// The present generation of the database.
    pub(crate) generation: Generation,
}

impl Predicates {
    /// Number of predicates.
    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// The predicate of this key, if it is known.
    pub(crate) fn find(&self, module: Atom, functor: Functor) -> Option<PredId> {
        self.keys.get(&(module, functor)).copied()
    }

    /// The predicate of this key, made undefined if it was unknown.
    pub(crate) fn intern(&mut self, module: Atom, functor: Functor) -> PredId {
        if let Some(id) = self.find(module, functor) {
            return id;
        }
        let id = PredId(self.table.len() as u32);
        let stub = Box::new([encode_wide(Op::Undefined, 0, id.0), 0, 0, 0]);
        self.entries.push(stub.as_ptr() as u64);
        self.table.push(Predicate {
            module,
            functor,
            kind: Kind::Undefined,
            traits: Traits::default(),
            meta: None,
            clauses: ClauseList::default(),
            index: Vec::new(),
            nodes: Vec::new(),
            stub,
        });
        self.keys.insert((module, functor), id);
        id
    }

    /// A predicate.
    pub(crate) fn get(&self, id: PredId) -> &Predicate {
        &self.table[id.0 as usize]
    }

    /// A predicate, to be changed.
    pub(crate) fn get_mut(&mut self, id: PredId) -> &mut Predicate {
        &mut self.table[id.0 as usize]
    }

    /// Address of the table of entries; valid until a predicate is added.
    pub(crate) fn entries(&self) -> u64 {
        self.entries.as_ptr() as u64
    }

    /// Entry address of a predicate.
    pub(crate) fn entry(&self, id: PredId) -> u64 {
        self.entries[id.0 as usize]
    }

    /// Makes calls of the predicate go to `address`.
    pub(crate) fn set_entry(&mut self, id: PredId, address: u64) {
        self.entries[id.0 as usize] = address;
    }

    /// Makes calls of the predicate go to these instructions, kept in its stub.
    pub(crate) fn set_stub(&mut self, id: PredId, words: [u64; 4]) {
        let predicate = &mut self.table[id.0 as usize];
        *predicate.stub = words;
        self.entries[id.0 as usize] = predicate.stub.as_ptr() as u64;
    }

    /// Sets the entry that fits the kind of the predicate.
    pub(crate) fn reset_entry(&mut self, id: PredId) {
        let op = match self.get(id).kind {
            Kind::Undefined => Op::Undefined,
            Kind::Static => Op::Link,
            Kind::Dynamic => Op::Dynamic,
            Kind::Imported(_) => Op::Import,
            Kind::Builtin(_) | Kind::Control => return,
        };
        let predicate = self.get_mut(id);
        let old = std::mem::take(&mut predicate.index);
        predicate.nodes.clear();
        self.retired_index.extend(old);
        let word = match self.get(id).kind {
            Kind::Imported(target) => encode_wide(op, 0, target.0),
            _ => encode_wide(op, 0, id.0),
        };
        self.set_stub(id, [word, 0, 0, 0]);
    }
}
