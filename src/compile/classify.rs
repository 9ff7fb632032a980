//! Which variables are permanent (Aït-Kaci, "Warren's Abstract Machine", 2.3 and 4.3).
//!
//! The body is divided into chunks, each ended by a call. A variable that occurs in one chunk only
//! lives in registers; others live in the environment, in order of their last occurrence so that
//! the environment can be trimmed. A branch begins in the chunk in which its construct begins,
//! because the registers survive there: tests do not touch them and choice points save them.

use crate::ir::clause::{Args, Clause, Commit, Goal, Term, TermId, VarId};

/// No register, no slot.
pub(crate) const NONE: u16 = u16::MAX;

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(crate) struct VarInfo {
    /// Number of occurrences.
    pub(crate) count: u32,
    chunk: u32,
    /// Position of the first occurrence.
    pub(crate) first: u32,
    /// Position of the last occurrence.
    pub(crate) last: u32,
    /// Does it live in the environment?
    pub(crate) permanent: bool,
    /// Slot in the environment.
    pub(crate) slot: u16,
    /// Argument position in the call that ends its first chunk, if it is an argument there.
    pub(crate) hint: u16,
}

impl VarInfo {
    fn new() -> VarInfo {
        VarInfo { count: 0, chunk: 0, first: 0, last: 0, permanent: false, slot: NONE, hint: NONE }
    }
}

/// The result of the analysis. Variables beyond those of the clause are cut barriers.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    /// All variables.
    pub(crate) vars: Vec<VarInfo>,
    /// Barriers in the order in which the generator meets their constructs.
    pub(crate) levels: Vec<Option<VarId>>,
    /// The barrier of the clause, if a cut comes after a call.
    pub(crate) clause_level: Option<VarId>,
    /// Number of slots of the environment.
    pub(crate) slots: u16,
    /// Is an environment needed?
    pub(crate) env: bool,
    /// For each chunk the arity of the call that ends it.
    pub(crate) chunk_arity: Vec<u16>,
}

/// Contains the goal a call, or another end of a chunk?
pub(crate) fn has_call(goal: &Goal) -> bool {
    match goal {
        Goal::Call(..) => true,
        Goal::And(goals) => goals.iter().any(has_call),
        Goal::Or(a, b) => has_call(a) || has_call(b),
        Goal::IfThenElse(_, parts) => parts.iter().any(has_call),
        Goal::Opaque(goal) => has_call(goal),
        Goal::Findall(_, goal, _) | Goal::Count(goal, _) => has_call(goal),
        _ => false,
    }
}

/// Contains the goal a cut that is not local to a part of it?
pub(crate) fn has_cut(goal: &Goal) -> bool {
    match goal {
        Goal::Cut => true,
        Goal::And(goals) => goals.iter().any(has_cut),
        Goal::Or(a, b) => has_cut(a) || has_cut(b),
        Goal::IfThenElse(_, parts) => has_cut(&parts[1]) || has_cut(&parts[2]),
        _ => false,
    }
}

/// Is it a test: without bindings, choice points and output?
pub(crate) fn is_test(goal: &Goal) -> bool {
    match goal {
        Goal::True
        | Goal::Fail
        | Goal::Test(..)
        | Goal::Compare(..)
        | Goal::Identical(..)
        | Goal::NotUnifiable(..)
        | Goal::Order(..) => true,
        Goal::And(goals) => goals.iter().all(is_test),
        Goal::IfThenElse(Commit::First, parts) => {
            is_test(&parts[0]) && matches!((&parts[1], &parts[2]), (Goal::Fail, Goal::True))
        }
        _ => false,
    }
}

struct Walker<'a> {
    clause: &'a Clause,
    result: Analysis,
    position: u32,
    chunk: u32,
    last_chunk: u32,
    levels: Vec<Option<VarId>>,
    todo: Vec<TermId>,
    /// Each variable permanent: for clauses with more variables than registers.
    force: bool,
}

/// Analyses a clause. With `force`, every variable is made permanent.
pub(crate) fn analyse(clause: &Clause, force: bool) -> Analysis {
    let result = Analysis {
        vars: vec![VarInfo::new(); clause.var_count as usize],
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
        levels: Vec::new(),
        todo: Vec::new(),
        force,
    };
    if let Some(head) = clause.head {
        walker.args(head, false);
    }
    if let Some(body) = &clause.body {
        walker.goal(body, true);
    }
    let mut result = walker.result;
    let mut order: Vec<usize> =
        (0..result.vars.len()).filter(|&var| result.vars[var].permanent).collect();
    order.sort_by_key(|&var| std::cmp::Reverse(result.vars[var].last));
    result.slots = order.len().min(usize::from(NONE) - 1) as u16;
    for (slot, &var) in order.iter().enumerate() {
        result.vars[var].slot = slot.min(usize::from(NONE) - 1) as u16;
    }
    result.env |= !order.is_empty();
    result
}

impl Walker<'_> {
    fn new_chunk(&mut self) {
        self.last_chunk += 1;
        self.chunk = self.last_chunk;
        self.result.chunk_arity.push(0);
    }

    fn occurrence(&mut self, var: VarId) {
        let (chunk, position, force) = (self.chunk, self.position, self.force);
        let info = &mut self.result.vars[var as usize];
        if info.count == 0 {
            info.chunk = chunk;
            info.first = position;
        } else if info.chunk != chunk {
            info.permanent = true;
        }
        info.count += 1;
        info.permanent |= force && info.count > 1;
        info.last = info.last.max(position);
    }

    fn term(&mut self, term: TermId) {
        self.todo.push(term);
        while let Some(id) = self.todo.pop() {
            match self.clause.term(id) {
                Term::Var(var) => self.occurrence(var),
                Term::Constant(_) | Term::Literal(_) => {}
                term => self.todo.extend_from_slice(self.clause.compound_args(term)),
            }
        }
    }

    fn args(&mut self, args: Args, call: bool) {
        for index in 0..args.count as usize {
            let term = self.clause.arg(args, index);
            self.term(term);
            if let (true, Term::Var(var)) = (call, self.clause.term(term)) {
                let chunk = self.chunk;
                let info = &mut self.result.vars[var as usize];
                if info.hint == NONE && info.chunk == chunk {
                    info.hint = index as u16;
                }
            }
        }
    }

    fn new_level(&mut self) -> VarId {
        let var = self.result.vars.len() as VarId;
        let mut info = VarInfo::new();
        info.permanent = true;
        info.first = self.position;
        info.last = self.position;
        info.count = 2;
        self.result.vars.push(info);
        var
    }

    fn touch_level(&mut self, var: VarId) {
        self.result.vars[var as usize].last = self.position;
    }

    fn cut(&mut self) {
        match self.levels.last().copied().flatten() {
            Some(level) => self.touch_level(level),
            None if self.chunk == 0 => {}
            None => {
                let level = match self.result.clause_level {
                    Some(level) => level,
                    None => self.new_level(),
                };
                self.result.clause_level = Some(level);
                self.result.vars[level as usize].first = 0;
                self.touch_level(level);
            }
        }
    }

    fn goal(&mut self, goal: &Goal, tail: bool) {
        self.position += 1;
        match goal {
            Goal::True | Goal::Fail => {}
            Goal::Cut => self.cut(),
            Goal::And(goals) => {
                for (index, goal) in goals.iter().enumerate() {
                    self.goal(goal, tail && index + 1 == goals.len());
                }
            }
            Goal::Unify(a, b)
            | Goal::NotUnifiable(a, b)
            | Goal::Identical(a, b, _)
            | Goal::Order(a, b, _)
            | Goal::Is(a, b)
            | Goal::Compare(_, a, b) => {
                self.term(*a);
                self.term(*b);
            }
            Goal::Test(_, a) => self.term(*a),
            Goal::Builtin(_, args) => self.args(*args, false),
            Goal::Call(_, args) => {
                self.args(*args, true);
                let arity = &mut self.result.chunk_arity[self.chunk as usize];
                *arity = (*arity).max(args.count as u16);
                self.result.env |= !tail;
                self.new_chunk();
            }
            Goal::Or(a, b) => {
                let start = self.chunk;
                self.goal(a, tail);
                let mut same = self.chunk == start;
                self.chunk = start;
                self.goal(b, tail);
                same &= self.chunk == start;
                self.join(same);
            }
            Goal::IfThenElse(commit, parts) => self.if_then_else(*commit, parts, tail),
            Goal::Opaque(goal) => {
                let level = has_cut(goal).then(|| self.new_level());
                self.result.levels.push(level);
                self.levels.push(level);
                self.goal(goal, tail && level.is_none());
                self.levels.pop();
            }
            Goal::Findall(template, goal, result) => self.collect(Some(*template), goal, *result),
            Goal::Count(goal, result) => self.collect(None, goal, *result),
        }
    }

    fn join(&mut self, same: bool) {
        self.position += 1;
        if !same {
            self.new_chunk();
        }
    }

    fn if_then_else(&mut self, commit: Commit, parts: &[Goal; 3], tail: bool) {
        let start = self.chunk;
        let level = needs_level(commit, &parts[0]).then(|| self.new_level());
        self.result.levels.push(level);
        // A cut in the condition is local to it.
        let local = has_cut(&parts[0]).then(|| self.new_level());
        self.result.levels.push(local);
        self.levels.push(local.or(level));
        self.goal(&parts[0], false);
        self.position += 1;
        if let Some(level) = level {
            self.touch_level(level);
        }
        self.levels.pop();
        self.goal(&parts[1], tail);
        let mut same = self.chunk == start;
        self.chunk = start;
        self.goal(&parts[2], tail);
        same &= self.chunk == start;
        self.join(same);
    }

    fn collect(&mut self, template: Option<TermId>, goal: &Goal, result: TermId) {
        let start = self.chunk;
        let level = has_cut(goal).then(|| self.new_level());
        self.result.levels.push(level);
        self.levels.push(level);
        self.goal(goal, false);
        self.levels.pop();
        self.position += 1;
        if let Some(template) = template {
            self.term(template);
        }
        self.chunk = start;
        self.position += 1;
        self.term(result);
        // The solutions of a goal that calls are seen by frames made above this one.
        self.result.env |= has_call(goal);
    }
}

/// Does committing to this condition need the choice point kept in the environment?
pub(crate) fn needs_level(commit: Commit, condition: &Goal) -> bool {
    commit == Commit::Soft || (!is_test(condition) && has_call(condition))
}
