//! A cache that maps goals of call/N to their predicates. The key is the functor, the module and the number of added
//! arguments.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, atoms};
use crate::program::predicate::PredId;
use crate::store::cell::{Cell, tag};
use crate::store::raw;

/// Number of goals in the cache.
const SLOTS: usize = 256;

/// A goal and its predicate.
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
    /// The predicate that was last created for a single call, and the counter of calls at that time.
    pub(in crate::machine) passing: Option<(PredId, u64)>,
    slots: Box<[Known; SLOTS]>,
}

impl CallCache {
    /// Returns an empty cache.
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

    /// Forgets all goals, because their functors may be freed.
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

    /// Stores the predicate for an atom or a functor with `extra` added arguments. Do not store goals of Lolli.
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

/// Returns the atom or functor that determines the predicate of a goal. For terms that are no goals, returns a cell
/// that is never stored.
#[inline(always)]
pub(in crate::machine) fn key_of(goal: Cell) -> Cell {
    if goal.tag() == tag::STR {
        raw::cell(goal.addr())
    } else {
        goal
    }
}
