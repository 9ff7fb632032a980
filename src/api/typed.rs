//! Input at a prompt: queries, and replies after an answer. At a terminal, the line editor of the host reads it. From
//! a file or pipe, the prompt reads from the same stream as the programs of the queries.

use super::debugging::Debugging;
use super::engine::Engine;
use super::error::Error;
use super::prompt_state::Prompt;
use super::query_editor::QueryEditor;
use super::query_language::{Extent, QueryLanguageRef, QueryText};
use crate::base::growth::{Grow, GrowText};
use crate::io::line_editor::{Line, Wish};
use crate::io::stream::Stream;
use crate::io::stream_table::USER_INPUT;

const PROMPT: &str = "?- ";
const SPY_PROMPT: &str = "[debug] ";
const TRACE_PROMPT: &str = "[trace] ";
const CONTINUATION: &str = "|    ";

/// Input at a prompt.
pub(super) enum Typed {
    /// A query.
    Query(QueryText),
    /// The interrupt key, while a query is stopped.
    Interrupt,
    /// The end of the input.
    End,
}

impl Engine {
    /// Returns whether the standard input is a terminal.
    pub(super) fn input_is_terminal(&self) -> bool {
        let streams = &self.machine.world.host.streams;
        streams.get(USER_INPUT).is_some_and(Stream::is_tty)
    }

    /// Returns whether the input comes from a terminal with the editor of the host.
    pub(super) fn is_edited(&self) -> bool {
        let prompt = self.machine.world.layers.get::<Prompt>();
        prompt.is_some_and(|prompt| prompt.editor.is_some()) && self.input_is_terminal()
    }

    /// Runs work with the editor of the host. Returns `None` if there is no editor.
    fn with_editor<T>(
        &mut self,
        work: impl FnOnce(&mut Engine, &mut dyn QueryEditor) -> T,
    ) -> Option<T> {
        let mut editor = self.prompt().editor.take()?;
        let done = work(self, &mut **editor.get());
        self.prompt().editor = Some(editor);
        Some(done)
    }

    /// Returns the next query.
    ///
    /// # Errors
    /// Returns an error if the input fails.
    pub(super) fn typed(&mut self, language: QueryLanguageRef) -> Result<Typed, Error> {
        if self.is_edited() {
            return self.edited_query(language);
        }
        let prompt = self.query_prompt();
        let streams = &mut self.machine.world.host.streams;
        let before = streams.prompt().map(str::to_owned);
        streams.set_prompt(Some(prompt));
        let found = self.streamed_query(language);
        self.machine.world.host.streams.set_prompt(before);
        Ok(found?.map_or(Typed::End, Typed::Query))
    }

    fn streamed_query(&mut self, language: QueryLanguageRef) -> Result<Option<QueryText>, Error> {
        self.flush_output()?;
        // These lines ask for answers that do not exist.
        while self
            .peek_input_line()?
            .is_some_and(|line| line.trim() == ";")
        {
            self.read_input_line()?;
        }
        language.read_query(self)
    }

    /// Reads the lines of a query from the standard input.
    ///
    /// # Errors
    /// Returns an error if the input fails.
    pub(super) fn lines_of_query(
        &mut self,
        language: QueryLanguageRef,
    ) -> Result<Option<QueryText>, Error> {
        let mut text = String::new();
        let mut line = usize::try_from(self.input_line()).unwrap_or(1);
        loop {
            let next = self.read_input_line()?;
            let more = next.is_some();
            text.put_str(&next.unwrap_or_default())?;
            match language.extent(self, &text, more)? {
                Extent::Blank if more => {
                    text.clear();
                    line = usize::try_from(self.input_line()).unwrap_or(1);
                }
                Extent::Blank => return Ok(None),
                Extent::Unfinished if more => {
                    let streams = &mut self.machine.world.host.streams;
                    streams.set_prompt(Some(CONTINUATION.to_owned()));
                }
                _ => return Ok(Some(QueryText { text, line })),
            }
        }
    }

    fn edited_query(&mut self, language: QueryLanguageRef) -> Result<Typed, Error> {
        self.skip_input_blanks();
        let mut text = self
            .with_editor(|_, editor| editor.exchange_rest(String::new()))
            .unwrap_or_default();
        loop {
            if self.interrupts().halt_wanted() {
                return Ok(Typed::End);
            }
            let extent = language.extent(self, &text, true)?;
            if let Extent::Whole(end) = extent {
                let rest = text.split_off(end).trim_start().to_owned();
                self.with_editor(|_, editor| {
                    editor.exchange_rest(rest);
                    editor.remember(text.trim());
                });
                return Ok(Typed::Query(QueryText { text, line: 1 }));
            }
            let blank = matches!(extent, Extent::Blank);
            if blank {
                text.clear();
            }
            let prompt = match blank {
                true => self.query_prompt(),
                false => CONTINUATION.to_owned(),
            };
            // The next write reports a failure of this one.
            let _ = self.flush_output();
            // An interrupt that arrived after the end of the last query has no effect.
            self.interrupts().clear();
            let whole = language.manner().whole_queries;
            let line = self.with_editor(|engine, editor| editor.line_about(engine, &prompt, whole));
            self.interrupts().clear();
            match line.unwrap_or(Line::End) {
                _ if self.interrupts().halt_wanted() => return Ok(Typed::End),
                Line::Text(line) => {
                    text.put_str(&line)?;
                    text.put('\n')?;
                }
                Line::GivenUp if blank && self.has_kept_query() => return Ok(Typed::Interrupt),
                Line::GivenUp => text.clear(),
                Line::End => return Ok(Typed::End),
            }
        }
    }

    fn has_kept_query(&mut self) -> bool {
        self.kept_query().is_some_and(|kept| {
            kept.keep();
            true
        })
    }

    /// Returns the prompt for a query.
    fn query_prompt(&mut self) -> String {
        let debugging = match self.debugging() {
            Debugging::Tracing => TRACE_PROMPT,
            Debugging::SpyPoints => SPY_PROMPT,
            Debugging::Off => "",
        };
        let level = match self.prompt().level {
            0 => String::new(),
            level => format!("[{level}] "),
        };
        format!("{debugging}{level}{PROMPT}")
    }

    /// Reads the user's reply after an answer that others may follow.
    ///
    /// # Errors
    /// Returns an error if the input or the output fails.
    pub(super) fn wish(&mut self, language: QueryLanguageRef) -> Result<Wish, Error> {
        if !self.is_edited() {
            let line = self.peek_input_line()?;
            let (taken, more) = language.reply(line.as_deref(), self.input_is_terminal());
            if taken {
                self.read_input_line()?;
            }
            return Ok(if more { Wish::More(1) } else { Wish::Stop });
        }
        let room = self.output_room();
        let hint = self.with_editor(|_, editor| editor.hint(room)).flatten();
        let [shown, gone] = hint.unwrap_or_default();
        self.write_output(&shown)?;
        self.flush_output()?;
        let mut key = self.read_key();
        self.write_output(&gone)?;
        loop {
            let wish = key.and_then(|key| self.with_editor(|_, editor| editor.wish(key)));
            match wish {
                Some(Wish::Told(text)) => self.write_output(&text)?,
                wish => return Ok(wish.unwrap_or(Wish::Stop)),
            }
            self.flush_output()?;
            key = self.read_key();
        }
    }
}
