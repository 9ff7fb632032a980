//! The builtins for streams, files, characters and bytes (ISO 8.11 to 8.13), with their options and errors. The
//! streams and the file system are in `io`, which does not use terms. Reading and writing of terms is in
//! `builtins::term_io`.
#![forbid(unsafe_code)]

pub(crate) mod captures;
pub(crate) mod char_io;
pub(crate) mod errors_io;
pub(crate) mod file_names;
pub(crate) mod files;
pub(crate) mod line_io;
pub(crate) mod opening;
pub(crate) mod stream_properties;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[
    char_io::CHAR_IO,
    files::FILES,
    file_names::FILE_NAMES,
    line_io::LINE_IO,
    stream_properties::STREAM_PROPERTIES,
    opening::STREAMS,
];
