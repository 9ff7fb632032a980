//! Counts solutions without finding each.
#![forbid(unsafe_code)]

use super::bags::Bag;
use crate::arith::mixed;
use crate::base::number::Number;
use crate::code::instruction::{Op, decode};
use crate::machine::state::Machine;
use crate::store::raw;

impl Machine {
    /// Returns whether the next instruction counts a solution that nobody observes.
    #[inline(always)]
    pub(in crate::machine) fn counts_next(&self) -> bool {
        decode(raw::word(self.cont)) == Some(Op::CollectCount)
            && !self.store.wake_pending
            && !self.is_observed()
    }

    /// Returns whether the newest collection counts solutions.
    pub(in crate::machine) fn is_counting(&self) -> bool {
        matches!(self.run.bags.last(), Some(Bag::Count(..)))
    }

    /// Returns whether a recorder or an observer watches goals.
    pub(in crate::machine) fn is_observed(&self) -> bool {
        self.run.observers.recorder.is_some() || self.run.observers.observing.has_any()
    }

    /// Counts the remaining solutions, if their number is known.
    #[inline(never)]
    pub(in crate::machine) fn count_at_once(
        &mut self,
        solutions: impl FnOnce(&mut Machine) -> Option<Number>,
    ) -> bool {
        let Some(number) = solutions(self) else {
            return false;
        };
        let Some(Bag::Count(count, others, _)) = self.run.bags.last_mut() else {
            return false;
        };
        if let Number::Int(number) = number
            && let Some(sum) = count.checked_add_signed(number)
        {
            *count = sum;
            return true;
        }
        match mixed::add(others, &number) {
            Ok(sum) => *others = sum,
            Err(_) => return false,
        }
        true
    }
}
