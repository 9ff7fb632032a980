//! The reading half of a stream: bytes from a source, decoded ahead into a text buffer.
//!
//! Invariant: `text[at..]` and then `bytes[bytes_at..]` were taken from the source and not read yet. `position` is
//! the place of `text[at]`. A binary stream never has text.

use super::allowance::Allowance;
use super::encoding::{Bom, Encoding, Replacement, decode, detect_bom};
use super::error::IoError;
use super::line_editor::LineEditor;
use super::options::{EndOfStream, EofAction, StreamType};
use super::position::Position;
use super::source::{ByteSource, Edited};
use crate::base::growth::{GrowBy, GrowText, reserve_text};
use crate::base::stop::Stop;
use crate::base::watch::{PIECE, Watch};
use std::collections::VecDeque;
use std::sync::Arc;

/// Maximum number of bytes of text whose memory is kept.
const KEPT: usize = 1 << 20;

/// An input channel.
pub(crate) struct Input {
    source: ByteSource,
    stream_type: StreamType,
    encoding: Encoding,
    /// The effect of a read past the end.
    pub(crate) eof_action: EofAction,
    /// Whether signals interrupt a read of a terminal.
    pub(crate) interruptible: bool,
    /// Reports whether waiting must stop.
    pub(crate) watch: Option<Arc<Watch>>,
    text: String,
    at: usize,
    replaced: VecDeque<Replacement>,
    bytes: Vec<u8>,
    bytes_at: usize,
    position: Position,
    /// Number of bytes of an ASCII character.
    ascii_width: u64,
    detect_bom: bool,
    has_bom: bool,
    /// Whether the source has reported its end.
    ended: bool,
    /// Whether the reader has got the end.
    past: bool,
}

impl Input {
    /// Returns whether the bytes come from the standard input of the process.
    pub(super) fn is_of_process(&self) -> bool {
        matches!(self.source, ByteSource::Stdin | ByteSource::Edited(_))
    }

    /// Makes an input from a source, from its start.
    pub(crate) fn new(
        source: ByteSource,
        stream_type: StreamType,
        encoding: Encoding,
        eof_action: EofAction,
        detect_bom: bool,
    ) -> Input {
        Input {
            source,
            stream_type,
            encoding,
            eof_action,
            interruptible: false,
            watch: None,
            text: String::new(),
            at: 0,
            replaced: VecDeque::new(),
            bytes: Vec::new(),
            bytes_at: 0,
            position: Position::START,
            ascii_width: encoding.width(' '),
            detect_bom: detect_bom && stream_type == StreamType::Text,
            has_bom: false,
            ended: false,
            past: false,
        }
    }

    /// Returns whether the stream has characters or bytes.
    pub(crate) fn stream_type(&self) -> StreamType {
        self.stream_type
    }

    /// Returns the encoding of the text.
    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns whether the text began with a byte order mark.
    pub(crate) fn has_bom(&self) -> bool {
        self.has_bom
    }

    /// Makes an editor supply the lines from here on.
    pub(crate) fn set_editor(&mut self, editor: Box<dyn LineEditor>) {
        self.source = ByteSource::Edited(Edited::new(editor));
    }

    /// Returns the edited lines, if the input comes from an editor.
    pub(crate) fn edited(&mut self) -> Option<&mut Edited> {
        match &mut self.source {
            ByteSource::Edited(edited) => Some(edited),
            _ => None,
        }
    }

    /// Returns the place of the next character.
    pub(crate) fn position(&self) -> Position {
        self.position
    }

    /// Returns whether the source can be read from any place.
    pub(crate) fn is_seekable(&self) -> bool {
        self.source.is_seekable()
    }

    /// Reads the next character; `None` at the end.
    #[inline]
    pub(crate) fn get_char(&mut self) -> Result<Option<char>, IoError> {
        match self.text.as_bytes().get(self.at) {
            Some(&byte) if byte < 0x80 => {
                let char = char::from(byte);
                self.at += 1;
                self.position.byte_offset += self.ascii_width;
                self.position.advance_char(char);
                Ok(Some(char))
            }
            _ => self.get_other_char(),
        }
    }

    fn get_other_char(&mut self) -> Result<Option<char>, IoError> {
        let Some(char) = self.peek_char()? else {
            self.past = true;
            return Ok(None);
        };
        self.position.byte_offset += self.encoding.width(char);
        self.at += char.len_utf8();
        self.position.advance_char(char);
        self.pass_replaced();
        Ok(Some(char))
    }

    /// Returns the next character without reading it; `None` at the end.
    pub(crate) fn peek_char(&mut self) -> Result<Option<char>, IoError> {
        self.ensure_text()?;
        Ok(self.unread().chars().next())
    }

    /// Reads the next byte; `None` at the end.
    pub(crate) fn get_byte(&mut self) -> Result<Option<u8>, IoError> {
        let byte = self.peek_byte()?;
        match byte {
            Some(byte) => {
                self.bytes_at += 1;
                self.position.advance_byte(byte);
            }
            None => self.past = true,
        }
        Ok(byte)
    }

    /// Returns the next byte without reading it; `None` at the end.
    pub(crate) fn peek_byte(&mut self) -> Result<Option<u8>, IoError> {
        self.stream_type.require(StreamType::Binary)?;
        if self.bytes_at >= self.bytes.len() && self.may_read()? && !self.ended {
            self.read_bytes()?;
        }
        Ok(self.bytes.get(self.bytes_at).copied())
    }

    /// Returns the buffered text: at least one character unless the stream is at its end. [`Input::consume`] takes
    /// from it, [`Input::fill_more`] makes it longer. At the end, a [`Input::get_char`] goes past the end.
    pub(crate) fn buffered_text(&mut self) -> Result<&str, IoError> {
        self.ensure_text()?;
        Ok(self.unread())
    }

    /// Takes the blanks at the beginning of the buffered text, without waiting for more.
    pub(crate) fn skip_blanks(&mut self) {
        let unread = self.unread();
        self.consume(unread.len() - unread.trim_start().len());
    }

    /// Makes the buffered text longer, to twice its length if that needs no waiting. Returns false if the source has
    /// no more. If there is no room for more, the buffered text is lost.
    pub(crate) fn fill_more(&mut self, allowance: Allowance<'_>) -> Result<bool, IoError> {
        self.stream_type.require(StreamType::Text)?;
        let allowed = allowance(3 * self.unread().len());
        if let Err(error) = allowed {
            if error == IoError::NoMemory {
                self.consume(self.unread().len());
                self.drop_text();
            }
            return Err(error);
        }
        if self.at > 0 {
            self.text.drain(..self.at);
            for replacement in &mut self.replaced {
                replacement.at -= self.at;
            }
            self.at = 0;
        }
        let goal = 2 * self.text.len();
        let grown = self.fill()?;
        while grown && self.source.is_ready() && self.text.len() < goal && self.fill()? {
            allowance(0)?;
        }
        Ok(grown)
    }

    /// Takes `len` bytes of the buffered text, which end with a whole character.
    pub(crate) fn consume(&mut self, len: usize) {
        let Some(passed) = self.unread().get(..len) else {
            debug_assert!(
                false,
                "consumed part ends inside a character or beyond the text"
            );
            return;
        };
        let mut position = self.position;
        let chars = position.advance_text(passed);
        position.byte_offset += self.encoding.text_width(passed, chars);
        self.position = position;
        self.at += len;
        self.pass_replaced();
    }

    /// Appends the rest of the line with its newline to `line`. Returns false at the end of the stream.
    pub(crate) fn read_line_into(
        &mut self,
        line: &mut String,
        allowance: Allowance<'_>,
    ) -> Result<bool, IoError> {
        let before = line.len();
        loop {
            allowance(2 * line.len())?;
            let text = self.buffered_text()?;
            let text = &text[..text.floor_char_boundary(PIECE)];
            let newline = text.find('\n');
            let len = newline.map_or(text.len(), |at| at + 1);
            line.put_str(&text[..len])?;
            self.consume(len);
            if len == 0 && line.len() == before {
                self.get_char()?;
                return Ok(false);
            }
            if len == 0 || newline.is_some() {
                return Ok(true);
            }
        }
    }

    /// Returns the rest of the text. Afterwards the stream is at its end.
    pub(crate) fn read_all_to_string(
        &mut self,
        allowance: Allowance<'_>,
    ) -> Result<String, IoError> {
        let mut all = String::new();
        loop {
            allowance(2 * all.len())?;
            let text = self.buffered_text()?;
            let text = &text[..text.floor_char_boundary(PIECE)];
            let len = text.len();
            if len == 0 {
                return Ok(all);
            }
            all.put_str(text)?;
            self.consume(len);
        }
    }

    /// Returns the place of the stream relative to its end, as far as that is known without waiting.
    pub(crate) fn end_of_stream(&mut self) -> EndOfStream {
        if self.past {
            return match self.eof_action {
                EofAction::Reset => EndOfStream::Not,
                EofAction::Error | EofAction::EofCode => EndOfStream::Past,
            };
        }
        if !self.has_unread() && self.source.is_ready() {
            // The next read gets the same error and reports it.
            let _ = self.look_ahead();
        }
        if self.ended && !self.has_unread() {
            EndOfStream::At
        } else {
            EndOfStream::Not
        }
    }

    /// Returns whether there is nothing to read. May wait for input.
    pub(crate) fn at_end_of_stream(&mut self) -> Result<bool, IoError> {
        if self.past && self.eof_action != EofAction::Reset {
            return Ok(true);
        }
        self.look_ahead()?;
        Ok(!self.has_unread())
    }

    /// Returns whether the next read needs the source.
    pub(crate) fn must_wait(&self) -> bool {
        !self.has_unread() && (!self.ended || (self.past && self.eof_action == EofAction::Reset))
    }

    /// Returns whether the source never waits for another process or a person.
    pub(crate) fn is_ready(&self) -> bool {
        self.source.is_ready()
    }

    /// Moves to a place before or after the present one.
    pub(crate) fn set_position(&mut self, position: Position) -> Result<(), IoError> {
        if !self.is_seekable() {
            return Err(IoError::NotRepositionable);
        }
        if self
            .source
            .len()
            .is_some_and(|len| position.byte_offset > len)
        {
            return Err(IoError::InvalidPosition);
        }
        self.source.seek(position.byte_offset)?;
        self.clear_text();
        self.bytes.clear();
        self.bytes_at = 0;
        // Skip the byte order mark again.
        self.detect_bom = (self.detect_bom || self.has_bom) && position.byte_offset == 0;
        self.position = position;
        self.ended = false;
        self.past = false;
        Ok(())
    }

    /// Returns the number of bytes of the source, if that is known.
    pub(crate) fn source_len(&self) -> Option<u64> {
        self.source.len()
    }

    /// Reads the rest in another encoding.
    pub(crate) fn set_encoding(&mut self, encoding: Encoding) -> Result<(), Stop> {
        self.unread_text()?;
        self.detect_bom = false;
        self.encoding = encoding;
        self.ascii_width = encoding.width(' ');
        Ok(())
    }

    /// Reads the rest as characters or as bytes.
    pub(crate) fn set_type(&mut self, stream_type: StreamType) -> Result<(), Stop> {
        self.unread_text()?;
        self.stream_type = stream_type;
        self.detect_bom &= stream_type == StreamType::Text;
        Ok(())
    }

    /// Sets the line and column counters.
    pub(crate) fn set_line(&mut self, line: u64, line_position: u64) {
        self.position.line = line;
        self.position.line_position = line_position;
    }

    fn unread(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn has_unread(&self) -> bool {
        self.at < self.text.len() || self.bytes_at < self.bytes.len()
    }

    /// Returns whether `eof_action` permits a read of the source.
    fn may_read(&mut self) -> Result<bool, IoError> {
        if !self.past {
            return Ok(true);
        }
        match self.eof_action {
            EofAction::Error => Err(IoError::PastEndOfStream),
            EofAction::EofCode => Ok(false),
            EofAction::Reset => {
                self.past = false;
                self.ended = false;
                Ok(true)
            }
        }
    }

    fn ensure_text(&mut self) -> Result<(), IoError> {
        if self.at < self.text.len() {
            return Ok(());
        }
        self.stream_type.require(StreamType::Text)?;
        if self.may_read()? {
            self.fill()?;
        }
        Ok(())
    }

    fn look_ahead(&mut self) -> Result<(), IoError> {
        match self.stream_type {
            StreamType::Text => self.ensure_text(),
            StreamType::Binary => self.peek_byte().map(drop),
        }
    }

    fn clear_text(&mut self) {
        self.text.clear();
        self.at = 0;
        self.replaced.clear();
    }

    /// Forgets the decoded text, and frees the memory of a long one.
    fn drop_text(&mut self) {
        if self.text.capacity() > KEPT {
            self.text = String::new();
        }
        self.clear_text();
    }

    /// Decodes at least one more character. Returns false if there is none.
    fn fill(&mut self) -> Result<bool, IoError> {
        if self.at >= self.text.len() {
            self.drop_text();
        }
        let before = self.text.len();
        loop {
            self.decode_bytes()?;
            if self.text.len() > before {
                return Ok(true);
            }
            if self.ended {
                return Ok(false);
            }
            self.read_bytes()?;
        }
    }

    fn decode_bytes(&mut self) -> Result<(), Stop> {
        if self.detect_bom {
            match detect_bom(self.bytes.get(self.bytes_at..).unwrap_or(&[])) {
                Bom::TooShort if !self.ended => return Ok(()),
                Bom::TooShort | Bom::Absent => {}
                Bom::Found(encoding) => {
                    let len = encoding.bom().len();
                    self.encoding = encoding;
                    self.ascii_width = encoding.width(' ');
                    self.bytes_at += len;
                    self.position.byte_offset += len as u64;
                    self.has_bom = true;
                }
            }
            self.detect_bom = false;
        }
        let bytes = self.bytes.get(self.bytes_at..).unwrap_or(&[]);
        // An invalid byte becomes a character of three bytes.
        reserve_text(&mut self.text, 3 * bytes.len())?;
        self.bytes_at += decode(
            self.encoding,
            bytes,
            self.ended,
            &mut self.text,
            &mut self.replaced,
        )?;
        Ok(())
    }

    /// Takes more bytes from the source, or notes its end.
    fn read_bytes(&mut self) -> Result<(), IoError> {
        self.bytes.drain(..self.bytes_at.min(self.bytes.len()));
        self.bytes_at = 0;
        loop {
            let bytes = &mut self.bytes;
            let source = &mut self.source;
            let waits = !source.is_ready();
            let mut take = || {
                source.with_chunk(|chunk| {
                    let piece = &chunk[..chunk.len().min(PIECE)];
                    match bytes.put_slice(piece) {
                        Ok(()) => (piece.len(), Ok(piece.len())),
                        Err(stop) => (0, Err(stop)),
                    }
                })
            };
            let taken = match &self.watch {
                Some(watch) if waits => watch.wait(take).ok_or(IoError::Interrupted)?,
                _ => take(),
            };
            if let (Err(error), Some(watch), ByteSource::Edited(_)) =
                (&taken, &self.watch, &self.source)
                && error.kind() == std::io::ErrorKind::Interrupted
                && !watch.stop_wanted()
            {
                // The interrupt key came as a key. Other reasons to stop are already known to the watch.
                watch.interrupt();
            }
            match taken.map_err(IoError::from) {
                Ok(count) => {
                    self.ended = count? == 0;
                    return Ok(());
                }
                Err(IoError::Interrupted)
                    if !self.interruptible
                        && !self.watch.as_ref().is_some_and(|watch| watch.stop_wanted()) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Puts the bytes of the decoded text back before the others.
    fn unread_text(&mut self) -> Result<(), Stop> {
        // Text read as ASCII may have the eighth bit set.
        let encoding = match self.encoding {
            Encoding::Ascii => Encoding::Latin1,
            encoding => encoding,
        };
        let mut bytes = Vec::new();
        let mut replaced = self.replaced.iter().peekable();
        for (offset, char) in self.unread().char_indices() {
            match replaced.next_if(|wrong| wrong.at == self.at + offset) {
                Some(wrong) => bytes.put_slice(wrong.bytes())?,
                // Every decoded character has an encoding.
                None => encoding.encode(char, &mut bytes).map_err(|_| Stop)?,
            }
        }
        bytes.put_slice(self.bytes.get(self.bytes_at..).unwrap_or(&[]))?;
        self.bytes = bytes;
        self.bytes_at = 0;
        self.clear_text();
        Ok(())
    }

    /// Corrects the byte offset for the replacements just passed.
    fn pass_replaced(&mut self) {
        while let Some(&wrong) = self.replaced.front()
            && wrong.at < self.at
        {
            self.position.byte_offset -= self.encoding.width(char::REPLACEMENT_CHARACTER);
            self.position.byte_offset += wrong.bytes().len() as u64;
            self.replaced.pop_front();
        }
    }
}
