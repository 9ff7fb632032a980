//! The standard streams of an engine: where the program's input comes from and its output goes.

use super::engine::Engine;
use super::error::{Error, ErrorKind};
use crate::io::error::IoError;
use crate::io::stream_table::{USER_ERROR, USER_INPUT, USER_OUTPUT};
use std::io::{Read, Write};

fn io_error(error: &IoError) -> Error {
    Error::new(ErrorKind::Io, error.to_string())
}

impl Engine {
    /// Sends what the program writes to `user_output` to this writer.
    pub fn set_output(&mut self, writer: impl Write + Send + 'static) {
        self.machine.streams.set_user_output(Box::new(writer));
    }

    /// Sends what the program writes to `user_error` to this writer.
    pub fn set_error_output(&mut self, writer: impl Write + Send + 'static) {
        self.machine.streams.set_user_error(Box::new(writer));
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
        self.machine.streams.collect_standard(USER_OUTPUT);
    }

    /// What was written to `user_output` since [`Engine::capture_output`] or the last call.
    pub fn take_output(&mut self) -> String {
        self.machine.streams.take_text(USER_OUTPUT).unwrap_or_default()
    }

    /// Keeps what the program writes to `user_error`, for [`Engine::take_error_output`].
    pub fn capture_error_output(&mut self) {
        self.machine.streams.collect_standard(USER_ERROR);
    }

    /// What was written to `user_error` since [`Engine::capture_error_output`] or the last call.
    pub fn take_error_output(&mut self) -> String {
        self.machine.streams.take_text(USER_ERROR).unwrap_or_default()
    }

    /// Lets the program read from this reader.
    pub fn set_input(&mut self, reader: impl Read + Send + 'static) {
        self.machine.streams.set_user_input(Box::new(reader));
    }

    /// Lets the program read this text.
    pub fn set_input_text(&mut self, text: impl Into<String>) {
        self.machine.streams.set_user_input_text(text.into());
    }

    /// Writes a text to `user_output`, behind what the program wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the writer fails.
    pub fn write_output(&mut self, text: &str) -> Result<(), Error> {
        let stream = self.machine.streams.get_mut(USER_OUTPUT);
        stream.map_or(Ok(()), |stream| stream.put_str(text)).map_err(|error| io_error(&error))
    }

    /// Writes a text to `user_error`, behind what the program wrote.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the writer fails.
    pub fn write_error_output(&mut self, text: &str) -> Result<(), Error> {
        let stream = self.machine.streams.get_mut(USER_ERROR);
        stream.map_or(Ok(()), |stream| stream.put_str(text)).map_err(|error| io_error(&error))
    }

    /// Characters since the beginning of the line in `user_output`.
    pub fn output_column(&self) -> u64 {
        self.machine.streams.get(USER_OUTPUT).map_or(0, |stream| stream.line_position())
    }

    /// Writes out what the streams hold back.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if a writer fails.
    pub fn flush_output(&mut self) -> Result<(), Error> {
        self.machine.streams.flush_all().map_err(|error| io_error(&error))
    }

    /// Takes the rest of the current line of `user_input`, with its end: what a program and a
    /// prompt read they read from one stream. `None` at its end.
    ///
    /// # Errors
    /// [`ErrorKind::Io`] if the reader fails.
    pub fn read_input_line(&mut self) -> Result<Option<String>, Error> {
        let mut line = String::new();
        let input = self.machine.streams.input(USER_INPUT).map_err(|error| io_error(&error))?;
        let read = input.read_line_into(&mut line).map_err(|error| io_error(&error))?;
        Ok(read.then_some(line))
    }
}
