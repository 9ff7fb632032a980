//! Host streams (ISO 13211-1, 7.10.2) and the file system: the basis of the stream builtins of 8.11 to 8.14 and of
//! the embedding interface. The room does not know terms. Names are atoms, failures are [`error::IoError`] values,
//! and the callers turn those into Prolog errors.
//! Sees `base`.
//!
//! A [`stream_table::StreamTable`] belongs to one engine. Nothing here is global except what the process itself
//! shares: its standard streams and its working directory.
#![forbid(unsafe_code)]
pub(crate) mod access;
pub(crate) mod allowance;
pub(crate) mod clock;
pub(crate) mod command_end;
pub(crate) mod encoding;
pub(crate) mod environment;
pub(crate) mod error;
pub(crate) mod files;
pub(crate) mod fingerprint;
pub(crate) mod guest;
mod host;
pub(crate) mod input;
pub(crate) mod line_editor;
pub(crate) mod options;
pub(crate) mod os_names;
pub(crate) mod output;
pub(crate) mod pace;
pub(crate) mod paths;
pub(crate) mod policy;
pub(crate) mod position;
pub(crate) mod process;
pub(crate) mod sink;
pub(crate) mod source;
pub(crate) mod source_file;
pub(crate) mod stream;
pub(crate) mod stream_table;
pub(crate) mod target;
#[cfg(test)]
mod tests;
pub(crate) mod typed_lines;
pub(crate) mod wildcard;
