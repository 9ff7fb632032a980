//! Images: files with the results of loading a program, which load again without reading the texts. Reading texts
//! and running directives is in `load`. See `docs/images.md`.
//! Sees `base`, `store`, `io`, `front`, `program`, `machine`, `builtins` and `source`.
#![forbid(unsafe_code)]
mod bytes;
mod format;
pub(crate) mod items;
pub(crate) mod record;
pub(crate) mod replay;
mod terms;

use crate::machine::builtin::Builtin;

/// The tables of builtins of this module.
pub(crate) const TABLES: &[&[Builtin]] = &[replay::IMAGES];
