//! Assumptions of linear logic: their records, chains, indexes and scopes, and calls of predicates that may be
//! assumed. `machine::ops::context` holds the instructions for them, `builtins::linear` the builtins, and
//! `program::indexes` the indexes of clauses.
#![forbid(unsafe_code)]

pub(crate) mod assume;
pub(crate) mod assumed_clause;
pub(crate) mod assumption;
pub(crate) mod assumption_terms;
pub(crate) mod carried_context;
pub(crate) mod context_key;
pub(crate) mod index;
pub(crate) mod indexing;
pub(crate) mod lookup;
pub(crate) mod past;
pub(crate) mod scopes;
pub(crate) mod slots;
