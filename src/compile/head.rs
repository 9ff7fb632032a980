//! Unification with known terms: head arguments and `=/2`.

use super::build::built_words;
use super::classify::NONE;
use super::fuse;
use super::generate::{Deferred, FREE, Generator, RESERVED, Uncompiled};
use crate::base::atom_table::atoms;
use crate::base::growth::{Gather, Grow, GrowBy};
use crate::base::stop::Stop;
use crate::code::instruction::{GOAL, Op, encode};
use crate::ir::clause::{Args, Term, TermId};
use crate::store::cell::Cell;

/// Maximum number of words of a compound that is read part by part. Larger compounds are built and unified.
const READ_WORDS: u32 = 64;

impl Generator<'_> {
    /// Compiles the arguments of the head, which are in the first registers.
    pub(super) fn head(&mut self, args: Args) -> Result<(), Uncompiled> {
        let count = args.count as usize;
        for reg in 0..count {
            self.own(reg, RESERVED)?;
        }
        // Variables at their first occurrence stay where they are.
        let mut compound = Vec::new();
        let mut constants = Vec::new();
        let mut repeated = Vec::new();
        for reg in 0..count {
            let term = self.clause.arg(args, reg);
            match self.clause.term(term) {
                Term::Var(var) if self.info.vars[var as usize].count == 1 => self.free(reg),
                Term::Var(var) if self.state.seen[var as usize] => repeated.put((reg, var))?,
                Term::Var(var) => self.settle(var, reg)?,
                Term::Constant(_) | Term::Literal(_) => constants.put((reg, term))?,
                _ => compound.put((reg, term))?,
            }
        }
        for (reg, term) in constants {
            self.get(reg, term)?;
            self.free(reg);
        }
        for (reg, var) in repeated {
            let other = self.register_of(var)?;
            self.get_value(reg, other)?;
            self.free(reg);
        }
        for (reg, term) in compound {
            self.get(reg, term)?;
        }
        self.release_dead()?;
        Ok(())
    }

    /// Unifies a register with a term other than a variable. Afterwards the register is free if no variable owns it.
    pub(super) fn get(&mut self, reg: usize, term: TermId) -> Result<(), Uncompiled> {
        match self.clause.term(term) {
            Term::Constant(cell) => {
                self.begin_unification()?;
                self.emit_begun(Op::GetConstant, reg, 0, 0)?;
                self.word(cell.word())?;
            }
            Term::Literal(index) if !self.clause.scoped => {
                let cell = self.pool[index as usize];
                self.begin_unification()?;
                self.emit_begun(Op::GetLiteral, reg, 0, 0)?;
                self.word(cell.word())?;
            }
            Term::Var(var) => {
                let other = self.register_of(var)?;
                self.get_value(reg, other)?;
            }
            term_read if self.is_built(term, term_read)? => {
                let built = self.scratch()?;
                self.put_term(term, built)?;
                self.get_value(reg, built)?;
                self.free(built);
            }
            compound => {
                if self.clause.scoped {
                    self.load_seen(term)?;
                }
                let seen = self.unseen(term)?;
                let from = self.emit_get(reg, compound)?;
                if self.owner(reg) == RESERVED {
                    self.free(reg);
                }
                self.read(term, from, seen)?;
                if let Some(deferred) = self.deferred.last()
                    && let Some(whole) = fuse::whole_list(&self.code, from.0, &deferred.words)
                {
                    let mark = self.code[from.0] & GOAL;
                    self.code.truncate(from.0);
                    self.deferred.pop();
                    self.fence = from.0;
                    self.word(whole | mark)?;
                }
            }
        }
        self.state.quiet = false;
        Ok(())
    }

    /// Returns whether a term is built and then unified instead of being read part by part.
    fn is_built(&self, id: TermId, term: Term) -> Result<bool, Stop> {
        match term {
            Term::Literal(_) => Ok(true),
            Term::Struct { functor, .. }
                if self.clause.scoped && self.symbols.name(functor) == atoms::APPLICATION =>
            {
                Ok(true)
            }
            _ => Ok(built_words(self.clause, id, self.watch)? > READ_WORDS),
        }
    }

    /// Unifies two registers.
    fn get_value(&mut self, a: usize, b: usize) -> Result<(), Stop> {
        let op = if self.clause.scoped {
            Op::GetValueScoped
        } else {
            Op::GetValue
        };
        self.begin_unification()?;
        self.emit_begun(op, a, b, 0)?;
        self.state.quiet = false;
        Ok(())
    }

    /// Begins the code of `A = B` if it has not begun. Does nothing within the unification of a head.
    fn begin_unification(&mut self) -> Result<(), Stop> {
        if std::mem::take(&mut self.unifies) {
            self.note_goal_start()?;
        }
        Ok(())
    }

    fn emit_get(&mut self, reg: usize, compound: Term) -> Result<(usize, usize), Stop> {
        self.begin_unification()?;
        let scoped = self.clause.scoped;
        let Term::Struct { functor, .. } = compound else {
            let op = if scoped {
                Op::GetListScoped
            } else {
                Op::GetList
            };
            let at = self.emit_begun(op, reg, 0, 0)?;
            self.word(0)?;
            return Ok((at, 1));
        };
        let op = match scoped {
            true => Op::GetStructureScoped,
            false => Op::GetStructure,
        };
        let at = self.emit_begun(op, reg, 0, 0)?;
        self.word(Cell::functor(functor).word())?;
        self.word(0)?;
        Ok((at, 2))
    }

    /// Loads those variables of a term that have values into registers. The code that reads the term must not load
    /// them, because the code that writes the term takes another way.
    fn load_seen(&mut self, term: TermId) -> Result<(), Uncompiled> {
        for var in self.term_vars(term)? {
            if self.state.seen[var as usize] {
                self.register_of(var)?;
            }
        }
        Ok(())
    }

    /// Returns the variables of a term, each with whether it has no value yet.
    fn unseen(&mut self, term: TermId) -> Result<Vec<(u32, bool)>, Stop> {
        let vars = self.term_vars(term)?;
        vars.into_iter()
            .map(|var| (var, !self.state.seen[var as usize]))
            .gather()
    }

    /// Reads the arguments of a compound after the instruction at `from` has found it. Also writes the stream that
    /// builds the compound instead.
    fn read(
        &mut self,
        term: TermId,
        from: (usize, usize),
        vars: Vec<(u32, bool)>,
    ) -> Result<(), Uncompiled> {
        let args = Vec::of(self.clause.compound_args(self.clause.term(term)))?;
        let mut inner = Vec::new();
        let mut voids = 0;
        for (index, &arg) in args.iter().enumerate() {
            let last = index + 1 == args.len();
            let argument = self.clause.term(arg);
            if let Term::Var(var) = argument
                && self.info.vars[var as usize].count == 1
            {
                voids += 1;
                continue;
            }
            if voids > 0 {
                self.emit(Op::UnifyVoid, voids, 0, 0)?;
                voids = 0;
            }
            match argument {
                Term::Var(var) => self.read_var(var)?,
                Term::Constant(cell) => {
                    self.emit(Op::UnifyConstant, 0, 0, 0)?;
                    self.word(cell.word())?;
                }
                Term::Literal(index) if !self.clause.scoped => {
                    let cell = self.pool[index as usize];
                    self.emit(Op::UnifyLiteral, 0, 0, 0)?;
                    self.word(cell.word())?;
                }
                compound if last && !self.clause.scoped => {
                    let seen = self.unseen(arg)?;
                    let at = self.code.len();
                    let label = match compound {
                        Term::Struct { functor, .. } => {
                            self.emit(Op::UnifyStructure, 0, 0, 0)?;
                            self.word(Cell::functor(functor).word())?;
                            2
                        }
                        _ => {
                            self.emit(Op::UnifyList, 0, 0, 0)?;
                            1
                        }
                    };
                    self.word(0)?;
                    self.read(arg, (at, label), seen)?;
                }
                _ => {
                    let reg = self.allocate(NONE, RESERVED)?;
                    self.emit(Op::UnifyVariableX, reg, 0, 0)?;
                    inner.put((reg, arg))?;
                }
            }
        }
        for (reg, var) in std::mem::take(&mut self.scoped_values) {
            // No variable owns a register loaded here: the code that builds the term does not load it.
            match self.x_of(var) {
                Some(other) => self.get_value(reg, other)?,
                None => {
                    let other = self.scratch()?;
                    let slot = self.slot(var);
                    self.emit(Op::LoadY, other, slot, 0)?;
                    self.get_value(reg, other)?;
                    self.free(other);
                }
            }
            self.free(reg);
        }
        for (reg, arg) in inner {
            self.get(reg, arg)?;
        }
        self.defer_write(term, from, vars)?;
        Ok(())
    }

    fn read_var(&mut self, var: u32) -> Result<(), Uncompiled> {
        let index = var as usize;
        if self.state.seen[index] && self.clause.scoped {
            let reg = self.scratch()?;
            self.emit(Op::UnifyVariableX, reg, 0, 0)?;
            self.scoped_values.put((reg, var))?;
            return Ok(());
        }
        if self.state.seen[index] {
            match self.x_of(var) {
                Some(reg) => {
                    self.emit(Op::UnifyValueX, reg, 0, 0)?;
                }
                None => {
                    let slot = self.slot(var);
                    self.emit(Op::UnifyValueY, slot, 0, 0)?;
                }
            }
            return Ok(());
        }
        let (permanent, hint) = (self.info.vars[index].permanent, self.info.vars[index].hint);
        if permanent && self.state.env {
            let slot = self.slot(var);
            self.emit(Op::UnifyVariableY, slot, 0, 0)?;
            self.state.seen[index] = true;
            self.set_stored(index);
        } else {
            let hint = if usize::from(hint) < 256 && self.owner(usize::from(hint)) == FREE {
                hint
            } else {
                NONE
            };
            let reg = self.allocate(hint, var)?;
            self.emit(Op::UnifyVariableX, reg, 0, 0)?;
            self.settle(var, reg)?;
        }
        Ok(())
    }

    fn defer_write(
        &mut self,
        term: TermId,
        from: (usize, usize),
        vars: Vec<(u32, bool)>,
    ) -> Result<(), Stop> {
        let new = vars.iter().all(|&(_, fresh)| fresh);
        for (var, fresh) in vars {
            self.fresh[var as usize] = fresh;
        }
        // The instruction that finds a variable there has already written the functor.
        let mut words = self.written(term, !self.clause.scoped)?;
        if self.clause.scoped {
            words.put(encode(Op::UnifyWritten, u16::from(new), 0, 0))?;
        }
        let back = self.code.len();
        self.fence = back;
        self.deferred.put(Deferred { words, from, back })?;
        Ok(())
    }

    /// Compiles `A = B`.
    pub(super) fn unify(&mut self, a: TermId, b: TermId) -> Result<(), Uncompiled> {
        self.unifies = true;
        let done = self.unify_terms(a, b);
        self.unifies = false;
        done
    }

    fn unify_terms(&mut self, a: TermId, b: TermId) -> Result<(), Uncompiled> {
        match (self.clause.term(a), self.clause.term(b)) {
            (Term::Var(x), Term::Var(y)) if x == y => {
                self.register_of(x)?;
                Ok(())
            }
            (Term::Var(x), Term::Var(y)) => {
                let (seen_x, seen_y) = (self.state.seen[x as usize], self.state.seen[y as usize]);
                match (seen_x, seen_y) {
                    (false, _) => self.alias(x, y),
                    (_, false) => self.alias(y, x),
                    _ => {
                        let (x, y) = (self.register_of(x)?, self.register_of(y)?);
                        self.get_value(x, y)?;
                        Ok(())
                    }
                }
            }
            (Term::Var(x), _) => self.unify_var(x, b),
            (_, Term::Var(y)) => self.unify_var(y, a),
            _ => {
                let reg = self.scratch()?;
                self.put_term(a, reg)?;
                self.get(reg, b)
            }
        }
    }

    /// Gives the new variable `new` the value of `old`.
    fn alias(&mut self, new: u32, old: u32) -> Result<(), Uncompiled> {
        let from = self.register_of(old)?;
        if self.info.vars[new as usize].count > 1 {
            let hint = self.info.vars[new as usize].hint;
            let reg = self.allocate(hint, new)?;
            self.emit(Op::Move, reg, from, 0)?;
            self.settle(new, reg)?;
        }
        Ok(())
    }

    fn unify_var(&mut self, var: u32, term: TermId) -> Result<(), Uncompiled> {
        let index = var as usize;
        if self.state.seen[index] || self.term_vars(term)?.contains(&var) {
            let reg = self.register_of(var)?;
            return self.get(reg, term);
        }
        if self.info.vars[index].count == 1 {
            return Ok(());
        }
        let hint = self.info.vars[index].hint;
        let reg = self.allocate(hint, RESERVED)?;
        self.put_term(term, reg)?;
        self.settle(var, reg)?;
        Ok(())
    }

    /// Unifies a scratch register with a term.
    pub(super) fn unify_register(&mut self, reg: usize, term: TermId) -> Result<(), Uncompiled> {
        match self.clause.term(term) {
            Term::Var(var) if !self.state.seen[var as usize] => {
                if self.info.vars[var as usize].count > 1 {
                    self.settle(var, reg)?;
                }
                Ok(())
            }
            _ => self.get(reg, term),
        }
    }
}
