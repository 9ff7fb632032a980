//! Nodes of doubly linked chains that are taken out, and that backtracking puts back in place: one entry of the
//! trail records all that changes (Knuth, "Dancing links", 2000).
//!
//! A node is a compound. For each of its chains it has two words: its older neighbour and its newer neighbour. The
//! newer neighbour of the newest node is the head of the chain, which may be anywhere and serves as a node. A node
//! that is taken out keeps both words. All later changes are undone before it is put back, so these words are its
//! neighbours again.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD};
use super::raw;

/// Bit beside the address of the node, in the first and the last word of a trail entry of three words. It marks the
/// entry as one of a node that was taken out.
pub(crate) const TAKEN_OUT: u64 = 2;
/// The whole mark.
pub(super) const ENTRY: u64 = 1 | TAKEN_OUT;
/// The end of a chain.
pub(crate) const NO_NODE: Cell = Cell::int(0);
/// The word of a node that changes when the node is taken out.
pub(super) const STATE: u64 = WORD;
/// Offset of the links of its first chain: see [`link`].
const LINKS: u64 = 3 * WORD;
/// Greatest number of chains of a node.
pub(super) const CHAINS: u32 = 2;

/// Returns the offset in a node of its older neighbour in a chain, by the number of the chain.
pub(crate) const fn link(chain: u32) -> u64 {
    LINKS + 2 * WORD * chain as u64
}

/// Puts a node back between its neighbours; `kept` holds its state and the set of chains to put it back into.
#[inline(always)]
pub(super) fn put_back(node: HeapAddr, kept: Cell) {
    let kept = kept.int_value();
    raw::set_cell(node + STATE, Cell::int(kept >> CHAINS));
    for chain in 0..CHAINS {
        if kept & 1 << chain != 0 {
            let at = link(chain);
            set_neighbours(node, at, Cell::structure(node), Cell::structure(node));
        }
    }
}

/// Sets two links around a node: the older neighbour of its newer neighbour becomes `older`, and the newer neighbour
/// of its older neighbour becomes `newer`.
#[inline(always)]
pub(super) fn set_neighbours(node: HeapAddr, at: u64, older: Cell, newer: Cell) {
    let (before, after) = (raw::cell(node + at + WORD), raw::cell(node + at));
    raw::set_cell(before.addr() + at, older);
    if after != NO_NODE {
        raw::set_cell(after.addr() + at + WORD, newer);
    }
}
