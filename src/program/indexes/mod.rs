//! Hash indexes of the clauses of dynamic predicates: which clauses a call may match. The code that selects among clauses
//! of static predicates is in `compile::index`, indexes of assumptions in `machine::contexts::index`.
#![forbid(unsafe_code)]

pub(crate) mod arg_index;
pub(crate) mod hashed;
pub(crate) mod places;
pub(crate) mod slots;
