//! Flags, the engine, its process, times and dates, statistics (ISO 8.17). Streams and files are in `builtins::streams`,
//! global variables in `builtins::terms`; the flags that the reader and the machine look at are kept in `base::flags`.
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

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] =
    &[names::NAMES, flags::FLAGS, engine::SYSTEM, dates::DATES];
