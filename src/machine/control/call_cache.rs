//! Which predicate a goal of call/N means, remembered by its functor, its module and the number of
//! arguments that are added.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, atoms};
use crate::program::predicate::PredId;
use crate::store::cell::{Cell, tag};
use crate::store::raw;

/// Number of goals that are remembered.
const SLOTS: usize = 256;

/// A goal and what it means.
#[derive(Copy, Clone, Debug)]
struct Known {
    /// The atom, or the functor, as a cell.
    goal: Cell,
    module: Atom,
    extra: u32,
    predicate: PredId,
}

/// The goals that were called last.
#[derive(Debug)]
pub(crate) struct CallCache {
    /// The predicate that was last made known for a call, and the number of calls before that.
    pub(in crate::machine) passing: Option<(PredId, u64)>,
    slots: Box<[Known; SLOTS]>,
}

impl CallCache {
    /// Knows nothing.
    pub(crate) fn new() -> CallCache {
        let nothing = Known {
            goal: Cell::int(0),
            module: atoms::USER,
            extra: 0,
            predicate: PredId(0),
        };
        CallCache {
            passing: None,
            slots: Box::new([nothing; SLOTS]),
        }
    }

    /// Forgets all goals: their functors may be given back.
    pub(crate) fn clear(&mut self) {
        *self = CallCache::new();
    }

    #[inline(always)]
    fn slot(goal: Cell, module: Atom, extra: usize) -> usize {
        let key = goal.word() ^ u64::from(module.0).rotate_left(40) ^ extra as u64;
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % SLOTS
    }

    #[inline(always)]
    pub(in crate::machine) fn find(
        &self,
        goal: Cell,
        module: Atom,
        extra: usize,
    ) -> Option<PredId> {
        let known = &self.slots[CallCache::slot(goal, module, extra)];
        let same = known.goal == goal && known.module == module && known.extra == extra as u32;
        same.then_some(known.predicate)
    }

    /// Remembers what an atom, or a functor, means with so many arguments more. Goals of Lolli are not
    /// to be remembered.
    pub(in crate::machine) fn note(
        &mut self,
        goal: Cell,
        module: Atom,
        extra: usize,
        predicate: PredId,
    ) {
        self.slots[CallCache::slot(goal, module, extra)] = Known {
            goal,
            module,
            extra: extra as u32,
            predicate,
        };
    }
}

/// The atom or functor that tells which predicate a goal means; for what is no goal, a cell that is
/// never noted.
#[inline(always)]
pub(in crate::machine) fn key_of(goal: Cell) -> Cell {
    if goal.tag() == tag::STR {
        raw::cell(goal.addr())
    } else {
        goal
    }
}
