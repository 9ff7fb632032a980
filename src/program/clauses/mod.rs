//! Clauses: the block of one clause, the list of those of a predicate with their lives, and where their goals stand.
//! Making a clause of a term is in `builtins::database`, choosing among clauses in `program::indexes` and
//! `compile::index`.
#![forbid(unsafe_code)]

pub(crate) mod clause;
pub(crate) mod clause_list;
pub(crate) mod entries;
pub(crate) mod loaded_code;
pub(crate) mod packed;
pub(crate) mod sites;
