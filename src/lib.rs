//! Wamlet: an embeddable Prolog on the WAM.
//!
#![doc = include_str!("../docs/embedding.md")]

mod api;
mod arith;
mod base;
mod builtins;
mod code;
mod compile;
mod fd;
mod front;
mod io;
mod ir;
mod load;
mod machine;
mod program;
mod store;
pub mod testing;
mod text;

pub use api::{
    BigInteger, BreakSession, Call, ClauseCount, Completions, Compound, ConversionError, Debugging,
    Diagnostic, Domain, DoubleQuotes, Engine, EngineBuilder, Error, ErrorKind, Frame,
    InterruptHandle, Language, Lexeme, Line, LineEditor, LoadReport, Location, Message,
    MessageForm, MessageKind, ParseIntegerError, ReadingTimes, Severity, SmallValue, Solution,
    Solutions, Term, Wish, full_stop, replace_file, report_file_size_limit,
};
pub use io::os_names::{os_of_text, text_of_os};
pub use store::reserve::Reserve;
