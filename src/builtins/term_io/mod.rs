//! The builtins for reading and writing terms, operators and `format/2` (ISO 8.14), with their options, errors and
//! streams. Parser and writer are in `text`, tables of operators in `program::operators`. Characters and lines are
//! in `builtins::streams`.
#![forbid(unsafe_code)]

pub(crate) mod clause_reader;
pub(crate) mod format;
pub(crate) mod operators;
pub(crate) mod read_layout;
pub(crate) mod term_read;
pub(crate) mod term_text;
pub(crate) mod term_write;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[
    term_text::TERM_TEXT,
    operators::OPERATORS,
    format::FORMAT,
    term_read::TERM_READ,
    term_write::TERM_WRITE,
];
