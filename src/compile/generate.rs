//! The code generator: state, registers, and the walk over a clause. Long because these share one state.

use super::classify::{Analysis, Barrier, NONE, analyse};
use super::fuse;
use super::shape::{first_call_arity, is_test, starts_with_guard};
use crate::base::atom_table::Symbols;
use crate::base::growth::{Gather, Grow, GrowBy, filled};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::code::instruction::{Op, encode, encode_wide};
use crate::ir::clause::{Args, Clause, Goal, GoalNumber, Scope, ScopeKind, Term, TermId, VarId};
use crate::store::cell::Cell;
use std::ops::Range;

/// The reasons why a clause is not compiled.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Uncompiled {
    /// The clause needs too many registers or slots.
    TooComplex,
    /// The work must stop.
    Stopped(Stop),
}

impl From<Stop> for Uncompiled {
    fn from(stop: Stop) -> Uncompiled {
        Uncompiled::Stopped(stop)
    }
}

/// Number of goals of a clause whose time does not count.
const FREE_GOALS: u32 = 256;
/// Number of steps that each further goal counts as.
const GOAL_STEPS: usize = 64;

/// Marks a register that holds an argument already placed, or a term being built.
pub(super) const RESERVED: u32 = u32::MAX - 1;
/// Marks a register that holds nothing.
pub(super) const FREE: u32 = u32::MAX;

/// The effect of the code emitted so far. Branches start from copies of it.
#[derive(Clone)]
pub(super) struct State {
    /// Register of each variable.
    pub(super) x_of: Vec<u16>,
    /// Variables that got a register since all registers were last forgotten.
    pub(super) settled: Vec<VarId>,
    /// Variable in each register.
    pub(super) owner: Vec<u32>,
    /// Whether each variable has a value.
    pub(super) seen: Vec<bool>,
    /// Whether each variable is in its slot.
    pub(super) stored: Vec<bool>,
    /// Whether the environment exists.
    pub(super) env: bool,
    /// Whether the cut barrier is still in its register.
    pub(super) barrier: bool,
    /// Whether no wake-ups can be due here.
    pub(super) quiet: bool,
    /// Whether control never reaches this point.
    pub(super) dead: bool,
}

impl State {
    /// Forgets the content of all registers. Visits only variables with a register, because a clause may have many
    /// variables and many calls.
    pub(super) fn forget_registers(&mut self) {
        self.owner.iter_mut().for_each(|owner| *owner = FREE);
        for var in self.settled.drain(..) {
            self.x_of[var as usize] = NONE;
        }
        self.barrier = false;
    }
}

/// The target of a test that does not hold.
pub(super) struct Fails {
    /// Instructions whose label (the word of this number) is set later; `None` stands for failure.
    pub(super) patches: Option<Vec<(usize, usize)>>,
}

impl Fails {
    /// Returns the target for failure.
    pub(super) fn backtrack() -> Fails {
        Fails { patches: None }
    }
    /// Returns a target that is not known yet.
    pub(super) fn label() -> Fails {
        Fails {
            patches: Some(Vec::new()),
        }
    }
}

/// A stream of write instructions after the end of the clause.
pub(super) struct Deferred {
    /// The words of the stream. The last word is a jump back, to be completed.
    pub(super) words: Vec<u64>,
    /// The instruction that branches to it, and the number of the word with the label.
    pub(super) from: (usize, usize),
    /// The place that the stream jumps back to.
    pub(super) back: usize,
}

/// A scope of assumptions that encloses the code emitted next.
#[derive(Copy, Clone)]
pub(super) struct OpenScope {
    pub(super) kind: ScopeKind,
    pub(super) kept: Args,
    pub(super) end: u32,
}

/// Live registers and slots at an instruction that begins a goal, if wake-ups may be due before it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Alive {
    /// The instruction.
    pub(super) at: usize,
    /// Number of registers.
    pub(super) registers: u16,
    /// Mask of those of the first 64 registers that hold a value.
    pub(super) mask: u64,
    /// Slots that hold a value.
    pub(super) frame: u64,
}

pub(super) struct Generator<'a> {
    pub(super) clause: &'a Clause,
    pub(super) pool: &'a [Cell],
    pub(super) symbols: &'a Symbols,
    /// Reports whether the work must stop.
    pub(super) watch: &'a Watch,
    pub(super) info: Analysis,
    pub(super) state: State,
    pub(super) code: Vec<u64>,
    /// Words before this place no longer change, because a label may be here.
    pub(super) fence: usize,
    pub(super) deferred: Vec<Deferred>,
    /// Instructions that begin goals before which wake-ups may be due. The code describes the first `alive_emitted` of
    /// them.
    pub(super) goals: Vec<Alive>,
    pub(super) alive_emitted: usize,
    /// The goal that begins with the next instruction emitted.
    pub(super) beginning: Option<Alive>,
    /// One more than the position at which each variable was last stored, in any alternative; 0 if it never was.
    pub(super) stored_at: Vec<u32>,
    /// Whether this is `A = B` without any instruction emitted yet.
    pub(super) unifies: bool,
    pub(super) position: u32,
    /// Numbers of results of the analysis used so far: barriers, arms, joins.
    pub(super) next_barrier: usize,
    pub(super) next_arm: usize,
    pub(super) next_join: usize,
    /// Barriers of the enclosing opaque goals, innermost last.
    pub(super) barriers: Vec<Barrier>,
    /// Number of enclosing conditions, collections of solutions and goals with cuts of their own.
    pub(super) barred: usize,
    /// The enclosing scopes of assumptions, outermost first.
    pub(super) scopes: Vec<OpenScope>,
    /// Registers that hold parts of a compound that are to be unified with variables.
    pub(super) scoped_values: Vec<(usize, VarId)>,
    /// Variables reached so far that are needed again, and the number of variables reached.
    pub(super) active: Vec<VarId>,
    pub(super) met: usize,
    /// Work space for the variables of a term: see `build`.
    pub(super) marks: Vec<u32>,
    pub(super) last_mark: u32,
    pub(super) fresh: Vec<bool>,
    /// Number of first slots that are needed after the present position.
    pub(super) live_slots: usize,
    /// Whether variables are kept in the environment only.
    pub(super) force: bool,
    /// The coming call uses the registers below this one.
    pub(super) avoid: usize,
    /// Whether an expression of Lolli is being evaluated, where division of integers rounds down.
    pub(super) of_lolli: bool,
    /// Places where the code of goals begins, if they are wanted.
    sites: Option<Sites>,
}

/// Places where the code of goals begins, in the order of the code: the word, and the number of the goal.
pub(crate) type Sites = Vec<(u32, GoalNumber)>;

/// Compiles a clause; `pool` holds the cells of its literals. Also returns the places where its goals begin, if it is
/// `placed` in a file.
///
/// # Errors
/// Returns an error if every way to compile the clause needs too many registers or slots, or if the work must stop.
pub(crate) fn compile(
    clause: &Clause,
    pool: &[Cell],
    symbols: &Symbols,
    watch: &Watch,
    placed: bool,
) -> Result<(Vec<u64>, Sites), Uncompiled> {
    let compiled = |force| {
        let mut generator = Generator::new(clause, pool, symbols, watch, force)?;
        generator.sites = placed.then(Sites::new);
        generator.run()?;
        Ok((generator.code, generator.sites.unwrap_or_default()))
    };
    match compiled(false) {
        Err(Uncompiled::TooComplex) => compiled(true),
        compiled => compiled,
    }
}

impl<'a> Generator<'a> {
    fn new(
        clause: &'a Clause,
        pool: &'a [Cell],
        symbols: &'a Symbols,
        watch: &'a Watch,
        force: bool,
    ) -> Result<Self, Stop> {
        let info = analyse(clause, watch, force)?;
        let (vars, live_slots) = (info.vars.len(), info.by_slot.len());
        let avoid = usize::from(info.chunk_arity.first().copied().unwrap_or(0));
        let state = State {
            x_of: filled(NONE, vars)?,
            settled: Vec::new(),
            owner: vec![FREE; 16],
            seen: filled(false, vars)?,
            stored: filled(false, vars)?,
            env: false,
            barrier: true,
            quiet: true,
            dead: false,
        };
        Ok(Generator {
            clause,
            pool,
            symbols,
            watch,
            info,
            state,
            code: Vec::with_capacity(32),
            fence: 0,
            deferred: Vec::new(),
            goals: Vec::new(),
            alive_emitted: 0,
            beginning: None,
            stored_at: filled(0, vars)?,
            unifies: false,
            position: 0,
            next_barrier: 0,
            next_arm: 0,
            next_join: 0,
            barriers: Vec::new(),
            barred: 0,
            scopes: Vec::new(),
            scoped_values: Vec::new(),
            active: Vec::new(),
            met: 0,
            marks: filled(0, vars)?,
            last_mark: 0,
            fresh: filled(false, vars)?,
            live_slots,
            force,
            avoid,
            of_lolli: false,
            sites: None,
        })
    }

    fn run(&mut self) -> Result<(), Uncompiled> {
        if self.info.by_slot.len() >= usize::from(NONE) {
            return Err(Uncompiled::TooComplex);
        }
        let body = self.clause.body.as_ref();
        if self.info.env && (self.force || !body.is_some_and(starts_with_guard)) {
            self.ensure_env()?;
        }
        if let Some(head) = self.clause.head {
            self.head(head)?;
        }
        match body {
            Some(body) => self.goal(body, true)?,
            None => self.leave()?,
        }
        debug_assert_eq!(
            self.position, self.info.end,
            "positions are those of the analysis"
        );
        debug_assert_eq!(self.next_barrier, self.info.barriers.len());
        debug_assert_eq!(self.next_arm, self.info.arms.len());
        debug_assert_eq!(self.next_join, self.info.joins.len());
        self.place_deferred()?;
        self.emit_alive()?;
        Ok(())
    }

    // ---- emitting -----------------------------------------------------------------------------

    pub(super) fn emit(&mut self, op: Op, a: usize, b: usize, c: usize) -> Result<usize, Stop> {
        debug_assert!(a <= 0xffff && b <= 0xffff && c <= 0xffff);
        let word = encode(op, a as u16, b as u16, c as u16);
        fuse::push(&mut self.code, self.fence, word)?;
        Ok(self.code.len() - 1)
    }

    /// Emits a further word of an instruction.
    pub(super) fn word(&mut self, word: u64) -> Result<(), Stop> {
        self.code.put(word)?;
        self.fence = self.code.len();
        Ok(())
    }

    /// Emits a test with a label that is set later or stays failure.
    pub(super) fn test(
        &mut self,
        op: Op,
        a: usize,
        b: usize,
        c: usize,
        fails: &mut Fails,
    ) -> Result<(), Stop> {
        self.note_goal_start()?;
        let at = self.emit_begun(op, a, b, c)?;
        self.word(0)?;
        if let Some(patches) = &mut fails.patches {
            patches.put((at, 1))?;
        }
        Ok(())
    }

    /// Sets the label in word `word` of the instruction at `at` to the present place.
    pub(super) fn patch(&mut self, (at, word): (usize, usize)) {
        self.code[at + word] = (self.code.len() - at) as u64;
        self.fence = self.code.len();
    }

    pub(super) fn patch_all(&mut self, fails: Fails) {
        for patch in fails.patches.into_iter().flatten() {
            self.patch(patch);
        }
    }

    fn place_deferred(&mut self) -> Result<(), Stop> {
        for deferred in std::mem::take(&mut self.deferred) {
            let (at, word) = deferred.from;
            self.code[at + word] = (self.code.len() - at) as u64;
            self.code.put_slice(&deferred.words)?;
            if let Some(words) = fuse::way_out(&self.code, deferred.back) {
                let words = Vec::of(words)?;
                let copied = deferred.back..deferred.back + words.len();
                self.copy_alive(copied.clone())?;
                self.copy_sites(copied)?;
                self.code.put_slice(&words)?;
                continue;
            }
            let jump = self.code.len();
            self.code.put(Op::Jump as u64)?;
            self.code
                .put((deferred.back as u64).wrapping_sub(jump as u64))?;
        }
        Ok(())
    }

    /// Notes the goals of a copy of this code; the copy begins here.
    fn copy_sites(&mut self, from: Range<usize>) -> Result<(), Stop> {
        let Some(sites) = &mut self.sites else {
            return Ok(());
        };
        let here = self.code.len();
        let first = sites.partition_point(|&(at, _)| at as usize <= from.start);
        let end = sites.partition_point(|&(at, _)| (at as usize) < from.end);
        for index in first.saturating_sub(1)..end {
            let (at, number) = sites[index];
            let at = here + (at as usize).saturating_sub(from.start);
            sites.put((at as u32, number))?;
        }
        Ok(())
    }

    // ---- goals --------------------------------------------------------------------------------

    /// Ends the clause and the enclosing scopes here.
    pub(super) fn leave(&mut self) -> Result<(), Uncompiled> {
        for index in (0..self.scopes.len()).rev() {
            self.end_scope(self.scopes[index])?;
        }
        let op = if self.state.env {
            Op::DeallocateProceed
        } else {
            Op::Proceed
        };
        self.emit(op, 0, 0, 0)?;
        self.state.dead = true;
        Ok(())
    }

    /// Notes that the code of a goal begins here.
    pub(super) fn note_site(&mut self, goal: &Goal) -> Result<(), Stop> {
        if let Some(sites) = &mut self.sites
            && let Some(number) = goal.number()
        {
            sites.put((self.code.len() as u32, number))?;
        }
        Ok(())
    }

    pub(super) fn goal(&mut self, goal: &Goal, tail: bool) -> Result<(), Uncompiled> {
        let steps = if self.position < FREE_GOALS {
            0
        } else {
            GOAL_STEPS
        };
        if self.watch.stop_wanted_after(steps) {
            return Err(Uncompiled::TooComplex);
        }
        if self.state.dead {
            self.skip(goal);
            return Ok(());
        }
        self.note_site(goal)?;
        self.position += 1;
        self.emit_alive_if_due()?;
        match goal {
            Goal::And(goals) => {
                for (index, goal) in goals.iter().enumerate() {
                    self.expect_call(&goals[index..]);
                    self.goal(goal, tail && index + 1 == goals.len())?;
                }
                if goals.is_empty() && tail {
                    self.leave()?;
                }
                return Ok(());
            }
            Goal::Call(predicate, args, _) => return self.call(*predicate, *args, tail),
            Goal::Body(predicate, terms, _) => return self.deep_body(*predicate, *terms, tail),
            Goal::Scope(scope) => return self.scope(scope, tail),
            Goal::Or(goals) => return self.disjunction(goal, goals, tail),
            Goal::IfThenElse(arms, other) => {
                return self.if_then_else(goal, (arms, other), tail);
            }
            Goal::Opaque(inner) => return self.opaque(inner, tail),
            Goal::Collect(what, template, inner, result, _) => {
                self.collect(*what, *template, inner, *result)?;
            }
            Goal::Fail => {
                self.note_goal_start()?;
                self.emit_begun(Op::Fail, 0, 0, 0)?;
                self.state.dead = true;
                return Ok(());
            }
            Goal::Cut => self.cut()?,
            Goal::Constraint(relation, builtin, args, _) => {
                self.constraint(goal, *relation, *builtin, *args)?;
            }
            _ if is_test(goal) => self.simple_test(goal, &mut Fails::backtrack())?,
            _ => self.inline(goal)?,
        }
        self.release_dead()?;
        if tail {
            self.leave()?;
        }
        Ok(())
    }

    /// Notes the arity of the next call.
    fn expect_call(&mut self, goals: &[Goal]) {
        for goal in goals.iter().take(8) {
            if let Some(arity) = first_call_arity(goal) {
                self.avoid = arity;
                return;
            }
        }
    }

    fn call(&mut self, predicate: u32, args: Args, tail: bool) -> Result<(), Uncompiled> {
        if !tail {
            self.ensure_env()?;
        }
        let mut terms = self.arg_terms(args)?;
        if tail {
            for scope in &self.scopes {
                terms.put_all(self.arg_terms(scope.kept)?)?;
            }
        }
        self.avoid = self.avoid.max(terms.len());
        self.place_terms(&terms)?;
        if !tail {
            self.store_permanent()?;
        } else if !self.scopes.is_empty() {
            self.scope_frames(args.count as usize)?;
        }
        self.finish_call(predicate, tail)?;
        Ok(())
    }

    fn arg_terms(&self, args: Args) -> Result<Vec<TermId>, Stop> {
        (0..args.count as usize)
            .map(|index| self.clause.arg(args, index))
            .gather()
    }

    /// Compiles a goal in a scope of assumptions. If it is the last goal of the clause, frames end the enclosing
    /// scopes; otherwise a builtin ends the scope.
    fn scope(&mut self, scope: &Scope, tail: bool) -> Result<(), Uncompiled> {
        let mut regs = [0; 2];
        self.note_goal_start()?;
        for (term, reg) in self.arg_terms(scope.kept)?.into_iter().zip(&mut regs) {
            if let Term::Var(var) = self.clause.term(term) {
                *reg = self.allocate(NONE, var)?;
                self.settle(var, *reg)?;
            }
        }
        let op = match scope.kind {
            ScopeKind::Assumptions => Op::ScopeBegin,
            ScopeKind::Bang => Op::BangBegin,
        };
        self.emit_begun(op, regs[0], regs[1], 0)?;
        for goal in &scope.assume {
            self.goal(goal, false)?;
        }
        let open = OpenScope {
            kind: scope.kind,
            kept: scope.kept,
            end: scope.end,
        };
        self.scopes.put(open)?;
        self.goal(&scope.goal, tail)?;
        self.scopes.pop();
        self.position += 1;
        if !tail && !self.state.dead {
            self.end_scope(open)?;
            self.release_dead()?;
        }
        Ok(())
    }

    fn end_scope(&mut self, scope: OpenScope) -> Result<(), Uncompiled> {
        self.builtin(scope.end, scope.kept)
    }

    /// Makes the frames that end the enclosing scopes. The call has `arguments` arguments; the variables that the
    /// scopes keep follow them.
    fn scope_frames(&mut self, arguments: usize) -> Result<(), Stop> {
        if self.state.env {
            self.emit(Op::Deallocate, 0, 0, 0)?;
            self.state.env = false;
        }
        let mut reg = arguments;
        for index in 0..self.scopes.len() {
            let op = match self.scopes[index].kind {
                ScopeKind::Assumptions => Op::ScopeFrame,
                ScopeKind::Bang => Op::BangFrame,
            };
            let count = self.scopes[index].kept.count as usize;
            self.emit(op, reg, reg + count - 1, 0)?;
            reg += count;
        }
        Ok(())
    }

    pub(super) fn builtin(&mut self, index: u32, args: Args) -> Result<(), Uncompiled> {
        let terms = self.arg_terms(args)?;
        self.place_terms(&terms)?;
        self.clear_dead_registers()?;
        let live = self.live_registers();
        self.code
            .put(encode_wide(Op::Builtin, live as u16, index))?;
        self.liveness()?;
        self.state.quiet = false;
        Ok(())
    }

    fn finish_call(&mut self, predicate: u32, tail: bool) -> Result<(), Stop> {
        if tail {
            let op = if self.state.env {
                Op::DeallocateExecute
            } else {
                Op::Execute
            };
            self.code.put(encode_wide(op, 0, predicate))?;
            self.state.dead = true;
        } else {
            self.code.put(encode_wide(Op::Call, 0, predicate))?;
            let site = self.site_word();
            self.word(site)?;
        }
        self.state.quiet = true;
        self.forget_registers();
        Ok(())
    }

    /// Compiles a body that is run as a term. The choice point that its cuts go to is an argument.
    fn deep_body(
        &mut self,
        predicate: u32,
        [body, module]: [TermId; 2],
        tail: bool,
    ) -> Result<(), Uncompiled> {
        self.ensure_env()?;
        self.avoid = self.avoid.max(3);
        let body = self.term_register(body)?;
        self.store_permanent()?;
        if body != 0 {
            self.emit(Op::Move, 0, body, 0)?;
        }
        self.own(0, RESERVED)?;
        self.put_term(module, 1)?;
        let level = match self.barriers.last() {
            Some(&Barrier::Kept(level)) => Some(level),
            _ => self.info.clause_level,
        };
        debug_assert!(
            level.is_some(),
            "the analysis keeps a barrier for such a body"
        );
        let slot = level.map_or(0, |level| self.slot(level));
        self.emit(Op::LoadY, 2, slot, 0)?;
        let last = tail && self.scopes.is_empty();
        self.finish_call(predicate, last)?;
        if tail && !last {
            self.leave()?;
        }
        Ok(())
    }

    fn cut(&mut self) -> Result<(), Stop> {
        self.clear_dead_registers()?;
        let (live, frame) = (self.live_registers(), self.frame_operand());
        let level = match self.barriers.last() {
            Some(Barrier::Nothing) => return Ok(()),
            Some(&Barrier::Kept(level)) => Some(level),
            _ if self.state.barrier => None,
            _ => {
                debug_assert!(
                    self.info.clause_level.is_some(),
                    "a cut after a call has a slot"
                );
                self.info.clause_level
            }
        };
        match level {
            Some(level) => {
                let slot = self.slot(level);
                self.emit(Op::CutY, live, slot, frame)?;
            }
            None => {
                self.emit(Op::NeckCut, live, 0, frame)?;
            }
        }
        self.liveness()?;
        self.state.quiet = true;
        Ok(())
    }

    /// Compiles a goal in place that may bind variables or raise an exception.
    fn inline(&mut self, goal: &Goal) -> Result<(), Uncompiled> {
        match goal {
            Goal::Unify(a, b, _) => self.unify(*a, *b),
            Goal::Is(result, expression, _) => self.is(*result, *expression),
            Goal::Builtin(index, args, _) => self.builtin(*index, *args),
            _ => Ok(()),
        }
    }
}
