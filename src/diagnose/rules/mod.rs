//! The warnings that programs get: a table of rules, the one visitor that takes a clause through them as it is read, and
//! what rules share (`clause`, `expressions`). What errors of a clause say is in `refused`; who asks for
//! the warnings is in `load`.

pub(crate) mod arithmetic;
pub(crate) mod branches;
pub(crate) mod clause;
pub(crate) mod directives;
pub(crate) mod equations;
pub(crate) mod expressions;
pub(crate) mod joined_texts;
pub(crate) mod nonstandard;
pub(crate) mod order;
pub(crate) mod recursion;
pub(crate) mod singletons;
pub(crate) mod strings;
mod table;
pub(crate) mod undefined;
pub(crate) mod unreachable;

pub(crate) use table::{warn_clause, warn_program, warn_text};
