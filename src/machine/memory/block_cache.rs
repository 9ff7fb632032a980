//! Blocks of memory that a builtin leaves to the next call of a builtin. Allocating and freeing small blocks takes a
//! large part of the time of builtins that make short texts.
#![forbid(unsafe_code)]

use crate::base::growth::Within;
use crate::store::cell::Cell;

/// Maximum size of a kept block, in bytes or cells.
const LARGEST: usize = 1 << 12;
/// Number of texts that are kept.
const TEXTS: usize = 2;

/// Empty texts and lists of cells, with room.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    texts: Vec<String>,
    cells: Vec<Cell>,
}

impl Spare {
    /// Returns an empty text.
    pub(crate) fn text(&mut self) -> String {
        self.texts.pop().unwrap_or_default()
    }

    /// Returns an empty list of cells.
    pub(crate) fn cells(&mut self) -> Vec<Cell> {
        std::mem::take(&mut self.cells)
    }

    /// Takes back a text that is no longer needed.
    pub(crate) fn keep_text(&mut self, mut text: String) {
        let few = self.texts.len() < TEXTS && (1..=LARGEST).contains(&text.capacity());
        if few && (self.texts.capacity() > 0 || self.texts.try_reserve(TEXTS).is_ok()) {
            text.clear();
            self.texts.put_within(text);
        }
    }

    /// Takes back a list of cells that is no longer needed.
    pub(crate) fn keep_cells(&mut self, mut cells: Vec<Cell>) {
        if cells.capacity() <= LARGEST {
            cells.clear();
            self.cells = cells;
        }
    }
}
