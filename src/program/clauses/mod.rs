//! Clauses: one of them, those of a predicate in order, and where their goals stand.
#![forbid(unsafe_code)]

pub(crate) mod clause;
pub(crate) mod clause_list;
pub(crate) mod entries;
pub(crate) mod loaded_code;
pub(crate) mod packed;
pub(crate) mod sites;
