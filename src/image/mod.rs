//! Images: programs that were loaded once and are written down as what loading made of their texts, so that they are
//! loaded again without reading them. Reading texts and running directives is in `load`. See `docs/images.md`.
//! Sees `base`, `store`, `io`, `front`, `program`, `machine`, `builtins` and `source`.
#![forbid(unsafe_code)]
mod bytes;
mod format;
pub(crate) mod items;
pub(crate) mod record;
pub(crate) mod replay;
mod terms;

use crate::machine::builtin::Builtin;

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[replay::IMAGES];
