//! Which goal of a clause an instruction belongs to, for messages: the clause is compiled again.

use super::clauses::lower_in;
use crate::base::grow::{Gather, Grow};
use crate::base::symbol::{Atom, Functor, atoms, functors};
use crate::compile::goal_starts;
use crate::ir::clause::{Clause as Body, Goal, NumCompare, TypeTest};
use crate::machine::state::Machine;
use crate::program::clause::literal_mark;
use crate::program::clause_list::Clause;
use crate::program::predicate::{Kind, PredId, Predicate};
use crate::store::cell::Addr;

/// A goal of a clause.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct GoalOf {
    /// Name and arity.
    pub(crate) functor: Functor,
    /// How many goals of that name and arity come before it in the clause.
    pub(crate) before: usize,
    /// How many there are in the clause.
    pub(crate) all: usize,
}

/// The goal of this clause of `predicate` that the instruction at `address` belongs to. None if it is
/// not to be told: the clause would be compiled in another way now.
pub(crate) fn goal_at(
    m: &mut Machine,
    predicate: PredId,
    clause: &Clause,
    address: Addr,
) -> Option<GoalOf> {
    let Predicate {
        module,
        traits,
        kind,
        ..
    } = *m.world.predicates.get(predicate);
    let of_system = traits.system && kind == Kind::Static && !traits.multifile;
    let top = m.store.heap_top;
    let mut ir = Body::default();
    let block = m.store.load_block(clause.source_words(), clause.source());
    let term = block.ok()?;
    let lowered = lower_in(m, &mut ir, term, module, (false, of_system));
    m.entries = m.world.predicates.entries();
    m.store.heap_top = top;
    lowered.ok()?;
    let marks: Vec<_> = (0..ir.literals.len()).map(literal_mark).gather();
    let (code, starts) = goal_starts(&ir, &marks, &m.world.symbols, &m.store.events.watch)?;
    if code.len() != clause.code().len() {
        return None;
    }
    let offset = usize::try_from((address - clause.entry()) / 8).ok()?;
    let mut goals = Vec::new();
    leaves(ir.body.as_ref()?, &mut goals);
    let reached = starts.iter().rev().find(|&&(start, goal)| {
        start <= offset && goals.iter().any(|&leaf| std::ptr::eq(leaf, goal))
    });
    let &(_, reached) = reached?;
    let mut functor_of = |goal: &Goal| functor(m, goal);
    let place = goals.iter().position(|&leaf| std::ptr::eq(leaf, reached))?;
    let wanted = functor_of(goals[place])?;
    let same: Vec<bool> = goals
        .iter()
        .map(|goal| functor_of(goal) == Some(wanted))
        .gather();
    let count = |same: &[bool]| same.iter().filter(|&&same| same).count();
    Some(GoalOf {
        functor: wanted,
        before: count(&same[..place]),
        all: count(&same),
    })
}

/// The goals that are no control constructs, in the order of the text.
fn leaves<'a>(goal: &'a Goal, found: &mut Vec<&'a Goal>) {
    match goal {
        Goal::And(goals) | Goal::Or(goals) => goals.iter().for_each(|goal| leaves(goal, found)),
        Goal::IfThenElse(arms, other) => {
            for arm in arms {
                leaves(&arm.condition, found);
                leaves(&arm.then, found);
            }
            leaves(other, found);
        }
        Goal::Opaque(goal) => leaves(goal, found),
        Goal::Findall(_, inner, _) | Goal::Count(inner, _) => {
            found.put(goal);
            leaves(inner, found);
        }
        Goal::Scope(scope) => leaves(&scope.goal, found),
        goal => found.put(goal),
    }
}

/// Name and arity of a goal as the text has it.
fn functor(m: &mut Machine, goal: &Goal) -> Option<Functor> {
    let binary = |name: Atom| (name, 2);
    let (name, arity) = match goal {
        Goal::Call(predicate, _) => {
            return Some(m.world.predicates.get(PredId(*predicate)).functor);
        }
        Goal::Builtin(index, _) => {
            let builtin = m.world.program.builtins[*index as usize];
            (m.world.symbols.intern(builtin.name), builtin.modes.len())
        }
        Goal::Findall(..) => return Some(functors::FINDALL3),
        Goal::Unify(..) => binary(atoms::EQUAL),
        Goal::NotUnifiable(..) => binary(atoms::NOT_EQUAL),
        Goal::Identical(_, _, true) => binary(atoms::IDENTICAL),
        Goal::Identical(..) => binary(atoms::NOT_IDENTICAL),
        Goal::Order(_, _, orders) => binary(match orders {
            1 => atoms::TERM_LESS,
            3 => atoms::TERM_LESS_EQUAL,
            4 => atoms::TERM_GREATER,
            _ => atoms::TERM_GREATER_EQUAL,
        }),
        Goal::Is(..) => binary(atoms::IS),
        Goal::Compare(compare, ..) => binary(match compare {
            NumCompare::Less => atoms::LESS,
            NumCompare::LessEqual => atoms::AT_LESS_EQUAL,
            NumCompare::Greater => atoms::GREATER,
            NumCompare::GreaterEqual => atoms::GREATER_EQUAL,
            NumCompare::Equal => atoms::NUM_EQUAL,
            NumCompare::NotEqual => atoms::NUM_NOT_EQUAL,
        }),
        Goal::Test(test, _) => {
            let name = match test {
                TypeTest::Var => atoms::VAR,
                TypeTest::Nonvar => atoms::NONVAR,
                TypeTest::Atom => atoms::ATOM,
                TypeTest::Integer => atoms::INTEGER,
                TypeTest::Float => atoms::FLOAT,
                TypeTest::Number => atoms::NUMBER,
                TypeTest::Atomic => atoms::ATOMIC,
                TypeTest::Compound => atoms::COMPOUND,
                TypeTest::Callable => atoms::CALLABLE,
                TypeTest::String => atoms::STRING,
            };
            (name, 1)
        }
        _ => return None,
    };
    Some(m.world.symbols.functor_passing(name, arity))
}
