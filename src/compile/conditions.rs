//! Tests and conditions: conditional jumps without choice points.

use super::generate::{Fails, Generator, Uncompiled};
use crate::base::growth::Grow;
use crate::code::instruction::{OPERAND, Op, ROWS, decode};
use crate::ir::clause::{Goal, NumCompare, TermId, TypeTest};

impl Generator<'_> {
    /// Compiles a condition. If it does not hold, control goes where `fails` says. The code uses only registers that
    /// were free before, so the earlier state is valid wherever the condition fails.
    pub(super) fn condition(&mut self, goal: &Goal, fails: &mut Fails) -> Result<(), Uncompiled> {
        self.position += 1;
        self.note_site(goal)?;
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
                self.release_dead()?;
                Ok(())
            }
        }
    }

    /// Compiles a test that is no conjunction.
    pub(super) fn simple_test(&mut self, goal: &Goal, fails: &mut Fails) -> Result<(), Uncompiled> {
        match goal {
            Goal::Fail => {
                let op = if fails.patches.is_some() {
                    Op::Jump
                } else {
                    Op::Fail
                };
                if op == Op::Fail {
                    self.note_goal_start()?;
                }
                let at = self.emit_begun(op, 0, 0, 0)?;
                if let Some(patches) = &mut fails.patches {
                    patches.put((at, 1))?;
                    self.word(0)?;
                }
            }
            Goal::Test(test, term, _) => self.type_test(*test, *term, fails)?,
            Goal::Compare(compare, a, b, _) => self.compare(*compare, (*a, *b), 0, fails)?,
            Goal::LolliCompare(compare, a, b, _) => {
                self.lolli_compare(*compare, (*a, *b), fails)?
            }
            Goal::Identical(a, b, positive, _) => {
                let op = if *positive {
                    Op::Identical
                } else {
                    Op::NotIdentical
                };
                self.binary_test(op, *a, *b, 0, fails)?;
            }
            Goal::NotUnifiable(a, b, _) => {
                // The test may have to run hooks, even if none are due before it.
                self.state.quiet = false;
                self.binary_test(Op::NotUnifiable, *a, *b, 0, fails)?;
            }
            Goal::Order(a, b, orders, _) => {
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
    ) -> Result<(), Uncompiled> {
        let a = self.term_register(a)?;
        let b = self.term_register(b)?;
        self.test(op, a, b, c, fails)?;
        Ok(())
    }

    fn type_test(
        &mut self,
        test: TypeTest,
        term: TermId,
        fails: &mut Fails,
    ) -> Result<(), Uncompiled> {
        let reg = self.term_register(term)?;
        let op = match test {
            TypeTest::Var => Op::TestVar,
            TypeTest::Nonvar => Op::TestNonvar,
            TypeTest::Atom => Op::TestAtom,
            TypeTest::Integer => Op::TestInteger,
            _ => Op::TestType,
        };
        self.test(op, reg, test as usize, 0, fails)?;
        Ok(())
    }

    /// Compares the values of two expressions; with `of_lolli`, compares terms as Lolli evaluates them.
    pub(super) fn compare(
        &mut self,
        compare: NumCompare,
        (a, b): (TermId, TermId),
        of_lolli: usize,
        fails: &mut Fails,
    ) -> Result<(), Uncompiled> {
        let from = self.code.len();
        let operand = |generator: &mut Self, term| match of_lolli {
            0 => generator.operand(term),
            _ => generator.term_register(term),
        };
        if let Some(small) = self.small_int(b) {
            let op = match compare {
                NumCompare::Less => Op::LessSmall,
                NumCompare::LessEqual => Op::LessEqualSmall,
                NumCompare::Greater => Op::GreaterSmall,
                NumCompare::GreaterEqual => Op::GreaterEqualSmall,
                NumCompare::Equal => Op::EqualSmall,
                NumCompare::NotEqual => Op::NotEqualSmall,
            };
            let a = operand(self, a)?;
            if of_lolli == 0 {
                self.mark_operands(from);
            }
            self.test(op, a, usize::from(small as u16), of_lolli, fails)?;
            return Ok(());
        }
        let a = operand(self, a)?;
        let b = operand(self, b)?;
        if of_lolli == 0 {
            self.mark_operands(from);
        }
        let (op, a, b, turned) = match compare {
            NumCompare::Less => (Op::NumLess, a, b, false),
            NumCompare::LessEqual => (Op::NumLessEqual, a, b, false),
            NumCompare::Greater => (Op::NumLess, b, a, true),
            NumCompare::GreaterEqual => (Op::NumLessEqual, b, a, true),
            NumCompare::Equal => (Op::NumEqual, a, b, false),
            NumCompare::NotEqual => (Op::NumNotEqual, a, b, false),
        };
        self.test(op, a, b, usize::from(turned) | of_lolli, fails)?;
        Ok(())
    }

    /// Marks the instructions that evaluate the operands of a comparison or do a constraint. Their last instruction
    /// comes next.
    pub(super) fn mark_operands(&mut self, from: usize) {
        let mut at = from;
        while let Some(op) = self.code.get(at).and_then(|&word| decode(word)) {
            self.code[at] |= OPERAND;
            at += ROWS[op as usize].words;
        }
    }
}
