//! The depth of calls, for programs that want to limit it.
//!
//! The depth follows the text of the program. A goal is one deeper than the clause that contains it, even if it is
//! the last goal. So while depths are counted instructions run one at a time. Each call makes a frame that restores
//! the count when the goal has succeeded; the limit bounds the number of these frames. The count is trailed, so
//! backtracking restores it too. Predicates of the system whose names begin with `$` are not counted. Work that a
//! clause does without a call is not counted either: unification, type tests, arithmetic.
#![forbid(unsafe_code)]

use crate::base::growth::{Grow, GrowAt, room_for_one};
use crate::base::stop::Stop;

/// A limit on the depth of a goal.
#[derive(Debug)]
pub(in crate::machine) struct Depth {
    /// The number that identifies the limit.
    number: i64,
    /// The maximum depth of its goal, relative to the depth of the call.
    limit: i64,
    /// The depth at which the goal was called.
    base: i64,
    /// The greatest depth that it allows, in absolute numbers, within the enclosing limits.
    highest: i64,
    /// The deepest call so far, refused calls included.
    reached: i64,
}

/// All limits of a machine.
#[derive(Debug, Default)]
pub(crate) struct Depths {
    /// The limits, outermost first, so in the order of their numbers.
    open: Vec<Depth>,
    /// The places of the limits whose goals run. Nested goals begin and end in this order.
    running: Vec<usize>,
    last: i64,
}

impl Depths {
    /// Returns whether depths are counted.
    #[inline]
    pub(crate) fn is_counting(&self) -> bool {
        !self.running.is_empty()
    }

    /// Returns the depth that no call may exceed, if depths are counted.
    pub(crate) fn deepest_call(&mut self) -> Option<i64> {
        self.innermost().map(|depth| depth.highest)
    }

    /// Makes a limit. Returns the number that identifies it.
    pub(crate) fn open(&mut self, limit: i64) -> Result<i64, Stop> {
        self.last += 1;
        let number = self.last;
        self.open.put(Depth {
            number,
            limit,
            base: 0,
            highest: 0,
            reached: 0,
        })?;
        Ok(number)
    }

    /// Starts the goal of a limit, called at the depth `base`.
    pub(in crate::machine) fn start(&mut self, number: i64, base: i64) -> Result<(), Stop> {
        let outer = self.deepest_call();
        let Some(place) = self.place(number) else {
            return Ok(());
        };
        let Err(at) = self.running.binary_search(&place) else {
            return Ok(());
        };
        room_for_one(&mut self.running)?;
        self.running.put_at(at, place)?;
        let depth = &mut self.open[place];
        depth.base = base;
        depth.highest = base
            .saturating_add(depth.limit)
            .min(outer.unwrap_or(i64::MAX));
        depth.reached = depth.reached.max(base);
        Ok(())
    }

    /// Suspends the goal of a limit. Returns how deep it has gone, and whether that was too deep.
    pub(crate) fn stop(&mut self, number: i64) -> (i64, bool) {
        let Some(place) = self.place(number) else {
            return (0, false);
        };
        let depth = &self.open[place];
        let reached = depth.reached;
        let outcome = (reached - depth.base, reached > depth.highest);
        if let Ok(at) = self.running.binary_search(&place) {
            self.running.remove(at);
            if let Some(outer) = self.innermost() {
                outer.reached = outer.reached.max(reached);
            }
        }
        outcome
    }

    /// Removes a limit and the limits within it.
    pub(crate) fn close(&mut self, number: i64) {
        self.stop(number);
        let outer = self.open.partition_point(|depth| depth.number < number);
        self.open.truncate(outer);
        while self.running.last().is_some_and(|&place| place >= outer) {
            self.running.pop();
        }
    }

    /// Removes all limits, when no goal runs.
    pub(in crate::machine) fn clear(&mut self) {
        self.open.clear();
        self.running.clear();
    }

    fn innermost(&mut self) -> Option<&mut Depth> {
        self.running
            .last()
            .and_then(|&place| self.open.get_mut(place))
    }

    /// Returns the place of the limit with this number.
    fn place(&self, number: i64) -> Option<usize> {
        self.open
            .binary_search_by_key(&number, |depth| depth.number)
            .ok()
    }

    /// Returns whether a goal one deeper than `present` may be called. Records its depth.
    pub(in crate::machine) fn admits(&mut self, present: i64) -> bool {
        match self.innermost() {
            Some(depth) => {
                depth.reached = depth.reached.max(present + 1);
                present < depth.highest
            }
            None => true,
        }
    }
}
