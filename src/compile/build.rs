//! Building of terms: a run of write instructions that lays out a whole term from H on.

use super::classify::NONE;
use super::fuse;
use super::generate::{Generator, RESERVED, Uncompiled};
use crate::base::growth::{Grow, GrowBy};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::code::instruction::{Op, encode, encode_wide};
use crate::ir::clause::{Clause, Term, TermId, VarId};
use crate::store::cell::Cell;
use std::collections::VecDeque;

/// The place of a variable of a term that is being built.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A register.
    X(u16),
    /// A slot of the environment.
    Y(u16),
    /// No place: the variable occurs only once.
    Void,
}

/// Number of words that may be written without a check for room.
const UNCHECKED_WORDS: u32 = 512;

/// Returns the number of words of a compound, without the words of its arguments.
fn own_words(term: Term) -> u32 {
    match term {
        Term::List { .. } => 2,
        Term::Struct { functor, .. } => functor.arity() as u32 + 1,
        _ => 0,
    }
}

/// Returns the number of words that building the term takes.
pub(super) fn built_words(clause: &Clause, term: TermId, watch: &Watch) -> Result<u32, Stop> {
    let (mut words, mut todo) = (0, vec![term]);
    let mut seen = 0;
    while let Some(id) = todo.pop() {
        seen += 1;
        watch.go_on_counted(seen)?;
        let term = clause.term(id);
        words += own_words(term);
        todo.put_slice(clause.compound_args(term))?;
    }
    Ok(words)
}

fn simple(op: Op, a: u16) -> u64 {
    encode(op, a, 0, 0)
}

/// Emits the instruction that writes variables without a place, if there are any.
fn put_voids(voids: &mut u16, code: &mut Vec<u64>) -> Result<(), Stop> {
    match std::mem::take(voids) {
        0 => Ok(()),
        count => code.put(simple(Op::WriteVoid, count)),
    }
}

/// Emits the write instructions for a compound, without the functor of the root if `headless`.
pub(super) fn write_stream(
    clause: &Clause,
    pool: &[Cell],
    root: TermId,
    spots: &mut dyn FnMut(VarId) -> (Place, bool),
    headless: bool,
    code: &mut Vec<u64>,
    watch: &Watch,
) -> Result<(), Stop> {
    let mut queue = VecDeque::from([root]);
    let mut next = own_words(clause.term(root));
    let mut at = 0u32;
    let mut voids = 0u16;
    // Words before this place are not instructions of one word.
    let mut fence = 0;
    let mut seen = 0;
    while let Some(id) = queue.pop_front() {
        seen += 1;
        watch.go_on_counted(seen)?;
        let term = clause.term(id);
        if let Term::Struct { functor, .. } = term {
            if !(headless && at == 0) {
                put_voids(&mut voids, code)?;
                code.put(Op::WriteFunctor as u64)?;
                code.put(Cell::functor(functor).word())?;
                fence = code.len();
            }
            at += 1;
        }
        for &arg in clause.compound_args(term) {
            let argument = clause.term(arg);
            if let Term::Var(var) = argument {
                match spots(var) {
                    (Place::Void, _) => {
                        voids += 1;
                        if voids == u16::MAX {
                            put_voids(&mut voids, code)?;
                        }
                    }
                    (place, fresh) => {
                        put_voids(&mut voids, code)?;
                        let word = match (place, fresh) {
                            (Place::X(reg), true) => simple(Op::WriteVariableX, reg),
                            (Place::X(reg), false) => simple(Op::WriteValueX, reg),
                            (Place::Y(slot), true) => simple(Op::WriteVariableY, slot),
                            (Place::Y(slot), false) => simple(Op::WriteValueY, slot),
                            (Place::Void, _) => unreachable!("excluded above"),
                        };
                        fuse::push(code, fence, word)?;
                    }
                }
                at += 1;
                continue;
            }
            put_voids(&mut voids, code)?;
            match argument {
                Term::Constant(cell) => {
                    code.put(Op::WriteConstant as u64)?;
                    code.put(cell.word())?;
                    fence = code.len();
                }
                Term::Literal(index) => {
                    code.put(Op::WriteConstant as u64)?;
                    code.put(pool[index as usize].word())?;
                    fence = code.len();
                }
                compound => {
                    let list = matches!(compound, Term::List { .. });
                    let op = if list {
                        Op::WriteList
                    } else {
                        Op::WriteStructure
                    };
                    code.put(encode_wide(op, 0, next - at))?;
                    next += own_words(compound);
                    queue.put(arg)?;
                }
            }
            at += 1;
        }
    }
    put_voids(&mut voids, code)?;
    Ok(())
}

impl Generator<'_> {
    /// Returns the distinct variables of a term, in the order in which building reaches them.
    pub(super) fn term_vars(&mut self, root: TermId) -> Result<Vec<VarId>, Stop> {
        self.last_mark += 1;
        let mut vars = Vec::new();
        let mut queue = VecDeque::from([root]);
        let mut seen = 0;
        while let Some(id) = queue.pop_front() {
            seen += 1;
            self.watch.go_on_counted(seen)?;
            match self.clause.term(id) {
                Term::Var(var) => {
                    let mark = &mut self.marks[var as usize];
                    if *mark != self.last_mark {
                        *mark = self.last_mark;
                        vars.put(var)?;
                    }
                }
                term => queue.put_all(self.clause.compound_args(term).iter().copied())?,
            }
        }
        Ok(vars)
    }

    /// Finds places for the variables of a term about to be built. New variables get registers, or their slots if
    /// they are permanent, and are noted as fresh.
    fn place_vars(&mut self, root: TermId) -> Result<(), Uncompiled> {
        for var in self.term_vars(root)? {
            let index = var as usize;
            let info = &self.info.vars[index];
            let (permanent, hint) = (info.permanent, info.hint);
            if self.state.seen[index] || info.count == 1 {
                continue;
            }
            self.fresh[index] = true;
            if permanent && self.state.env {
                self.set_stored(index);
                self.state.seen[index] = true;
            } else {
                let reg = self.allocate(hint, var)?;
                self.settle(var, reg)?;
            }
        }
        Ok(())
    }

    /// Returns the write instructions for a compound whose variables have their places. The first instruction for a
    /// fresh variable creates it.
    pub(super) fn written(&mut self, root: TermId, headless: bool) -> Result<Vec<u64>, Stop> {
        let mut words = Vec::new();
        let (state, info, fresh) = (&self.state, &self.info, &mut self.fresh);
        let mut spots = |var: VarId| {
            let index = var as usize;
            let place = match state.x_of[index] {
                NONE if state.stored[index] => Place::Y(info.vars[index].slot),
                NONE => Place::Void,
                reg => Place::X(reg),
            };
            (place, std::mem::take(&mut fresh[index]))
        };
        write_stream(
            self.clause,
            self.pool,
            root,
            &mut spots,
            headless,
            &mut words,
            self.watch,
        )?;
        Ok(words)
    }

    /// Builds a compound into a register that holds nothing.
    pub(super) fn build(&mut self, root: TermId, reg: usize) -> Result<(), Uncompiled> {
        let words = built_words(self.clause, root, self.watch)?;
        if words > UNCHECKED_WORDS {
            self.emit(Op::EnsureHeap, 0, 0, 0)?;
            self.word(u64::from(words))?;
        }
        self.own(reg, RESERVED)?;
        self.place_vars(root)?;
        match self.clause.term(root) {
            Term::Struct { functor, .. } => {
                self.emit(Op::PutStructure, reg, 0, 0)?;
                self.word(Cell::functor(functor).word())?;
            }
            _ => {
                self.emit(Op::PutList, reg, 0, 0)?;
            }
        }
        let stream = self.written(root, true)?;
        self.code.put_slice(&stream)?;
        self.fence = self.code.len();
        Ok(())
    }

    /// Puts any term except a variable into a register that holds nothing.
    pub(super) fn put_term(&mut self, term: TermId, reg: usize) -> Result<(), Uncompiled> {
        self.own(reg, RESERVED)?;
        match self.clause.term(term) {
            Term::Constant(cell) => {
                self.emit(Op::PutConstant, reg, 0, 0)?;
                self.word(cell.word())?;
            }
            Term::Literal(index) => {
                let cell = self.pool[index as usize];
                self.emit(Op::PutConstant, reg, 0, 0)?;
                self.word(cell.word())?;
            }
            Term::Var(var) => {
                let from = self.register_of(var)?;
                self.emit(Op::Move, reg, from, 0)?;
            }
            _ => self.build(term, reg)?,
        }
        Ok(())
    }

    /// Returns any free register.
    pub(super) fn scratch(&mut self) -> Result<usize, Uncompiled> {
        self.allocate(NONE, RESERVED)
    }
}
