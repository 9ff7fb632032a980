//! Errors that a host can get.

use super::setters::setters;
use super::term::Term;
use crate::diagnose::hint::Unknown;
pub use crate::source::diagnostic::Location;
use crate::source::waiting::Waiting;
use std::fmt;
use std::sync::Arc;

/// An error of an engine: its kind, its message, its location and the Prolog term that was raised.
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    message: String,
    location: Option<Location>,
    backtrace: Vec<Frame>,
    hint: Option<String>,
    unknown: Option<Unknown>,
    ball: Option<Term>,
    ball_text: String,
    formal: Option<String>,
    broken_pipe: bool,
}

/// The kind of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text is not valid Prolog.
    Syntax,
    /// An exception that no `catch/3` caught.
    Uncaught,
    /// A limit was reached, most often the limit of memory.
    Resource,
    /// The program requested the end of the process with this exit status.
    Halt(i32),
    /// The query ran longer than the host allows: see [`Budget::time`](super::Budget::time).
    TimeLimit,
    /// The query made more inferences than the host allows: see [`Budget::steps`](super::Budget::steps).
    InferenceLimit,
    /// An [`InterruptHandle`](super::InterruptHandle) stopped the query.
    Interrupted,
    /// The query waits for a break session, which `break/0` or a key of the tracer requested: see
    /// [`Engine::hold_breaks`](super::Engine::hold_breaks). The next call of
    /// [`Solutions::advance`](super::Solutions::advance) resumes the query.
    Break,
    /// A file or stream of the host failed.
    Io,
    /// The host requested something impossible, for example with an invalid predicate name or a term that is too large.
    Usage,
    /// The engine itself has a fault.
    Internal,
}

impl Location {
    /// Returns the location `start..end`, in bytes, in a text whose first line has number `first_line`.
    pub(super) fn in_text(
        file: Option<Arc<str>>,
        text: &str,
        start: usize,
        end: usize,
        first_line: usize,
    ) -> Location {
        let mut start = start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = text.get(..start).unwrap_or("");
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(line_start..).unwrap_or("");
        let source_line = rest.split('\n').next().unwrap_or("").trim_end_matches('\r');
        let from = (start - line_start).min(source_line.len());
        let to = (end.max(start) - line_start).clamp(from, source_line.len());
        let to = (to..=source_line.len()).find(|&at| source_line.is_char_boundary(at));
        Location {
            file,
            line: first_line + before.matches('\n').count(),
            column: before.get(line_start..).unwrap_or("").chars().count() + 1,
            source_line: source_line.to_owned(),
            span: from..to.unwrap_or(from),
        }
    }
}

/// A clause that waits for one of its goals to finish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The predicate of the clause, as `name/arity`.
    pub predicate: String,
    /// The goal for which the clause was entered, with its arguments abbreviated. It is known while the flag `debug` is
    /// on, and for the goal that reached a limit.
    pub goal: Option<String>,
    /// The file of the clause. It is empty for a goal that was being called when it reached a limit.
    pub file: Arc<str>,
    /// The line of the goal that the clause waits for. It is 0 if there is no file.
    pub line: usize,
    /// Number of equal consecutive frames that this one represents.
    pub times: u32,
}

impl Frame {
    /// Converts a frame of the loader.
    pub(super) fn of(waiting: Waiting) -> Frame {
        Frame {
            predicate: waiting.predicate,
            goal: waiting.goal,
            file: waiting.file.into(),
            line: waiting.line,
            times: waiting.times,
        }
    }

    /// Converts the frame for the loader.
    pub(super) fn waiting(&self) -> Waiting {
        Waiting {
            predicate: self.predicate.clone(),
            goal: self.goal.clone(),
            file: self.file.to_string(),
            line: self.line,
            times: self.times,
        }
    }
}

impl fmt::Display for Frame {
    /// Writes `called by PREDICATE at FILE:LINE`, with the goal in place of the predicate if it is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.waiting().text())
    }
}

impl fmt::Display for Location {
    /// Writes `FILE:LINE:COLUMN`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        write!(f, "{}:{}", self.line, self.column)
    }
}

setters! { Error:
    pub(super) with_location(location: Location) 0.location = Some(location);
    pub(super) with_backtrace(backtrace: Vec<Frame>) 0.backtrace = backtrace;
    pub(super) with_hint(hint: Option<String>) 0.hint = hint;
    pub(super) with_unknown(unknown: Option<Unknown>) 0.unknown = unknown;
    pub(super) with_formal(formal: Option<String>) 0.formal = formal;
    pub(super) with_broken_pipe(broken: bool) 0.broken_pipe = broken;
}

impl Error {
    pub(super) fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error(Box::new(Inner {
            kind,
            message: message.into(),
            location: None,
            backtrace: Vec::new(),
            hint: None,
            unknown: None,
            ball: None,
            ball_text: String::new(),
            formal: None,
            broken_pipe: false,
        }))
    }

    /// Adds a note in brackets after the message.
    pub(super) fn with_note(mut self, note: &str) -> Error {
        self.0.message = format!("{} ({note})", self.0.message);
        self
    }

    pub(super) fn with_term(mut self, ball: Option<Term>, text: String) -> Error {
        self.0.ball = ball;
        self.0.ball_text = text;
        self
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the message of the error.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the location of the error, if it arose in a text.
    pub fn location(&self) -> Option<&Location> {
        self.0.location.as_ref()
    }

    /// Returns the clauses of the user's program that led to the error, innermost first. The clause at
    /// [`Error::location`] is left out unless its goal is known. Clauses that a last call has left are included while
    /// the flag `debug` is on. There are at most a dozen clauses, the innermost ones.
    pub fn backtrace(&self) -> &[Frame] {
        &self.0.backtrace
    }

    /// Returns a hint that needs no search in the program, as part of a sentence. For an undefined predicate,
    /// [`Engine::hint`](super::Engine::hint) also suggests similar predicates of the program.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// Returns the predicate that the error reports as undefined.
    pub(super) fn unknown(&self) -> Option<&Unknown> {
        self.0.unknown.as_ref()
    }

    /// Returns the term that was raised. Returns `None` if there was none, or if it does not fit into the remaining
    /// limits of memory and time: see [`Error::ball_text`].
    pub fn ball(&self) -> Option<&Term> {
        self.0.ball.as_ref()
    }

    /// Returns the term that was raised as `writeq/1` writes it. The text ends after a megabyte, because small terms
    /// can unfold into unlimited texts. The text is empty if no term was raised.
    pub fn ball_text(&self) -> String {
        self.0.ball_text.clone()
    }

    /// Returns the formal part of an exception `error(Formal, Context)` (ISO 7.12.2), such as `type_error(integer, a)`.
    /// The text is abbreviated so that it fits into a message.
    pub fn formal_text(&self) -> Option<&str> {
        self.0.formal.as_deref()
    }

    /// Returns whether memory ran out: the engine needed more than its limit, or more than the system has.
    pub fn is_memory_limit(&self) -> bool {
        let is_memory = |ball: &Term| {
            let formal = ball.as_compound()?.args().first()?.as_compound()?.clone();
            let what = formal.args().first()?.as_atom()? == "memory";
            Some(what && formal.name() == "resource_error")
        };
        // If the term itself found no memory, memory has run out, too.
        let is_memory_error = |ball: &Term| is_memory(ball).unwrap_or(false);
        self.0.kind == ErrorKind::Resource && self.ball().is_none_or(is_memory_error)
    }

    /// Returns whether the host wrote output to a pipe whose reader has closed it. A host can ignore this error, since
    /// the reader needs no more output.
    pub fn is_broken_pipe(&self) -> bool {
        self.0.broken_pipe
    }

    /// Returns the exit status if the error is a request of the program to halt.
    pub fn halt_status(&self) -> Option<i32> {
        match self.0.kind {
            ErrorKind::Halt(status) => Some(status),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.location {
            Some(location) => write!(f, "{location}: {}", self.0.message),
            None => f.write_str(&self.0.message),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("location", &self.0.location)
            .field("ball", &self.0.ball_text)
            .finish()
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::new(ErrorKind::Io, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::{Error, Location};

    #[test]
    fn an_error_is_one_word() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
    }

    #[test]
    fn places_of_odd_texts() {
        let place = Location::in_text(None, "a\näö", 3, 99, 1);
        assert_eq!((place.line, place.column, place.span), (2, 1, 0..4));
        let place = Location::in_text(None, "", 7, 3, 1);
        assert_eq!((place.line, place.column, place.span), (1, 1, 0..0));
    }
}
