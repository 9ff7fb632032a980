//! Output of tokens: puts a blank between two of them only where they would run together.

use super::write_atom::{Edge, push_quoted};
use crate::base::growth::{Grow, GrowText};
use crate::base::stop::Stop;
use std::fmt;

/// Size at which the buffer is handed on.
const BUFFER_BYTES: usize = 4096;

/// Room for tokens at the start: that of most terms.
const FIRST_BYTES: usize = 128;

/// Collects tokens and hands them on in pieces.
pub(crate) struct TokenOut<'o> {
    out: &'o mut dyn fmt::Write,
    buffer: String,
    last: Edge,
    after_prefix: bool,
    given_up: bool,
}

impl<'o> TokenOut<'o> {
    /// Output to `out`, at the start of a text.
    pub(crate) fn new(out: &'o mut dyn fmt::Write) -> TokenOut<'o> {
        TokenOut {
            out,
            buffer: String::with_capacity(FIRST_BYTES),
            last: Edge::Open,
            after_prefix: false,
            given_up: false,
        }
    }

    /// Hands on what is collected.
    pub(crate) fn flush(&mut self) -> fmt::Result {
        if self.given_up {
            return Err(fmt::Error);
        }
        let result = self.out.write_str(&self.buffer);
        self.buffer.clear();
        result
    }

    /// A token could not be made: the work ends here. Nothing more is handed on.
    pub(crate) fn give_up(&mut self) {
        self.given_up = true;
    }

    /// Gives up if there was no room for something.
    #[inline(always)]
    pub(crate) fn note(&mut self, done: Result<(), Stop>) {
        if done.is_err() {
            self.give_up();
        }
    }

    fn put(&mut self, char: char) {
        let added = self.buffer.put(char);
        self.note(added);
    }

    /// Hands on what is collected if it is much.
    pub(crate) fn relieve(&mut self) -> fmt::Result {
        if self.given_up || self.buffer.len() >= BUFFER_BYTES {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// How the last token ended.
    pub(crate) fn last(&self) -> Edge {
        self.last
    }

    fn glue(&mut self, next: Edge) {
        if self.last.joins(next) {
            self.put(' ');
        }
        self.after_prefix = false;
    }

    /// A token as it stands; how it begins and ends is seen from its characters.
    pub(crate) fn token(&mut self, text: &str) {
        let Some(first) = text.chars().next() else {
            return;
        };
        self.glue(Edge::of(first));
        let added = self.buffer.put_str(text);
        self.note(added);
        self.last = text.chars().next_back().map_or(Edge::Open, Edge::of);
    }

    /// The name of a variable. At the prompt `$X` stands for the last value of `X`, `$ X` does not.
    pub(crate) fn variable(&mut self, name: &str) {
        if self.last == Edge::Symbol && self.buffer.ends_with('$') {
            self.blank();
        }
        self.token(name);
    }

    /// A number.
    pub(crate) fn number(&mut self, text: &str) {
        self.token(text);
        self.last = Edge::Number;
    }

    /// The dots that stand for what is left out.
    pub(crate) fn elision(&mut self) {
        self.token("...");
        self.last = Edge::Elision;
    }

    /// A quoted item.
    pub(crate) fn quoted(&mut self, text: &str, quote: char, escapes: bool) {
        self.glue(Edge::Quote(quote));
        let added = push_quoted(&mut self.buffer, text, quote, escapes);
        self.note(added);
        self.last = Edge::Quote(quote);
    }

    /// Punctuation: runs together with nothing.
    pub(crate) fn punctuation(&mut self, char: char) {
        self.put(char);
        self.last = Edge::Open;
        self.after_prefix = false;
    }

    /// A bracket around a term: set off from a prefix operator, lest it be read as a functor.
    pub(crate) fn open_bracket(&mut self) {
        if self.after_prefix {
            self.put(' ');
        }
        self.punctuation('(');
    }

    /// A blank.
    pub(crate) fn blank(&mut self) {
        self.punctuation(' ');
    }

    /// Marks that the last token was a prefix operator.
    pub(crate) fn set_after_prefix(&mut self) {
        self.after_prefix = true;
    }
}
