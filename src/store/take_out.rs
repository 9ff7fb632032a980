//! Taking nodes out of chains (see `links`).
#![forbid(unsafe_code)]

use super::cell::{Cell, WORD};
use super::heap::Store;
use super::links::{CHAINS, ENTRY, STATE, link, set_neighbours};
use super::raw;
use crate::base::stop::Stop;

impl Store {
    /// Returns whether the node is older than the newest choice point. Only such nodes are taken out by
    /// [`Store::take_out`].
    #[inline(always)]
    pub(crate) fn outlives_choice(&self, node: Cell) -> bool {
        node.addr() < self.heap_backtrack
    }

    /// Takes a node that [outlives the choice point](Store::outlives_choice) out of chains and changes its state.
    /// `chains` is a set of numbers of chains.
    ///
    /// # Errors
    /// Returns an error if the trail is full.
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
