//! Which clauses of a predicate a call may match: hash indexes on their arguments.
#![forbid(unsafe_code)]

pub(crate) mod arg_index;
pub(crate) mod hashed;
pub(crate) mod places;
pub(crate) mod slots;
