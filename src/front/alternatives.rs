//! Construction of conjunctions, disjunctions and conditionals. Goals without effect are left out.

use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::ir::clause::{Arm, Commit, Goal};

/// Adds a goal to a conjunction. Goals after a `fail` are never reached, so they are left out.
pub(super) fn add_goal(goals: &mut Vec<Goal>, goal: Goal) -> Result<(), Stop> {
    if matches!(goals.last(), Some(Goal::Fail)) {
        return Ok(());
    }
    match goal {
        Goal::True => {}
        Goal::And(inner) => {
            for goal in inner {
                add_goal(goals, goal)?;
            }
        }
        goal => goals.put(goal)?,
    }
    Ok(())
}

/// Returns the goal `(C -> T ; E)`.
pub(super) fn conditional(condition: Goal, then: Goal, other: Goal) -> Result<Goal, Stop> {
    let mut chain = Chain::default();
    chain.arm(Arm {
        commit: Commit::First,
        condition,
        then,
    })?;
    chain.finish(other)
}

/// Alternatives joined by `;`, from left to right.
#[derive(Default)]
pub(super) struct Chain {
    /// Finished groups: alternatives before a conditional, or arms before an alternative.
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
    pub(super) fn arm(&mut self, arm: Arm) -> Result<(), Stop> {
        match self.groups.last_mut() {
            Some(Group::Arms(arms)) => arms.put(arm)?,
            _ => self.groups.put(Group::Arms(vec![arm]))?,
        }
        Ok(())
    }

    /// Adds an alternative.
    pub(super) fn alternative(&mut self, goal: Goal) -> Result<(), Stop> {
        match self.groups.last_mut() {
            Some(Group::Alternatives(goals)) => goals.put(goal)?,
            _ => self.groups.put(Group::Alternatives(vec![goal]))?,
        }
        Ok(())
    }

    /// Returns the whole disjunction, with `last` as its last alternative.
    pub(super) fn finish(self, last: Goal) -> Result<Goal, Stop> {
        let join = |rest: Goal, group: Group| match group {
            Group::Alternatives(mut goals) => {
                goals.put(rest)?;
                Ok(Goal::Or(goals))
            }
            Group::Arms(arms) => finish_arms(arms, rest),
        };
        self.groups.into_iter().rev().try_fold(last, join)
    }
}

/// Returns a conditional without the arms whose conditions are known.
fn finish_arms(arms: Vec<Arm>, other: Goal) -> Result<Goal, Stop> {
    let mut kept = Vec::with_capacity(arms.len());
    let mut other = other;
    for arm in arms {
        match arm.condition {
            Goal::Fail => {}
            Goal::True => {
                other = arm.then;
                break;
            }
            _ => kept.put(arm)?,
        }
    }
    if kept.is_empty() {
        return Ok(other);
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
        // There is no choice left: the result is a conjunction. The cuts of the condition stay
        // local.
        let mut goals = Vec::new();
        for arm in kept {
            goals.put(Goal::Opaque(Box::new(arm.condition)))?;
            add_goal(&mut goals, arm.then)?;
        }
        return Ok(Goal::And(goals));
    }
    Ok(Goal::IfThenElse(kept, Box::new(other)))
}
