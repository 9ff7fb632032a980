//! The code generator: state, registers, and the walk over a clause.

use super::classify::{Analysis, Barrier, NONE, analyse};
use super::shape::{first_call_arity, is_test, starts_with_guard};
use crate::base::symbol::Symbols;
use crate::code::instruction::{Op, REGISTERS, encode, encode_wide};
use crate::ir::clause::{Args, Clause, Goal, NumCompare, Term, TermId, TypeTest, VarId};
use crate::store::cell::Cell;

/// The clause needs more registers than there are.
#[derive(Copy, Clone, Debug)]
pub(crate) struct TooComplex;

/// A register that holds an argument already placed, or a term being built.
pub(super) const RESERVED: u32 = u32::MAX - 1;
/// A register that holds nothing.
pub(super) const FREE: u32 = u32::MAX;

/// What the code emitted so far has done. Branches start from copies of it.
#[derive(Clone)]
pub(super) struct State {
    /// Register of each variable.
    pub(super) x_of: Vec<u16>,
    /// Variable in each register.
    pub(super) owner: Vec<u32>,
    /// Has the variable been given a value?
    pub(super) seen: Vec<bool>,
    /// Is it in its slot?
    pub(super) stored: Vec<bool>,
    /// Has the environment been made?
    pub(super) env: bool,
    /// Is the cut barrier still in its register?
    pub(super) barrier: bool,
    /// Does control never get here?
    pub(super) dead: bool,
}

/// Where a test goes that does not hold.
pub(super) struct Fails {
    /// Instructions whose label (the word of this number) is to be set; `None`: failure.
    pub(super) patches: Option<Vec<(usize, usize)>>,
}

impl Fails {
    /// Failure.
    pub(super) fn backtrack() -> Fails {
        Fails { patches: None }
    }
    /// A place not known yet.
    pub(super) fn label() -> Fails {
        Fails {
            patches: Some(Vec::new()),
        }
    }
}

/// A stream of write instructions that stands after the clause.
pub(super) struct Deferred {
    /// Its words; the last is a jump back, to be completed.
    pub(super) words: Vec<u64>,
    /// The instruction that branches to it, and which of its words is the label.
    pub(super) from: (usize, usize),
    /// Where it jumps back to.
    pub(super) back: usize,
}

pub(super) struct Generator<'a> {
    pub(super) clause: &'a Clause,
    pub(super) pool: &'a [Cell],
    pub(super) symbols: &'a Symbols,
    pub(super) info: Analysis,
    pub(super) state: State,
    pub(super) code: Vec<u64>,
    pub(super) deferred: Vec<Deferred>,
    pub(super) position: u32,
    /// How much of the analysis has been used: barriers, arms, joins.
    pub(super) next_barrier: usize,
    pub(super) next_arm: usize,
    pub(super) next_join: usize,
    /// Barriers of the opaque goals around, innermost last.
    pub(super) barriers: Vec<Barrier>,
    /// Variables met so far that are needed again, and how many have been met.
    pub(super) active: Vec<VarId>,
    pub(super) met: usize,
    /// Work space for the variables of a term: see `build`.
    pub(super) marks: Vec<u32>,
    pub(super) last_mark: u32,
    pub(super) fresh: Vec<bool>,
    /// The first slots that are needed after the present position.
    live_slots: usize,
    /// Variables are kept in the environment only.
    pub(super) force: bool,
    /// Registers below this are wanted by the call that comes.
    pub(super) avoid: usize,
}

/// Compiles a clause; `pool` holds the cells of its literals.
///
/// # Errors
/// [`TooComplex`] if the clause needs too many registers or slots in any way of compiling it.
pub(crate) fn compile(
    clause: &Clause,
    pool: &[Cell],
    symbols: &Symbols,
) -> Result<Vec<u64>, TooComplex> {
    Generator::new(clause, pool, symbols, false)
        .run()
        .or_else(|TooComplex| Generator::new(clause, pool, symbols, true).run())
}

impl<'a> Generator<'a> {
    fn new(clause: &'a Clause, pool: &'a [Cell], symbols: &'a Symbols, force: bool) -> Self {
        let info = analyse(clause, force);
        let (vars, live_slots) = (info.vars.len(), info.by_slot.len());
        let avoid = usize::from(info.chunk_arity.first().copied().unwrap_or(0));
        let state = State {
            x_of: vec![NONE; vars],
            owner: vec![FREE; 16],
            seen: vec![false; vars],
            stored: vec![false; vars],
            env: false,
            barrier: true,
            dead: false,
        };
        Generator {
            clause,
            pool,
            symbols,
            info,
            state,
            code: Vec::with_capacity(32),
            deferred: Vec::new(),
            position: 0,
            next_barrier: 0,
            next_arm: 0,
            next_join: 0,
            barriers: Vec::new(),
            active: Vec::new(),
            met: 0,
            marks: vec![0; vars],
            last_mark: 0,
            fresh: vec![false; vars],
            live_slots,
            force,
            avoid,
        }
    }

    fn run(mut self) -> Result<Vec<u64>, TooComplex> {
        if self.info.by_slot.len() >= usize::from(NONE) {
            return Err(TooComplex);
        }
        let body = self.clause.body.as_ref();
        if self.info.env && (self.force || !body.is_some_and(starts_with_guard)) {
            self.ensure_env();
        }
        if let Some(head) = self.clause.head {
            self.head(head)?;
        }
        match body {
            Some(body) => self.goal(body, true)?,
            None => self.leave(),
        }
        debug_assert_eq!(
            self.position, self.info.end,
            "positions are those of the analysis"
        );
        debug_assert_eq!(self.next_barrier, self.info.barriers.len());
        debug_assert_eq!(self.next_arm, self.info.arms.len());
        debug_assert_eq!(self.next_join, self.info.joins.len());
        self.place_deferred();
        Ok(self.code)
    }

    // ---- emitting -----------------------------------------------------------------------------

    pub(super) fn emit(&mut self, op: Op, a: usize, b: usize, c: usize) -> usize {
        debug_assert!(a <= 0xffff && b <= 0xffff && c <= 0xffff);
        self.code.push(encode(op, a as u16, b as u16, c as u16));
        self.code.len() - 1
    }

    pub(super) fn word(&mut self, word: u64) {
        self.code.push(word);
    }

    /// Emits a test with a label that is set later, or stays failure.
    pub(super) fn test(&mut self, op: Op, a: usize, b: usize, c: usize, fails: &mut Fails) {
        let at = self.emit(op, a, b, c);
        self.word(0);
        if let Some(patches) = &mut fails.patches {
            patches.push((at, 1));
        }
    }

    /// Sets the label in word `word` of the instruction at `at` to the present place.
    pub(super) fn patch(&mut self, (at, word): (usize, usize)) {
        self.code[at + word] = (self.code.len() - at) as u64;
    }

    pub(super) fn patch_all(&mut self, fails: Fails) {
        for patch in fails.patches.into_iter().flatten() {
            self.patch(patch);
        }
    }

    fn place_deferred(&mut self) {
        for deferred in std::mem::take(&mut self.deferred) {
            let (at, word) = deferred.from;
            self.code[at + word] = (self.code.len() - at) as u64;
            self.code.extend_from_slice(&deferred.words);
            let jump = self.code.len();
            self.code.push(Op::Jump as u64);
            self.code
                .push((deferred.back as u64).wrapping_sub(jump as u64));
        }
    }

    // ---- registers ----------------------------------------------------------------------------

    /// Takes a free register: the hint if it is free, else one that the coming call does not want.
    pub(super) fn allocate(&mut self, hint: u16, owner: u32) -> Result<usize, TooComplex> {
        let avoid = self.avoid;
        let hint = usize::from(hint);
        let reg = if hint < REGISTERS && self.owner(hint) == FREE {
            hint
        } else {
            let free =
                |state: &State, reg: usize| state.owner.get(reg).is_none_or(|&owner| owner == FREE);
            match (avoid..REGISTERS)
                .chain(0..avoid)
                .find(|&reg| free(&self.state, reg))
            {
                Some(reg) => reg,
                None => return Err(TooComplex),
            }
        };
        self.own(reg, owner);
        Ok(reg)
    }

    pub(super) fn own(&mut self, reg: usize, owner: u32) {
        if self.state.owner.len() <= reg {
            self.state.owner.resize(reg + 1, FREE);
        }
        self.state.owner[reg] = owner;
    }

    pub(super) fn owner(&self, reg: usize) -> u32 {
        self.state.owner.get(reg).copied().unwrap_or(FREE)
    }

    pub(super) fn free(&mut self, reg: usize) {
        if let Some(owner) = self.state.owner.get_mut(reg) {
            *owner = FREE;
        }
    }

    /// Makes `reg` the place of `var`.
    pub(super) fn settle(&mut self, var: VarId, reg: usize) {
        let old = self.state.x_of[var as usize];
        if old != NONE && self.owner(usize::from(old)) == var {
            self.free(usize::from(old));
        }
        self.own(reg, var);
        self.state.x_of[var as usize] = reg as u16;
        self.state.seen[var as usize] = true;
    }

    /// Forgets the registers of variables that do not occur any more.
    pub(super) fn release_dead(&mut self) {
        let position = self.position;
        for reg in 0..self.state.owner.len() {
            let owner = self.state.owner[reg];
            if owner == RESERVED {
                self.state.owner[reg] = FREE;
            } else if owner != FREE && self.info.vars[owner as usize].last <= position {
                self.state.owner[reg] = FREE;
                self.state.x_of[owner as usize] = NONE;
            }
        }
        if self.force && self.state.env {
            self.store_permanent();
            self.drop_stored();
        }
    }

    /// Forgets the registers of variables that are in their slots.
    fn drop_stored(&mut self) {
        for reg in 0..self.state.owner.len() {
            let owner = self.state.owner[reg];
            if owner != FREE && owner != RESERVED && self.state.stored[owner as usize] {
                self.state.owner[reg] = FREE;
                self.state.x_of[owner as usize] = NONE;
            }
        }
    }

    /// Number of registers that must be kept to keep all that are in use.
    pub(super) fn live_registers(&self) -> usize {
        self.state
            .owner
            .iter()
            .rposition(|&owner| owner != FREE)
            .map_or(0, |reg| reg + 1)
    }

    /// After a call no register holds anything.
    pub(super) fn forget_registers(&mut self) {
        self.state.owner.iter_mut().for_each(|owner| *owner = FREE);
        self.state.x_of.iter_mut().for_each(|reg| *reg = NONE);
        self.state.barrier = false;
    }

    pub(super) fn x_of(&self, var: VarId) -> Option<usize> {
        let reg = self.state.x_of[var as usize];
        (reg != NONE).then_some(usize::from(reg))
    }

    pub(super) fn slot(&self, var: VarId) -> usize {
        usize::from(self.info.vars[var as usize].slot)
    }

    /// The register of a variable; loads it from its slot, or makes it a fresh variable.
    pub(super) fn register_of(&mut self, var: VarId) -> Result<usize, TooComplex> {
        if let Some(reg) = self.x_of(var) {
            return Ok(reg);
        }
        let hint = self.info.vars[var as usize].hint;
        let known = self.state.seen[var as usize];
        let reg = self.allocate(if known { NONE } else { hint }, var)?;
        if known {
            let slot = self.slot(var);
            self.emit(Op::LoadY, reg, slot, 0);
        } else {
            self.emit(Op::PutVariableX, reg, 0, 0);
        }
        self.settle(var, reg);
        Ok(reg)
    }

    /// The register of any term; compounds are built.
    pub(super) fn term_register(&mut self, term: TermId) -> Result<usize, TooComplex> {
        match self.clause.term(term) {
            Term::Var(var) => self.register_of(var),
            _ => {
                let reg = self.allocate(NONE, RESERVED)?;
                self.put_term(term, reg)?;
                Ok(reg)
            }
        }
    }

    // ---- environment --------------------------------------------------------------------------

    pub(super) fn ensure_env(&mut self) {
        if self.info.env && !self.state.env {
            let slots = usize::from(self.info.slots);
            self.emit(Op::Allocate, slots, 0, 0);
            self.state.env = true;
            if let Some(level) = self.info.clause_level {
                let slot = self.slot(level);
                self.emit(Op::GetLevel, slot, 0, 0);
                self.state.seen[level as usize] = true;
                self.state.stored[level as usize] = true;
            }
        }
    }

    /// The frame operand of instructions that protect the environment.
    pub(super) fn frame_operand(&self) -> usize {
        if self.state.env {
            usize::from(self.info.slots)
        } else {
            0xffff
        }
    }

    /// Puts every permanent variable that is needed later into its slot.
    pub(super) fn store_permanent(&mut self) {
        let position = self.position;
        for reg in 0..self.state.owner.len() {
            let owner = self.state.owner[reg];
            if owner == FREE || owner == RESERVED {
                continue;
            }
            let info = &self.info.vars[owner as usize];
            let var = owner as usize;
            if info.permanent && !self.state.stored[var] && info.last > position {
                let slot = usize::from(info.slot);
                self.emit(Op::StoreY, slot, reg, 0);
                self.state.stored[var] = true;
            }
        }
    }

    /// Size of the environment at a call, and which of its first slots hold something.
    ///
    /// Slots are in order of the last occurrence, so those needed later come first. One that gets
    /// its value only later counts too: choice points made by the call protect no more than this.
    fn site_word(&mut self) -> u64 {
        let position = self.position;
        let needed = |&var: &VarId| self.info.vars[var as usize].last > position;
        while self.live_slots > 0 && !needed(&self.info.by_slot[self.live_slots - 1]) {
            self.live_slots -= 1;
        }
        let slots = &self.info.by_slot[..self.live_slots];
        let bits = slots.iter().take(48).enumerate();
        let mask = bits.filter(|&(_, &var)| self.state.stored[var as usize]);
        let mask = mask.fold(0u64, |mask, (slot, _)| mask | 1 << slot);
        self.live_slots as u64 | mask << 16
    }

    // ---- goals --------------------------------------------------------------------------------

    /// Ends the clause here.
    pub(super) fn leave(&mut self) {
        let op = if self.state.env {
            Op::DeallocateProceed
        } else {
            Op::Proceed
        };
        self.emit(op, 0, 0, 0);
        self.state.dead = true;
    }

    pub(super) fn goal(&mut self, goal: &Goal, tail: bool) -> Result<(), TooComplex> {
        if self.state.dead {
            self.skip(goal);
            return Ok(());
        }
        self.position += 1;
        match goal {
            Goal::And(goals) => {
                for (index, goal) in goals.iter().enumerate() {
                    self.expect_call(&goals[index..]);
                    self.goal(goal, tail && index + 1 == goals.len())?;
                }
                if goals.is_empty() && tail {
                    self.leave();
                }
                return Ok(());
            }
            Goal::Call(predicate, args) => return self.call(*predicate, *args, tail),
            Goal::Body(predicate, terms) => return self.deep_body(*predicate, *terms, tail),
            Goal::Or(goals) => return self.disjunction(goal, goals, tail),
            Goal::IfThenElse(arms, other) => {
                return self.if_then_else(goal, (arms, other), tail);
            }
            Goal::Opaque(inner) => return self.opaque(inner, tail),
            Goal::Findall(template, inner, result) => {
                self.collect(Some(*template), inner, *result)?;
            }
            Goal::Count(inner, result) => self.collect(None, inner, *result)?,
            Goal::Fail => {
                self.emit(Op::Fail, 0, 0, 0);
                self.state.dead = true;
                return Ok(());
            }
            Goal::Cut => self.cut(),
            _ if is_test(goal) => self.simple_test(goal, &mut Fails::backtrack())?,
            _ => self.inline(goal)?,
        }
        self.release_dead();
        if tail {
            self.leave();
        }
        Ok(())
    }

    /// Remembers the arity of the call that comes next.
    fn expect_call(&mut self, goals: &[Goal]) {
        for goal in goals.iter().take(8) {
            if let Some(arity) = first_call_arity(goal) {
                self.avoid = arity;
                return;
            }
        }
    }

    fn call(&mut self, predicate: u32, args: Args, tail: bool) -> Result<(), TooComplex> {
        if !tail {
            self.ensure_env();
        }
        self.avoid = self.avoid.max(args.count as usize);
        self.place_args(args)?;
        if !tail {
            self.store_permanent();
        }
        self.finish_call(predicate, tail);
        Ok(())
    }

    fn finish_call(&mut self, predicate: u32, tail: bool) {
        if tail {
            let op = if self.state.env {
                Op::DeallocateExecute
            } else {
                Op::Execute
            };
            self.code.push(encode_wide(op, 0, predicate));
            self.state.dead = true;
        } else {
            self.code.push(encode_wide(Op::Call, 0, predicate));
            let site = self.site_word();
            self.word(site);
        }
        self.forget_registers();
    }

    /// A body that is run as a term: the choice point that its cuts go to is an argument.
    fn deep_body(
        &mut self,
        predicate: u32,
        [body, module]: [TermId; 2],
        tail: bool,
    ) -> Result<(), TooComplex> {
        self.ensure_env();
        self.avoid = self.avoid.max(3);
        let body = self.term_register(body)?;
        self.store_permanent();
        if body != 0 {
            self.emit(Op::Move, 0, body, 0);
        }
        self.own(0, RESERVED);
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
        self.emit(Op::LoadY, 2, slot, 0);
        self.finish_call(predicate, tail);
        Ok(())
    }

    fn cut(&mut self) {
        let (live, frame) = (self.live_registers(), self.frame_operand());
        let level = match self.barriers.last() {
            Some(Barrier::Nothing) => return,
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
                self.emit(Op::CutY, live, slot, frame);
            }
            None => {
                self.emit(Op::NeckCut, live, 0, frame);
            }
        }
        self.liveness();
    }

    /// A goal that is done in place and may bind or raise.
    fn inline(&mut self, goal: &Goal) -> Result<(), TooComplex> {
        match goal {
            Goal::Unify(a, b) => self.unify(*a, *b),
            Goal::Is(result, expression) => self.is(*result, *expression),
            Goal::Builtin(index, args) => {
                self.place_args(*args)?;
                let live = self.live_registers();
                self.code
                    .push(encode_wide(Op::Builtin, live as u16, *index));
                self.liveness();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A condition; control goes where `fails` says if it does not hold. Registers are only taken
    /// that are free before, so the state before is right wherever it fails.
    pub(super) fn condition(&mut self, goal: &Goal, fails: &mut Fails) -> Result<(), TooComplex> {
        self.position += 1;
        match goal {
            Goal::And(goals) => goals
                .iter()
                .try_for_each(|goal| self.condition(goal, fails)),
            Goal::Or(goals) => {
                self.take_join();
                let start = self.state.clone();
                let mut ends = Fails::label();
                for (index, goal) in goals.iter().enumerate() {
                    self.state = start.clone();
                    if index + 1 == goals.len() {
                        self.condition(goal, fails)?;
                    } else {
                        let mut next = Fails::label();
                        self.condition(goal, &mut next)?;
                        self.simple_test(&Goal::Fail, &mut ends)?;
                        self.patch_all(next);
                    }
                }
                self.patch_all(ends);
                self.state = start;
                self.position += 1;
                Ok(())
            }
            Goal::IfThenElse(arms, other) => {
                self.take_join();
                let start = self.state.clone();
                let mut ends = Fails::label();
                for arm in arms {
                    self.take_arm();
                    let mut next = Fails::label();
                    self.condition(&arm.condition, &mut next)?;
                    self.position += 1;
                    self.condition(&arm.then, fails)?;
                    if !matches!(arm.then, Goal::Fail) {
                        self.simple_test(&Goal::Fail, &mut ends)?;
                    }
                    self.patch_all(next);
                    self.state = start.clone();
                }
                self.condition(other, fails)?;
                self.patch_all(ends);
                self.state = start;
                self.position += 1;
                Ok(())
            }
            goal => {
                self.simple_test(goal, fails)?;
                self.release_dead();
                Ok(())
            }
        }
    }

    /// A test that is no conjunction.
    fn simple_test(&mut self, goal: &Goal, fails: &mut Fails) -> Result<(), TooComplex> {
        match goal {
            Goal::Fail => {
                let op = if fails.patches.is_some() {
                    Op::Jump
                } else {
                    Op::Fail
                };
                let at = self.emit(op, 0, 0, 0);
                if let Some(patches) = &mut fails.patches {
                    patches.push((at, 1));
                    self.word(0);
                }
            }
            Goal::Test(test, term) => self.type_test(*test, *term, fails)?,
            Goal::Compare(compare, a, b) => self.compare(*compare, *a, *b, fails)?,
            Goal::Identical(a, b, positive) => {
                let op = if *positive {
                    Op::Identical
                } else {
                    Op::NotIdentical
                };
                self.binary_test(op, *a, *b, 0, fails)?;
            }
            Goal::NotUnifiable(a, b) => self.binary_test(Op::NotUnifiable, *a, *b, 0, fails)?,
            Goal::Order(a, b, orders) => {
                self.binary_test(Op::TermOrder, *a, *b, usize::from(*orders), fails)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn binary_test(
        &mut self,
        op: Op,
        a: TermId,
        b: TermId,
        c: usize,
        fails: &mut Fails,
    ) -> Result<(), TooComplex> {
        let a = self.term_register(a)?;
        let b = self.term_register(b)?;
        self.test(op, a, b, c, fails);
        Ok(())
    }

    fn type_test(
        &mut self,
        test: TypeTest,
        term: TermId,
        fails: &mut Fails,
    ) -> Result<(), TooComplex> {
        let reg = self.term_register(term)?;
        let op = match test {
            TypeTest::Var => Op::TestVar,
            TypeTest::Nonvar => Op::TestNonvar,
            TypeTest::Atom => Op::TestAtom,
            TypeTest::Integer => Op::TestInteger,
            _ => Op::TestType,
        };
        self.test(op, reg, test as usize, 0, fails);
        Ok(())
    }

    fn compare(
        &mut self,
        compare: NumCompare,
        a: TermId,
        b: TermId,
        fails: &mut Fails,
    ) -> Result<(), TooComplex> {
        if let Some(small) = self.small_int(b) {
            let op = match compare {
                NumCompare::Less => Op::LessSmall,
                NumCompare::LessEqual => Op::LessEqualSmall,
                NumCompare::Greater => Op::GreaterSmall,
                NumCompare::GreaterEqual => Op::GreaterEqualSmall,
                NumCompare::Equal => Op::EqualSmall,
                NumCompare::NotEqual => Op::NotEqualSmall,
            };
            let a = self.expression(a, 0)?;
            self.test(op, a, usize::from(small as u16), 0, fails);
            return Ok(());
        }
        let a = self.expression(a, 0)?;
        let b = self.expression(b, 0)?;
        let (op, a, b) = match compare {
            NumCompare::Less => (Op::NumLess, a, b),
            NumCompare::LessEqual => (Op::NumLessEqual, a, b),
            NumCompare::Greater => (Op::NumLess, b, a),
            NumCompare::GreaterEqual => (Op::NumLessEqual, b, a),
            NumCompare::Equal => (Op::NumEqual, a, b),
            NumCompare::NotEqual => (Op::NumNotEqual, a, b),
        };
        self.test(op, a, b, 0, fails);
        Ok(())
    }
}
