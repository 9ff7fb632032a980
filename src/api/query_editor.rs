//! The line editor of a host for the queries of its prompts.

use super::engine::Engine;
use crate::base::panics::Entrusted;
use crate::io::line_editor::{Line, LineEditor, Wish};

/// Reads the lines of queries that a person types, with the engine at hand that they are for.
pub trait QueryEditor: LineEditor {
    /// As [`LineEditor::line`]: names of the program of the engine may complete the line. If `whole` it may be a text of
    /// several lines, up to a full stop.
    fn line_about(&mut self, engine: &mut Engine, prompt: &str, whole: bool) -> Line;

    /// Puts a text in the place of what was typed after the last query, and gives that: it is the beginning of the next
    /// one, unless a program reads it first.
    fn exchange_rest(&mut self, rest: String) -> String;
}

/// A line editor that knows of no engine.
pub(super) struct Plain<E>(pub(super) E);

impl<E: LineEditor> LineEditor for Plain<E> {
    fn line(&mut self, prompt: &str) -> Line {
        self.0.line(prompt)
    }

    fn remember(&mut self, query: &str) {
        self.0.remember(query);
    }

    fn hint(&mut self, room: Option<usize>) -> Option<[String; 2]> {
        self.0.hint(room)
    }

    fn wish(&mut self, key: char) -> Wish {
        self.0.wish(key)
    }
}

impl<E: LineEditor> QueryEditor for Plain<E> {
    fn line_about(&mut self, _: &mut Engine, prompt: &str, _: bool) -> Line {
        self.line(prompt)
    }

    fn exchange_rest(&mut self, _: String) -> String {
        String::new()
    }
}

/// The editor that a host has given an engine.
pub(super) type Editor = Entrusted<Box<dyn QueryEditor>>;
