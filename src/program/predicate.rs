//! The record of a predicate in an engine.

use super::clauses::frozen::Frozen;
use super::clauses::shared_list::Clauses;
use crate::base::atom_table::{Atom, Functor};
use crate::code::instruction::Op;
use crate::front::lower::Sensitive;
use crate::ir::selection::Node;
use crate::store::address::CodeAddr;
use std::sync::Arc;

/// Index of a predicate in the table of its engine.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct PredId(pub(crate) u32);

/// Place in a stub of the instruction that continues a call of a dynamic predicate.
pub(crate) const STUB_RETRY: u64 = 3;
pub(super) const RETRY: u64 = Op::DynamicRetry as u64;

/// The kind of definition of a predicate.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No definition so far.
    Undefined,
    /// Clauses that do not change while they run.
    Static,
    /// Clauses that may change at any time.
    Dynamic,
    /// A builtin of the engine's table.
    Builtin(u32),
    /// Instructions of its own.
    Control,
    /// The predicate of another module.
    Imported(PredId),
}

/// The declarations of a predicate, and how it may be treated.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Whether it belongs to the system: its clauses are not shown and it cannot be changed.
    pub(crate) system: bool,
    /// A control construct, an ISO builtin, or a predicate of the host: no module of a program may define its own.
    pub(crate) protected: bool,
    /// Clauses may come from several files.
    pub(crate) multifile: bool,
    /// Clauses need not be together.
    pub(crate) discontiguous: bool,
    /// Declared by `dynamic/1` or `discontiguous/1`, or defined: a call fails instead of raising an existence error.
    pub(crate) defined: bool,
    /// May be assumed: a call fails, too, if no clause defines the predicate.
    pub(crate) assumed: bool,
    /// The counts of its solutions are remembered (`count_memo/1`).
    pub(crate) count_memo: bool,
    /// Its clauses are those of another predicate, whose answers are kept in tables.
    pub(crate) tabled: bool,
    /// Refines `tabled`: its clauses are those of another predicate, and each call must succeed once (`det/1`). There
    /// are no tables.
    pub(crate) det: bool,
    /// A static predicate, of the system or of an image, whose clauses are compiled when it is first called or
    /// inspected.
    pub(crate) deferred: bool,
    /// Imported by its name: no file may define another predicate in its place.
    pub(crate) named: bool,
    /// Imported by `autoload/1,2`: a definition or another import replaces it silently.
    pub(crate) lazy: bool,
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
    pub(crate) meta: Option<Arc<[MetaArg]>>,
    /// Its clauses.
    pub(crate) clauses: Clauses,
    /// Code of the index of the predicate, built in parts. The parts live until the predicate is linked again.
    pub(crate) index: Vec<Vec<u64>>,
    /// Nodes of the index; `None` once they are made.
    pub(crate) nodes: Vec<Option<Node>>,
    /// Number of the first of these nodes. Lower numbers belong to an earlier index.
    pub(crate) first_node: usize,
    /// Instructions for its entry. Their address is fixed while no other engine shares them. The last instruction is
    /// always `dynamic_retry`: choice points of a time when the predicate was dynamic refer to it.
    pub(super) stub: Arc<[u64; 4]>,
}

impl Predicate {
    /// Returns the address of the instructions for its entry.
    pub(crate) fn stub(&self) -> CodeAddr {
        CodeAddr::of(&*self.stub)
    }

    /// Returns the first of these instructions.
    pub(crate) fn first_instruction(&self) -> &[u64] {
        &self.stub[..1]
    }

    /// Returns the blocks of the code that selects among its clauses, as far as it is made.
    pub(crate) fn selecting_code(&self) -> impl Iterator<Item = &Vec<u64>> {
        let shared = self.clauses.shared().into_iter();
        self.index.iter().chain(shared.flat_map(Frozen::blocks))
    }

    /// Returns the same predicate for another engine. Its clauses are published, and it has no index of its own.
    pub(super) fn share(&self) -> Predicate {
        Predicate {
            module: self.module,
            functor: self.functor,
            kind: self.kind,
            traits: self.traits,
            meta: self.meta.clone(),
            clauses: self.clauses.share(),
            index: Vec::new(),
            nodes: Vec::new(),
            first_node: self.first_node,
            stub: Arc::clone(&self.stub),
        }
    }

    /// Returns whether an argument must carry its module.
    pub(crate) fn sensitive(&self) -> bool {
        let modes = self.meta.as_ref();
        modes.is_some_and(|modes| modes.iter().any(|mode| mode.sensitive()))
    }
}

/// The mode of an argument from `meta_predicate/1`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum MetaArg {
    /// A goal to be called with this number of further arguments.
    Goal(u8),
    /// A goal under `^`.
    Existential,
    /// A grammar body.
    Grammar,
    /// Any term that depends on the module.
    Module,
    /// A term that does not depend on the module; the atom is its mode.
    Plain(Atom),
}

impl MetaArg {
    /// Returns how the argument depends on modules.
    pub(crate) fn sensitivity(self) -> Sensitive {
        match self {
            MetaArg::Plain(_) => Sensitive::No,
            MetaArg::Module => Sensitive::ToModule,
            MetaArg::Goal(_) | MetaArg::Existential | MetaArg::Grammar => Sensitive::Goal,
        }
    }

    /// Returns whether the argument must carry its module.
    pub(crate) fn sensitive(self) -> bool {
        !matches!(self, MetaArg::Plain(_))
    }
}
