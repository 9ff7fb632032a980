//! Registers and slots of the environment: their owners, and their state after a call.

use super::classify::NONE;
use super::generate::{FREE, Generator, RESERVED, State, Uncompiled};
use crate::base::growth::{Grow, GrowAt};
use crate::base::stop::Stop;
use crate::code::frame_map::BARRIER;
use crate::code::instruction::{Op, REGISTERS};
use crate::ir::clause::{Term, TermId, VarId};

impl Generator<'_> {
    /// Takes a free register: the hint if it is free, otherwise one that the coming call does not use.
    pub(super) fn allocate(&mut self, hint: u16, owner: u32) -> Result<usize, Uncompiled> {
        let avoid = self.avoid;
        let hint = usize::from(hint);
        let reg = if hint < REGISTERS && self.owner(hint) == FREE {
            hint
        } else {
            let free =
                |state: &State, reg: usize| state.owner.get(reg).is_none_or(|&owner| owner == FREE);
            match (avoid..REGISTERS)
                .chain(0..avoid)
                .find(|&reg| free(&self.state, reg))
            {
                Some(reg) => reg,
                None => return Err(Uncompiled::TooComplex),
            }
        };
        self.own(reg, owner)?;
        Ok(reg)
    }

    pub(super) fn own(&mut self, reg: usize, owner: u32) -> Result<(), Stop> {
        if self.state.owner.len() <= reg {
            self.state.owner.fill_to(reg + 1, FREE)?;
        }
        self.state.owner[reg] = owner;
        Ok(())
    }

    pub(super) fn owner(&self, reg: usize) -> u32 {
        self.state.owner.get(reg).copied().unwrap_or(FREE)
    }

    pub(super) fn free(&mut self, reg: usize) {
        if let Some(owner) = self.state.owner.get_mut(reg) {
            *owner = FREE;
        }
    }

    /// Makes `reg` the place of `var`.
    pub(super) fn settle(&mut self, var: VarId, reg: usize) -> Result<(), Stop> {
        let old = self.state.x_of[var as usize];
        if old != NONE && self.owner(usize::from(old)) == var {
            self.free(usize::from(old));
        }
        self.own(reg, var)?;
        self.state.x_of[var as usize] = reg as u16;
        self.state.settled.put(var)?;
        self.state.seen[var as usize] = true;
        Ok(())
    }

    /// Forgets the registers of variables that no longer occur.
    pub(super) fn release_dead(&mut self) -> Result<(), Stop> {
        let position = self.position;
        for reg in 0..self.state.owner.len() {
            let owner = self.state.owner[reg];
            if owner == RESERVED {
                self.state.owner[reg] = FREE;
            } else if owner != FREE && self.info.vars[owner as usize].last <= position {
                self.state.owner[reg] = FREE;
                self.state.x_of[owner as usize] = NONE;
            }
        }
        if self.force && self.state.env {
            self.store_permanent()?;
            self.drop_stored();
        }
        Ok(())
    }

    /// Forgets the registers of variables that are in their slots.
    fn drop_stored(&mut self) {
        for reg in 0..self.state.owner.len() {
            let owner = self.state.owner[reg];
            if owner != FREE && owner != RESERVED && self.state.stored[owner as usize] {
                self.state.owner[reg] = FREE;
                self.state.x_of[owner as usize] = NONE;
            }
        }
    }

    /// Returns the number of first registers that include all in use.
    pub(super) fn live_registers(&self) -> usize {
        self.state
            .owner
            .iter()
            .rposition(|&owner| owner != FREE)
            .map_or(0, |reg| reg + 1)
    }

    /// Forgets the content of all registers, after a call.
    pub(super) fn forget_registers(&mut self) {
        self.state.forget_registers();
    }

    pub(super) fn x_of(&self, var: VarId) -> Option<usize> {
        let reg = self.state.x_of[var as usize];
        (reg != NONE).then_some(usize::from(reg))
    }

    pub(super) fn slot(&self, var: VarId) -> usize {
        usize::from(self.info.vars[var as usize].slot)
    }

    /// Returns the register of a variable. Loads it from its slot, or makes a fresh variable.
    pub(super) fn register_of(&mut self, var: VarId) -> Result<usize, Uncompiled> {
        if let Some(reg) = self.x_of(var) {
            return Ok(reg);
        }
        let hint = self.info.vars[var as usize].hint;
        let known = self.state.seen[var as usize];
        let reg = self.allocate(if known { NONE } else { hint }, var)?;
        if known {
            let slot = self.slot(var);
            self.emit(Op::LoadY, reg, slot, 0)?;
        } else {
            self.emit(Op::PutVariableX, reg, 0, 0)?;
        }
        self.settle(var, reg)?;
        Ok(reg)
    }

    /// Returns the register of any term; compounds are built.
    pub(super) fn term_register(&mut self, term: TermId) -> Result<usize, Uncompiled> {
        match self.clause.term(term) {
            Term::Var(var) => self.register_of(var),
            _ => {
                let reg = self.allocate(NONE, RESERVED)?;
                self.put_term(term, reg)?;
                Ok(reg)
            }
        }
    }

    pub(super) fn ensure_env(&mut self) -> Result<(), Stop> {
        if self.info.env && !self.state.env {
            let slots = usize::from(self.info.slots);
            self.emit(Op::Allocate, slots, 0, 0)?;
            self.state.env = true;
            if let Some(level) = self.info.clause_level {
                let slot = self.slot(level);
                self.emit(Op::GetLevel, slot, 0, 0)?;
                self.state.seen[level as usize] = true;
                self.set_stored(level as usize);
            }
        }
        Ok(())
    }

    /// Returns the frame operand of instructions that protect the environment.
    pub(super) fn frame_operand(&self) -> usize {
        if self.state.env {
            usize::from(self.info.slots)
        } else {
            0xffff
        }
    }

    /// Puts every permanent variable that is needed later into its slot.
    pub(super) fn store_permanent(&mut self) -> Result<(), Stop> {
        let position = self.position;
        for reg in 0..self.state.owner.len() {
            let owner = self.state.owner[reg];
            if owner == FREE || owner == RESERVED {
                continue;
            }
            let info = &self.info.vars[owner as usize];
            let var = owner as usize;
            if info.permanent && !self.state.stored[var] && info.last > position {
                let slot = usize::from(info.slot);
                self.emit(Op::StoreY, slot, reg, 0)?;
                self.set_stored(var);
            }
        }
        Ok(())
    }

    /// Returns whether the rest of the clause needs choice points that are older than the call, or a scope around the
    /// call.
    fn is_barred(&self) -> bool {
        let later = |level: VarId| self.info.vars[level as usize].last > self.position;
        self.barred > 0 || !self.scopes.is_empty() || self.info.clause_level.is_some_and(later)
    }

    /// Returns the size of the environment at a call, and which of its first slots hold a value.
    ///
    /// Slots are in the order of the last occurrence, so those needed later come first. A slot that gets its value
    /// only later counts, too: choice points made by the call protect no more slots than these.
    pub(super) fn site_word(&mut self) -> u64 {
        let position = self.position;
        let needed = |&var: &VarId| self.info.vars[var as usize].last > position;
        while self.live_slots > 0 && !needed(&self.info.by_slot[self.live_slots - 1]) {
            self.live_slots -= 1;
        }
        let barrier = if self.is_barred() { BARRIER } else { 0 };
        self.frame_map(self.live_slots) | barrier
    }
}
