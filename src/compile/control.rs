//! Control constructs in place: disjunction, conditionals, opaque goals, collection of solutions.

use super::classify::{has_call, has_cut, is_test};
use super::generate::{Fails, Generator, State, TooComplex};
use crate::code::instruction::Op;
use crate::ir::clause::{Commit, Goal, TermId, VarId};

impl Generator<'_> {
    fn take_level(&mut self) -> Option<VarId> {
        let level = self.info.levels.get(self.next_level).copied().flatten();
        self.next_level += 1;
        level
    }

    /// Keeps the newest choice point in the slot of a barrier.
    fn save_level(&mut self, level: VarId) {
        self.ensure_env();
        let slot = self.slot(level);
        self.emit(Op::SaveChoice, slot, 0, 0);
        self.state.seen[level as usize] = true;
        self.state.stored[level as usize] = true;
    }

    /// Before a construct after which control goes on: an environment that its parts or what
    /// follows need must be there in every branch.
    fn prepare(&mut self, calls: bool, tail: bool) {
        if !tail && calls {
            self.ensure_env();
        }
    }

    fn try_else(&mut self) -> (usize, usize) {
        let (live, frame) = (self.live_registers(), self.frame_operand());
        let at = self.emit(Op::TryElse, live, frame, 0);
        self.word(0);
        (at, 1)
    }

    /// Ends a branch that control leaves for the common end.
    fn end_branch(&mut self, tail: bool, ends: &mut Vec<(usize, usize)>) {
        if !tail && !self.state.dead {
            let at = self.emit(Op::Jump, 0, 0, 0);
            self.word(0);
            ends.push((at, 1));
        }
    }

    pub(super) fn disjunction(&mut self, goal: &Goal, tail: bool) -> Result<(), TooComplex> {
        let calls = has_call(goal);
        self.prepare(calls, tail);
        let start = self.state.clone();
        let avoid = self.avoid;
        let mut ends = Vec::new();
        let end_position = self.position + span(goal) - 1;
        let mut plan = self.merge_plan(calls, end_position);
        let mut label = self.try_else();
        let mut rest = goal;
        let mut joins = 0;
        while let Goal::Or(first, second) = rest {
            self.goal(first, tail)?;
            self.merge_branch(&mut plan, tail)?;
            self.end_branch(tail, &mut ends);
            self.patch(label);
            self.state = start.clone();
            self.avoid = avoid;
            joins += 1;
            if let Goal::Or(..) = **second {
                let at = self.emit(Op::RetryElse, 0, 0, 0);
                self.word(0);
                label = (at, 1);
                self.position += 1;
            } else {
                self.emit(Op::TrustElse, 0, 0, 0);
                self.goal(second, tail)?;
                self.merge_branch(&mut plan, tail)?;
            }
            rest = second;
        }
        self.position += joins;
        self.join(plan, ends, tail);
        Ok(())
    }

    pub(super) fn if_then_else(
        &mut self,
        commit: Commit,
        parts: &[Goal; 3],
        tail: bool,
    ) -> Result<(), TooComplex> {
        let calls = parts.iter().any(has_call);
        self.prepare(calls, tail);
        let level = self.take_level();
        let local = self.take_level();
        if level.is_some() || local.is_some() {
            self.ensure_env();
        }
        let end_position = self.position + parts.iter().map(span).sum::<u32>() + 2;
        let mut plan = self.merge_plan(calls, end_position);
        let mut ends = Vec::new();
        let avoid = self.avoid;
        let [condition, then, other] = parts;
        let start;
        if is_test(condition) && commit == Commit::First {
            start = self.state.clone();
            let mut fails = Fails::label();
            self.position += 1;
            let before = self.position;
            self.simple_test(condition, &mut fails)?;
            self.position = before + span(condition);
            self.then_branch(then, tail, &mut plan, &mut ends)?;
            self.patch_all(fails);
            self.state = start;
        } else {
            if let (Some(level), Commit::First) = (level, commit) {
                self.save_level(level);
            }
            start = self.state.clone();
            let label = self.try_else();
            if let (Some(level), Commit::Soft) = (level, commit) {
                self.save_level(level);
            }
            if let Some(local) = local {
                self.save_level(local);
            }
            self.levels.push(local.or(level));
            self.goal(condition, false)?;
            self.levels.pop();
            self.position += 1;
            self.commit(commit, level);
            self.then_branch(then, tail, &mut plan, &mut ends)?;
            self.patch(label);
            self.state = start;
            self.emit(Op::TrustElse, 0, 0, 0);
        }
        self.avoid = avoid;
        self.goal(other, tail)?;
        self.merge_branch(&mut plan, tail)?;
        self.position += 1;
        self.join(plan, ends, tail);
        Ok(())
    }

    fn commit(&mut self, commit: Commit, level: Option<VarId>) {
        if self.state.dead {
            return;
        }
        let (live, frame) = (self.live_registers(), self.frame_operand());
        match (commit, level) {
            (Commit::Soft, Some(level)) => {
                let slot = self.slot(level);
                self.emit(Op::SoftCut, slot, 0, 0);
            }
            (_, Some(level)) => {
                let slot = self.slot(level);
                self.emit(Op::CutY, live, slot, frame);
            }
            (_, None) => {
                self.emit(Op::PopChoice, live, 0, frame);
            }
        }
        self.release_dead();
    }

    fn then_branch(
        &mut self,
        then: &Goal,
        tail: bool,
        plan: &mut super::merge::Plan,
        ends: &mut Vec<(usize, usize)>,
    ) -> Result<(), TooComplex> {
        self.goal(then, tail)?;
        self.merge_branch(plan, tail)?;
        self.end_branch(tail, ends);
        Ok(())
    }

    pub(super) fn opaque(&mut self, goal: &Goal, tail: bool) -> Result<(), TooComplex> {
        let level = self.take_level();
        if let Some(level) = level {
            self.save_level(level);
        }
        self.levels.push(level);
        let inner_tail = tail && level.is_none();
        self.goal(goal, inner_tail)?;
        self.levels.pop();
        if tail && !inner_tail && !self.state.dead {
            self.leave();
        }
        Ok(())
    }

    /// `findall/3` and counting: a choice point whose alternative comes after the last solution.
    pub(super) fn collect(
        &mut self,
        template: Option<TermId>,
        goal: &Goal,
        result: TermId,
    ) -> Result<(), TooComplex> {
        if has_call(goal) || has_cut(goal) {
            self.ensure_env();
        }
        let level = self.take_level();
        let start: State = self.state.clone();
        let avoid = self.avoid;
        let (live, frame) = (self.live_registers(), self.frame_operand());
        let kind = usize::from(template.is_none());
        let at = self.emit(Op::CollectBegin, live, kind, frame);
        self.word(0);
        if let Some(level) = level {
            self.save_level(level);
        }
        self.levels.push(level);
        self.goal(goal, false)?;
        self.levels.pop();
        self.position += 1;
        if !self.state.dead {
            match template {
                Some(template) => {
                    let reg = self.term_register(template)?;
                    self.emit(Op::CollectTerm, reg, 0, 0);
                }
                None => {
                    self.emit(Op::CollectCount, 0, 0, 0);
                }
            }
        }
        self.patch((at, 1));
        self.state = start;
        self.avoid = avoid;
        self.position += 1;
        let reg = self.allocate(super::classify::NONE, super::generate::RESERVED)?;
        self.emit(Op::CollectEnd, reg, 0, 0);
        self.unify_register(reg, result)
    }
}

/// How many positions a goal takes in the numbering of the analysis.
pub(super) fn span(goal: &Goal) -> u32 {
    1 + match goal {
        Goal::And(goals) => goals.iter().map(span).sum(),
        Goal::Or(a, b) => span(a) + span(b) + 1,
        Goal::IfThenElse(_, parts) => parts.iter().map(span).sum::<u32>() + 2,
        Goal::Opaque(goal) => span(goal),
        Goal::Findall(_, goal, _) | Goal::Count(goal, _) => span(goal) + 2,
        _ => 0,
    }
}
