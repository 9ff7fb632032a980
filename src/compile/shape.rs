//! Properties of goals that analysis and generation must determine alike.

use crate::ir::clause::{Arm, Commit, Goal};

/// Returns whether the goal contains a call.
pub(crate) fn has_call(goal: &Goal) -> bool {
    match goal {
        Goal::Call(..) | Goal::Body(..) => true,
        Goal::And(goals) | Goal::Or(goals) => goals.iter().any(has_call),
        Goal::IfThenElse(arms, other) => {
            arms.iter()
                .any(|arm| has_call(&arm.condition) || has_call(&arm.then))
                || has_call(other)
        }
        Goal::Opaque(goal) | Goal::Collect(_, _, goal, ..) => has_call(goal),
        Goal::Scope(scope) => has_call(&scope.goal),
        _ => false,
    }
}

/// Returns whether the goal contains a cut that is not local to a part of it.
pub(crate) fn has_cut(goal: &Goal) -> bool {
    match goal {
        Goal::Cut | Goal::Body(..) => true,
        Goal::And(goals) | Goal::Or(goals) => goals.iter().any(has_cut),
        Goal::IfThenElse(arms, other) => {
            arms.iter().any(|arm| has_cut(&arm.then)) || has_cut(other)
        }
        Goal::Scope(scope) => has_cut(&scope.goal),
        _ => false,
    }
}

/// Returns whether the goal is a test: without bindings, choice points and output.
pub(crate) fn is_test(goal: &Goal) -> bool {
    match goal {
        Goal::And(goals) => goals.iter().all(is_test),
        Goal::IfThenElse(arms, other) => {
            let arm = |arm: &Arm| {
                arm.commit == Commit::First && is_condition(&arm.condition) && is_test(&arm.then)
            };
            arms.iter().all(arm) && is_test(other)
        }
        Goal::True
        | Goal::Fail
        | Goal::Test(..)
        | Goal::Compare(..)
        | Goal::LolliCompare(..)
        | Goal::Identical(..)
        | Goal::NotUnifiable(..)
        | Goal::Order(..) => true,
        _ => false,
    }
}

/// Returns whether the goal is a test if only its first solution counts. Disjunctions must come last, because goals
/// after them would be tried for each of their solutions.
pub(crate) fn is_condition(goal: &Goal) -> bool {
    match goal {
        Goal::And(goals) => match goals.split_last() {
            Some((last, goals)) => goals.iter().all(is_test) && is_condition(last),
            None => true,
        },
        Goal::Or(goals) => goals.iter().all(is_condition),
        goal => is_test(goal),
    }
}

/// Returns whether the goal leaves no choice points and is done in place.
pub(crate) fn is_deterministic(goal: &Goal) -> bool {
    match goal {
        Goal::Call(..) | Goal::Body(..) | Goal::Or(_) => false,
        Goal::And(goals) => goals.iter().all(is_deterministic),
        Goal::IfThenElse(arms, other) => {
            let arm = |arm: &Arm| {
                is_deterministic(&arm.then)
                    && (arm.commit == Commit::First || is_deterministic(&arm.condition))
            };
            arms.iter().all(arm) && is_deterministic(other)
        }
        Goal::Opaque(goal) => is_deterministic(goal),
        Goal::Scope(scope) => is_deterministic(&scope.goal),
        _ => true,
    }
}

/// Returns whether control never reaches the end of the goal.
pub(crate) fn never_ends(goal: &Goal) -> bool {
    match goal {
        Goal::Fail => true,
        Goal::And(goals) => goals.iter().any(never_ends),
        Goal::Or(goals) => goals.iter().all(never_ends),
        Goal::IfThenElse(arms, other) => {
            arms.iter().all(|arm| never_ends(&arm.then)) && never_ends(other)
        }
        Goal::Opaque(goal) => never_ends(goal),
        Goal::Scope(scope) => never_ends(&scope.goal),
        _ => false,
    }
}

/// Returns whether the goal may bind variables that are older than it, and so wake goals.
pub(crate) fn may_bind(goal: &Goal) -> bool {
    match goal {
        Goal::And(goals) | Goal::Or(goals) => goals.iter().any(may_bind),
        Goal::IfThenElse(arms, other) => {
            arms.iter()
                .any(|arm| may_bind(&arm.condition) || may_bind(&arm.then))
                || may_bind(other)
        }
        Goal::Opaque(goal) => may_bind(goal),
        Goal::Cut => false,
        goal => !is_test(goal),
    }
}

/// Returns whether the goal has cuts that need a choice point to cut to. A goal that leaves no choice points may wake
/// others that do.
pub(crate) fn needs_barrier(goal: &Goal) -> bool {
    has_cut(goal) && (!is_deterministic(goal) || may_bind(goal))
}

/// Returns whether this is the only arm and has no alternative.
pub(crate) fn is_alone(arms: &[Arm], other: &Goal) -> bool {
    arms.len() == 1 && matches!(other, Goal::Fail)
}

/// Returns whether an arm can commit to its condition without a choice point kept in the environment. The choice
/// point of its alternative marks the place to cut to; a lone arm has none.
pub(crate) fn commits_in_place(arm: &Arm, alone: bool) -> bool {
    let condition = &arm.condition;
    let binds = may_bind(condition);
    arm.commit == Commit::First
        && (is_condition(condition)
            || (is_deterministic(condition) && !(binds && (alone || has_cut(condition)))))
}

/// Returns whether the goal may need the environment: for a call, or for a barrier kept in it.
pub(crate) fn needs_env(goal: &Goal) -> bool {
    match goal {
        Goal::Call(..) | Goal::Body(..) => true,
        Goal::And(goals) | Goal::Or(goals) => goals.iter().any(needs_env),
        Goal::IfThenElse(arms, other) => {
            let alone = is_alone(arms, other);
            let arm = |arm: &Arm| {
                !commits_in_place(arm, alone) || needs_env(&arm.condition) || needs_env(&arm.then)
            };
            arms.iter().any(arm) || needs_env(other)
        }
        Goal::Opaque(goal) | Goal::Collect(_, _, goal, ..) => {
            needs_env(goal) || needs_barrier(goal)
        }
        Goal::Scope(scope) => needs_env(&scope.goal),
        _ => false,
    }
}

/// Returns the arity of the first call in a goal.
pub(crate) fn first_call_arity(goal: &Goal) -> Option<usize> {
    match goal {
        Goal::Call(_, args, _) => Some(args.count as usize),
        Goal::Body(..) => Some(3),
        Goal::And(goals) => goals.iter().take(8).find_map(first_call_arity),
        Goal::Or(goals) => goals.iter().take(4).find_map(first_call_arity),
        Goal::IfThenElse(arms, other) => arms
            .iter()
            .take(4)
            .find_map(|arm| {
                first_call_arity(&arm.condition).or_else(|| first_call_arity(&arm.then))
            })
            .or_else(|| first_call_arity(other)),
        Goal::Opaque(goal) => first_call_arity(goal),
        Goal::Scope(scope) => first_call_arity(&scope.goal),
        _ => None,
    }
}

/// Returns whether the body begins with tests, cuts or a conditional that may need no environment.
pub(crate) fn starts_with_guard(body: &Goal) -> bool {
    match body {
        Goal::And(goals) => goals.first().is_some_and(starts_with_guard),
        Goal::IfThenElse(arms, _) => arms
            .first()
            .is_some_and(|arm| is_test(&arm.condition) || !has_call(&arm.condition)),
        Goal::Cut | Goal::Is(..) | Goal::Constraint(..) | Goal::Unify(..) => true,
        goal => is_test(goal),
    }
}
