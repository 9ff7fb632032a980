//! Analysis of permanent variables (Aït-Kaci, "Warren's Abstract Machine", 2.3 and 4.3).
//!
//! The body is divided into chunks, each ended by a call. A variable that occurs in only one chunk lives in
//! registers. Other variables live in the environment, in the order of their last occurrence so that the environment
//! can be trimmed. A branch begins in the chunk in which its construct begins. Registers survive there: tests do not
//! change them, and choice points save them.
//!
//! Goals have positions, numbered in the order of the visits. The generator visits them in the same order and numbers
//! them alike.

use super::shape::{commits_in_place, has_call, is_alone, needs_barrier, never_ends};
use crate::base::growth::{Gather, Grow, GrowBy, filled};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::ir::clause::{Args, Arm, Clause, Commit, Goal, Scope, Term, TermId, VarId};

/// Marks a variable without a register or slot.
pub(crate) const NONE: u16 = u16::MAX;

/// The results of the analysis for a variable.
#[derive(Clone, Debug)]
pub(crate) struct VarInfo {
    /// Number of occurrences.
    pub(crate) count: u32,
    chunk: u32,
    /// Position of the first occurrence.
    pub(crate) first: u32,
    /// Position of the last occurrence.
    pub(crate) last: u32,
    /// Whether the variable lives in the environment.
    pub(crate) permanent: bool,
    /// Slot in the environment.
    pub(crate) slot: u16,
    /// Argument position in the call that ends its first chunk, if it is an argument there.
    pub(crate) hint: u16,
}

impl VarInfo {
    fn new() -> VarInfo {
        VarInfo {
            count: 0,
            chunk: 0,
            first: 0,
            last: 0,
            permanent: false,
            slot: NONE,
            hint: NONE,
        }
    }
}

/// The choice point that the cuts of a goal cut to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Barrier {
    /// The choice point kept in this slot.
    Kept(VarId),
    /// None: the goal leaves no choice points.
    Nothing,
}

/// The way in which the branches of a construct join.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// At most one branch reaches the end.
    Single,
    /// Variables needed later are in the same registers after each branch.
    Registers,
    /// A chunk ends in some branch, so variables needed later are in the environment.
    Environment,
}

/// The barriers of an arm of a conditional.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ArmBarriers {
    /// The choice point to commit to.
    pub(crate) commit: Option<VarId>,
    /// The choice point that cuts in the condition cut to.
    pub(crate) local: Barrier,
}

/// The result of the analysis. Variables beyond those of the clause are cut barriers.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// All variables.
    pub(crate) vars: Vec<VarInfo>,
    /// Variables of the clause in order of their first occurrence.
    pub(crate) by_first: Vec<VarId>,
    /// Variable in each slot of the environment.
    pub(crate) by_slot: Vec<VarId>,
    /// Barriers of opaque goals and collections, in the order of the visits.
    pub(crate) barriers: Vec<Barrier>,
    /// Barriers of the arms of conditionals, in the order of the visits.
    pub(crate) arms: Vec<ArmBarriers>,
    /// Joins of the branches of disjunctions and conditionals, in the order of the visits.
    pub(crate) joins: Vec<Join>,
    /// The barrier of the clause, if a cut comes after a call.
    pub(crate) clause_level: Option<VarId>,
    /// Number of slots of the environment.
    pub(crate) slots: u16,
    /// Whether an environment is needed.
    pub(crate) env: bool,
    /// Arity of the call that ends each chunk.
    pub(crate) chunk_arity: Vec<u16>,
    /// The last position.
    pub(crate) end: u32,
}

struct Walker<'a> {
    clause: &'a Clause,
    result: Analysis,
    position: u32,
    chunk: u32,
    last_chunk: u32,
    barriers: Vec<Barrier>,
    /// Arguments kept by the enclosing scopes, outermost first.
    scopes: Vec<Args>,
    todo: Vec<TermId>,
    watch: &'a Watch,
    /// Number of terms visited so far.
    met: usize,
    /// Whether each variable is permanent: for clauses with more variables than registers.
    force: bool,
}

/// Analyses a clause. With `force`, every variable is made permanent.
pub(crate) fn analyse(clause: &Clause, watch: &Watch, force: bool) -> Result<Analysis, Stop> {
    let result = Analysis {
        vars: filled(VarInfo::new(), clause.var_count as usize)?,
        chunk_arity: vec![0],
        env: force,
        ..Analysis::default()
    };
    let mut walker = Walker {
        clause,
        result,
        position: 0,
        chunk: 0,
        last_chunk: 0,
        barriers: Vec::new(),
        scopes: Vec::new(),
        todo: Vec::new(),
        watch,
        met: 0,
        force,
    };
    if let Some(head) = clause.head {
        walker.args(head, false)?;
    }
    if let Some(body) = &clause.body {
        walker.goal(body, true)?;
    }
    let end = walker.position;
    let mut result = Analysis {
        end,
        ..walker.result
    };
    let vars = &result.vars;
    let mut order: Vec<VarId> = (0..vars.len() as VarId)
        .filter(|&var| vars[var as usize].permanent)
        .gather()?;
    order.sort_by_key(|&var| std::cmp::Reverse(vars[var as usize].last));
    result.slots = order.len().min(usize::from(NONE)) as u16;
    for (slot, &var) in order.iter().enumerate() {
        result.vars[var as usize].slot = slot.min(usize::from(NONE)) as u16;
    }
    result.env |= !order.is_empty();
    result.by_slot = order;
    Ok(result)
}

impl Walker<'_> {
    fn new_chunk(&mut self) -> Result<(), Stop> {
        self.last_chunk += 1;
        self.chunk = self.last_chunk;
        self.result.chunk_arity.put(0)?;
        Ok(())
    }

    fn occurrence(&mut self, var: VarId) -> Result<(), Stop> {
        let (chunk, position, force) = (self.chunk, self.position, self.force);
        let info = &mut self.result.vars[var as usize];
        if info.count == 0 {
            info.chunk = chunk;
            info.first = position;
            self.result.by_first.put(var)?;
        } else if info.chunk != chunk {
            info.permanent = true;
        }
        info.count += 1;
        info.permanent |= force && info.count > 1;
        info.last = info.last.max(position);
        Ok(())
    }

    fn term(&mut self, term: TermId) -> Result<(), Stop> {
        self.todo.put(term)?;
        while let Some(id) = self.todo.pop() {
            self.met += 1;
            self.watch.go_on_counted(self.met)?;
            match self.clause.term(id) {
                Term::Var(var) => self.occurrence(var)?,
                Term::Constant(_) | Term::Literal(_) => {}
                term => self.todo.put_slice(self.clause.compound_args(term))?,
            }
        }
        Ok(())
    }

    fn args(&mut self, args: Args, call: bool) -> Result<(), Stop> {
        for index in 0..args.count as usize {
            let term = self.clause.arg(args, index);
            self.term(term)?;
            if let (true, Term::Var(var)) = (call, self.clause.term(term)) {
                let chunk = self.chunk;
                let info = &mut self.result.vars[var as usize];
                if info.hint == NONE && info.chunk == chunk {
                    info.hint = index as u16;
                }
            }
        }
        Ok(())
    }

    fn new_level(&mut self) -> Result<VarId, Stop> {
        let var = self.result.vars.len() as VarId;
        let mut info = VarInfo::new();
        info.permanent = true;
        info.first = self.position;
        info.last = self.position;
        info.count = 2;
        self.result.vars.put(info)?;
        Ok(var)
    }

    fn touch_level(&mut self, var: VarId) {
        self.result.vars[var as usize].last = self.position;
    }

    /// Visits a cut. With `kept`, its barrier must be in a slot.
    fn cut(&mut self, kept: bool) -> Result<(), Stop> {
        match self.barriers.last() {
            Some(&Barrier::Kept(level)) => self.touch_level(level),
            Some(Barrier::Nothing) => {}
            _ if self.chunk == 0 && !kept => {}
            _ => {
                let level = match self.result.clause_level {
                    Some(level) => level,
                    None => self.new_level()?,
                };
                self.result.clause_level = Some(level);
                self.result.vars[level as usize].first = 0;
                self.touch_level(level);
            }
        }
        Ok(())
    }

    /// Returns the barrier of a goal whose cuts are local to it.
    fn barrier(&mut self, goal: &Goal) -> Result<Barrier, Stop> {
        if needs_barrier(goal) {
            Ok(Barrier::Kept(self.new_level()?))
        } else {
            Ok(Barrier::Nothing)
        }
    }

    /// Visits an exit of the clause, where the enclosing scopes end.
    fn leave(&mut self) -> Result<(), Stop> {
        for index in 0..self.scopes.len() {
            self.args(self.scopes[index], false)?;
        }
        Ok(())
    }

    /// Keeps the variables of a scope alive until its end, even if control leaves the clause within the scope.
    fn keep_until_here(&mut self, kept: Args) {
        for index in 0..kept.count as usize {
            if let Term::Var(var) = self.clause.term(self.clause.arg(kept, index)) {
                self.touch_level(var);
            }
        }
    }

    fn scope(&mut self, scope: &Scope, tail: bool) -> Result<(), Stop> {
        self.args(scope.kept, false)?;
        for goal in &scope.assume {
            self.goal(goal, false)?;
        }
        self.scopes.put(scope.kept)?;
        self.goal(&scope.goal, tail)?;
        self.scopes.pop();
        self.position += 1;
        if tail || never_ends(&scope.goal) {
            self.keep_until_here(scope.kept);
        } else {
            self.args(scope.kept, false)?;
        }
        Ok(())
    }

    fn goal(&mut self, goal: &Goal, tail: bool) -> Result<(), Stop> {
        self.position += 1;
        match goal {
            Goal::True | Goal::Fail => {}
            Goal::Cut => self.cut(false)?,
            Goal::And(goals) => {
                for (index, goal) in goals.iter().enumerate() {
                    self.goal(goal, tail && index + 1 == goals.len())?;
                }
            }
            Goal::Unify(a, b, _)
            | Goal::NotUnifiable(a, b, _)
            | Goal::Identical(a, b, ..)
            | Goal::Order(a, b, ..)
            | Goal::Is(a, b, _)
            | Goal::Compare(_, a, b, _)
            | Goal::LolliCompare(_, a, b, _) => {
                self.term(*a)?;
                self.term(*b)?;
            }
            Goal::Constraint(_, _, args, _) => {
                let construct = self.open()?;
                let chunk = self.chunk;
                // Both ways to compile the constraint need the variables.
                self.args(*args, false)?;
                self.args(*args, false)?;
                self.close(construct, chunk, &[chunk, chunk])?;
            }
            Goal::Test(_, a, _) => self.term(*a)?,
            Goal::Builtin(_, args, _) => self.args(*args, false)?,
            Goal::Call(_, args, _) => {
                self.args(*args, true)?;
                let mut count = args.count as u16;
                if tail {
                    self.leave()?;
                    count += self
                        .scopes
                        .iter()
                        .map(|kept| kept.count as u16)
                        .sum::<u16>();
                }
                self.end_chunk(count, tail)?;
                return Ok(());
            }
            Goal::Body(_, terms, _) => {
                for &term in terms {
                    self.term(term)?;
                }
                self.cut(true)?;
                self.end_chunk(3, tail && self.scopes.is_empty())?;
            }
            Goal::Scope(scope) => return self.scope(scope, tail),
            Goal::Or(goals) => return self.disjunction(goals, tail),
            Goal::IfThenElse(arms, other) => return self.if_then_else(arms, other, tail),
            Goal::Opaque(goal) => {
                let barrier = self.barrier(goal)?;
                self.result.barriers.put(barrier)?;
                self.barriers.put(barrier)?;
                self.goal(goal, tail)?;
                self.barriers.pop();
                return Ok(());
            }
            Goal::Collect(_, template, goal, result, _) => {
                self.collect(*template, goal, *result)?;
            }
        }
        let ends = match goal {
            Goal::Fail => false,
            Goal::And(goals) => goals.is_empty(),
            _ => true,
        };
        if tail && ends {
            self.leave()?;
        }
        Ok(())
    }

    /// Ends the chunk at a call.
    fn end_chunk(&mut self, arity: u16, tail: bool) -> Result<(), Stop> {
        let widest = &mut self.result.chunk_arity[self.chunk as usize];
        *widest = (*widest).max(arity);
        self.result.env |= !tail;
        self.new_chunk()?;
        Ok(())
    }

    fn open(&mut self) -> Result<usize, Stop> {
        self.result.joins.put(Join::Single)?;
        Ok(self.result.joins.len() - 1)
    }

    /// Joins the branches of a construct that began in chunk `start`. `ends` has the last chunk of each branch that
    /// reaches its end.
    fn close(&mut self, construct: usize, start: u32, ends: &[u32]) -> Result<(), Stop> {
        self.position += 1;
        match ends {
            [] => {}
            [end] => self.chunk = *end,
            ends if ends.iter().all(|&end| end == start) => {
                self.result.joins[construct] = Join::Registers;
                self.chunk = start;
            }
            _ => {
                self.result.joins[construct] = Join::Environment;
                self.new_chunk()?;
            }
        }
        Ok(())
    }

    fn branch(&mut self, goal: &Goal, tail: bool, ends: &mut Vec<u32>) -> Result<(), Stop> {
        self.goal(goal, tail)?;
        if !never_ends(goal) {
            ends.put(self.chunk)?;
        }
        Ok(())
    }

    fn disjunction(&mut self, goals: &[Goal], tail: bool) -> Result<(), Stop> {
        let construct = self.open()?;
        let start = self.chunk;
        let mut ends = Vec::new();
        for goal in goals {
            self.chunk = start;
            self.branch(goal, tail, &mut ends)?;
        }
        self.close(construct, start, &ends)?;
        Ok(())
    }

    fn if_then_else(&mut self, arms: &[Arm], other: &Goal, tail: bool) -> Result<(), Stop> {
        let construct = self.open()?;
        let alone = is_alone(arms, other);
        let start = self.chunk;
        let mut ends = Vec::new();
        for arm in arms {
            self.chunk = start;
            let barriers = self.arm_barriers(arm, alone)?;
            self.result.arms.put(barriers)?;
            self.barriers.put(barriers.local)?;
            self.goal(&arm.condition, false)?;
            self.barriers.pop();
            self.position += 1;
            if let Some(level) = barriers.commit {
                self.touch_level(level);
            }
            self.branch(&arm.then, tail, &mut ends)?;
        }
        self.chunk = start;
        self.branch(other, tail, &mut ends)?;
        self.close(construct, start, &ends)?;
        Ok(())
    }

    fn arm_barriers(&mut self, arm: &Arm, alone: bool) -> Result<ArmBarriers, Stop> {
        let cuts = needs_barrier(&arm.condition);
        if commits_in_place(arm, alone) {
            return Ok(ArmBarriers {
                commit: None,
                local: Barrier::Nothing,
            });
        }
        let commit = self.new_level()?;
        let local = match (cuts, arm.commit) {
            (false, _) => Barrier::Nothing,
            // A soft cut needs the choice point below those of the condition. A condition without alternative is cut
            // to the same one.
            (true, Commit::Soft) => Barrier::Kept(commit),
            (true, Commit::First) if alone => Barrier::Kept(commit),
            (true, Commit::First) => Barrier::Kept(self.new_level()?),
        };
        Ok(ArmBarriers {
            commit: Some(commit),
            local,
        })
    }

    fn collect(
        &mut self,
        template: Option<TermId>,
        goal: &Goal,
        result: TermId,
    ) -> Result<(), Stop> {
        let start = self.chunk;
        let barrier = self.barrier(goal)?;
        self.result.barriers.put(barrier)?;
        self.barriers.put(barrier)?;
        self.goal(goal, false)?;
        self.barriers.pop();
        self.position += 1;
        if let Some(template) = template {
            self.term(template)?;
        }
        self.chunk = start;
        self.position += 1;
        self.term(result)?;
        // If the goal calls predicates, newer frames lie above at each of its solutions, so the clause needs an
        // environment.
        self.result.env |= has_call(goal);
        Ok(())
    }
}
