//! What is loaded: modules, predicates, clauses and their indexes.
#![forbid(unsafe_code)]

pub(crate) mod clauses;
pub(crate) mod files;
pub(crate) mod indexes;
pub(crate) mod module;
pub(crate) mod operators;
pub(crate) mod predicate;
pub(crate) mod records;
