//! Positions in a stream (ISO 13211-1, 7.10.2.8): the content of `'$stream_position'/4`.

use crate::base::source::is_plain;

/// A place in a stream, with the counters that belong to it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// Number of characters before it; of bytes in a binary stream.
    pub(crate) char_count: u64,
    /// The line of the position, from 1.
    pub(crate) line: u64,
    /// The column of the position, from 0. A tab goes to the next multiple of 8.
    pub(crate) line_position: u64,
    /// Number of bytes before the position.
    pub(crate) byte_offset: u64,
}

impl Position {
    /// The start of a stream.
    pub(crate) const START: Position = Position {
        char_count: 0,
        line: 1,
        line_position: 0,
        byte_offset: 0,
    };

    /// Returns the position with counters that cannot overflow, whatever values a program has made up.
    pub(crate) fn clamped(self) -> Position {
        let clamp = |count: u64| count.min(1 << 62);
        Position {
            char_count: clamp(self.char_count),
            line: clamp(self.line),
            line_position: clamp(self.line_position),
            byte_offset: clamp(self.byte_offset),
        }
    }

    /// Passes one character. The encoding determines the byte offset.
    #[inline]
    pub(crate) fn advance_char(&mut self, char: char) {
        self.char_count += 1;
        if char >= ' ' {
            self.line_position += 1;
        } else {
            self.advance_control(char as u8);
        }
    }

    /// Passes a text. Returns its number of characters.
    pub(crate) fn advance_text(&mut self, text: &str) -> u64 {
        if is_plain(text) {
            let chars = text.len() as u64;
            self.line_position += chars;
            self.char_count += chars;
            return chars;
        }
        if let Some(line) = text.strip_suffix('\n')
            && is_plain(line)
        {
            let chars = text.len() as u64;
            self.char_count += chars;
            self.advance_control(b'\n');
            return chars;
        }
        let mut chars = 0;
        for &byte in text.as_bytes() {
            if byte >= b' ' {
                // Continuation bytes of UTF-8 belong to the character before them.
                let first = u64::from(byte & 0xc0 != 0x80);
                chars += first;
                self.line_position += first;
            } else {
                chars += 1;
                self.advance_control(byte);
            }
        }
        self.char_count += chars;
        chars
    }

    /// Passes one byte of a binary stream.
    pub(crate) fn advance_byte(&mut self, byte: u8) {
        self.byte_offset += 1;
        self.advance_char(char::from(byte));
    }

    fn advance_control(&mut self, control: u8) {
        match control {
            b'\n' => {
                self.line += 1;
                self.line_position = 0;
            }
            b'\r' => self.line_position = 0,
            b'\t' => self.line_position = (self.line_position | 7).saturating_add(1),
            0x08 => self.line_position = self.line_position.saturating_sub(1),
            _ => self.line_position += 1,
        }
    }
}
