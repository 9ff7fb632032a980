//! How deep goals call one another, while somebody wants that limited.
//!
//! What counts is the depth that a program's text has: a goal is one deeper than the clause it stands
//! in, its last goal too. So while depths are counted instructions are done one at a time, and each
//! call makes a frame that takes the count back when the goal has succeeded; there are no more of them
//! than the limit says. Backtracking takes the count back by itself, for it is trailed. Predicates of
//! the system whose names begin with `$` are not counted, nor is what clauses do without a call:
//! unification, tests of types, arithmetic.
#![forbid(unsafe_code)]

use crate::base::growth::{Grow, GrowAt, room_for_one};
use crate::base::stop::Stop;

/// A limit on the depth of a goal.
#[derive(Debug)]
pub(in crate::machine) struct Depth {
    /// What names it.
    number: i64,
    /// Its goal may go so deep.
    limit: i64,
    /// The depth at which its goal was called.
    base: i64,
    /// The limit in numbers of the machine: those of limits around it heeded.
    highest: i64,
    /// The deepest call so far, refused ones included.
    reached: i64,
}

/// All limits of a machine.
#[derive(Debug, Default)]
pub(crate) struct Depths {
    /// Outer ones first, so by their numbers.
    open: Vec<Depth>,
    /// The places of those whose goals run. Goals within each other begin and end in this order.
    running: Vec<usize>,
    last: i64,
}

impl Depths {
    /// Are depths being counted?
    #[inline]
    pub(crate) fn is_counting(&self) -> bool {
        !self.running.is_empty()
    }

    /// The depth that no call may exceed, if depths are counted.
    pub(crate) fn deepest_call(&mut self) -> Option<i64> {
        self.innermost().map(|depth| depth.highest)
    }

    /// Makes a limit; the number names it.
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

    /// The goal of a limit runs from now on, called at the depth `base`.
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

    /// The goal of a limit does not run for the time being: how deep has it gone? And is that too deep?
    pub(crate) fn stop(&mut self, number: i64) -> (i64, bool) {
        let Some(place) = self.place(number) else {
            return (0, false);
        };
        let depth = &self.open[place];
        let reached = depth.reached;
        let told = (reached - depth.base, reached > depth.highest);
        if let Ok(at) = self.running.binary_search(&place) {
            self.running.remove(at);
            if let Some(outer) = self.innermost() {
                outer.reached = outer.reached.max(reached);
            }
        }
        told
    }

    /// A limit is not needed any more, nor are those within it.
    pub(crate) fn close(&mut self, number: i64) {
        self.stop(number);
        let outer = self.open.partition_point(|depth| depth.number < number);
        self.open.truncate(outer);
        while self.running.last().is_some_and(|&place| place >= outer) {
            self.running.pop();
        }
    }

    /// Forgets all: no goal runs.
    pub(in crate::machine) fn clear(&mut self) {
        self.open.clear();
        self.running.clear();
    }

    fn innermost(&mut self) -> Option<&mut Depth> {
        self.running
            .last()
            .and_then(|&place| self.open.get_mut(place))
    }

    /// Where the limit of this number is.
    fn place(&self, number: i64) -> Option<usize> {
        self.open
            .binary_search_by_key(&number, |depth| depth.number)
            .ok()
    }

    /// A goal one deeper than `present` is called: may it be?
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
