//! What an engine knows of a predicate.

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

/// Place in a stub of the instruction that takes a call of a dynamic predicate up again.
pub(crate) const STUB_RETRY: u64 = 3;
pub(super) const RETRY: u64 = Op::DynamicRetry as u64;

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
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Traits {
    /// Belongs to the system: its clauses are not shown and it cannot be changed.
    pub(crate) system: bool,
    /// A control construct, an ISO builtin, or a predicate of the host: no module of a program may define its own.
    pub(crate) protected: bool,
    /// Clauses may come from several files.
    pub(crate) multifile: bool,
    /// Clauses need not be together.
    pub(crate) discontiguous: bool,
    /// Declared by `dynamic/1` or `discontiguous/1` or defined: its call fails instead of raising
    /// an existence error.
    pub(crate) defined: bool,
    /// May be assumed: its call fails, too, where nothing defines it.
    pub(crate) assumed: bool,
    /// The counts of its solutions are remembered (`count_memo/1`).
    pub(crate) count_memo: bool,
    /// Its clauses are those of another predicate, whose answers are kept in tables.
    pub(crate) tabled: bool,
    /// If it is `tabled`: its clauses are those of another predicate, but of which each call must succeed once
    /// (`det/1`); there are no tables.
    pub(crate) det: bool,
    /// A static predicate with clauses that are compiled when it is first called or looked at: one of
    /// the system, or of an image.
    pub(crate) deferred: bool,
    /// Imported by its name: no file may define another one in its place.
    pub(crate) named: bool,
    /// Imported by `autoload/1,2`: a definition or another import takes its place without a word.
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
    /// Code of its index, built in parts; they live as long as the predicate is not linked anew.
    pub(crate) index: Vec<Vec<u64>>,
    /// Nodes of the index; absent once they are made.
    pub(crate) nodes: Vec<Option<Node>>,
    /// Number of the first of these nodes: older ones were of an index that is no more.
    pub(crate) first_node: usize,
    /// Instructions for its entry, of fixed place as long as no other engine has them, too. The last is `dynamic_retry`,
    /// whatever the predicate is now: choice points of the time when it was dynamic refer to it.
    pub(super) stub: Arc<[u64; 4]>,
}

impl Predicate {
    /// Where the instructions for its entry lie.
    pub(crate) fn stub(&self) -> CodeAddr {
        CodeAddr::of(&*self.stub)
    }

    /// The first of them.
    pub(crate) fn first_instruction(&self) -> &[u64] {
        &self.stub[..1]
    }

    /// The blocks of the code that selects among its clauses, as far as it is made.
    pub(crate) fn selecting_code(&self) -> impl Iterator<Item = &Vec<u64>> {
        let shared = self.clauses.shared().into_iter();
        self.index.iter().chain(shared.flat_map(Frozen::blocks))
    }

    /// The same predicate for another engine; its clauses are published, and it has no index of its own.
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

    /// Must an argument carry its module?
    pub(crate) fn sensitive(&self) -> bool {
        let modes = self.meta.as_ref();
        modes.is_some_and(|modes| modes.iter().any(|mode| mode.sensitive()))
    }
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
    /// What the argument has to do with modules.
    pub(crate) fn sensitivity(self) -> Sensitive {
        match self {
            MetaArg::Plain(_) => Sensitive::No,
            MetaArg::Module => Sensitive::ToModule,
            MetaArg::Goal(_) | MetaArg::Existential | MetaArg::Grammar => Sensitive::Goal,
        }
    }

    /// Must the argument carry its module?
    pub(crate) fn sensitive(self) -> bool {
        !matches!(self, MetaArg::Plain(_))
    }
}
