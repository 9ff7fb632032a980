//! Front ends: from text and terms to the clauses that the compiler takes.

pub(crate) mod build;
pub(crate) mod lower;
