//! Numbers of the goals of a clause: the goals of its body in preorder, from 1 on. Control constructs and conjunctions
//! count as goals, prefixes `Module:` do not.
//!
//! Only names decide whether a term counts as a goal here, not modules or flags. A program that has only the term of a
//! clause can thus find the goal with a number of the compiler.

use super::lower::{LowerError, Lowering};
use crate::base::atom_table::{Atom, Functor, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::ir::clause::GoalNumber;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};

/// Maximum number of numbered goals in a clause.
const MOST: usize = 1 << 16;

/// Returns the indices of the arguments that are goals of the same clause, for a goal with its usual meaning in
/// the system.
pub(crate) fn goal_arguments(functor: Functor) -> &'static [usize] {
    match functor {
        functors::COMMA
        | functors::SEMICOLON
        | functors::ARROW
        | functors::SOFT_ARROW
        | functors::FORALL2
        | functors::WITH => &[0, 1],
        functors::NOT
        | functors::NOT1
        | functors::CALL1
        | functors::ONCE1
        | functors::IGNORE1
        | functors::COUNT_SOLUTIONS_IN_PLACE
        | functors::CURLY1
        | functors::FORALL1
        | functors::EXISTS1 => &[0],
        functors::FINDALL3
        | functors::LOLLIPOP
        | functors::LOLLIPOP_PROLOG
        | functors::LOLLIPOP_SIGN
        | functors::IMPLIES
        | functors::MODULE_GOAL
        | functors::LAMBDA => &[1],
        functors::FOLD_IN_PLACE => &[2],
        functors::GUARD3 => &[0, 1, 2],
        _ => &[],
    }
}

/// The goals of a body in the order of their numbers, each with a value of the caller.
pub(crate) struct Goals<'a, T> {
    store: &'a Store,
    todo: Vec<(Cell, T)>,
    left: usize,
}

/// Returns the goals of a body. `kept` is the value for the body.
pub(crate) fn goals_of<T>(store: &Store, body: Cell, kept: T) -> Goals<'_, T> {
    Goals {
        store,
        todo: vec![(body, kept)],
        left: MOST,
    }
}

impl<T> Goals<'_, T> {
    /// Returns the next goal, without its module, and its value. `inner` returns the value for an argument of it.
    pub(crate) fn next(
        &mut self,
        mut inner: impl FnMut(&T, Functor, usize) -> T,
    ) -> Result<Option<(Cell, T)>, Stop> {
        let Some((goal, kept)) = self.unqualified() else {
            return Ok(None);
        };
        if let View::Struct(functor, args) = self.store.view(goal) {
            for &index in goal_arguments(functor).iter().rev() {
                let kept = inner(&kept, functor, index);
                self.todo.put((self.store.arg(args, index), kept))?;
            }
        }
        Ok(Some((goal, kept)))
    }

    /// Takes the next goal, without its module.
    fn unqualified(&mut self) -> Option<(Cell, T)> {
        let (mut goal, kept) = self.todo.pop()?;
        self.left = self.left.checked_sub(1)?;
        while let View::Struct(functors::COLON, args) = self.store.view(goal)
            && let View::Atom(_) = self.store.view(self.store.arg(args, 0))
        {
            self.left = self.left.checked_sub(1)?;
            goal = self.store.arg(args, 1);
        }
        Some((goal, kept))
    }
}

/// Returns the number of goals in a goal, including itself.
fn count(store: &Store, goal: Cell) -> Result<GoalNumber, Stop> {
    match store.view(goal) {
        View::Struct(functor, _)
            if functor == functors::COLON || !goal_arguments(functor).is_empty() =>
        {
            let (mut goals, mut count) = (goals_of(store, goal, ()), 0);
            while goals.next(|(), _, _| ())?.is_some() {
                count += 1;
            }
            Ok(count)
        }
        _ => Ok(1),
    }
}

/// The numbers of goals while a clause is lowered.
#[derive(Default)]
pub(super) struct Numbers {
    last: GoalNumber,
    /// The number of the present goal.
    pub(super) present: GoalNumber,
    /// Whether the front end made up the present goal, so that it has no number.
    pub(super) made_up: bool,
}

impl Numbers {
    /// Gives a number to a goal that has no code of its own.
    pub(super) fn pass(&mut self) {
        self.last += GoalNumber::from(!self.made_up);
    }
}

impl Lowering<'_> {
    /// Lowers a goal that gets the next number. Also gives numbers to the goals in it that `lower` has not numbered.
    pub(super) fn numbered<T>(
        &mut self,
        goal: Cell,
        lower: impl FnOnce(&mut Self) -> Result<T, LowerError>,
    ) -> Result<T, LowerError> {
        if self.numbers.made_up {
            return lower(self);
        }
        self.numbers.pass();
        let number = self.numbers.last;
        let outer = std::mem::replace(&mut self.numbers.present, number);
        let lowered = lower(self);
        self.numbers.present = outer;
        if self.numbers.last == number {
            self.numbers.last += count(self.store, goal)? - 1;
        }
        lowered
    }

    /// Lowers a goal that the front end made from these goals of the clause, with prefixes `Module:`.
    pub(super) fn made_up_of<T>(
        &mut self,
        goals: &[(Cell, Atom)],
        lower: impl FnOnce(&mut Self) -> Result<T, LowerError>,
    ) -> Result<T, LowerError> {
        let mut last = self.numbers.last;
        for &(goal, _) in goals {
            last += count(self.store, goal)?;
        }
        let outer = std::mem::replace(&mut self.numbers.made_up, true);
        let lowered = lower(self);
        self.numbers.made_up = outer;
        if !outer {
            self.numbers.last = last;
        }
        lowered
    }

    /// Lowers a part of a made-up goal that belongs to the clause.
    pub(super) fn not_made_up<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.numbers.made_up, false);
        let lowered = lower(self);
        self.numbers.made_up = outer;
        lowered
    }
}
