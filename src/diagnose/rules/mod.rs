//! The warnings about programs: a table of rules, the visitor that applies them to a clause as it is read, and shared
//! parts of the rules (`clause`, `expressions`).
//! The messages for refused clauses are in `refused`; `load` requests the warnings.

pub(crate) mod arithmetic;
pub(crate) mod branches;
pub(crate) mod clause;
pub(crate) mod count_memo;
pub(crate) mod directives;
pub(crate) mod equations;
pub(crate) mod expressions;
pub(crate) mod joined_texts;
pub(crate) mod lines;
pub(crate) mod nonstandard;
pub(crate) mod order;
pub(crate) mod recursion;
pub(crate) mod singletons;
pub(crate) mod strings;
mod table;
pub(crate) mod undefined;
pub(crate) mod unreachable;

pub(crate) use table::{warn_clause, warn_program, warn_text};
