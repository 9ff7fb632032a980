//! Terms that are kept outside of the heap.
#![forbid(unsafe_code)]

use super::cell::{Cell, tag};
use super::claims::Claim;
use crate::base::atom_table::Functor;

/// Treatment of attributes in a copy.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Attrs {
    /// Attributes are copied too.
    Keep,
    /// The copy of an attributed variable is a plain variable.
    Drop,
}

/// A term kept outside of the heap.
#[derive(Debug, Default)]
pub(crate) struct Stored {
    /// The block.
    pub(crate) cells: Box<[u64]>,
    /// The term: a constant, or a pointer into the block.
    pub(crate) root: u64,
    /// The claim for the memory of the term.
    #[expect(dead_code, reason = "it counts for as long as it lives")]
    pub(super) claim: Claim,
}

impl Stored {
    /// Bytes that a stored term takes besides its words: the value itself, and the overhead of the allocator.
    pub(super) const OVERHEAD: usize = size_of::<Stored>() + 16;

    /// Returns the functor of the term if the term is a structure.
    pub(crate) fn functor(&self) -> Option<Functor> {
        let root = Cell(self.root);
        if root.tag() != tag::STR {
            return None;
        }
        let word = self.cells.get(root.addr().block_word())?;
        Some(Cell(*word).as_functor())
    }
}
