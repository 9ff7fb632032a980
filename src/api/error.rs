//! What can go wrong for a host.

use super::setters::setters;
use super::term::Term;
use crate::diagnose::hint::Unknown;
pub use crate::source::diagnostic::Location;
use crate::source::waiting::Waiting;
use std::fmt;
use std::sync::Arc;

/// An error of an engine: what kind, in words, where, and the Prolog term that was thrown.
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

/// What kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A text is not a Prolog text.
    Syntax,
    /// An exception that no `catch/3` caught.
    Uncaught,
    /// A limit was reached: of memory above all.
    Resource,
    /// The program asked for the end of the process, with this exit status.
    Halt(i32),
    /// The query ran longer than the host allows: see
    /// [`Budget::time`](super::Budget::time).
    TimeLimit,
    /// The query made more inferences than the host allows: see
    /// [`Budget::steps`](super::Budget::steps).
    InferenceLimit,
    /// The query was stopped through an [`InterruptHandle`](super::InterruptHandle).
    Interrupted,
    /// The query waits for a session within, which `break/0` or a key of the tracer asks for: see
    /// [`Engine::hold_breaks`](super::Engine::hold_breaks). It goes on with the next call of
    /// [`Solutions::advance`](super::Solutions::advance).
    Break,
    /// A file or stream of the host failed.
    Io,
    /// The host asked for something impossible: a name that is no predicate name, a term too large.
    Usage,
    /// The engine itself is at fault.
    Internal,
}

impl Location {
    /// The place `start..end`, in bytes, of a text whose first line has number `first_line`.
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

/// A clause that waits for one of its goals to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its predicate, as `name/arity`.
    pub predicate: String,
    /// The goal that the clause was entered for, with its arguments abbreviated. It is known while the flag `debug` is
    /// on, and of the goal at which a limit was met.
    pub goal: Option<String>,
    /// The file that it stands in. It is empty for a goal that was being called when a limit was met.
    pub file: Arc<str>,
    /// The line of the goal that the clause waits for; 0 where there is no file.
    pub line: usize,
    /// So many frames in a row are the same.
    pub times: u32,
}

impl Frame {
    /// A clause that the loader tells of.
    pub(super) fn of(waiting: Waiting) -> Frame {
        Frame {
            predicate: waiting.predicate,
            goal: waiting.goal,
            file: waiting.file.into(),
            line: waiting.line,
            times: waiting.times,
        }
    }

    /// The same for the loader.
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
    /// `called by PREDICATE at FILE:LINE`, with the goal in place of the predicate if it is known
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.waiting().shown())
    }
}

impl fmt::Display for Location {
    /// `FILE:LINE:COLUMN`
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

    /// Adds what is told in brackets after the message.
    pub(super) fn with_note(mut self, note: &str) -> Error {
        self.0.message = format!("{} ({note})", self.0.message);
        self
    }

    pub(super) fn with_ball(mut self, ball: Option<Term>, text: String) -> Error {
        self.0.ball = ball;
        self.0.ball_text = text;
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// What happened, in words.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where it happened, if it was in a text.
    pub fn location(&self) -> Option<&Location> {
        self.0.location.as_ref()
    }

    /// The clauses of the user's program that led to where it happened, innermost first; the one that
    /// [`Error::location`] is in is left out, unless its goal is known. Clauses that a last call has left are among them
    /// while the flag `debug` is on. The innermost dozen or less is gathered.
    pub fn backtrace(&self) -> &[Frame] {
        &self.0.backtrace
    }

    /// What may help, as a part of a sentence, as far as that is known without a look at the program:
    /// [`Engine::hint`](super::Engine::hint) also knows what may have been meant by a predicate that is not defined.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The predicate that is not defined, if that is what is wrong.
    pub(super) fn unknown(&self) -> Option<&Unknown> {
        self.0.unknown.as_ref()
    }

    /// The term that was thrown, if one was and it is not too large for what is left of the limits of memory
    /// and time: see [`Error::ball_text`].
    pub fn ball(&self) -> Option<&Term> {
        self.0.ball.as_ref()
    }

    /// The term that was thrown as `writeq/1` writes it, or the first megabyte of that: small terms can
    /// unfold into texts without measure. Empty if there is none.
    pub fn ball_text(&self) -> String {
        self.0.ball_text.clone()
    }

    /// What the error term says is wrong (ISO 7.12.2), as `type_error(integer, a)`, if the exception is
    /// `error(Formal, Context)`: abbreviated, so that it fits into a message.
    pub fn formal_text(&self) -> Option<&str> {
        self.0.formal.as_deref()
    }

    /// Is it the end of memory: more than the limit was needed, or more than the system has?
    pub fn is_memory_limit(&self) -> bool {
        let is_memory = |ball: &Term| {
            let formal = ball.as_compound()?.args().first()?.as_compound()?.clone();
            let what = formal.args().first()?.as_atom()? == "memory";
            Some(what && formal.name() == "resource_error")
        };
        // A term that no room is left for tells the same.
        let told = |ball: &Term| is_memory(ball).unwrap_or(false);
        self.0.kind == ErrorKind::Resource && self.ball().is_none_or(told)
    }

    /// Is it the host's output into a pipe that nobody reads any more? Who closed it has seen enough.
    pub fn is_broken_pipe(&self) -> bool {
        self.0.broken_pipe
    }

    /// The exit status that the program asked for, if this is its request to halt.
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
