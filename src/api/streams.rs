//! The standard streams of an engine: where the program's input comes from and its output goes.

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

    /// An open stream, to be looked at.
    fn stream(&self, id: StreamId) -> Option<&Stream> {
        self.machine.world.host.streams.get(id)
    }

    /// Sends what the program writes to `user_output` to this writer.
    pub fn set_output(&mut self, writer: impl Write + Send + 'static) {
        self.streams().set_user_output(Box::new(writer));
    }

    /// Sends what the program writes to `user_error` to this writer.
    pub fn set_error_output(&mut self, writer: impl Write + Send + 'static) {
        self.streams().set_user_error(Box::new(writer));
    }

    /// Keeps what the program writes to `user_output`, for [`Engine::take_output`].
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

    /// What was written to `user_output` since [`Engine::capture_output`] or the last call.
    pub fn take_output(&mut self) -> String {
        self.streams().take_text(USER_OUTPUT).unwrap_or_default()
    }

    /// Keeps what the program writes to `user_error`, for [`Engine::take_error_output`].
    pub fn capture_error_output(&mut self) {
        self.streams().collect_standard(USER_ERROR);
    }

    /// What was written to `user_error` since [`Engine::capture_error_output`] or the last call.
    pub fn take_error_output(&mut self) -> String {
        self.streams().take_text(USER_ERROR).unwrap_or_default()
    }

    /// Lets the program read from this reader.
    pub fn set_input(&mut self, reader: impl Read + Send + 'static) {
        self.streams().set_user_input(Box::new(reader));
    }

    /// Has the host read its queries from this reader: what prompts and [`Engine::read_input_clause`] and its like read.
    /// Goals are refused to read it (`permission_error(use, capability, stdin)`).
    pub fn set_query_input(&mut self, reader: impl Read + Send + 'static) {
        self.set_input(reader);
        self.streams().close_input(true);
    }

    /// Does something that reads from `user_input` for the host.
    fn reading<T>(
        &mut self,
        read: impl FnOnce(&mut Machine) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let closed = self.streams().close_input(false);
        let result = read(&mut self.machine);
        self.streams().close_input(closed);
        result
    }

    /// Lets the program read this text.
    pub fn set_input_text(&mut self, text: impl Into<String>) {
        self.streams().set_user_input_text(text.into());
    }

    /// Lets the program read lines that a person edits, as far as the standard input of the engine is a
    /// terminal. Where time may be up meanwhile the terminal itself gives the lines.
    pub fn set_input_editor(&mut self, editor: impl LineEditor + 'static) {
        self.streams().set_input_editor(Box::new(editor));
    }

    /// Writes a text to `user_output`, behind what the program wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the writer fails.
    pub fn write_output(&mut self, text: &str) -> Result<(), Error> {
        match self.streams().get_mut(USER_OUTPUT) {
            Some(stream) => Ok(stream.put_str(text)?),
            None => Ok(()),
        }
    }

    /// Writes a text to `user_error`, behind what the program wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the writer fails.
    pub fn write_error_output(&mut self, text: &str) -> Result<(), Error> {
        Ok(self.streams().output(USER_ERROR)?.put_str(text)?)
    }

    /// Closes all streams and leaves the rest of the engine to the system: for the end of the process, where
    /// freeing clause by clause would take time only.
    pub fn leave(self) {
        let mut engine = ManuallyDrop::new(self);
        engine.machine.world.host.streams.close_all();
    }

    /// Characters since the beginning of the line in `user_output`.
    pub fn output_column(&self) -> u64 {
        self.stream(USER_OUTPUT).map_or(0, Stream::line_position)
    }

    /// So many characters have room in what is left of the line, if `user_output` is a terminal whose width
    /// is known.
    pub fn output_room(&self) -> Option<usize> {
        output_room(&self.machine)
    }

    /// Writes out what the streams hold back.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if a writer fails.
    pub fn flush_output(&mut self) -> Result<(), Error> {
        Ok(self.streams().flush_all()?)
    }

    /// The rest of the current line of `user_input`, which stays there. `None` at its end.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the reader fails.
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

    /// Takes the next clause or query from `user_input`, up to its full stop, and what is blank
    /// after it on its line: a prompt and the program that it runs read from one stream. `None` at
    /// its end; a text without a full stop comes from one that ends in the middle of a clause.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the reader fails.
    pub fn read_input_clause(&mut self) -> Result<Option<String>, Error> {
        let lexis = self.machine.world.flags.lexis();
        self.reading(|m| {
            let input = m.world.host.streams.input(USER_INPUT)?;
            let mut clause = InputClause::new(lexis, None);
            clause.read(input, &|bytes| may_take(&m.store, bytes))?;
            Ok(clause.clause())
        })
    }

    /// Where the first clause of a text ends: the offset after its full stop. `None` if it does not
    /// end, so that more lines are to be asked for.
    pub fn clause_end(&self, text: &str) -> Option<usize> {
        ClauseExtent::typed(self.machine.world.flags.lexis()).end_of(text)
    }

    /// Passes over what is blank of the text that `user_input` has at hand, such as the end of the line that a
    /// program has read a term of.
    pub fn skip_input_blanks(&mut self) {
        if let Some(stream) = self.streams().get_mut(USER_INPUT)
            && let Ok(input) = stream.input()
        {
            input.skip_blanks();
        }
    }

    /// The number of the line that `user_input` is in, from 1.
    pub fn input_line(&self) -> u64 {
        self.stream(USER_INPUT)
            .map_or(1, |stream| stream.position().line)
    }

    /// Waits for a single key of the terminal. Where the terminal gives lines alone ([`Engine::keys_come_in_lines`]) it
    /// is the first character of one, or the end of an empty line. `None` if the process has no terminal, or at its end.
    pub fn read_key(&mut self) -> Option<char> {
        read_key(&mut self.machine, leave())
    }

    /// Does the terminal of the process edit lines itself and give them whole? By the environment variables: `TERM` is
    /// `dumb`, `emacs` or `cons25`, or `INSIDE_EMACS` tells of a buffer for commands.
    pub fn keys_come_in_lines() -> bool {
        os::keys_come_in_lines()
    }

    /// Bytes that wait to be read from the terminal of the process, as far as that is known.
    pub fn keys_waiting() -> usize {
        os::keys_waiting()
    }

    /// Has reads of the terminal of the process end where no key waits, until its mode is set anew: an editor that has
    /// put the terminal into a mode of its own finds out so what was typed already. False where that cannot be.
    pub fn stop_waiting_for_keys() -> bool {
        os::stop_waiting_for_keys()
    }

    /// Takes the rest of the current line of `user_input`, with its end. `None` at its end.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the reader fails.
    pub fn read_input_line(&mut self) -> Result<Option<String>, Error> {
        self.reading(|m| {
            let mut line = String::new();
            let input = m.world.host.streams.input(USER_INPUT)?;
            let read = input.read_line_into(&mut line, &|bytes| may_take(&m.store, bytes))?;
            Ok(read.then_some(line))
        })
    }
}
