//! The language Lolli: its modules and their files, its queries, what its sessions ask for. Assumptions themselves are
//! in `machine`, and the connectives as builtins in `builtins`; the reader is in `text::lolli`.
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

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[
    modules::LOLLI_MODULES,
    listing::LOLLI_LISTING,
    make::LOLLI_MAKE,
    manual::LOLLI_MANUAL,
    query::LOLLI_QUERY,
    session::LOLLI_SESSION,
];
