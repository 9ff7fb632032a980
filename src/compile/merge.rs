//! Joins of branches: each variable that is needed after a construct is in the same place, whichever branch was
//! taken.

use super::classify::{Join, NONE};
use super::generate::{FREE, Generator, RESERVED, State, Uncompiled};
use crate::base::atom_table::FastSet;
use crate::base::growth::{Gather, Grow, GrowBy, Within};
use crate::base::stop::Stop;
use crate::code::instruction::Op;

/// A variable, its register (or `NONE`), and whether it is in its slot.
type Place = (VarId, u16, bool);
use crate::ir::clause::VarId;

/// The agreement of the branches of a construct.
pub(super) struct Plan {
    join: Join,
    /// Variables that are needed after the construct.
    needed: Vec<VarId>,
    /// The agreement, made by the first branch that reaches the end.
    agreed: Option<Agreed>,
}

struct Agreed {
    state: State,
    /// Variable, register (or `NONE`), and whether it is in its slot.
    places: Vec<Place>,
}

impl Generator<'_> {
    /// Returns a plan for a construct that begins here and whose end has position `end`.
    pub(super) fn merge_plan(&mut self, join: Join, end: u32) -> Result<Plan, Stop> {
        let mut needed = Vec::new();
        if join != Join::Single {
            let (vars, position) = (&self.info.vars, self.position);
            // Add the variables reached so far, with or without a value.
            let met = &self.info.by_first[self.met..];
            let before = met
                .iter()
                .take_while(|&&var| vars[var as usize].first < position)
                .count();
            self.active.put_slice(&met[..before])?;
            self.met += before;
            self.active
                .retain(|&var| vars[var as usize].last > position);
            // Add the variables that first occur inside.
            let inside = self.info.by_first[self.met..].iter();
            let inside = inside.take_while(|&&var| vars[var as usize].first <= end);
            let all = self.active.iter().chain(inside).copied();
            needed.put_all(all.filter(|&var| vars[var as usize].last > end))?;
        }
        Ok(Plan {
            join,
            needed,
            agreed: None,
        })
    }

    /// Ends a branch: brings the variables that are needed later to the agreed places.
    pub(super) fn merge_branch(&mut self, plan: &mut Plan, tail: bool) -> Result<(), Uncompiled> {
        if tail || self.state.dead {
            return Ok(());
        }
        match (plan.join, &plan.agreed) {
            (Join::Single, agreed) => {
                debug_assert!(agreed.is_none(), "the analysis has seen one end");
                plan.agreed = Some(Agreed {
                    state: self.state.clone(),
                    places: Vec::new(),
                });
            }
            (Join::Environment, agreed) => {
                let first = agreed.is_none();
                for &var in &plan.needed {
                    self.store_now(var)?;
                }
                if first {
                    let mut state = self.state.clone();
                    state.forget_registers();
                    plan.agreed = Some(Agreed {
                        state,
                        places: Vec::new(),
                    });
                }
            }
            (Join::Registers, None) => {
                let (state, places) = self.agree(&plan.needed)?;
                plan.agreed = Some(Agreed { state, places });
            }
            (Join::Registers, Some(agreed)) => self.conform(&agreed.places)?,
        }
        Ok(())
    }

    fn store_now(&mut self, var: VarId) -> Result<(), Uncompiled> {
        let index = var as usize;
        if self.state.stored[index] || !self.info.vars[index].permanent {
            return Ok(());
        }
        let slot = self.slot(var);
        match self.x_of(var) {
            Some(reg) => {
                self.emit(Op::StoreY, slot, reg, 0)?;
            }
            None => {
                let reg = self.allocate(NONE, RESERVED)?;
                self.emit(Op::PutVariableY, reg, slot, 0)?;
                self.free(reg);
            }
        }
        self.state.seen[index] = true;
        self.set_stored(index);
        Ok(())
    }

    /// Makes the agreement for the first branch to end: the places where its variables are now.
    fn agree(&mut self, needed: &[VarId]) -> Result<(State, Vec<Place>), Uncompiled> {
        let mut places = Vec::with_capacity(needed.len());
        for &var in needed {
            let index = var as usize;
            if !self.state.seen[index] {
                self.register_of(var)?;
            }
            places.put((var, self.state.x_of[index], self.state.stored[index]))?;
        }
        self.forget_but(&places)?;
        Ok((self.state.clone(), places))
    }

    /// Forgets the content of registers except these variables.
    fn forget_but(&mut self, places: &[Place]) -> Result<(), Stop> {
        let mut wanted = FastSet::default();
        wanted.try_reserve(places.len())?;
        wanted.put_all_within(places.iter().map(|&(var, ..)| var));
        for reg in 0..self.state.owner.len() {
            let owner = self.state.owner[reg];
            if owner != FREE && (owner == RESERVED || !wanted.contains(&owner)) {
                self.state.owner[reg] = FREE;
                if owner != RESERVED {
                    self.state.x_of[owner as usize] = NONE;
                }
            }
        }
        Ok(())
    }

    fn conform(&mut self, places: &[Place]) -> Result<(), Uncompiled> {
        // First store the variables that must be in slots, while they are still in their registers.
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
            .gather()?;
        self.forget_but(places)?;
        while !moves.is_empty() {
            let free = moves.iter().position(|&(_, to)| self.owner(to) == FREE);
            match free {
                Some(index) => {
                    let (var, to) = moves.swap_remove(index);
                    self.bring(var, to)?;
                }
                None => {
                    let (_, to) = moves[0];
                    let occupant = self.owner(to);
                    let reg = self.allocate(NONE, occupant)?;
                    self.emit(Op::Move, reg, to, 0)?;
                    self.settle(occupant, reg)?;
                }
            }
        }
        Ok(())
    }

    fn bring(&mut self, var: VarId, to: usize) -> Result<(), Stop> {
        match self.x_of(var) {
            Some(from) => {
                self.emit(Op::Move, to, from, 0)?;
            }
            None if self.state.stored[var as usize] => {
                let slot = self.slot(var);
                self.emit(Op::LoadY, to, slot, 0)?;
            }
            None => {
                self.emit(Op::PutVariableX, to, 0, 0)?;
            }
        }
        self.settle(var, to)?;
        Ok(())
    }

    /// Begins the common end of the branches; `ends` jump to it.
    pub(super) fn join(&mut self, plan: Plan, ends: Vec<(usize, usize)>, tail: bool) {
        for end in ends {
            self.patch(end);
        }
        match plan.agreed {
            Some(agreed) if !tail => {
                self.state = agreed.state;
                self.state.dead = false;
                self.state.quiet = false;
            }
            _ => self.state.dead = true,
        }
    }
}
