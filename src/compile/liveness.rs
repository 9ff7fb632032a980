//! What is alive at an instruction that may be interrupted, or that an alternative begins with:
//! what the collector of garbage is told.

use super::classify::NONE;
use super::generate::{FREE, Generator, RESERVED, TooComplex};
use crate::code::instruction::{NO_OWN_FRAME, Op};
use crate::ir::clause::VarId;
use crate::store::cell::Cell;

/// Slots that the mask of a call site covers.
const MASKED_SLOTS: usize = 48;

impl Generator<'_> {
    /// Slots that hold a value, in the form of a call site; all ones without an environment.
    pub(super) fn frame_word(&self) -> u64 {
        if !self.state.env {
            return NO_OWN_FRAME;
        }
        // What is not needed any more may have been overwritten since: calls trim it off.
        let (vars, position) = (&self.info.vars, self.position);
        let needed = |&var: &VarId| vars[var as usize].last >= position;
        let size = self.info.by_slot.partition_point(needed);
        let slots = self.info.by_slot[..size].iter().take(MASKED_SLOTS);
        let stored = slots
            .enumerate()
            .filter(|&(_, &var)| self.state.stored[var as usize]);
        size as u64 | stored.fold(0, |mask, (slot, _)| mask | 1 << slot) << 16
    }

    /// The registers in use, a bit each for the first 64.
    pub(super) fn register_mask(&self) -> u64 {
        let used = self.state.owner.iter().enumerate().take(64);
        used.filter(|&(_, &owner)| owner != FREE)
            .fold(0, |mask, (reg, _)| mask | 1 << reg)
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

    /// At the beginning of an alternative to what was emitted since the position `since`: gives
    /// slots that no mask covers a value again, if they may have been given one that is gone.
    pub(super) fn clear_stale(&mut self, since: u32) -> Result<(), TooComplex> {
        if self.info.by_slot.len() <= MASKED_SLOTS || !self.state.env {
            return Ok(());
        }
        let vars = &self.info.vars;
        let met = &self.info.by_first;
        let from = met.partition_point(|&var| vars[var as usize].first < since);
        let met = met[from..].iter().copied();
        let stale: Vec<VarId> = met
            .take_while(|&var| vars[var as usize].first <= self.position)
            .filter(|&var| {
                let info = &vars[var as usize];
                let kept = info.permanent && usize::from(info.slot) >= MASKED_SLOTS;
                kept && info.last > self.position && !self.state.stored[var as usize]
            })
            .collect();
        if stale.is_empty() {
            return Ok(());
        }
        let reg = self.allocate(NONE, RESERVED)?;
        self.emit(Op::PutConstant, reg, 0, 0);
        self.word(Cell::int(0).0);
        for var in stale {
            let slot = self.slot(var);
            self.emit(Op::StoreY, slot, reg, 0);
        }
        self.free(reg);
        Ok(())
    }
}
