//! Output of tokens. It puts a blank between two tokens only if they would otherwise be read as
//! one.

use super::write_atom::{Edge, push_quoted};
use crate::base::growth::{Grow, GrowText};
use crate::base::stop::Stop;
use std::fmt;

/// Size at which the buffer is passed on.
const BUFFER_BYTES: usize = 4096;

/// Room reserved for tokens at the start; enough for most terms.
const FIRST_BYTES: usize = 128;

/// Collects tokens and passes them on in pieces.
pub(crate) struct TokenOut<'o> {
    out: &'o mut dyn fmt::Write,
    buffer: String,
    last: Edge,
    after_prefix: bool,
    given_up: bool,
}

impl<'o> TokenOut<'o> {
    /// Creates an output to `out`, at the start of a text.
    pub(crate) fn new(out: &'o mut dyn fmt::Write) -> TokenOut<'o> {
        TokenOut {
            out,
            buffer: String::with_capacity(FIRST_BYTES),
            last: Edge::Open,
            after_prefix: false,
            given_up: false,
        }
    }

    /// Passes on the collected text.
    pub(crate) fn flush(&mut self) -> fmt::Result {
        if self.given_up {
            return Err(fmt::Error);
        }
        let result = self.out.write_str(&self.buffer);
        self.buffer.clear();
        result
    }

    /// Ends the work because a token could not be made. Nothing more is passed on.
    pub(crate) fn fail(&mut self) {
        self.given_up = true;
    }

    /// Ends the work if there was no room for a token.
    #[inline(always)]
    pub(crate) fn note(&mut self, done: Result<(), Stop>) {
        if done.is_err() {
            self.fail();
        }
    }

    fn put(&mut self, char: char) {
        let added = self.buffer.put(char);
        self.note(added);
    }

    /// Passes on the collected text if it is long.
    pub(crate) fn flush_if_long(&mut self) -> fmt::Result {
        if self.given_up || self.buffer.len() >= BUFFER_BYTES {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Returns the end of the last token.
    pub(crate) fn last(&self) -> Edge {
        self.last
    }

    fn glue(&mut self, next: Edge) {
        if self.last.joins(next) {
            self.put(' ');
        }
        self.after_prefix = false;
    }

    /// Writes a token unchanged. Its first and last characters decide how it joins others.
    pub(crate) fn token(&mut self, text: &str) {
        let Some(first) = text.chars().next() else {
            return;
        };
        self.glue(Edge::of(first));
        let added = self.buffer.put_str(text);
        self.note(added);
        self.last = text.chars().next_back().map_or(Edge::Open, Edge::of);
    }

    /// Writes the name of a variable. At the prompt, `$X` denotes the last value of `X`, but `$ X`
    /// does not.
    pub(crate) fn variable(&mut self, name: &str) {
        if self.last == Edge::Symbol && self.buffer.ends_with('$') {
            self.blank();
        }
        self.token(name);
    }

    /// Writes a number.
    pub(crate) fn number(&mut self, text: &str) {
        self.token(text);
        self.last = Edge::Number;
    }

    /// Writes the dots in place of omitted text.
    pub(crate) fn elision(&mut self) {
        self.token("...");
        self.last = Edge::Elision;
    }

    /// Writes a quoted item.
    pub(crate) fn quoted(&mut self, text: &str, quote: char, escapes: bool) {
        self.glue(Edge::Quote(quote));
        let added = push_quoted(&mut self.buffer, text, quote, escapes);
        self.note(added);
        self.last = Edge::Quote(quote);
    }

    /// Writes punctuation, which needs no blanks around it.
    pub(crate) fn punctuation(&mut self, char: char) {
        self.put(char);
        self.last = Edge::Open;
        self.after_prefix = false;
    }

    /// Writes a bracket around a term, with a space after a prefix operator, which would otherwise
    /// be read as a functor.
    pub(crate) fn open_bracket(&mut self) {
        if self.after_prefix {
            self.put(' ');
        }
        self.punctuation('(');
    }

    /// Writes a blank.
    pub(crate) fn blank(&mut self) {
        self.punctuation(' ');
    }

    /// Marks that the last token was a prefix operator.
    pub(crate) fn set_after_prefix(&mut self) {
        self.after_prefix = true;
    }
}
