//! The writing half of a stream: encoded bytes, buffered before a sink.

use super::encoding::Encoding;
use super::error::IoError;
use super::options::{Buffering, Newline, StreamType};
use super::pace::Pace;
use super::position::Position;
use super::sink::ByteSink;
use crate::base::growth::{Bounded, Grow, GrowBy};
use crate::base::watch::Watch;
use std::io::SeekFrom;
use std::sync::Arc;

/// Maximum number of bytes in a buffer before they are written.
const LIMIT: usize = 32 * 1024;

/// An output channel.
pub(crate) struct Output {
    sink: ByteSink,
    /// Reports when waiting for the reader of the bytes must end. A stream that no engine has opened waits without
    /// end.
    pub(crate) watch: Option<Arc<Watch>>,
    stream_type: StreamType,
    encoding: Encoding,
    /// The time when the buffer is written.
    buffering: Buffering,
    /// Whether long runs of lines may be delayed for a moment.
    pace: Option<Pace>,
    /// The end of a line.
    pub(crate) newline: Newline,
    buffer: Vec<u8>,
    /// Number of bytes in memory that an account covers.
    claimed: usize,
    position: Position,
    /// An error that no operation has reported yet.
    unreported: Option<IoError>,
    /// Whether a goal was ended while it waited for the reader of the bytes.
    stuck: bool,
    /// The text of the present line, if that is kept.
    line: Option<String>,
    /// The last character of the text so far.
    last_char: char,
}

/// Maximum number of bytes of a line that is kept: a longer one is no prompt.
const LONGEST_LINE: usize = 4096;

impl Output {
    /// Returns whether the bytes go to the standard output or error output of the process.
    pub(super) fn is_of_process(&self) -> bool {
        matches!(self.sink, ByteSink::Stdout | ByteSink::Stderr)
    }

    /// Makes an output to a sink, from position `position`.
    pub(crate) fn new(
        sink: ByteSink,
        stream_type: StreamType,
        encoding: Encoding,
        buffering: Buffering,
        position: Position,
    ) -> Output {
        Output {
            sink,
            watch: None,
            stream_type,
            encoding,
            buffering,
            pace: None,
            newline: Newline::Posix,
            buffer: Vec::new(),
            claimed: 0,
            position,
            unreported: None,
            stuck: false,
            line: None,
            last_char: '\n',
        }
    }

    /// Returns when the buffer is written.
    pub(crate) fn buffering(&self) -> Buffering {
        self.buffering
    }

    /// Sets when the buffer is written.
    pub(crate) fn set_buffering(&mut self, buffering: Buffering) {
        self.buffering = buffering;
        self.pace = None;
    }

    /// Writes the buffer after each line, but delays long runs of lines for a moment.
    pub(crate) fn write_lines(&mut self) {
        self.buffering = Buffering::Line;
        self.pace = Some(Pace::new());
    }

    /// Keeps the text of the present line from here on.
    pub(crate) fn keep_line(&mut self) {
        self.line.get_or_insert_default();
    }

    /// Writes all pending output before a read. Returns the text of the present line, which ends there.
    pub(crate) fn end_line(&mut self) -> String {
        let line = self.position.line;
        self.set_line(line, 0);
        self.unreported = self.flush().err();
        self.line.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Adds a text to that of the present line.
    fn note_line(&mut self, text: &str) {
        if let Some(line) = &mut self.line {
            let start = text.rfind(['\n', '\r']).map(|at| at + 1);
            if start.is_some() {
                line.clear();
            }
            let rest = text.get(start.unwrap_or(0)..).unwrap_or_default();
            if line.len() + rest.len() <= LONGEST_LINE {
                line.put_bounded(rest);
            }
        }
    }

    /// Returns whether the stream has characters or bytes.
    pub(crate) fn stream_type(&self) -> StreamType {
        self.stream_type
    }

    /// Writes characters or bytes from here on.
    pub(crate) fn set_type(&mut self, stream_type: StreamType) {
        self.stream_type = stream_type;
    }

    /// Returns the encoding of the text.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Writes in another encoding from here on.
    pub(crate) fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    /// Returns the character that was written last; a line end at the start of the text.
    pub(crate) fn last_char(&self) -> char {
        self.last_char
    }

    /// Returns the place of the next character.
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// Sets the line and column counters.
    pub(crate) fn set_line(&mut self, line: u64, line_position: u64) {
        self.position.line = line;
        self.position.line_position = line_position;
    }

    /// Writes a byte order mark; it counts as bytes, not as text.
    pub(crate) fn put_bom(&mut self) {
        let bom = self.encoding.bom();
        bom.iter().for_each(|&byte| self.buffer.put_bounded(byte));
        self.position.byte_offset += self.encoding.bom().len() as u64;
    }

    /// Writes a character.
    #[inline]
    pub(crate) fn put_char(&mut self, char: char) -> Result<(), IoError> {
        self.stream_type.require(StreamType::Text)?;
        if self.line.is_some() {
            self.note_line(char.encode_utf8(&mut [0; 4]));
        }
        self.last_char = char;
        self.encode(char)?;
        self.settle(char == '\n')
    }

    #[inline]
    fn encode(&mut self, char: char) -> Result<(), IoError> {
        if char == '\n' && self.newline == Newline::Dos {
            // The carriage return belongs to the end of the line and is no character of the text.
            self.encoding.encode('\r', &mut self.buffer)?;
            self.position.byte_offset += self.encoding.width('\r');
        }
        self.encoding.encode(char, &mut self.buffer)?;
        self.position.byte_offset += self.encoding.width(char);
        self.position.advance_char(char);
        Ok(())
    }

    /// Writes a text.
    pub(crate) fn put_str(&mut self, text: &str) -> Result<(), IoError> {
        self.stream_type.require(StreamType::Text)?;
        // In any encoding a character takes at most twice the bytes that it has here.
        if self.buffer.try_reserve(2 * text.len()).is_err() {
            return Err(IoError::NoMemory);
        }
        self.note_line(text);
        self.last_char = text.chars().next_back().unwrap_or(self.last_char);
        if self.encoding != Encoding::Utf8 || self.newline != Newline::Posix {
            for char in text.chars() {
                self.encode(char)?;
            }
            return self.settle(text.contains('\n'));
        }
        self.buffer.put_slice(text.as_bytes())?;
        self.position.byte_offset += text.len() as u64;
        let line = self.position.line;
        self.position.advance_text(text);
        self.settle(self.position.line != line)
    }

    /// Writes a byte.
    pub(crate) fn put_byte(&mut self, byte: u8) -> Result<(), IoError> {
        self.stream_type.require(StreamType::Binary)?;
        self.buffer.put(byte)?;
        self.position.advance_byte(byte);
        self.settle(byte == b'\n')
    }

    /// Writes the content of the buffer. After an error the content is lost, so that not every later write raises the
    /// error again. If the work must stop before the content is written, it stays in the buffer.
    pub(crate) fn flush(&mut self) -> Result<(), IoError> {
        if let Some(pace) = &self.pace {
            pace.written();
        }
        if let Some(error) = self.unreported.take() {
            self.buffer.clear();
            return Err(error);
        }
        if self.buffer.is_empty() || matches!(self.sink, ByteSink::Memory) {
            return Ok(());
        }
        let watch = self.watch.get_or_insert_default();
        if std::mem::take(&mut self.stuck) && !watch.is_within_instruction() {
            // The catcher of the stopped goal must not wait in its place.
            self.buffer.clear();
            return Err(IoError::Interrupted);
        }
        let written = self.sink.write(&self.buffer, watch);
        if let Ok(written) = written
            && written < self.buffer.len()
        {
            self.buffer.drain(..written);
            return Err(IoError::Interrupted);
        }
        self.buffer.clear();
        let written = written.map(drop).map_err(IoError::from);
        self.stuck = written == Err(IoError::Interrupted);
        written
    }

    /// Writes the content of the buffer when no operation requires it. An error waits for an operation that does. So
    /// does content that is not written because the work must stop.
    pub(crate) fn pass_on(&mut self) {
        if self.unreported.is_none() {
            let failed = self.flush().err();
            self.unreported = failed.filter(|error| *error != IoError::Interrupted);
        }
    }

    /// Shows a prompt and all pending output before it, for an operation on another stream. An error waits for the
    /// next write or flush of this stream.
    pub(crate) fn show_prompt(&mut self, prompt: &str) {
        if !prompt.is_empty() && self.stream_type == StreamType::Text {
            let line = self.position.line;
            self.unreported = self.put_str(prompt).err();
            // The terminal itself shows the newline that ends the input.
            self.set_line(line, 0);
        }
        self.unreported = self.flush().err();
    }

    /// Takes the bytes written to memory since the last call. The stream is at its start again. Returns `None` for
    /// any other sink.
    pub(crate) fn take_bytes(&mut self) -> Option<Vec<u8>> {
        if !matches!(self.sink, ByteSink::Memory) {
            return None;
        }
        self.position = Position::START;
        self.last_char = '\n';
        self.claimed = 0;
        Some(std::mem::take(&mut self.buffer))
    }

    /// Returns whether the output has more bytes in memory than it has claimed. If so, claims more than it has, for
    /// output to come.
    pub(crate) fn claim_memory(&mut self) -> bool {
        let held = self.buffer.len();
        if held <= LIMIT.max(self.claimed) || !matches!(self.sink, ByteSink::Memory) {
            return false;
        }
        self.claimed = held + held / 8 + LIMIT;
        true
    }

    /// Returns whether the output stays in memory.
    pub(crate) fn is_in_memory(&self) -> bool {
        matches!(self.sink, ByteSink::Memory)
    }

    /// Returns the number of bytes in memory that are not taken yet.
    pub(crate) fn held_in_memory(&self) -> usize {
        match self.sink {
            ByteSink::Memory => self.buffer.len(),
            _ => 0,
        }
    }

    /// Returns the number of bytes in memory that the output has claimed.
    pub(crate) fn accounted(&self) -> usize {
        self.claimed
    }

    /// Moves to a place.
    pub(crate) fn set_position(&mut self, position: Position) -> Result<(), IoError> {
        self.flush()?;
        self.sink.seek(SeekFrom::Start(position.byte_offset))?;
        self.position = position;
        Ok(())
    }

    /// Returns the number of bytes of the file.
    pub(crate) fn sink_len(&mut self) -> Result<u64, IoError> {
        self.flush()?;
        let len = self.sink.seek(SeekFrom::End(0))?;
        self.sink.seek(SeekFrom::Start(self.position.byte_offset))?;
        Ok(len)
    }

    /// Makes the present place the end of the file.
    pub(crate) fn set_end_of_stream(&mut self) -> Result<(), IoError> {
        self.flush()?;
        Ok(self.sink.truncate(self.position.byte_offset)?)
    }

    #[inline]
    fn line_is_due(&mut self) -> bool {
        match &mut self.pace {
            Some(pace) => pace.is_due(self.watch.get_or_insert_default()),
            None => true,
        }
    }

    #[inline]
    fn settle(&mut self, newline: bool) -> Result<(), IoError> {
        let due = match self.buffering {
            Buffering::Full => false,
            Buffering::Line => newline && self.line_is_due(),
            Buffering::None => true,
        };
        let full = self.buffer.len() >= LIMIT;
        if full || due || self.unreported.is_some() {
            self.flush()
        } else {
            Ok(())
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // An error can no longer be reported.
        let _ = self.flush();
    }
}
