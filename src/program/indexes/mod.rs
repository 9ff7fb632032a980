//! Hash indexes of the clauses of dynamic predicates: they find the clauses that a call may match. `compile::index`
//! makes the code that selects among clauses of static predicates; `machine::contexts::index` has the indexes of
//! assumptions.
#![forbid(unsafe_code)]

pub(crate) mod arg_index;
pub(crate) mod hashed;
pub(crate) mod places;
pub(crate) mod slots;
