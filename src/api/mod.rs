//! The public interface: everything that a host of an engine sees, in types that outlive the heap. It is the boundary
//! of the crate; everything below it may change from version to version. No part of the language is implemented here:
//! goals run in `machine`, files are loaded in `load`, messages are worded in `diagnose`. Tests of answers are in
//! `testing`, and code for the command alone is in `cli`.
//! Sees `base`, `store`, `io`, `text`, `program`, `machine`, `builtins`, `source`, `library`, `image`, `diagnose`,
//! `load`, `tools` and `lolli`.
#![forbid(unsafe_code)]
mod abbreviated;
mod admitting;
mod answer;
mod asking;
mod broken;
mod budget;
mod builder;
mod capabilities;
mod consult;
mod conversions;
mod copies;
mod coverage;
mod debugging;
mod domain;
mod double_quotes;
mod editing;
mod engine;
mod error;
mod from_heap;
mod host;
mod host_goals;
mod image;
mod interrupt;
mod leave;
mod limits;
mod lolli;
#[cfg(test)]
mod manual_page;
mod message;
#[cfg(test)]
mod native_tests;
#[cfg(test)]
mod needs_tests;
#[cfg(test)]
mod observer_tests;
mod pool;
mod program;
mod program_builder;
mod progress;
mod prolog;
mod prompt;
mod prompt_output;
mod prompt_state;
mod query_editor;
mod query_language;
mod raised;
mod refusals;
mod setters;
mod solutions;
mod streams;
mod tenants;
mod term;
mod term_text;
mod to_heap;
mod typed;
mod upper;
mod values;

pub use crate::io::guest::directory::DirectoryFiles;
pub use crate::io::guest::host_files::{
    FileMetadata, FileMode, HostFile, HostFiles, NoFiles, refused_file,
};
pub use crate::io::guest::memory::MemoryFiles;
pub use crate::io::guest::path::GuestPath;
pub use crate::io::line_editor::{Line, LineEditor, Wish};
pub use crate::source::diagnostic::{MessageForm, MessageKind, Severity};
pub use crate::text::lexemes::Lexeme;
pub use answer::full_stop;
pub use budget::Budget;
pub use builder::EngineBuilder;
pub use capabilities::{Capabilities, Capability, Clock, Input, Output, Random};
pub use consult::{Diagnostic, LoadReport};
pub use conversions::ConversionError;
pub use coverage::ClauseCount;
pub use debugging::Debugging;
pub use domain::Domain;
pub use double_quotes::DoubleQuotes;
pub use editing::{Completions, Language};
pub use engine::{BreakSession, Engine};
pub use error::{Error, ErrorKind, Frame, Location};
pub use host::Call;
pub use image::ReadingTimes;
pub use interrupt::{InterruptHandle, report_file_size_limit};
pub(crate) use leave::leave;
pub use leave::replace_file;
pub use message::Message;
pub use pool::{Pool, Pooled};
pub use program::Program;
pub use program_builder::ProgramBuilder;
pub use progress::{Progress, SearchProgress};
pub use query_editor::QueryEditor;
pub(crate) use setters::setters;
pub use solutions::{NamedValue, Solution, Solutions};
pub use term::{BigInteger, Compound, ParseIntegerError, Term};
