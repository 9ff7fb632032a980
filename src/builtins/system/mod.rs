//! The builtins for flags, the engine, its process, times and dates, and statistics (ISO 8.17). Streams and files
//! are in `builtins::streams`, global variables in `builtins::terms`. `base::flags` stores the flags that the
//! reader and the machine use.
#![forbid(unsafe_code)]

pub(crate) mod calendar;
pub(crate) mod dates;
pub(crate) mod engine;
pub(crate) mod flags;
pub(crate) mod known_flags;
#[cfg(test)]
pub(crate) mod manual_page;
pub(crate) mod names;
pub(crate) mod system_names;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] =
    &[names::NAMES, flags::FLAGS, engine::SYSTEM, dates::DATES];
