//! Front ends: from text and terms to the clauses that the compiler takes.

mod alternatives;
mod arena;
pub(crate) mod build;
pub(crate) mod closure;
pub(crate) mod formula;
mod goals;
mod linear;
pub(crate) mod lower;
