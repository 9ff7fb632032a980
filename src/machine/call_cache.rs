//! Which predicate a goal of call/N means, remembered by its functor, its module and the number of
//! arguments that are added.

use super::frame::one_by_one;
use super::ops_control::enter;
use super::ops_meta;
use super::regs::Regs;
use super::slow_forms::{rare, rarely};
use super::state::Machine;
use crate::base::symbol::{Atom, atoms, functors};
use crate::code::instruction::slot_a;
use crate::program::predicate::PredId;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
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
    pub(super) passing: Option<(PredId, u64)>,
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
        let key = goal.0 ^ u64::from(module.0).rotate_left(40) ^ extra as u64;
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % SLOTS
    }

    #[inline(always)]
    fn find(&self, goal: Cell, module: Atom, extra: usize) -> Option<PredId> {
        let known = &self.slots[CallCache::slot(goal, module, extra)];
        let same = known.goal == goal && known.module == module && known.extra == extra as u32;
        same.then_some(known.predicate)
    }

    /// Remembers what an atom, or a functor, means with so many arguments more. Goals of Lolli are not
    /// to be remembered.
    pub(super) fn note(&mut self, goal: Cell, module: Atom, extra: usize, predicate: PredId) {
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
pub(super) fn key_of(goal: Cell) -> Cell {
    if goal.tag() == tag::STR {
        raw::cell(goal.addr())
    } else {
        goal
    }
}

/// `meta_call n`: X0 is the goal, n - 1 further arguments follow.
#[inline(always)]
pub(crate) fn meta_call(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let extra = slot_a(w) - 1;
    let (mut goal, mut module) = (deref(raw::register(&m.x, 0)), atoms::USER);
    if goal.tag() == tag::STR && raw::cell(goal.addr()) == Cell::functor(functors::COLON) {
        let name = deref(raw::cell(goal.addr() + WORD));
        if !name.is_atom() {
            return rare(m, r, rarely!(ops_meta::meta_call));
        }
        module = name.as_atom();
        goal = deref(raw::cell(goal.addr() + 2 * WORD));
    }
    let key = key_of(goal);
    let Some(predicate) = m.world.call_cache.find(key, module, extra) else {
        return rare(m, r, rarely!(ops_meta::meta_call));
    };
    let arity = if goal.tag() == tag::STR {
        key.as_functor().arity()
    } else {
        0
    };
    if arity == 0 {
        for index in 0..extra {
            let cell = raw::register(&m.x, index + 1);
            raw::set_register(&mut m.x, index, one_by_one(cell));
        }
    } else {
        for index in (0..extra).rev() {
            let cell = raw::register(&m.x, index + 1);
            raw::set_register(&mut m.x, index + arity, one_by_one(cell));
        }
        for index in 0..arity {
            let cell = raw::cell(goal.addr() + (index as u64 + 1) * WORD);
            raw::set_register(&mut m.x, index, one_by_one(cell));
        }
    }
    enter(m, r, predicate.0)
}
