//! Loading files and texts of programs: clauses are read, expanded and added, directives are run. Where clauses stand
//! is in `source`, what is wrong with them in `diagnose`, images in `image`, Lolli in `lolli`.
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

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[
    conditions::CONDITIONS,
    consult_primitives::CONSULT,
    context::CONTEXT,
    cut_short::CUT_SHORT,
    dialect::DIALECT,
    sources::SOURCES,
];
