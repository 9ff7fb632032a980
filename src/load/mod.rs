//! Loading files and texts of programs: clauses are read, expanded and added, and directives are run.
//! The places of clauses are in `source`, the search for their faults in `diagnose`, images in `image`, and Lolli in
//! `lolli`.
//! Sees `base`, `store`, `io`, `text`, `front`, `program`, `machine`, `builtins`, `source`, `library`, `image` and
//! `diagnose`.
#![forbid(unsafe_code)]
pub(crate) mod conditions;
pub(crate) mod consult;
mod consult_primitives;
mod context;
pub(crate) mod cut_short;
mod dialect;
mod exports;
pub(crate) mod find;
mod formulas;
pub(crate) mod held;
mod hooks;
pub(crate) mod reload;
mod replayed;
pub(crate) mod sources;
pub(crate) mod typed_text;

use crate::machine::builtin::Builtin;

/// The tables of builtins of this room.
pub(crate) const TABLES: &[&[Builtin]] = &[
    conditions::CONDITIONS,
    consult_primitives::CONSULT,
    context::CONTEXT,
    cut_short::CUT_SHORT,
    dialect::DIALECT,
    sources::SOURCES,
];
