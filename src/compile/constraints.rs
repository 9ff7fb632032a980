//! Constraints between expressions over integers. If the integers are known, a constraint is arithmetic, and
//! instructions compute it in place. If one of them finds another value than an integer, or the result is undefined,
//! a builtin does the rest: it posts the constraint. Lolli's arithmetic is compiled in the same way. Its builtins
//! evaluate other values than integers, and its errors differ from Prolog's.

use super::generate::{Fails, Generator, Uncompiled};
use crate::code::instruction::{OF_LOLLI, Op};
use crate::ir::clause::{Args, Goal, NumCompare, Relation, Term, TermId};
use crate::store::cell::{BoxKind, tag};
use crate::store::raw;

/// Maximum number of functors in an expression compiled in place. Larger expressions are posted at once, because
/// their code would be long.
const MAX_SIZE: usize = 32;

/// The functors of expressions that are compiled in place, by their arity.
const FUNCTORS: [&[&str]; 2] = [
    &["-", "abs", "\\"],
    &[
        "+", "-", "*", "//", "div", "mod", "rem", "min", "max", "^", ">>", "<<", "/\\", "\\/",
        "xor",
    ],
];

/// The way to compute a constraint whose integers are known.
enum InPlace {
    /// Evaluate the second term and unify the first with its value.
    Value(TermId, TermId),
    /// Compare the values of two expressions.
    Compare(NumCompare, TermId, TermId),
}

impl Generator<'_> {
    /// Compiles a constraint between the two arguments.
    pub(super) fn constraint(
        &mut self,
        goal: &Goal,
        relation: Relation,
        builtin: u32,
        args: Args,
    ) -> Result<(), Uncompiled> {
        let Some(in_place) = self.in_place(relation, args) else {
            self.take_join();
            self.builtin(builtin, args)?;
            self.position += 1;
            return Ok(());
        };
        let mut plan = self.open(goal, false)?;
        let (start, avoid, from) = (self.state.clone(), self.avoid, self.code.len());
        self.of_lolli = relation == Relation::LolliIs;
        match in_place {
            InPlace::Value(result, expression) => self.constrained_value(result, expression)?,
            InPlace::Compare(compare, a, b) => {
                self.compare(compare, (a, b), 0, &mut Fails::backtrack())?;
            }
        }
        self.of_lolli = false;
        self.release_dead()?;
        self.merge_branch(&mut plan, false)?;
        self.mark_operands(from);
        let at = self.emit(Op::Constraint, relation.number(), 0, 0)?;
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

    /// Compiles `result #= expression` where the value of the expression is known to be an integer.
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
        self.note_goal_start()?;
        self.emit_begun(Op::ConstraintValue, result, value, 0)?;
        self.state.quiet = false;
        Ok(())
    }

    /// Returns the way to compute a constraint in place; `None` if that is of no use.
    fn in_place(&self, relation: Relation, args: Args) -> Option<InPlace> {
        let (a, b) = (self.clause.arg(args, 0), self.clause.arg(args, 1));
        let mut room = MAX_SIZE;
        let compare = match relation {
            Relation::Constraint(compare) => compare,
            Relation::LolliIs => {
                let result = matches!(self.clause.term(a), Term::Var(_));
                let value = result && self.is_expression(b, true, &mut room);
                return value.then_some(InPlace::Value(a, b));
            }
        };
        let mut expression = |term| self.is_expression(term, false, &mut room);
        let var = |term| match self.clause.term(term) {
            Term::Var(var) => Some(var),
            _ => None,
        };
        if compare != NumCompare::Equal {
            let known = expression(a) && expression(b);
            return known.then_some(InPlace::Compare(compare, a, b));
        }
        // Prefer a variable that occurs here first as the result to one that may already be known.
        let fresh = |term| var(term).is_some_and(|var| !self.state.seen[var as usize]);
        let (result, value) = match (var(a), var(b)) {
            (_, Some(_)) if fresh(b) || var(a).is_none() => (b, a),
            (Some(_), _) => (a, b),
            _ => {
                let known = expression(a) && expression(b);
                return known.then_some(InPlace::Compare(compare, a, b));
            }
        };
        expression(value).then_some(InPlace::Value(result, value))
    }

    /// Compiles Lolli's comparison. The instruction gets variables and constants as they are. If the values of
    /// expressions are integers, they are compared; otherwise the instruction gets the expressions as terms.
    pub(super) fn lolli_compare(
        &mut self,
        compare: NumCompare,
        operands: (TermId, TermId),
        fails: &mut Fails,
    ) -> Result<(), Uncompiled> {
        let is_compound = |term| matches!(self.clause.term(term), Term::Struct { .. });
        let mut room = MAX_SIZE;
        let in_place = (is_compound(operands.0) || is_compound(operands.1))
            && self.is_expression(operands.0, true, &mut room)
            && self.is_expression(operands.1, true, &mut room);
        if !in_place {
            return self.compare(compare, operands, OF_LOLLI, fails);
        }
        let (start, from) = (self.state.clone(), self.code.len());
        self.of_lolli = true;
        self.compare(compare, operands, 0, fails)?;
        self.of_lolli = false;
        self.mark_operands(from);
        let at = self.emit(Op::Constraint, Relation::LolliIs.number(), 0, 0)?;
        self.word(0)?;
        self.word(0)?;
        self.patch((at, 1));
        self.state = start.clone();
        self.compare(compare, operands, OF_LOLLI, fails)?;
        self.patch((at, 2));
        self.state = start;
        Ok(())
    }

    /// Returns whether this may be an expression of known integers with room for its functors. A variable that occurs
    /// here first is not such an expression.
    fn is_expression(&self, term: TermId, of_lolli: bool, room: &mut usize) -> bool {
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
                let known = known.is_some_and(|names| names.contains(&name))
                    || (of_lolli && (name, arity) == ("/", 2));
                if *room == 0 || !known {
                    return false;
                }
                *room -= 1;
                let args = first as usize..first as usize + arity;
                self.clause.args[args]
                    .iter()
                    .all(|&arg| self.is_expression(arg, of_lolli, room))
            }
            Term::List { .. } => false,
        }
    }
}
