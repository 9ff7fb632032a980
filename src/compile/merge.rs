//! Joining branches: where each variable that is needed after a construct lies, whichever branch
//! was taken.

use super::classify::NONE;
use super::generate::{FREE, Generator, RESERVED, State, TooComplex};
use crate::code::instruction::Op;
use crate::ir::clause::VarId;

/// What the branches of a construct agree on.
pub(super) struct Plan {
    /// Some branch calls: what is needed later lies in the environment.
    calls: bool,
    /// Position of the join.
    end: u32,
    /// The agreement, made by the first branch that gets to the end.
    agreed: Option<Agreed>,
}

struct Agreed {
    state: State,
    /// Variable, register (or `NONE`), whether it is in its slot.
    places: Vec<(VarId, u16, bool)>,
}

impl Generator<'_> {
    /// A plan for a construct whose join has this position.
    pub(super) fn merge_plan(&self, calls: bool, end: u32) -> Plan {
        Plan { calls, end, agreed: None }
    }

    fn needed_after(&self, end: u32) -> Vec<VarId> {
        let vars = self.info.vars.iter().enumerate();
        let needed = vars.filter(|(_, info)| info.count > 0 && info.first <= end && info.last > end);
        needed.map(|(var, _)| var as VarId).collect()
    }

    /// Ends a branch: brings what is needed later to the agreed places.
    pub(super) fn merge_branch(&mut self, plan: &mut Plan, tail: bool) -> Result<(), TooComplex> {
        if tail || self.state.dead {
            return Ok(());
        }
        let needed = self.needed_after(plan.end);
        if plan.calls {
            for &var in &needed {
                self.store_now(var)?;
            }
            if plan.agreed.is_none() {
                let mut state = self.state.clone();
                state.owner.iter_mut().for_each(|owner| *owner = FREE);
                state.x_of.iter_mut().for_each(|reg| *reg = NONE);
                state.barrier = false;
                plan.agreed = Some(Agreed { state, places: Vec::new() });
            }
            return Ok(());
        }
        match &plan.agreed {
            None => self.agree(plan, &needed),
            Some(agreed) => {
                let places = agreed.places.clone();
                self.conform(&places)
            }
        }
    }

    fn store_now(&mut self, var: VarId) -> Result<(), TooComplex> {
        let index = var as usize;
        if self.state.stored[index] || !self.info.vars[index].permanent {
            return Ok(());
        }
        let slot = self.slot(var);
        match self.x_of(var) {
            Some(reg) => {
                self.emit(Op::StoreY, slot, reg, 0);
            }
            None => {
                let reg = self.allocate(NONE, RESERVED)?;
                self.emit(Op::PutVariableY, reg, slot, 0);
                self.free(reg);
            }
        }
        self.state.seen[index] = true;
        self.state.stored[index] = true;
        Ok(())
    }

    fn agree(&mut self, plan: &mut Plan, needed: &[VarId]) -> Result<(), TooComplex> {
        let mut places = Vec::new();
        for &var in needed {
            let index = var as usize;
            if !self.state.seen[index] {
                self.register_of(var)?;
            }
            places.push((var, self.state.x_of[index], self.state.stored[index]));
        }
        let mut state = self.state.clone();
        for reg in 0..state.owner.len() {
            let owner = state.owner[reg];
            if owner != FREE && (owner == RESERVED || !needed.contains(&owner)) {
                state.owner[reg] = FREE;
                if owner != RESERVED {
                    state.x_of[owner as usize] = NONE;
                }
            }
        }
        plan.agreed = Some(Agreed { state, places });
        Ok(())
    }

    fn conform(&mut self, places: &[(VarId, u16, bool)]) -> Result<(), TooComplex> {
        // What must be in a slot goes there first, while it is still in its register.
        for &(var, reg, stored) in places {
            if stored || reg == NONE {
                self.store_now(var)?;
            }
        }
        let mut moves: Vec<(VarId, usize)> = places
            .iter()
            .filter(|&&(_, reg, _)| reg != NONE)
            .map(|&(var, reg, _)| (var, usize::from(reg)))
            .filter(|&(var, reg)| self.x_of(var) != Some(reg))
            .collect();
        let wanted: Vec<VarId> = places.iter().map(|&(var, ..)| var).collect();
        for reg in 0..self.state.owner.len() {
            let owner = self.state.owner[reg];
            if owner == RESERVED || (owner != FREE && !wanted.contains(&owner)) {
                self.state.owner[reg] = FREE;
                if owner != RESERVED {
                    self.state.x_of[owner as usize] = NONE;
                }
            }
        }
        while !moves.is_empty() {
            let free = moves.iter().position(|&(_, to)| self.owner(to) == FREE);
            match free {
                Some(index) => {
                    let (var, to) = moves.swap_remove(index);
                    self.bring(var, to);
                }
                None => {
                    let (_, to) = moves[0];
                    let occupant = self.owner(to);
                    let reg = self.allocate(NONE, occupant)?;
                    self.emit(Op::Move, reg, to, 0);
                    self.settle(occupant, reg);
                }
            }
        }
        Ok(())
    }

    fn bring(&mut self, var: VarId, to: usize) {
        match self.x_of(var) {
            Some(from) => {
                self.emit(Op::Move, to, from, 0);
            }
            None if self.state.stored[var as usize] => {
                let slot = self.slot(var);
                self.emit(Op::LoadY, to, slot, 0);
            }
            None => {
                self.emit(Op::PutVariableX, to, 0, 0);
            }
        }
        self.settle(var, to);
    }

    /// The common end of the branches; `ends` jump to it.
    pub(super) fn join(&mut self, plan: Plan, ends: Vec<(usize, usize)>, tail: bool) {
        for end in ends {
            self.patch(end);
        }
        match plan.agreed {
            Some(agreed) if !tail => {
                self.state = agreed.state;
                self.state.dead = false;
            }
            _ => self.state.dead = true,
        }
    }
}
