//! Conjunctions, disjunctions and conditionals, put together without what is known to be idle.

use crate::base::grow::Grow;
use crate::ir::clause::{Arm, Commit, Goal};

/// Adds a goal to a conjunction. Nothing after a `fail` is ever reached.
pub(super) fn add_goal(goals: &mut Vec<Goal>, goal: Goal) {
    if matches!(goals.last(), Some(Goal::Fail)) {
        return;
    }
    match goal {
        Goal::True => {}
        Goal::And(inner) => inner.into_iter().for_each(|goal| add_goal(goals, goal)),
        goal => goals.put(goal),
    }
}

/// `(C -> T ; E)`
pub(super) fn conditional(condition: Goal, then: Goal, other: Goal) -> Goal {
    let mut chain = Chain::default();
    chain.arm(Arm {
        commit: Commit::First,
        condition,
        then,
    });
    chain.finish(other)
}

/// Alternatives joined by `;`, from left to right.
#[derive(Default)]
pub(super) struct Chain {
    /// Finished groups: alternatives that come before a conditional, or arms that come before
    /// an alternative.
    pub(super) groups: Vec<Group>,
}

/// Alternatives of one kind.
pub(super) enum Group {
    /// Goals.
    Alternatives(Vec<Goal>),
    /// Conditionals.
    Arms(Vec<Arm>),
}

impl Chain {
    /// Adds a conditional.
    pub(super) fn arm(&mut self, arm: Arm) {
        match self.groups.last_mut() {
            Some(Group::Arms(arms)) => arms.put(arm),
            _ => self.groups.put(Group::Arms(vec![arm])),
        }
    }

    /// Adds an alternative.
    pub(super) fn alternative(&mut self, goal: Goal) {
        match self.groups.last_mut() {
            Some(Group::Alternatives(goals)) => goals.put(goal),
            _ => self.groups.put(Group::Alternatives(vec![goal])),
        }
    }

    /// The whole, with its last alternative.
    pub(super) fn finish(self, last: Goal) -> Goal {
        let join = |rest: Goal, group: Group| match group {
            Group::Alternatives(mut goals) => {
                goals.put(rest);
                Goal::Or(goals)
            }
            Group::Arms(arms) => finish_arms(arms, rest),
        };
        self.groups.into_iter().rev().fold(last, join)
    }
}

/// A conditional without the arms whose conditions are known.
fn finish_arms(arms: Vec<Arm>, other: Goal) -> Goal {
    let mut kept = Vec::with_capacity(arms.len());
    let mut other = other;
    for arm in arms {
        match arm.condition {
            Goal::Fail => {}
            Goal::True => {
                other = arm.then;
                break;
            }
            _ => kept.put(arm),
        }
    }
    if kept.is_empty() {
        return other;
    }
    if let (
        true,
        Goal::Fail,
        Some(Arm {
            commit: Commit::Soft,
            ..
        }),
    ) = (kept.len() == 1, &other, kept.last())
    {
        // Nothing to choose: a conjunction, but for the cuts of the condition.
        let mut goals = Vec::new();
        for arm in kept {
            goals.put(Goal::Opaque(Box::new(arm.condition)));
            add_goal(&mut goals, arm.then);
        }
        return Goal::And(goals);
    }
    Goal::IfThenElse(kept, Box::new(other))
}
