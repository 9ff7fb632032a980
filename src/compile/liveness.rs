//! What is alive at an instruction that may be interrupted, or that an alternative begins with:
//! what the collector of garbage is told.

use super::classify::NONE;
use super::generate::{Alive, FREE, Generator, RESERVED, Uncompiled};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::code::frame_map::{BARRIER, MASKED_SLOTS, frame_map};
use crate::code::instruction::{GOAL, NO_OWN_FRAME, Op, encode_wide};
use crate::ir::clause::VarId;
use crate::store::cell::Cell;

/// Words of code after which it is told what is alive at marked instructions.
const TOLD_WITHIN: usize = 1 << 10;

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
        // Call sites have the barrier.
        self.frame_map(size) & !BARRIER
    }

    /// The word that the first slots of the environment are read by.
    pub(super) fn frame_map(&self, size: usize) -> u64 {
        let (mut live, mut levels) = (0, 0);
        for (slot, &var) in self.info.by_slot[..size]
            .iter()
            .take(MASKED_SLOTS)
            .enumerate()
        {
            if self.state.stored[var as usize] {
                live |= 1 << slot;
                // Variables beyond those of the clause are cut levels.
                levels |= u64::from(var as usize >= self.clause.var_count as usize) << slot;
            }
        }
        frame_map(size, live, levels)
    }

    /// The registers in use, a bit each for the first 64.
    pub(super) fn register_mask(&self) -> u64 {
        let used = self.state.owner.iter().enumerate().take(64);
        used.filter(|&(_, &owner)| owner != FREE)
            .fold(0, |mask, (reg, _)| mask | 1 << reg)
    }

    /// Gives the registers that no mask covers a value, if they lie below one in use.
    pub(super) fn clear_dead_registers(&mut self) -> Result<(), Stop> {
        for reg in 64..self.live_registers() {
            if self.owner(reg) == FREE {
                self.emit(Op::PutConstant, reg, 0, 0)?;
                self.word(Cell::int(0).word())?;
            }
        }
        Ok(())
    }

    /// The word of live registers, after an instruction whose label came before.
    pub(super) fn register_word(&mut self) -> Result<(), Stop> {
        let mask = self.register_mask();
        self.word(mask)?;
        Ok(())
    }

    /// The word of live slots.
    pub(super) fn own_frame(&mut self) -> Result<(), Stop> {
        let own = self.frame_word();
        self.word(own)?;
        Ok(())
    }

    /// Both words.
    pub(super) fn liveness(&mut self) -> Result<(), Stop> {
        self.register_word()?;
        self.own_frame()?;
        Ok(())
    }

    /// The variable is in its slot from here on.
    pub(super) fn set_stored(&mut self, var: usize) {
        self.state.stored[var] = true;
        self.stored_at[var] = self.position + 1;
    }

    // ---- goals before which wake-ups may be due -------------------------------------------------

    /// A goal is done in place by the instruction emitted next and some that follow. If wake-ups may
    /// be due before it, takes down what is alive now: the operands of the instruction too, which a
    /// register for its result may not have been taken from yet.
    pub(super) fn begin_goal(&mut self) -> Result<(), Stop> {
        if self.state.quiet {
            return Ok(());
        }
        self.clear_dead_registers()?;
        self.beginning = Some(Alive {
            at: 0,
            registers: self.live_registers() as u16,
            mask: self.register_mask(),
            frame: self.frame_word(),
        });
        Ok(())
    }

    /// Emits an instruction; if a goal begins with it, marks it.
    pub(super) fn emit_begun(
        &mut self,
        op: Op,
        a: usize,
        b: usize,
        c: usize,
    ) -> Result<usize, Stop> {
        let at = self.emit(op, a, b, c)?;
        if let Some(alive) = self.beginning.take() {
            self.code[at] |= GOAL;
            self.goals.put(Alive { at, ..alive })?;
            self.state.quiet = true;
        }
        Ok(at)
    }

    /// Copies what is told of these instructions, for the copies that come next.
    pub(super) fn copy_alive(&mut self, from: std::ops::Range<usize>) -> Result<(), Stop> {
        let first = self.goals.partition_point(|alive| alive.at < from.start);
        let last = self.goals.partition_point(|alive| alive.at < from.end);
        for index in first..last {
            let alive = self.goals[index];
            let at = alive.at - from.start + self.code.len();
            self.goals.put(Alive { at, ..alive })?;
        }
        Ok(())
    }

    /// Tells what is alive at the instructions that were marked.
    pub(super) fn tell_alive(&mut self) -> Result<(), Stop> {
        for alive in &self.goals[self.told..] {
            let back = (self.code.len() - alive.at) as u32;
            self.code.put_all([
                encode_wide(Op::Alive, alive.registers, back),
                alive.mask,
                alive.frame,
            ])?;
        }
        self.told = self.goals.len();
        self.fence = self.code.len();
        Ok(())
    }

    /// The same within a long clause, for it is looked for from the instruction on.
    pub(super) fn tell_alive_in_time(&mut self) -> Result<(), Stop> {
        let first = self.goals.get(self.told);
        if first.is_some_and(|alive| self.code.len() - alive.at > TOLD_WITHIN) {
            let at = self.emit(Op::Jump, 0, 0, 0)?;
            self.word(0)?;
            self.tell_alive()?;
            self.patch((at, 1));
        }
        Ok(())
    }

    /// At the beginning of an alternative to what was emitted since the position `since`: gives
    /// slots that no mask covers a value again, if they may have been given one that is gone.
    pub(super) fn clear_stale(&mut self, since: u32) -> Result<(), Uncompiled> {
        if self.info.by_slot.len() <= MASKED_SLOTS || !self.state.env {
            return Ok(());
        }
        let vars = &self.info.vars;
        let beyond = self.info.by_slot[MASKED_SLOTS..].iter().copied();
        let stale: Vec<VarId> = beyond
            .take_while(|&var| vars[var as usize].last > self.position)
            .filter(|&var| {
                let var = var as usize;
                self.stored_at[var] > since && !self.state.stored[var]
            })
            .gather()?;
        if stale.is_empty() {
            return Ok(());
        }
        let reg = self.allocate(NONE, RESERVED)?;
        self.emit(Op::PutConstant, reg, 0, 0)?;
        self.word(Cell::int(0).word())?;
        for var in stale {
            let slot = self.slot(var);
            self.emit(Op::StoreY, slot, reg, 0)?;
        }
        self.free(reg);
        Ok(())
    }
}
