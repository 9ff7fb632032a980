//! The public interface: all that a host of an engine sees. It is the boundary of the crate;
//! everything below it may change from version to version.

mod allowance;
mod answer;
mod consult;
mod conversions;
mod debugging;
mod editing;
mod engine;
mod error;
mod from_heap;
mod host;
mod image;
mod interrupt;
mod lolli;
mod message;
mod raised;
mod solutions;
mod streams;
mod term;
mod term_text;
mod to_heap;

pub use crate::base::panics::silence_contained_panics;
pub use crate::io::line_editor::{Line, LineEditor};
pub use crate::text::lexemes::Lexeme;
pub use consult::{Diagnostic, LoadReport, Severity};
pub use conversions::ConversionError;
pub use debugging::Debugging;
pub use editing::{Completions, Language};
pub use engine::{Engine, EngineBuilder};
pub use error::{Error, ErrorKind, Frame, Location};
pub use host::Call;
pub use image::ReadingTimes;
pub use interrupt::InterruptHandle;
pub use message::{Message, MessageForm, MessageKind};
pub use solutions::{Solution, Solutions};
pub use term::{BigInteger, Compound, ParseIntegerError, Term};
