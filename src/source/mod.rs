//! The texts of programs that are being loaded: the loads in progress, the places of the present clause and its
//! parts, and messages about them.
//! The rules for faults of clauses are in `diagnose`, and loading itself is in `load`.
//! Sees `base`, `store`, `io`, `text`, `program`, `machine` and `builtins`.
#![forbid(unsafe_code)]
pub(crate) mod diagnostic;
pub(crate) mod encoding_directive;
pub(crate) mod input_clause;
pub(crate) mod kept_messages;
pub(crate) mod language;
pub(crate) mod loading;
pub(crate) mod named_goals;
pub(crate) mod parts;
pub(crate) mod permits;
pub(crate) mod program_names;
pub(crate) mod report;
pub(crate) mod term_texts;
pub(crate) mod terminal;
pub(crate) mod waiting;
pub(crate) mod walk;

use crate::machine::builtin::Builtin;

/// The tables of builtins of this room.
pub(crate) const TABLES: &[&[Builtin]] = &[encoding_directive::ENCODINGS];
