//! Arithmetic in place: from expressions to three-address instructions.

use super::classify::NONE;
use super::generate::{Generator, RESERVED, Uncompiled};
use crate::arith::evaluable::lookup;
use crate::base::atom_table::{Functor, atoms};
use crate::code::instruction::Op;
use crate::ir::clause::{Term, TermId};
use crate::store::cell::{BoxKind, Cell, tag};
use crate::store::raw;

/// Maximum depth of an expression compiled in place. Deeper ones are built as terms and evaluated at run time.
const MAX_DEPTH: usize = 64;

impl Generator<'_> {
    /// Returns an integer constant that fits into an instruction.
    pub(super) fn small_int(&self, term: TermId) -> Option<i16> {
        match self.clause.term(term) {
            Term::Constant(cell) if cell.is_int() => i16::try_from(cell.int_value()).ok(),
            _ => None,
        }
    }

    /// Returns a register with the value of an expression, or with a number or a term that the instruction using it
    /// evaluates.
    pub(super) fn expression(&mut self, term: TermId, depth: usize) -> Result<usize, Uncompiled> {
        match self.clause.term(term) {
            Term::Var(var) => self.register_of(var),
            Term::Constant(cell) if cell.is_int() => self.term_register(term),
            Term::Literal(index) => match self.character(index) {
                Some(code) => {
                    let to = self.scratch()?;
                    self.own(to, RESERVED)?;
                    self.emit(Op::PutConstant, to, 0, 0)?;
                    self.word(code.word())?;
                    Ok(to)
                }
                None => self.term_register(term),
            },
            _ => {
                let to = self.scratch_after(term, depth)?;
                Ok(to)
            }
        }
    }

    /// Returns such a register for an operand of a comparison. An atom or a compound that is no evaluable stays a
    /// term, so that the comparison reports the error.
    pub(super) fn operand(&mut self, term: TermId) -> Result<usize, Uncompiled> {
        let unknown = match self.clause.term(term) {
            Term::Constant(cell) if cell.is_atom() => {
                lookup(self.symbols.text(cell.as_atom()), 0).is_none()
            }
            Term::Struct { functor, .. } => {
                let name = self.symbols.text(self.symbols.name(functor));
                lookup(name, functor.arity()).is_none()
            }
            _ => false,
        };
        match unknown {
            true => self.term_register(term),
            false => self.expression(term, 0),
        }
    }

    /// Returns the code of a string of one character, which is the value of that string.
    fn character(&self, literal: u32) -> Option<Cell> {
        let cell = self.clause.literals[literal as usize];
        if cell.tag() != tag::BOX || raw::cell(cell.addr()).box_kind() != BoxKind::String {
            return None;
        }
        let mut chars = raw::text(self, cell.addr()).chars();
        let only = chars.next().filter(|_| chars.next().is_none())?;
        Some(Cell::int(i64::from(u32::from(only))))
    }

    fn scratch_after(&mut self, term: TermId, depth: usize) -> Result<usize, Uncompiled> {
        self.evaluate_into(term, NONE, depth)
    }

    /// Evaluates an expression into a register of its own: the hinted one if it is free.
    pub(super) fn evaluate_into(
        &mut self,
        term: TermId,
        hint: u16,
        depth: usize,
    ) -> Result<usize, Uncompiled> {
        match self.clause.term(term) {
            Term::Constant(cell) if cell.is_atom() => {
                let name = self.symbols.text(cell.as_atom());
                if let Some(id) = lookup(name, 0) {
                    self.note_goal_start()?;
                    let to = self.allocate(hint, RESERVED)?;
                    self.emit_begun(Op::Arith0, to, 0, 0)?;
                    self.word(u64::from(id.0))?;
                    return Ok(to);
                }
            }
            // A compound without arguments is evaluated as any other term.
            Term::Struct { functor, first } if depth < MAX_DEPTH && functor.arity() > 0 => {
                let name = match self.symbols.text(self.symbols.name(functor)) {
                    "/" if self.of_lolli => "div",
                    name => name,
                };
                if let Some(id) = lookup(name, functor.arity()) {
                    let a = self.clause.args[first as usize];
                    match functor.arity() {
                        1 => return self.unary(id.0, a, hint, depth),
                        2 => {
                            let b = self.clause.args[first as usize + 1];
                            return self.binary(functor, id.0, (a, b), hint, depth);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        let from = self.term_register(term)?;
        self.note_goal_start()?;
        let temporary = self.owner(from) == RESERVED;
        if temporary {
            self.free(from);
        }
        let to = self.allocate(hint, RESERVED)?;
        self.emit_begun(Op::Evaluate, to, from, 0)?;
        Ok(to)
    }

    fn drop_temporary(&mut self, reg: usize) {
        if self.owner(reg) == RESERVED {
            self.free(reg);
        }
    }

    fn unary(&mut self, id: u16, a: TermId, hint: u16, depth: usize) -> Result<usize, Uncompiled> {
        let a = self.expression(a, depth + 1)?;
        self.note_goal_start()?;
        self.drop_temporary(a);
        let to = self.allocate(hint, RESERVED)?;
        self.emit_begun(Op::Arith1, to, a, 0)?;
        self.word(u64::from(id))?;
        Ok(to)
    }

    fn binary(
        &mut self,
        functor: Functor,
        id: u16,
        (a, b): (TermId, TermId),
        hint: u16,
        depth: usize,
    ) -> Result<usize, Uncompiled> {
        let name = self.symbols.name(functor);
        let small = match name {
            atoms::PLUS => self
                .small_int(b)
                .map(|small| (a, small))
                .or_else(|| self.small_int(a).map(|small| (b, small))),
            atoms::MINUS => self
                .small_int(b)
                .and_then(|s| s.checked_neg())
                .map(|small| (a, small)),
            _ => None,
        };
        if let Some((operand, small)) = small {
            let from = self.expression(operand, depth + 1)?;
            self.note_goal_start()?;
            self.drop_temporary(from);
            let to = self.allocate(hint, RESERVED)?;
            self.emit_begun(Op::AddSmall, to, from, usize::from(small as u16))?;
            return Ok(to);
        }
        let a = self.expression(a, depth + 1)?;
        let b = self.expression(b, depth + 1)?;
        self.note_goal_start()?;
        self.drop_temporary(a);
        self.drop_temporary(b);
        let to = self.allocate(hint, RESERVED)?;
        let (op, extra) = match name {
            atoms::PLUS => (Op::Add, false),
            atoms::MINUS => (Op::Subtract, false),
            atoms::STAR => (Op::Multiply, false),
            atoms::INT_DIV => (Op::IntDivide, true),
            atoms::MOD => (Op::Modulo, true),
            _ => (Op::Arith2, true),
        };
        self.emit_begun(op, to, a, b)?;
        if extra {
            self.word(u64::from(id))?;
        }
        Ok(to)
    }

    /// Compiles `Result is Expression`.
    pub(super) fn is(&mut self, result: TermId, expression: TermId) -> Result<(), Uncompiled> {
        let hint = match self.clause.term(result) {
            Term::Var(var) => self.info.vars[var as usize].hint,
            _ => NONE,
        };
        let value = self.evaluate_into(expression, hint, 0)?;
        self.own(value, RESERVED)?;
        self.unify_register(value, result)
    }
}
