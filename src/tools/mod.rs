//! What people look into programs with: tracer, profiler, coverage, manual, times of loading. What the machine notes
//! for them is in `machine`; their messages about errors are in `diagnose`.
//! Sees `base`, `store`, `io`, `text`, `code`, `program`, `machine`, `builtins`, `source`, `library` and `diagnose`.
#![forbid(unsafe_code)]
pub(crate) mod coloured;
pub(crate) mod coverage;
pub(crate) mod manual;
pub(crate) mod profile;
pub(crate) mod timing;
pub(crate) mod tracing;

use crate::machine::builtin::Builtin;

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[
    coloured::COLOURED,
    tracing::TRACING,
    profile::PROFILE,
    manual::MANUAL,
];
