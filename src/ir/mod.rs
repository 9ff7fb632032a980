//! Clauses as the compiler sees them: what every front end produces. How they are made is in `front`, what becomes of
//! them in `compile`.
//! Sees `base` and `store`.
#![forbid(unsafe_code)]

pub(crate) mod apart;
pub(crate) mod clause;
pub(crate) mod key;
pub(crate) mod manner;
pub(crate) mod selection;
