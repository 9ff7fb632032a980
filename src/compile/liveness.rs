//! What is alive at an instruction that may be interrupted, or that an alternative begins with:
//! what the collector of garbage is told.

use super::generate::{FREE, Generator};
use crate::code::instruction::{NO_OWN_FRAME, Op};
use crate::store::cell::Cell;

impl Generator<'_> {
    /// Slots that hold a value, in the form of a call site; all ones without an environment.
    pub(super) fn frame_word(&self) -> u64 {
        if !self.state.env {
            return NO_OWN_FRAME;
        }
        let (size, mut mask) = (u64::from(self.info.slots), 0u64);
        for (slot, &var) in self.info.by_slot.iter().take(48).enumerate() {
            if self.state.stored[var as usize] {
                mask |= 1 << slot;
            }
        }
        size | mask << 16
    }

    /// The registers in use, a bit each for the first 64.
    pub(super) fn register_mask(&self) -> u64 {
        let used = self.state.owner.iter().enumerate().take(64);
        used.filter(|&(_, &owner)| owner != FREE).fold(0, |mask, (reg, _)| mask | 1 << reg)
    }

    /// Gives the registers that no mask covers a value, if they lie below one in use.
    pub(super) fn clear_dead_registers(&mut self) {
        for reg in 64..self.live_registers() {
            if self.owner(reg) == FREE {
                self.emit(Op::PutConstant, reg, 0, 0);
                self.word(Cell::int(0).0);
            }
        }
    }

    /// The word of live registers, after an instruction whose label came before.
    pub(super) fn register_word(&mut self) {
        let mask = self.register_mask();
        self.word(mask);
    }

    /// The word of live slots.
    pub(super) fn own_frame(&mut self) {
        let own = self.frame_word();
        self.word(own);
    }

    /// Both words.
    pub(super) fn liveness(&mut self) {
        self.register_word();
        self.own_frame();
    }
}
