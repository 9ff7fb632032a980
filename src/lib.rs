//! Wamlet: an embeddable Prolog on the WAM.
//!
#![doc = include_str!("../docs/embedding.md")]
#![cfg_attr(
    not(test),
    warn(
        clippy::disallowed_methods,
        clippy::string_add,
        clippy::string_add_assign
    )
)]

mod api;
mod arith;
mod base;
mod builtins;
mod code;
mod compile;
#[cfg(test)]
mod data_tests;
mod diagnose;
mod fd;
mod front;
mod image;
mod io;
mod ir;
mod library;
mod load;
mod lolli;
mod machine;
mod program;
mod source;
mod store;
pub mod testing;
mod text;
mod tools;

pub use api::{
    BigInteger, BreakSession, Budget, Call, Capabilities, Capability, ClauseCount, Clock,
    Completions, Compound, ConversionError, Debugging, Diagnostic, DirectoryFiles, Domain,
    DoubleQuotes, Engine, EngineBuilder, Error, ErrorKind, FileMetadata, FileMode, Frame,
    GuestPath, HostFile, HostFiles, Input, InterruptHandle, Language, Lexeme, Line, LineEditor,
    LoadReport, Location, MemoryFiles, Message, MessageForm, MessageKind, NamedValue, NoFiles,
    Output, ParseIntegerError, Pool, Pooled, Program, ProgramBuilder, Progress, QueryEditor,
    Random, ReadingTimes, SearchProgress, Severity, Solution, Solutions, Term, Wish, full_stop,
    refused_file, replace_file, report_file_size_limit,
};
pub use io::os_names::{os_of_text, text_of_os};
pub use source::program_names::{OPTIONAL_ENDINGS, PROGRAM_ENDINGS, is_lolli};
pub use store::reserve::Reserve;
