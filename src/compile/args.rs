//! Placement of the arguments of a goal: moves between registers that may overlap, terms to build, and values to save
//! before they are overwritten.

use super::classify::NONE;
use super::generate::{FREE, Generator, RESERVED, Uncompiled};
use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowMap, with_room};
use crate::base::stop::Stop;
use crate::code::instruction::Op;
use crate::ir::clause::{Term, TermId, VarId};

/// An argument that is not placed yet.
#[derive(Copy, Clone)]
enum Pending {
    /// A variable.
    Var(VarId),
    /// A compound to be built.
    Build(TermId),
    /// A compound already built in this register.
    Built(usize),
    /// A constant.
    Constant(TermId),
    /// An argument that is in its place.
    Done,
}

struct Placing {
    pending: Vec<Pending>,
    /// Number of unplaced arguments that need each variable.
    uses: Vec<(VarId, u32)>,
    /// Index of each variable in `uses`, once there are many.
    places: FastMap<VarId, usize>,
}

/// Maximum number of variables that are searched one by one.
const FEW_USES: usize = 32;

impl Placing {
    fn place(&self, var: VarId) -> Option<usize> {
        if self.uses.len() > FEW_USES {
            self.places.get(&var).copied()
        } else {
            self.uses.iter().position(|&(other, _)| other == var)
        }
    }
    fn add_use(&mut self, var: VarId) -> Result<(), Stop> {
        if let Some(place) = self.place(var) {
            self.uses[place].1 += 1;
            return Ok(());
        }
        self.uses.put((var, 1))?;
        if self.uses.len() > FEW_USES {
            for place in self.places.len()..self.uses.len() {
                self.places.put_entry(self.uses[place].0, place)?;
            }
        }
        Ok(())
    }
    fn drop_use(&mut self, var: VarId) {
        if let Some(place) = self.place(var) {
            self.uses[place].1 -= 1;
        }
    }
    fn used(&self, var: VarId) -> bool {
        self.place(var).is_some_and(|place| self.uses[place].1 > 0)
    }
}

impl Generator<'_> {
    /// Brings the arguments of a goal into the first registers.
    pub(super) fn place_terms(&mut self, terms: &[TermId]) -> Result<(), Uncompiled> {
        let count = terms.len();
        self.avoid = self.avoid.max(count);
        let mut placing = Placing {
            pending: with_room(count)?,
            uses: Vec::new(),
            places: FastMap::default(),
        };
        for &term in terms {
            let pending = match self.clause.term(term) {
                Term::Var(var) => {
                    placing.add_use(var)?;
                    Pending::Var(var)
                }
                Term::Constant(_) | Term::Literal(_) => Pending::Constant(term),
                _ => {
                    for var in self.term_vars(term)? {
                        placing.add_use(var)?;
                    }
                    Pending::Build(term)
                }
            };
            placing.pending.put(pending)?;
        }
        self.keep_in_place(&mut placing);
        self.easy_moves(&mut placing)?;
        self.build_args(&mut placing)?;
        self.all_moves(&mut placing)?;
        self.load_args(&mut placing)
    }

    /// Returns whether the content of this register must survive, apart from arguments already placed.
    fn needed(&self, reg: usize, placing: &Placing) -> bool {
        match self.owner(reg) {
            FREE => false,
            RESERVED => true,
            var => {
                let info = &self.info.vars[var as usize];
                placing.used(var) || (info.last > self.position && !self.state.stored[var as usize])
            }
        }
    }

    fn keep_in_place(&self, placing: &mut Placing) {
        for index in 0..placing.pending.len() {
            if let Pending::Var(var) = placing.pending[index]
                && self.x_of(var) == Some(index)
            {
                placing.pending[index] = Pending::Done;
                // The variable stays in its register, so this use no longer counts. But no move may overwrite the
                // register: see `occupied`.
                placing.drop_use(var);
            }
        }
    }

    /// Returns whether an argument in place occupies the register, or its content is needed elsewhere.
    fn occupied(&self, reg: usize, placing: &Placing) -> bool {
        matches!(placing.pending.get(reg), Some(Pending::Done)) || self.needed(reg, placing)
    }

    /// Moves variables whose place is free.
    fn easy_moves(&mut self, placing: &mut Placing) -> Result<(), Stop> {
        loop {
            let mut moved = false;
            for index in 0..placing.pending.len() {
                let Pending::Var(var) = placing.pending[index] else {
                    continue;
                };
                let Some(from) = self.x_of(var) else { continue };
                if !self.occupied(index, placing) {
                    self.move_argument(var, from, index, placing)?;
                    moved = true;
                }
            }
            if !moved {
                return Ok(());
            }
        }
    }

    fn move_argument(
        &mut self,
        var: VarId,
        from: usize,
        to: usize,
        placing: &mut Placing,
    ) -> Result<(), Stop> {
        self.displace(to);
        self.emit(Op::Move, to, from, 0)?;
        let in_place = matches!(placing.pending.get(from), Some(Pending::Done));
        if in_place {
            self.own(to, RESERVED)?;
        } else {
            self.settle(var, to)?;
        }
        placing.pending[to] = Pending::Done;
        placing.drop_use(var);
        Ok(())
    }

    /// Forgets the content of a register that is not needed there.
    fn displace(&mut self, reg: usize) {
        let owner = self.owner(reg);
        if owner != FREE && owner != RESERVED {
            self.state.x_of[owner as usize] = NONE;
        }
        self.free(reg);
    }

    fn build_args(&mut self, placing: &mut Placing) -> Result<(), Uncompiled> {
        for index in 0..placing.pending.len() {
            let Pending::Build(term) = placing.pending[index] else {
                continue;
            };
            let vars = self.term_vars(term)?;
            if self.occupied(index, placing) {
                let reg = self.scratch()?;
                self.build(term, reg)?;
                placing.pending[index] = Pending::Built(reg);
            } else {
                self.displace(index);
                self.build(term, index)?;
                placing.pending[index] = Pending::Done;
            }
            for var in vars {
                placing.drop_use(var);
            }
            self.easy_moves(placing)?;
        }
        Ok(())
    }

    /// Makes all remaining moves between registers, through other registers where the places overlap.
    fn all_moves(&mut self, placing: &mut Placing) -> Result<(), Uncompiled> {
        loop {
            self.easy_moves(placing)?;
            let mut waiting = None;
            for index in 0..placing.pending.len() {
                match placing.pending[index] {
                    Pending::Built(reg) if !self.occupied(index, placing) => {
                        self.displace(index);
                        self.emit(Op::Move, index, reg, 0)?;
                        self.free(reg);
                        self.own(index, RESERVED)?;
                        placing.pending[index] = Pending::Done;
                    }
                    Pending::Built(_) => waiting = Some(index),
                    Pending::Var(var) if self.x_of(var).is_some() => waiting = Some(index),
                    _ => {}
                }
            }
            let Some(index) = waiting else { return Ok(()) };
            if self.occupied(index, placing) {
                self.evict(index, placing)?;
            }
        }
    }

    /// Moves the content of a register out of the way.
    fn evict(&mut self, reg: usize, placing: &mut Placing) -> Result<(), Uncompiled> {
        let owner = self.owner(reg);
        let other = self.allocate(NONE, owner)?;
        self.emit(Op::Move, other, reg, 0)?;
        if owner == RESERVED {
            for pending in &mut placing.pending {
                if let Pending::Built(built) = pending
                    && *built == reg
                {
                    *built = other;
                }
            }
            self.free(reg);
        } else {
            self.settle(owner, other)?;
        }
        Ok(())
    }

    /// Loads variables from their slots, makes new ones, and puts constants.
    fn load_args(&mut self, placing: &mut Placing) -> Result<(), Uncompiled> {
        for index in 0..placing.pending.len() {
            let pending = placing.pending[index];
            if matches!(pending, Pending::Done) {
                continue;
            }
            if let Pending::Var(var) = pending {
                placing.drop_use(var);
            }
            if self.occupied(index, placing) {
                self.evict(index, placing)?;
            }
            self.displace(index);
            match pending {
                Pending::Var(var) => self.put_var(var, index)?,
                Pending::Constant(term) => self.put_term(term, index)?,
                _ => {}
            }
            placing.pending[index] = Pending::Done;
        }
        Ok(())
    }

    fn put_var(&mut self, var: VarId, reg: usize) -> Result<(), Stop> {
        let index = var as usize;
        if let Some(from) = self.x_of(var) {
            self.emit(Op::Move, reg, from, 0)?;
            self.own(reg, RESERVED)?;
            return Ok(());
        }
        let slot = self.slot(var);
        if self.state.seen[index] {
            self.emit(Op::LoadY, reg, slot, 0)?;
        } else {
            let info = &self.info.vars[index];
            if info.permanent && info.last > self.position && self.state.env {
                self.emit(Op::PutVariableY, reg, slot, 0)?;
                self.set_stored(index);
            } else {
                self.emit(Op::PutVariableX, reg, 0, 0)?;
            }
        }
        self.settle(var, reg)?;
        Ok(())
    }
}
