//! Front ends: from text and terms to the clauses that the compiler takes.
#![forbid(unsafe_code)]

mod alternatives;
mod arena;
pub(crate) mod build;
pub(crate) mod closure;
pub(crate) mod formula;
pub(crate) mod formula_class;
pub(crate) mod goal_numbers;
mod goals;
pub(crate) mod linear;
mod lolli;
pub(crate) mod lower;
