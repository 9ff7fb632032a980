//! Clauses as the compiler sees them: what every front end produces.
#![forbid(unsafe_code)]

pub(crate) mod clause;
pub(crate) mod key;
pub(crate) mod selection;
