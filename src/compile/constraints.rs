//! Constraints between expressions over integers. Where integers are known a constraint is arithmetic: instructions
//! that do it in place come first. One of them that does not find integers, or for which the result is not defined,
//! leaves the rest to a builtin, which posts the constraint.

use super::generate::{Fails, Generator, Uncompiled};
use crate::code::instruction::Op;
use crate::ir::clause::{Args, Goal, NumCompare, Term, TermId};
use crate::store::cell::{BoxKind, tag};
use crate::store::raw;

/// Expressions of more functors are posted at once: arithmetic in place would make the code long.
const MAX_SIZE: usize = 32;

/// The functors of expressions that are done in place, by their arity.
const FUNCTORS: [&[&str]; 2] = [
    &["-", "abs", "\\"],
    &[
        "+", "-", "*", "//", "div", "mod", "rem", "min", "max", "^", ">>", "<<", "/\\", "\\/",
        "xor",
    ],
];

/// How a constraint is done where integers are known.
enum InPlace {
    /// By the value of an expression, which the first term becomes.
    Value(TermId, TermId),
    /// By comparing the values of two expressions.
    Compare(TermId, TermId),
}

impl Generator<'_> {
    /// A constraint between the two arguments.
    pub(super) fn constraint(
        &mut self,
        goal: &Goal,
        compare: NumCompare,
        builtin: u32,
        args: Args,
    ) -> Result<(), Uncompiled> {
        let Some(in_place) = self.in_place(compare, args) else {
            self.take_join();
            self.builtin(builtin, args)?;
            self.position += 1;
            return Ok(());
        };
        let mut plan = self.open(goal, false)?;
        let (start, avoid, from) = (self.state.clone(), self.avoid, self.code.len());
        match in_place {
            InPlace::Value(result, expression) => self.constrained_value(result, expression)?,
            InPlace::Compare(a, b) => self.compare(compare, a, b, &mut Fails::backtrack())?,
        }
        self.release_dead()?;
        self.merge_branch(&mut plan, false)?;
        self.mark_operands(from);
        let at = self.emit(Op::Constraint, compare as usize, 0, 0)?;
        self.word(0)?;
        self.word(0)?;
        self.patch((at, 1));
        (self.state, self.avoid) = (start, avoid);
        self.builtin(builtin, args)?;
        self.release_dead()?;
        self.merge_branch(&mut plan, false)?;
        self.position += 1;
        self.join(plan, vec![(at, 2)], false);
        Ok(())
    }

    /// `result #= expression`, the value of which is known to be an integer.
    fn constrained_value(&mut self, result: TermId, expression: TermId) -> Result<(), Uncompiled> {
        let Term::Var(var) = self.clause.term(result) else {
            return Ok(());
        };
        let known = self.state.seen[var as usize];
        let value = match self.clause.term(expression) {
            Term::Constant(_) if known => self.term_register(expression)?,
            _ => {
                let hint = self.info.vars[var as usize].hint;
                self.evaluate_into(expression, hint, 0)?
            }
        };
        if !known {
            return self.settle(var, value).map_err(Uncompiled::from);
        }
        let result = self.register_of(var)?;
        self.begin_goal()?;
        self.emit_begun(Op::ConstraintValue, result, value, 0)?;
        self.state.quiet = false;
        Ok(())
    }

    /// How a constraint is done in place; `None` if that is of no use.
    fn in_place(&self, compare: NumCompare, args: Args) -> Option<InPlace> {
        let (a, b) = (self.clause.arg(args, 0), self.clause.arg(args, 1));
        let mut room = MAX_SIZE;
        let mut expression = |term| self.is_expression(term, &mut room);
        let var = |term| match self.clause.term(term) {
            Term::Var(var) => Some(var),
            _ => None,
        };
        if compare != NumCompare::Equal {
            return (expression(a) && expression(b)).then_some(InPlace::Compare(a, b));
        }
        // A variable that occurs here first, before one that may be known already.
        let fresh = |term| var(term).is_some_and(|var| !self.state.seen[var as usize]);
        let (result, value) = match (var(a), var(b)) {
            (_, Some(_)) if fresh(b) || var(a).is_none() => (b, a),
            (Some(_), _) => (a, b),
            _ => return (expression(a) && expression(b)).then_some(InPlace::Compare(a, b)),
        };
        expression(value).then_some(InPlace::Value(result, value))
    }

    /// May this be an expression of known integers with room for its functors? One with a variable that occurs here
    /// first is none.
    fn is_expression(&self, term: TermId, room: &mut usize) -> bool {
        match self.clause.term(term) {
            Term::Var(var) => self.state.seen[var as usize],
            Term::Constant(cell) => cell.is_int(),
            Term::Literal(index) => {
                let cell = self.clause.literals[index as usize];
                cell.tag() == tag::BOX
                    && matches!(
                        raw::cell(cell.addr()).box_kind(),
                        BoxKind::BigPositive | BoxKind::BigNegative
                    )
            }
            Term::Struct { functor, first } => {
                let name = self.symbols.text(self.symbols.name(functor));
                let arity = functor.arity();
                let known = arity.checked_sub(1).and_then(|index| FUNCTORS.get(index));
                if *room == 0 || !known.is_some_and(|names| names.contains(&name)) {
                    return false;
                }
                *room -= 1;
                let args = first as usize..first as usize + arity;
                self.clause.args[args]
                    .iter()
                    .all(|&arg| self.is_expression(arg, room))
            }
            Term::List { .. } => false,
        }
    }
}
