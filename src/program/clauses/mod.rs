//! Clauses: the block of one clause, the clause list of a predicate with generations, the shared part of it, and the
//! places of goals. `builtins::database` makes clauses of terms; `program::indexes` and `compile::index` choose among
//! clauses.
#![forbid(unsafe_code)]

pub(crate) mod clause;
pub(crate) mod clause_list;
pub(crate) mod entries;
pub(crate) mod frozen;
pub(crate) mod generation;
pub(crate) mod loaded_code;
pub(crate) mod overlay;
pub(crate) mod packed;
mod removal;
pub(crate) mod shared_list;
pub(crate) mod sites;
