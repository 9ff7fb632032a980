//! Modules, predicates, clauses and their indexes: the loaded program. `builtins::database` adds clauses, `machine`
//! runs them.
//! Sees `base`, `store`, `ir`, `io`, `code` and `front`.
#![forbid(unsafe_code)]
pub(crate) mod clauses;
pub(crate) mod files;
pub(crate) mod indexes;
pub(crate) mod module;
pub(crate) mod operators;
pub(crate) mod predicate;
pub(crate) mod predicates;
mod publication;
pub(crate) mod records;
pub(crate) mod retired;
