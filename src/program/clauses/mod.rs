//! Clauses: the block of one clause, the list of those of a predicate with their lives, what engines share of it, and
//! where their goals stand.
//! Making a clause of a term is in `builtins::database`, choosing among clauses in `program::indexes` and
//! `compile::index`.
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
