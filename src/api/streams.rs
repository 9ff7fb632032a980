//! The standard streams of an engine: the source of the program's input and the destination of its output.

use super::engine::Engine;
use super::error::{Error, ErrorKind};
use crate::api::leave;
use crate::builtins::streams::errors_io::may_take;
use crate::io::error::IoError;
use crate::io::line_editor::LineEditor;
use crate::io::stream::{Stream, StreamId};
use crate::io::stream_table::{StreamTable, USER_ERROR, USER_INPUT, USER_OUTPUT};
use crate::machine::state::Machine;
use crate::source::input_clause::InputClause;
use crate::source::terminal::{output_room, read_key};
use crate::store::os;
use crate::text::clause_extent::ClauseExtent;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;

impl From<IoError> for Error {
    fn from(error: IoError) -> Error {
        let kind = match error {
            IoError::NoMemory => ErrorKind::Resource,
            IoError::Interrupted => ErrorKind::Interrupted,
            _ => ErrorKind::Io,
        };
        Error::new(kind, error.to_string()).with_broken_pipe(error == IoError::BrokenPipe)
    }
}

impl Engine {
    fn streams(&mut self) -> &mut StreamTable {
        &mut self.machine.world.host.streams
    }

    /// Returns an open stream for reading its state.
    fn stream(&self, id: StreamId) -> Option<&Stream> {
        self.machine.world.host.streams.get(id)
    }

    /// Sends the program's output to `user_output` to this writer.
    pub fn set_output(&mut self, writer: impl Write + Send + 'static) {
        self.streams().set_user_output(Box::new(writer));
    }

    /// Sends the program's output to `user_error` to this writer.
    pub fn set_error_output(&mut self, writer: impl Write + Send + 'static) {
        self.streams().set_user_error(Box::new(writer));
    }

    /// Captures the program's output to `user_output`, for [`Engine::take_output`].
    ///
    /// ```
    /// # fn main() -> Result<(), wamlet::Error> {
    /// let mut engine = wamlet::Engine::new()?;
    /// engine.capture_output();
    /// engine.query_once("write(hello), nl")?;
    /// assert_eq!(engine.take_output(), "hello\n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn capture_output(&mut self) {
        self.streams().collect_standard(USER_OUTPUT);
    }

    /// Returns the output to `user_output` since [`Engine::capture_output`] or the last call.
    pub fn take_output(&mut self) -> String {
        self.streams().take_text(USER_OUTPUT).unwrap_or_default()
    }

    /// Captures the program's output to `user_error`, for [`Engine::take_error_output`].
    pub fn capture_error_output(&mut self) {
        self.streams().collect_standard(USER_ERROR);
    }

    /// Returns the output to `user_error` since [`Engine::capture_error_output`] or the last call.
    pub fn take_error_output(&mut self) -> String {
        self.streams().take_text(USER_ERROR).unwrap_or_default()
    }

    /// Sets the reader for the program's input.
    pub fn set_input(&mut self, reader: impl Read + Send + 'static) {
        self.streams().set_user_input(Box::new(reader));
    }

    /// Sets the reader for queries of the host: prompts and methods such as [`Engine::read_input_clause`] read from it.
    /// Goals cannot read from it (`permission_error(use, capability, stdin)`).
    pub fn set_query_input(&mut self, reader: impl Read + Send + 'static) {
        self.set_input(reader);
        self.streams().close_input(true);
    }

    /// Runs work that reads from `user_input` for the host.
    fn reading<T>(
        &mut self,
        read: impl FnOnce(&mut Machine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let closed = self.streams().close_input(false);
        let result = read(&mut self.machine);
        self.streams().close_input(closed);
        result
    }

    /// Sets a text as the program's input.
    pub fn set_input_text(&mut self, text: impl Into<String>) {
        self.streams().set_user_input_text(text.into());
    }

    /// Sets an editor for the lines that the program reads, if the standard input of the engine is a terminal. While a
    /// time limit applies, the program reads from the terminal itself.
    pub fn set_input_editor(&mut self, editor: impl LineEditor + 'static) {
        self.streams().set_input_editor(Box::new(editor));
    }

    /// Writes a text to `user_output`, after the output of the program.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Io`] if the writer fails.
    pub fn write_output(&mut self, text: &str) -> Result<(), Error> {
        match self.streams().get_mut(USER_OUTPUT) {
            Some(stream) => Ok(stream.put_str(text)?),
            None => Ok(()),
        }
    }

    /// Writes a text to `user_error`, after the output of the program.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Io`] if the writer fails.
    pub fn write_error_output(&mut self, text: &str) -> Result<(), Error> {
        Ok(self.streams().output(USER_ERROR)?.put_str(text)?)
    }

    /// Closes all streams and does not free the rest of the engine. It is for the end of the process, where freeing
    /// clause by clause would only take time.
    pub fn leave(self) {
        let mut engine = ManuallyDrop::new(self);
        engine.machine.world.host.streams.close_all();
    }

    /// Returns the number of characters since the beginning of the line in `user_output`.
    pub fn output_column(&self) -> u64 {
        self.stream(USER_OUTPUT).map_or(0, Stream::line_position)
    }

    /// Returns the number of characters that fit into the rest of the line. Returns `None` if `user_output` is not a
    /// terminal or its width is unknown.
    pub fn output_room(&self) -> Option<usize> {
        output_room(&self.machine)
    }

    /// Flushes all output streams.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Io`] if a writer fails.
    pub fn flush_output(&mut self) -> Result<(), Error> {
        Ok(self.streams().flush_all()?)
    }

    /// Returns the rest of the current line of `user_input` without taking it. Returns `None` at the end of the input.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Io`] if the reader fails.
    pub fn peek_input_line(&mut self) -> Result<Option<String>, Error> {
        self.reading(|m| {
            let allowance = |bytes| may_take(&m.store, bytes);
            let input = m.world.host.streams.input(USER_INPUT)?;
            let mut searched = 0;
            loop {
                let text = input.buffered_text()?;
                let fresh = text.get(searched..).unwrap_or_default();
                if let Some(end) = fresh.find('\n') {
                    return Ok(text.get(..=searched + end).map(str::to_owned));
                }
                searched = text.len();
                if !input.fill_more(&allowance)? {
                    let text = input.buffered_text()?;
                    return Ok((!text.is_empty()).then(|| text.to_owned()));
                }
            }
        })
    }

    /// Takes the next clause or query from `user_input`, up to its full stop. Also takes the blanks after it on its
    /// line, because a prompt and its program read from one stream. Returns `None` at the end of the input. A returned
    /// text without a full stop means that the input ended inside a clause.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Io`] if the reader fails.
    pub fn read_input_clause(&mut self) -> Result<Option<String>, Error> {
        let lexis = self.machine.world.flags.lexis();
        self.reading(|m| {
            let input = m.world.host.streams.input(USER_INPUT)?;
            let mut clause = InputClause::new(lexis, None);
            clause.read(input, &|bytes| may_take(&m.store, bytes))?;
            Ok(clause.clause())
        })
    }

    /// Returns the offset after the full stop of the first clause in a text. Returns `None` if the text has no full
    /// stop yet, so that the host must read more lines.
    pub fn clause_end(&self, text: &str) -> Option<usize> {
        ClauseExtent::typed(self.machine.world.flags.lexis()).end_of(text)
    }

    /// Skips blanks that are already in the buffer of `user_input`, such as the end of a line from which a program has
    /// read a term.
    pub fn skip_input_blanks(&mut self) {
        if let Some(stream) = self.streams().get_mut(USER_INPUT)
            && let Ok(input) = stream.input()
        {
            input.skip_blanks();
        }
    }

    /// Returns the number of the current line of `user_input`, from 1.
    pub fn input_line(&self) -> u64 {
        self.stream(USER_INPUT)
            .map_or(1, |stream| stream.position().line)
    }

    /// Waits for a single key of the terminal and returns it. If the terminal delivers whole lines only
    /// ([`Engine::keys_come_in_lines`]), returns the first character of a line, or the end of an empty line. Returns
    /// `None` if the process has no terminal, or at the end of its input.
    pub fn read_key(&mut self) -> Option<char> {
        read_key(&mut self.machine, leave())
    }

    /// Returns whether the terminal of the process edits lines itself and delivers whole lines. The environment
    /// variables decide this: `TERM` is `dumb`, `emacs` or `cons25`, or `INSIDE_EMACS` names a buffer for commands.
    pub fn keys_come_in_lines() -> bool {
        os::keys_come_in_lines()
    }

    /// Returns the number of bytes that wait in the terminal of the process, as far as the system knows it.
    pub fn keys_waiting() -> usize {
        os::keys_waiting()
    }

    /// Makes reads from the terminal of the process end if no key waits, until the mode of the terminal is set again.
    /// An editor that has set its own mode of the terminal can thus read the keys typed so far. Returns `false` if the
    /// system does not support this.
    pub fn stop_waiting_for_keys() -> bool {
        os::stop_waiting_for_keys()
    }

    /// Takes the rest of the current line of `user_input` with its line end. Returns `None` at the end of the input.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Io`] if the reader fails.
    pub fn read_input_line(&mut self) -> Result<Option<String>, Error> {
        self.reading(|m| {
            let mut line = String::new();
            let input = m.world.host.streams.input(USER_INPUT)?;
            let read = input.read_line_into(&mut line, &|bytes| may_take(&m.store, bytes))?;
            Ok(read.then_some(line))
        })
    }
}
