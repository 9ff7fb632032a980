//! Blocks of memory that a builtin leaves to the next call of one: to ask for small blocks and to give them
//! back takes a good part of the time of those that make short texts.
#![forbid(unsafe_code)]

use crate::base::growth::Within;
use crate::store::cell::Cell;

/// Bytes or cells of a block that is kept.
const LARGEST: usize = 1 << 12;
/// Texts that are kept.
const TEXTS: usize = 2;

/// Empty texts and lists of cells, with room.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    texts: Vec<String>,
    cells: Vec<Cell>,
}

impl Spare {
    /// An empty text.
    pub(crate) fn text(&mut self) -> String {
        self.texts.pop().unwrap_or_default()
    }

    /// No cells.
    pub(crate) fn cells(&mut self) -> Vec<Cell> {
        std::mem::take(&mut self.cells)
    }

    /// A text is not needed any more.
    pub(crate) fn keep_text(&mut self, mut text: String) {
        let few = self.texts.len() < TEXTS && (1..=LARGEST).contains(&text.capacity());
        if few && (self.texts.capacity() > 0 || self.texts.try_reserve(TEXTS).is_ok()) {
            text.clear();
            self.texts.put_within(text);
        }
    }

    /// Cells are not needed any more.
    pub(crate) fn keep_cells(&mut self, mut cells: Vec<Cell>) {
        if cells.capacity() <= LARGEST {
            cells.clear();
            self.cells = cells;
        }
    }
}
