//! Column stops of `format/2,3`: text is kept until the next stop. The remaining room before the
//! stop is then divided among the fill points.

use crate::base::growth::{Grow, GrowText, reserve_text};
use crate::base::source::is_plain;
use crate::base::stop::Stop;
use crate::store::heap::Store;

/// Room reserved for a text at its first piece; enough for most lines.
const FIRST_BYTES: usize = 96;

/// A fill point: the number of bytes of the kept text before it, and the fill character.
#[derive(Copy, Clone, Debug)]
struct Fill {
    at: usize,
    char: char,
}

/// The end of a text that may be extended.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Mark {
    held: usize,
    column: usize,
}

/// Text with column stops.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColumnText {
    done: String,
    held: String,
    fills: Vec<Fill>,
    column: usize,
    last_stop: usize,
}

impl ColumnText {
    /// Creates an empty text that begins at this column (from 0), in this block of memory.
    pub(crate) fn at_column(column: usize, mut block: String) -> ColumnText {
        block.clear();
        ColumnText {
            column,
            held: block,
            ..ColumnText::default()
        }
    }

    /// Returns the current column.
    pub(crate) fn column(&self) -> usize {
        self.column
    }

    /// Adds text.
    pub(crate) fn push_str(&mut self, text: &str) -> Result<(), Stop> {
        if self.held.capacity() == 0 {
            reserve_text(&mut self.held, text.len().max(FIRST_BYTES))?;
        }
        self.held.put_str(text)?;
        self.column = column_after(self.column, text);
        Ok(())
    }

    /// Returns whether there is room for `bytes` more bytes.
    pub(crate) fn has_room_for(&mut self, bytes: usize, store: &Store) -> bool {
        let all = self.done.len() + self.held.len() + bytes;
        store.has_room_for(all) && self.held.try_reserve(bytes).is_ok()
    }

    /// Returns a mark for the end of the text.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            held: self.held.len(),
            column: self.column,
        }
    }

    /// Removes the text added since the mark was made. There must be no stop after the mark.
    pub(crate) fn return_to(&mut self, mark: Mark) {
        self.held.truncate(mark.held);
        self.column = mark.column;
    }

    /// Adds a character `count` times.
    pub(crate) fn push_times(&mut self, char: char, count: usize) -> Result<(), Stop> {
        self.push_with(|held| held.put_all(std::iter::repeat_n(char, count)))
    }

    /// Adds the text that `put` appends; adds nothing in case of an error.
    pub(crate) fn push_with<E>(
        &mut self,
        put: impl FnOnce(&mut String) -> Result<(), E>,
    ) -> Result<(), E> {
        let from = self.held.len();
        put(&mut self.held).inspect_err(|_| self.held.truncate(from))?;
        self.column = column_after(self.column, &self.held[from..]);
        Ok(())
    }

    /// Adds a fill point, which is filled at the next stop.
    pub(crate) fn fill_point(&mut self, char: char) -> Result<(), Stop> {
        self.fills.put(Fill {
            at: self.held.len(),
            char,
        })?;
        Ok(())
    }

    /// Adds a stop at a column, or at the end of the text if the text is already beyond that
    /// column.
    pub(crate) fn stop_at(&mut self, column: usize) -> Result<(), Stop> {
        let room = column.saturating_sub(self.column);
        if self.fills.is_empty() {
            self.fill_point(' ')?;
        }
        let fills = &self.fills;
        let (share, rest) = (room / fills.len(), room % fills.len());
        let mut from = 0;
        for (index, fill) in fills.iter().enumerate() {
            self.done.put_str(&self.held[from..fill.at])?;
            from = fill.at;
            // The remainder is distributed from the middle fill point on, and then from the first
            // one.
            let turn = (index + fills.len() - fills.len() / 2) % fills.len();
            let extra = usize::from(turn < rest);
            self.done
                .put_all(std::iter::repeat_n(fill.char, share + extra))?;
        }
        self.done.put_str(&self.held[from..])?;
        self.held.clear();
        self.fills.clear();
        self.column += room;
        self.last_stop = self.column;
        Ok(())
    }

    /// Adds a stop `width` columns after the last one.
    pub(crate) fn stop_after(&mut self, width: usize) -> Result<(), Stop> {
        self.stop_at(self.last_stop.saturating_add(width))?;
        Ok(())
    }

    /// Removes and returns the text. Fill points without a stop after them are ignored.
    pub(crate) fn take(&mut self) -> Result<String, Stop> {
        self.fills.clear();
        if self.done.is_empty() {
            return Ok(std::mem::take(&mut self.held));
        }
        self.done.put_str(&self.held)?;
        self.held.clear();
        Ok(std::mem::take(&mut self.done))
    }
}

/// Returns the column after writing `text` from `column` on.
fn column_after(column: usize, text: &str) -> usize {
    if text == "\n" {
        return 0;
    }
    if is_plain(text) {
        return column + text.len();
    }
    text.bytes().fold(column, |column, byte| match byte {
        b'\n' | b'\r' => 0,
        b'\t' => (column | 7) + 1,
        b'\x08' => column.saturating_sub(1),
        // Continuation bytes of UTF-8 belong to the character before them.
        _ => column + usize::from(byte & 0xc0 != 0x80),
    })
}
