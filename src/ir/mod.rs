//! Clauses as the compiler sees them, which every front end produces. `front` makes them, and `compile` compiles
//! them.
//! Sees `base` and `store`.
#![forbid(unsafe_code)]

pub(crate) mod apart;
pub(crate) mod clause;
pub(crate) mod key;
pub(crate) mod manner;
pub(crate) mod selection;
