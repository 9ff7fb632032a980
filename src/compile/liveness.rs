//! Live registers and slots at an instruction that may be interrupted or that begins an alternative: information for
//! the garbage collector.

use super::classify::NONE;
use super::generate::{Alive, FREE, Generator, RESERVED, Uncompiled};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::code::frame_map::{BARRIER, MASKED_SLOTS, frame_map};
use crate::code::instruction::{GOAL, NO_OWN_FRAME, Op, encode_wide};
use crate::ir::clause::VarId;
use crate::store::cell::Cell;

/// Number of words after which the code must describe the live registers and slots of marked instructions.
const MAX_DISTANCE: usize = 1 << 10;

impl Generator<'_> {
    /// Returns the slots that hold a value, in the form of a call site; all ones without an environment.
    pub(super) fn frame_word(&self) -> u64 {
        if !self.state.env {
            return NO_OWN_FRAME;
        }
        // A slot that is no longer needed may have been overwritten since, because calls trim it off.
        let (vars, position) = (&self.info.vars, self.position);
        let needed = |&var: &VarId| vars[var as usize].last >= position;
        let size = self.info.by_slot.partition_point(needed);
        // Only call sites have the barrier.
        self.frame_map(size) & !BARRIER
    }

    /// Returns the frame map for the first slots of the environment.
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

    /// Returns the registers in use, a bit each for the first 64.
    pub(super) fn register_mask(&self) -> u64 {
        let used = self.state.owner.iter().enumerate().take(64);
        used.filter(|&(_, &owner)| owner != FREE)
            .fold(0, |mask, (reg, _)| mask | 1 << reg)
    }

    /// Gives a value to free registers that no mask covers, if they lie below one in use.
    pub(super) fn clear_dead_registers(&mut self) -> Result<(), Stop> {
        for reg in 64..self.live_registers() {
            if self.owner(reg) == FREE {
                self.emit(Op::PutConstant, reg, 0, 0)?;
                self.word(Cell::int(0).word())?;
            }
        }
        Ok(())
    }

    /// Emits the word of live registers, after an instruction whose label came before.
    pub(super) fn register_word(&mut self) -> Result<(), Stop> {
        let mask = self.register_mask();
        self.word(mask)?;
        Ok(())
    }

    /// Emits the word of live slots.
    pub(super) fn own_frame(&mut self) -> Result<(), Stop> {
        let own = self.frame_word();
        self.word(own)?;
        Ok(())
    }

    /// Emits the words of live registers and of live slots.
    pub(super) fn liveness(&mut self) -> Result<(), Stop> {
        self.register_word()?;
        self.own_frame()?;
        Ok(())
    }

    /// Notes that the variable is in its slot from here on.
    pub(super) fn set_stored(&mut self, var: usize) {
        self.state.stored[var] = true;
        self.stored_at[var] = self.position + 1;
    }

    // ---- goals before which wake-ups may be due -------------------------------------------------

    /// Begins a goal that is done in place by the next instruction and some further ones. If wake-ups may be due
    /// before it, notes the live registers and slots. These include the operands of the instruction. No register for
    /// its result may have been taken yet.
    pub(super) fn note_goal_start(&mut self) -> Result<(), Stop> {
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

    /// Emits an instruction, and marks it if a goal begins with it.
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

    /// Copies the notes about these instructions, for their copies, which come next.
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

    /// Emits the live registers and slots at the marked instructions.
    pub(super) fn emit_alive(&mut self) -> Result<(), Stop> {
        for alive in &self.goals[self.alive_emitted..] {
            let back = (self.code.len() - alive.at) as u32;
            self.code.put_all([
                encode_wide(Op::Alive, alive.registers, back),
                alive.mask,
                alive.frame,
            ])?;
        }
        self.alive_emitted = self.goals.len();
        self.fence = self.code.len();
        Ok(())
    }

    /// Emits the live registers and slots within a long clause, because the collector searches forward for them.
    pub(super) fn emit_alive_if_due(&mut self) -> Result<(), Stop> {
        let first = self.goals.get(self.alive_emitted);
        if first.is_some_and(|alive| self.code.len() - alive.at > MAX_DISTANCE) {
            let at = self.emit(Op::Jump, 0, 0, 0)?;
            self.word(0)?;
            self.emit_alive()?;
            self.patch((at, 1));
        }
        Ok(())
    }

    /// Begins an alternative to the code emitted since the position `since`. Resets slots that no mask covers, if
    /// that code may have given them a value that no longer exists.
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
