//! What is loaded: modules, predicates, clauses and their indexes.
#![forbid(unsafe_code)]

pub(crate) mod arg_index;
pub(crate) mod clause;
pub(crate) mod clause_list;
pub(crate) mod entries;
pub(crate) mod files;
pub(crate) mod indexes;
pub(crate) mod loaded_code;
pub(crate) mod module;
pub(crate) mod operators;
mod packed;
pub(crate) mod places;
pub(crate) mod predicate;
pub(crate) mod records;
mod sites;
mod slots;
