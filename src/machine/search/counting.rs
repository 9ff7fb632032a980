//! Counting solutions without finding them.
#![forbid(unsafe_code)]

use super::bags::Bag;
use crate::arith::mixed;
use crate::base::number::Number;
use crate::code::instruction::{Op, decode};
use crate::machine::state::Machine;
use crate::store::raw;

impl Machine {
    /// Does the next instruction count a solution that nobody observes?
    #[inline(always)]
    pub(in crate::machine) fn counts_next(&self) -> bool {
        decode(raw::word(self.cont)) == Some(Op::CollectCount)
            && !self.store.wake_pending
            && self.run.observers.recorder.is_none()
    }

    /// Counts the solutions that are left, if their number is known.
    #[inline(never)]
    pub(in crate::machine) fn count_at_once(
        &mut self,
        solutions: fn(&mut Machine) -> Option<Number>,
    ) -> bool {
        let Some(number) = solutions(self) else {
            return false;
        };
        let Some(Bag::Count(_, others)) = self.run.bags.last_mut() else {
            return false;
        };
        match mixed::add(others, &number) {
            Ok(sum) => *others = sum,
            Err(_) => return false,
        }
        true
    }
}
