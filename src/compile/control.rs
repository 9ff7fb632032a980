//! Control constructs in place: disjunction, conditionals, opaque goals, collection of solutions.

use super::classify::{ArmBarriers, Barrier, Join, NONE};
use super::generate::{Fails, Generator, RESERVED, State, Uncompiled};
use super::merge::Plan;
use super::shape::{has_call, is_alone, is_condition, needs_env};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, encode_wide};
use crate::ir::clause::{Arm, Collected, Collection, Commit, Goal, TermId, VarId};

/// Jumps from the ends of branches to the common end.
type Ends = Vec<(usize, usize)>;

impl Generator<'_> {
    fn take_barrier(&mut self) -> Barrier {
        let barrier = self.info.barriers.get(self.next_barrier).copied();
        debug_assert!(
            barrier.is_some(),
            "the analysis has seen fewer opaque goals"
        );
        self.next_barrier += 1;
        barrier.unwrap_or(Barrier::Nothing)
    }

    /// Returns the barriers of the next arm.
    pub(super) fn take_arm(&mut self) -> ArmBarriers {
        let arm = self.info.arms.get(self.next_arm).copied();
        debug_assert!(arm.is_some(), "the analysis has seen fewer conditionals");
        self.next_arm += 1;
        arm.unwrap_or(ArmBarriers {
            commit: None,
            local: Barrier::Nothing,
        })
    }

    /// Returns the join of the construct that begins here.
    pub(super) fn take_join(&mut self) -> Join {
        let join = self.info.joins.get(self.next_join).copied();
        debug_assert!(join.is_some(), "the analysis has seen fewer constructs");
        self.next_join += 1;
        join.unwrap_or(Join::Environment)
    }

    /// Saves the newest choice point in the slot of a barrier.
    fn save_level(&mut self, level: VarId) -> Result<(), Stop> {
        self.ensure_env()?;
        let slot = self.slot(level);
        self.note_goal_start()?;
        self.emit_begun(Op::SaveChoice, slot, 0, 0)?;
        self.state.seen[level as usize] = true;
        self.set_stored(level as usize);
        Ok(())
    }

    fn save_barrier(&mut self, barrier: Barrier) -> Result<(), Stop> {
        if let Barrier::Kept(level) = barrier {
            self.save_level(level)?;
        }
        Ok(())
    }

    /// Begins a construct after which control continues unless it is the last one. If a branch needs an environment,
    /// makes it before all branches.
    pub(super) fn open(&mut self, goal: &Goal, tail: bool) -> Result<Plan, Stop> {
        let join = self.take_join();
        if !tail && join != Join::Single && needs_env(goal) {
            self.ensure_env()?;
        }
        let end = self.position + span(goal) - 1;
        self.merge_plan(join, end)
    }

    /// Begins an alternative. The alternative of a condition is no branch in its own right: the condition decides
    /// whether it is taken.
    fn try_else(&mut self, of_condition: bool) -> Result<(usize, usize), Stop> {
        let (live, frame) = (self.live_registers(), self.frame_operand());
        self.clear_dead_registers()?;
        self.note_goal_start()?;
        let at = self.emit_begun(Op::TryElse, live, frame, usize::from(of_condition))?;
        self.word(0)?;
        self.register_word()?;
        Ok((at, 1))
    }

    /// Compiles a branch. At its end control goes to the common end, by a jump unless this is the last branch.
    fn branch(
        &mut self,
        goal: &Goal,
        tail: bool,
        plan: &mut Plan,
        ends: Option<&mut Ends>,
    ) -> Result<(), Uncompiled> {
        self.goal(goal, tail)?;
        self.merge_branch(plan, tail)?;
        if let (Some(ends), false, false) = (ends, tail, self.state.dead) {
            let at = self.emit(Op::Jump, 0, 0, 0)?;
            self.word(0)?;
            ends.put((at, 1))?;
        }
        Ok(())
    }

    pub(super) fn disjunction(
        &mut self,
        goal: &Goal,
        goals: &[Goal],
        tail: bool,
    ) -> Result<(), Uncompiled> {
        let mut plan = self.open(goal, tail)?;
        let start = self.state.clone();
        let (avoid, since) = (self.avoid, self.position);
        let mut ends = Ends::new();
        let mut label = self.try_else(false)?;
        for (index, goal) in goals.iter().enumerate() {
            let last = index + 1 == goals.len();
            if index > 0 {
                self.patch(label);
                self.state = start.clone();
                self.avoid = avoid;
                let at = self.code.len();
                if last {
                    self.emit(Op::TrustElse, 0, 0, 0)?;
                    self.own_frame()?;
                } else {
                    self.emit(Op::RetryElse, 0, 0, 0)?;
                    self.word(0)?;
                    self.own_frame()?;
                    label = (at, 1);
                }
                self.state.quiet = true;
                self.clear_stale(since)?;
            }
            self.branch(
                goal,
                tail,
                &mut plan,
                if last { None } else { Some(&mut ends) },
            )?;
        }
        self.position += 1;
        self.join(plan, ends, tail);
        Ok(())
    }

    pub(super) fn if_then_else(
        &mut self,
        goal: &Goal,
        (arms, other): (&[Arm], &Goal),
        tail: bool,
    ) -> Result<(), Uncompiled> {
        let mut plan = self.open(goal, tail)?;
        let mut ends = Ends::new();
        let avoid = self.avoid;
        if is_alone(arms, other) {
            for arm in arms {
                self.lone_arm(arm, tail)?;
            }
            self.position += 2;
            return Ok(());
        }
        for arm in arms {
            self.arm(arm, tail, &mut plan, &mut ends)?;
            self.avoid = avoid;
        }
        self.branch(other, tail, &mut plan, None)?;
        self.position += 1;
        self.join(plan, ends, tail);
        Ok(())
    }

    /// Compiles a conditional that has one arm and fails if its condition does.
    fn lone_arm(&mut self, arm: &Arm, tail: bool) -> Result<(), Uncompiled> {
        let barriers = self.take_arm();
        if is_condition(&arm.condition) && arm.commit == Commit::First {
            self.condition(&arm.condition, &mut Fails::backtrack())?;
            self.position += 1;
            self.release_dead()?;
            return self.goal(&arm.then, tail);
        }
        if let Some(level) = barriers.commit {
            self.save_level(level)?;
        }
        let barred = arm.commit == Commit::First || barriers.local != Barrier::Nothing;
        self.enclosed(&arm.condition, false, barriers.local, barred)?;
        self.position += 1;
        if barriers.commit.is_some() && arm.commit == Commit::First {
            self.commit(arm.commit, barriers.commit)?;
        }
        self.goal(&arm.then, tail)
    }

    /// Compiles a condition and its branch. Leaves the generator at the place where control goes if the condition
    /// does not hold, with the state at that place.
    fn arm(
        &mut self,
        arm: &Arm,
        tail: bool,
        plan: &mut Plan,
        ends: &mut Ends,
    ) -> Result<(), Uncompiled> {
        let barriers = self.take_arm();
        let since = self.position;
        if is_condition(&arm.condition) && arm.commit == Commit::First {
            let start = self.state.clone();
            let mut fails = Fails::label();
            self.condition(&arm.condition, &mut fails)?;
            self.position += 1;
            self.branch(&arm.then, tail, plan, Some(ends))?;
            self.patch_all(fails);
            self.state = start;
            return Ok(());
        }
        let kept = barriers.commit.is_some() || barriers.local != Barrier::Nothing;
        if kept {
            self.ensure_env()?;
        }
        if let (Some(level), Commit::First) = (barriers.commit, arm.commit) {
            self.save_level(level)?;
        }
        let start = self.state.clone();
        let label = self.try_else(true)?;
        if let (Some(level), Commit::Soft) = (barriers.commit, arm.commit) {
            self.save_level(level)?;
        } else {
            self.save_barrier(barriers.local)?;
        }
        self.enclosed(&arm.condition, false, barriers.local, true)?;
        self.position += 1;
        let popped = self.commit(arm.commit, barriers.commit)?;
        self.branch(&arm.then, tail, plan, Some(ends))?;
        self.patch(label);
        if let Some(popped) = popped {
            self.patch(popped);
        }
        self.state = start;
        self.emit(Op::TrustElse, 0, 0, 0)?;
        self.own_frame()?;
        self.state.quiet = true;
        self.clear_stale(since)
    }

    /// Commits to the condition of an arm. Returns the label of the alternative that the instruction drops, if the
    /// instruction identifies the choice point by that label.
    fn commit(
        &mut self,
        commit: Commit,
        level: Option<VarId>,
    ) -> Result<Option<(usize, usize)>, Stop> {
        if self.state.dead {
            return Ok(None);
        }
        let mut popped = None;
        self.clear_dead_registers()?;
        let (live, frame) = (self.live_registers(), self.frame_operand());
        match (commit, level) {
            (Commit::Soft, Some(level)) => {
                let slot = self.slot(level);
                self.note_goal_start()?;
                self.emit_begun(Op::SoftCut, slot, 0, 0)?;
            }
            (_, Some(level)) => {
                let slot = self.slot(level);
                self.emit(Op::CutY, live, slot, frame)?;
                self.liveness()?;
            }
            (_, None) => {
                let at = self.emit(Op::PopChoice, live, 0, frame)?;
                self.liveness()?;
                self.word(0)?;
                popped = Some((at, 3));
            }
        }
        self.state.quiet = true;
        self.release_dead()?;
        Ok(popped)
    }

    /// Skips a goal that control never reaches.
    pub(super) fn skip(&mut self, goal: &Goal) {
        let mut sum = Extent::default();
        extent(goal, &mut sum);
        self.position += span(goal);
        self.next_barrier += sum.barriers;
        self.next_arm += sum.arms;
        self.next_join += sum.joins;
    }

    pub(super) fn opaque(&mut self, goal: &Goal, tail: bool) -> Result<(), Uncompiled> {
        let barrier = self.take_barrier();
        self.save_barrier(barrier)?;
        self.enclosed(goal, tail, barrier, barrier != Barrier::Nothing)
    }

    /// Compiles a goal whose cuts go to `barrier`. `barred` says that the clause does more after the goal than
    /// continue.
    fn enclosed(
        &mut self,
        goal: &Goal,
        tail: bool,
        barrier: Barrier,
        barred: bool,
    ) -> Result<(), Uncompiled> {
        self.barriers.put(barrier)?;
        self.barred += usize::from(barred);
        self.goal(goal, tail)?;
        self.barred -= usize::from(barred);
        self.barriers.pop();
        Ok(())
    }

    /// Compiles `findall/3`, counting and similar goals: a choice point whose alternative comes after the last
    /// solution.
    pub(super) fn collect(
        &mut self,
        collection: Collection,
        template: Option<TermId>,
        goal: &Goal,
        result: TermId,
    ) -> Result<(), Uncompiled> {
        let barrier = self.take_barrier();
        if has_call(goal) || needs_env(goal) || barrier != Barrier::Nothing {
            self.ensure_env()?;
        }
        let start: State = self.state.clone();
        let (avoid, since) = (self.avoid, self.position);
        let (live, frame) = (self.live_registers(), self.frame_operand());
        self.clear_dead_registers()?;
        self.note_goal_start()?;
        let at = self.emit_begun(Op::CollectBegin, live, collection.what as usize, frame)?;
        self.word(0)?;
        self.register_word()?;
        if let Some((folded, predicate)) = collection.folded {
            self.code
                .put(encode_wide(Op::CollectFolded, folded as u16, predicate))?;
        }
        self.save_barrier(barrier)?;
        self.enclosed(goal, false, barrier, true)?;
        self.position += 1;
        if !self.state.dead {
            if let Some((Collected::Count, _)) = collection.folded {
                self.emit(Op::CollectCount, 0, 0, 0)?;
            }
            match template {
                Some(template) => {
                    let reg = self.term_register(template)?;
                    self.emit(Op::CollectTerm, reg, 0, 0)?;
                }
                None => {
                    self.emit(Op::CollectCount, 0, 0, 0)?;
                }
            }
        }
        self.patch((at, 1));
        self.state = start;
        self.avoid = avoid;
        self.position += 1;
        let reg = self.allocate(NONE, RESERVED)?;
        self.emit(Op::CollectEnd, reg, 0, 0)?;
        self.own_frame()?;
        self.state.quiet = true;
        self.clear_stale(since)?;
        self.unify_register(reg, result)
    }
}

/// Number of results of the analysis that belong to a goal.
#[derive(Copy, Clone, Default)]
struct Extent {
    barriers: usize,
    arms: usize,
    joins: usize,
}

fn extent(goal: &Goal, sum: &mut Extent) {
    match goal {
        Goal::And(goals) => goals.iter().for_each(|goal| extent(goal, sum)),
        Goal::Or(goals) => {
            sum.joins += 1;
            goals.iter().for_each(|goal| extent(goal, sum));
        }
        Goal::IfThenElse(arms, other) => {
            sum.joins += 1;
            for arm in arms {
                sum.arms += 1;
                extent(&arm.condition, sum);
                extent(&arm.then, sum);
            }
            extent(other, sum);
        }
        Goal::Opaque(goal) | Goal::Collect(_, _, goal, ..) => {
            sum.barriers += 1;
            extent(goal, sum);
        }
        Goal::Constraint(..) => sum.joins += 1,
        Goal::Scope(scope) => {
            scope.assume.iter().for_each(|goal| extent(goal, sum));
            extent(&scope.goal, sum);
        }
        _ => {}
    }
}

/// Returns the number of positions that a goal takes in the numbering of the analysis.
fn span(goal: &Goal) -> u32 {
    1 + match goal {
        Goal::And(goals) => goals.iter().map(span).sum(),
        Goal::Or(goals) => goals.iter().map(span).sum::<u32>() + 1,
        Goal::IfThenElse(arms, other) => {
            let arm = |arm: &Arm| span(&arm.condition) + 1 + span(&arm.then);
            arms.iter().map(arm).sum::<u32>() + span(other) + 1
        }
        Goal::Opaque(goal) => span(goal),
        Goal::Constraint(..) => 1,
        Goal::Scope(scope) => scope.assume.iter().map(span).sum::<u32>() + span(&scope.goal) + 1,
        Goal::Collect(_, _, goal, ..) => span(goal) + 2,
        _ => 0,
    }
}
