//! Nodes of doubly linked chains that are taken out, to be put back on backtracking where they were:
//! one entry of the trail for all that changes (Knuth, "Dancing links", 2000).
//!
//! A node is a compound. In each of its chains a word of it is its older neighbour and the next one its
//! newer neighbour; of the newest that is the head of the chain, wherever that lies, taken for a node.
//! What is taken out keeps both; since all that comes later is undone before, they are its neighbours
//! again when it is put back.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD};
use super::raw;

/// In the first and the last word of an entry of three words on the trail, beside the address of the
/// node: says that it is one of these.
pub(crate) const TAKEN_OUT: u64 = 2;
/// The whole mark.
pub(super) const ENTRY: u64 = 1 | TAKEN_OUT;
/// What a chain ends with.
pub(crate) const NO_NODE: Cell = Cell::int(0);
/// The word of a node that changes when it is taken out.
pub(super) const STATE: u64 = WORD;
/// Where the links of its first chain are: see [`link`].
const LINKS: u64 = 3 * WORD;
/// In how many chains a node may be.
pub(super) const CHAINS: u32 = 2;

/// Where in a node the older neighbour in a chain is, by the number of the chain.
pub(crate) const fn link(chain: u32) -> u64 {
    LINKS + 2 * WORD * chain as u64
}

/// Puts a node back between its neighbours; `kept` is its state, and in which chains that is to be
/// done.
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

/// Makes `older` what the newer neighbour of a node has after it, and `newer` what the older one has
/// before it.
#[inline(always)]
pub(super) fn set_neighbours(node: HeapAddr, at: u64, older: Cell, newer: Cell) {
    let (before, after) = (raw::cell(node + at + WORD), raw::cell(node + at));
    raw::set_cell(before.addr() + at, older);
    if after != NO_NODE {
        raw::set_cell(after.addr() + at + WORD, newer);
    }
}
