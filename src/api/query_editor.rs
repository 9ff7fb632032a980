//! The line editor of a host for the queries of its prompts.

use super::engine::Engine;
use crate::base::panics::Entrusted;
use crate::io::line_editor::{Line, LineEditor, Wish};

/// A line editor for queries, which can use the engine.
pub trait QueryEditor: LineEditor {
    /// Reads a line as [`LineEditor::line`] does. Names of the engine's program can complete the line. If `whole` is
    /// true, the result can be a text of several lines up to a full stop.
    fn line_about(&mut self, engine: &mut Engine, prompt: &str, whole: bool) -> Line;

    /// Replaces the text that was typed after the last query by `rest`, and returns the replaced text. `rest` becomes
    /// the beginning of the next query, unless a program reads it first.
    fn exchange_rest(&mut self, rest: String) -> String;
}

/// A line editor that does not use an engine.
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

/// The editor that a host has given to an engine.
pub(super) type Editor = Entrusted<Box<dyn QueryEditor>>;
