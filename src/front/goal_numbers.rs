//! Numbers of the goals of a clause: those of its body in preorder, from 1 on, control constructs and conjunctions
//! among them. Prefixes `Module:` have none of their own.
//!
//! What counts as a goal here depends on names alone, not on modules or flags, so that who has nothing but the term of
//! a clause finds the goal that the compiler means by a number.

use super::lower::{LowerError, Lowering};
use crate::base::atom_table::{Atom, Functor, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::ir::clause::GoalNumber;
use crate::store::cell::Cell;
use crate::store::heap::{Store, View};

/// No more goals of a clause have a number.
const MOST: usize = 1 << 16;

/// Returns which arguments of a goal are goals of the same clause, if it means what it does in the system.
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

/// The goals of a body in the order of their numbers, each with something that who reads them keeps for it.
pub(crate) struct Goals<'a, T> {
    store: &'a Store,
    todo: Vec<(Cell, T)>,
    left: usize,
}

/// Returns the goals of a body, for which this is kept.
pub(crate) fn goals_of<T>(store: &Store, body: Cell, kept: T) -> Goals<'_, T> {
    Goals {
        store,
        todo: vec![(body, kept)],
        left: MOST,
    }
}

impl<T> Goals<'_, T> {
    /// Returns the next goal, without its module, and what is kept for it. `inner` tells what to keep for an argument
    /// of it.
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

    /// Takes the goal that is next.
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

/// Returns how many goals a goal consists of, itself among them.
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

/// The numbers that goals get while a clause is lowered.
#[derive(Default)]
pub(super) struct Numbers {
    last: GoalNumber,
    /// That of the goal in hand.
    pub(super) present: GoalNumber,
    /// Is the goal in hand made up by the front end, so that it has no number of its own?
    pub(super) made_up: bool,
}

impl Numbers {
    /// A goal gets its number that has no code of its own.
    pub(super) fn pass(&mut self) {
        self.last += GoalNumber::from(!self.made_up);
    }
}

impl Lowering<'_> {
    /// Lowers a goal that gets the next number, and those in it that `lower` has not given theirs.
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

    /// Lowers a goal that is made up of these goals of the clause, which stand in it with a prefix `Module:`.
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

    /// Lowers what stands in a goal that is made up, if the clause has it.
    pub(super) fn not_made_up<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.numbers.made_up, false);
        let lowered = lower(self);
        self.numbers.made_up = outer;
        lowered
    }
}
