//! Support of the language Lolli: modules and their files, queries, builtins of sessions. Assumptions are in `machine`, the
//! connectives are builtins in `builtins`, and the reader is in `text::lolli`.
//! Sees `base`, `store`, `io`, `text`, `ir`, `front`, `program`, `machine`, `builtins`, `source`, `library`, `diagnose`,
//! `load` and `tools`.
#![forbid(unsafe_code)]
pub(crate) mod clauses;
pub(crate) mod files;
pub(crate) mod listing;
pub(crate) mod make;
pub(crate) mod manual;
pub(crate) mod modules;
pub(crate) mod origin;
pub(crate) mod query;
pub(crate) mod session;

use crate::machine::builtin::Builtin;

/// The tables of builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[
    modules::LOLLI_MODULES,
    listing::LOLLI_LISTING,
    make::LOLLI_MAKE,
    manual::LOLLI_MANUAL,
    query::LOLLI_QUERY,
    session::LOLLI_SESSION,
];
