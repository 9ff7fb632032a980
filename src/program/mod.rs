//! What is loaded: modules, predicates, clauses and their indexes.

pub(crate) mod clause_list;
pub(crate) mod module;
pub(crate) mod predicate;
