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
use super::heap::Store;
use super::raw;
use crate::base::stop::Stop;

/// In the first and the last word of an entry of three words on the trail, beside the address of the
/// node: says that it is one of these.
pub(crate) const TAKEN_OUT: u64 = 2;
/// The whole mark.
const ENTRY: u64 = 1 | TAKEN_OUT;
/// What a chain ends with.
pub(crate) const NO_NODE: Cell = Cell::int(0);
/// The word of a node that changes when it is taken out.
const STATE: u64 = WORD;
/// Where the links of its first chain are: see [`link`].
const LINKS: u64 = 3 * WORD;
/// In how many chains a node may be.
const CHAINS: u32 = 2;

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
fn set_neighbours(node: HeapAddr, at: u64, older: Cell, newer: Cell) {
    let (before, after) = (raw::cell(node + at + WORD), raw::cell(node + at));
    raw::set_cell(before.addr() + at, older);
    if after != NO_NODE {
        raw::set_cell(after.addr() + at + WORD, newer);
    }
}

impl Store {
    /// Is the node older than the newest choice point, and so one that [`Store::take_out`] takes out?
    #[inline(always)]
    pub(crate) fn outlives_choice(&self, node: Cell) -> bool {
        node.addr() < self.heap_backtrack
    }

    /// Takes a node that [outlives the choice point](Store::outlives_choice) out of chains and gives it
    /// another state. `chains` is a set of numbers of chains.
    ///
    /// # Errors
    /// The trail is full.
    #[inline(always)]
    pub(crate) fn take_out(&mut self, node: Cell, chains: u32, state: i64) -> Result<(), Stop> {
        debug_assert!(self.outlives_choice(node));
        self.trail_room()?;
        let addr = node.addr();
        let old = raw::cell(addr + STATE).int_value();
        let kept = Cell::int(old << CHAINS | i64::from(chains));
        self.trail_words([addr.bits() | ENTRY, kept.0, addr.bits() | ENTRY]);
        raw::set_cell(addr + STATE, Cell::int(state));
        for chain in 0..CHAINS {
            if chains & 1 << chain != 0 {
                let at = link(chain);
                let (older, newer) = (raw::cell(addr + at), raw::cell(addr + at + WORD));
                set_neighbours(addr, at, older, newer);
            }
        }
        Ok(())
    }
}
