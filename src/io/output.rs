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

/// Bytes that a buffer holds at most before they are written.
const LIMIT: usize = 32 * 1024;

/// An output channel.
pub(crate) struct Output {
    sink: ByteSink,
    /// Says when waiting for whoever takes the bytes is to end; a stream that nobody opened waits on.
    pub(crate) watch: Option<Arc<Watch>>,
    stream_type: StreamType,
    encoding: Encoding,
    /// When the buffer is written.
    buffering: Buffering,
    /// May long runs of lines be held back for a moment?
    pace: Option<Pace>,
    /// What ends a line.
    pub(crate) newline: Newline,
    buffer: Vec<u8>,
    /// Bytes in memory that somebody accounts for.
    claimed: usize,
    position: Position,
    /// An error that no operation has reported yet.
    unreported: Option<IoError>,
    /// Was a goal ended while it waited for somebody to take the bytes?
    stuck: bool,
    /// What the present line holds, if that is kept.
    line: Option<String>,
    /// The last character of the text so far.
    last_char: char,
}

/// Bytes of a line that are kept at most: a longer one is no prompt.
const LONGEST_LINE: usize = 4096;

impl Output {
    /// Do its bytes go to the standard output or error output of the process?
    pub(super) fn is_of_process(&self) -> bool {
        matches!(self.sink, ByteSink::Stdout | ByteSink::Stderr)
    }

    /// Output to a sink, from position `position`.
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

    /// When the buffer is written.
    pub(crate) fn buffering(&self) -> Buffering {
        self.buffering
    }

    /// Writes the buffer at these times from here on.
    pub(crate) fn set_buffering(&mut self, buffering: Buffering) {
        self.buffering = buffering;
        self.pace = None;
    }

    /// Writes it after each line, but holds long runs of lines back for a moment.
    pub(crate) fn write_lines(&mut self) {
        self.buffering = Buffering::Line;
        self.pace = Some(Pace::new());
    }

    /// Keeps from here on what the present line holds.
    pub(crate) fn keep_line(&mut self) {
        self.line.get_or_insert_default();
    }

    /// Writes all that was written before something is read, and gives what stands on the line: it ends there.
    pub(crate) fn end_line(&mut self) -> String {
        let line = self.position.line;
        self.set_line(line, 0);
        self.unreported = self.flush().err();
        self.line.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Notes what the present line holds.
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

    /// Characters or bytes.
    pub(crate) fn stream_type(&self) -> StreamType {
        self.stream_type
    }

    /// Writes characters or bytes from here on.
    pub(crate) fn set_type(&mut self, stream_type: StreamType) {
        self.stream_type = stream_type;
    }

    /// The encoding of the text.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Writes in another encoding from here on.
    pub(crate) fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    /// The character that was written last; a line end at the start of the text.
    pub(crate) fn last_char(&self) -> char {
        self.last_char
    }

    /// The place of the next character.
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
            // It is of the line's end, and no character of the text.
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
        // A character of any encoding takes at most twice the bytes that it has here.
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

    /// Writes what the buffer holds. After an error that is lost: it must not come again with
    /// every later write. If the work is to be stopped before it is written, it stays there.
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
            // Whoever ended the goal does not want to wait in its place.
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

    /// Writes what the buffer holds where no operation asks for it: an error waits for one that does, and so does
    /// what is not written since the work is to be stopped.
    pub(crate) fn pass_on(&mut self) {
        if self.unreported.is_none() {
            let failed = self.flush().err();
            self.unreported = failed.filter(|error| *error != IoError::Interrupted);
        }
    }

    /// Shows a prompt and all that was written before it, on behalf of an operation on another
    /// stream: an error waits for the next write or flush of this one.
    pub(crate) fn show_prompt(&mut self, prompt: &str) {
        if !prompt.is_empty() && self.stream_type == StreamType::Text {
            let line = self.position.line;
            self.unreported = self.put_str(prompt).err();
            // The newline that ends the answer is the terminal's.
            self.set_line(line, 0);
        }
        self.unreported = self.flush().err();
    }

    /// Takes what was written to memory since the last time; the stream is at its start again.
    /// `None` of any other sink.
    pub(crate) fn take_bytes(&mut self) -> Option<Vec<u8>> {
        if !matches!(self.sink, ByteSink::Memory) {
            return None;
        }
        self.position = Position::START;
        self.last_char = '\n';
        self.claimed = 0;
        Some(std::mem::take(&mut self.buffer))
    }

    /// Does it hold more bytes in memory than it has told of? It tells of some that are to come.
    pub(crate) fn grows_in_memory(&mut self) -> bool {
        let held = self.buffer.len();
        if held <= LIMIT.max(self.claimed) || !matches!(self.sink, ByteSink::Memory) {
            return false;
        }
        self.claimed = held + held / 8 + LIMIT;
        true
    }

    /// Does it keep in memory what is written?
    pub(crate) fn is_in_memory(&self) -> bool {
        matches!(self.sink, ByteSink::Memory)
    }

    /// Bytes that it holds in memory until they are taken.
    pub(crate) fn held_in_memory(&self) -> usize {
        match self.sink {
            ByteSink::Memory => self.buffer.len(),
            _ => 0,
        }
    }

    /// Bytes in memory that it has told of.
    pub(crate) fn claimed(&self) -> usize {
        self.claimed
    }

    /// Goes to a place.
    pub(crate) fn set_position(&mut self, position: Position) -> Result<(), IoError> {
        self.flush()?;
        self.sink.seek(SeekFrom::Start(position.byte_offset))?;
        self.position = position;
        Ok(())
    }

    /// Number of bytes of the file.
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
        // Nobody is left to be told of an error.
        let _ = self.flush();
    }
}
