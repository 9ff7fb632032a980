//! Tools to examine programs: tracer, profiler, coverage, manual, times of loading. The machine's support for
//! them is in `machine`; messages about errors are in `diagnose`.
//! Sees `base`, `store`, `io`, `text`, `code`, `program`, `machine`, `builtins`, `source`, `library` and `diagnose`.
#![forbid(unsafe_code)]
pub(crate) mod coloured;
pub(crate) mod coverage;
pub(crate) mod manual;
pub(crate) mod profile;
pub(crate) mod timing;
pub(crate) mod tracing;

use crate::machine::builtin::Builtin;

/// The tables of builtins of the tools.
pub(crate) const TABLES: &[&[Builtin]] = &[
    coloured::COLOURED,
    tracing::TRACING,
    profile::PROFILE,
    manual::MANUAL,
];
