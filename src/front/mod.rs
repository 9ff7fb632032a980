//! Front ends: from text and terms to the clauses that the compiler takes.

mod alternatives;
mod arena;
pub(crate) mod build;
mod goals;
pub(crate) mod lower;
