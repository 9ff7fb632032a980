//! How deep goals call one another, while somebody wants that limited.
//!
//! What counts is the depth that a program's text has: a goal is one deeper than the clause it stands
//! in, its last goal too. So while depths are counted instructions are done one at a time, and each
//! call makes a frame that takes the count back when the goal has succeeded; there are no more of them
//! than the limit says. Backtracking takes the count back by itself, for it is trailed. Predicates of
//! the system whose names begin with `$` are not counted, nor is what clauses do without a call:
//! unification, tests of types, arithmetic.

use super::contexts::word;
use super::frame::env;
use super::ops_control::{self, Held, fail, out_of_memory};
use super::ops_guard::{guard_frame, return_from_guard};
use super::ops_meta;
use super::ops_record;
use super::regs::Regs;
use super::slow_forms::do_rare;
use super::state::Machine;
use super::stubs;
use super::wakeups::wake;
use crate::base::grow::{Grow, room_for_one};
use crate::code::instruction::{Op, decode, wide};
use crate::program::predicate::PredId;
use crate::store::cell::Cell;
use crate::store::raw;

/// A limit on the depth of a goal.
#[derive(Debug)]
struct Depth {
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
    pub(super) fn is_counting(&self) -> bool {
        !self.running.is_empty()
    }

    /// Forgets all: no goal runs.
    pub(super) fn clear(&mut self) {
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
    fn admits(&mut self, present: i64) -> bool {
        match self.innermost() {
            Some(depth) => {
                depth.reached = depth.reached.max(present + 1);
                present < depth.highest
            }
            None => true,
        }
    }
}

impl Machine {
    /// Is some goal that runs under a limit of depth?
    pub(crate) fn counts_depths(&self) -> bool {
        self.run.budgets.depths.is_counting()
    }

    /// The depth that no call may exceed, if some goal that runs is under a limit of depth.
    pub(crate) fn deepest_call(&mut self) -> Option<i64> {
        self.run
            .budgets
            .depths
            .innermost()
            .map(|depth| depth.highest)
    }

    /// Makes a limit; the number names it.
    pub(crate) fn open_depth(&mut self, limit: i64) -> i64 {
        self.run.budgets.depths.last += 1;
        let number = self.run.budgets.depths.last;
        self.run.budgets.depths.open.put(Depth {
            number,
            limit,
            base: 0,
            highest: 0,
            reached: 0,
        });
        number
    }

    /// The goal of a limit runs from now on.
    fn start_depth(&mut self, number: i64) {
        let outer = self
            .run
            .budgets
            .depths
            .innermost()
            .map(|outer| outer.highest);
        if outer.is_none() {
            self.set_context(word::DEPTH, Cell::int(0));
        }
        let base = self.present_depth();
        let depths = &mut self.run.budgets.depths;
        let Some(place) = depths.place(number) else {
            return;
        };
        let Err(at) = depths.running.binary_search(&place) else {
            return;
        };
        room_for_one(&mut depths.running);
        depths.running.insert(at, place);
        let depth = &mut depths.open[place];
        depth.base = base;
        depth.highest = base
            .saturating_add(depth.limit)
            .min(outer.unwrap_or(i64::MAX));
        depth.reached = depth.reached.max(base);
    }

    /// The goal of a limit does not run for the time being: how deep has it gone? And is that too deep?
    pub(crate) fn stop_depth(&mut self, number: i64) -> (i64, bool) {
        let depths = &mut self.run.budgets.depths;
        let Some(place) = depths.place(number) else {
            return (0, false);
        };
        let depth = &depths.open[place];
        let reached = depth.reached;
        let told = (reached - depth.base, reached > depth.highest);
        if let Ok(at) = depths.running.binary_search(&place) {
            depths.running.remove(at);
            if let Some(outer) = depths.innermost() {
                outer.reached = outer.reached.max(reached);
            }
        }
        told
    }

    /// A limit is not needed any more, nor are those within it.
    pub(crate) fn close_depth(&mut self, number: i64) {
        self.stop_depth(number);
        let depths = &mut self.run.budgets.depths;
        let outer = depths.open.partition_point(|depth| depth.number < number);
        depths.open.truncate(outer);
        while depths.running.last().is_some_and(|&place| place >= outer) {
            depths.running.pop();
        }
    }

    fn present_depth(&self) -> i64 {
        self.run.contexts.int(word::DEPTH)
    }

    /// Is it a predicate of the system that programs do not call by name?
    fn is_own(&self, predicate: PredId) -> bool {
        let predicate = self.world.predicates.get(predicate);
        let name = self.world.symbols.name(predicate.functor);
        predicate.traits.system && self.world.symbols.text(name).starts_with('$')
    }
}

/// `depth_begin`: the goal of the limit X0 runs from now on.
#[inline(always)]
pub(crate) fn begin(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let number = ops_meta::x(m, 0).int_value();
    m.start_depth(number);
    r.p = m.cont;
    r
}

/// Before an instruction while depths are counted: the registers after it if it is done here.
pub(super) fn before(m: &mut Machine, r: Regs, w: u64) -> Option<Regs> {
    if m.is_recording()
        && let Some(after) = ops_record::before(m, r, w)
    {
        return Some(after);
    }
    if m.store.wake_pending {
        return None;
    }
    let done: fn(&mut Machine, Regs, u64) -> Regs = match decode(w)? {
        Op::Call => ops_control::call,
        Op::Execute => ops_control::execute,
        Op::DeallocateExecute => ops_control::deallocate_execute,
        Op::MetaCall => ops_meta::meta_call,
        Op::BodyCall => ops_meta::body_call,
        Op::Builtin => {
            let own = m.world.program.builtins[wide(w) as usize]
                .name
                .starts_with('$');
            let present = m.present_depth();
            return (!own && !m.run.budgets.depths.admits(present)).then(|| failed(m, r));
        }
        _ => return None,
    };
    let op = decode(w)?;
    match op {
        Op::Call | Op::Execute | Op::DeallocateExecute => {
            let predicate = PredId(wide(w));
            // The instruction that call/N consists of is counted itself.
            let entry = raw::word(m.world.predicates.entry(predicate));
            if m.is_own(predicate) || decode(entry) == Some(Op::MetaCall) {
                return None;
            }
        }
        Op::BodyCall if !ops_meta::calls_predicate(m) => return None,
        _ => {}
    }
    let present = m.present_depth();
    if !m.run.budgets.depths.admits(present) {
        return Some(failed(m, r));
    }
    let mut r = done(m, r, w);
    if r.p == stubs::rare() {
        r = do_rare(m, r);
    }
    let mut refused = r;
    fail(m, &mut refused);
    if r.p == refused.p || r.p == stubs::raise() || r.p == m.cont {
        return Some(r);
    }
    if !deepen(m, &mut r, present) {
        return Some(out_of_memory(m, r));
    }
    Some(r)
}

/// May this predicate be called, and from which depth? Nothing if depths do not count for it.
pub(super) fn admitted(m: &mut Machine, predicate: PredId) -> Result<Option<i64>, ()> {
    if !m.run.budgets.depths.is_counting() || m.is_own(predicate) {
        return Ok(None);
    }
    let present = m.present_depth();
    match m.run.budgets.depths.admits(present) {
        true => Ok(Some(present)),
        false => Err(()),
    }
}

/// The goal that is about to be entered is one deeper than this; false if there is no room.
pub(super) fn deepen(m: &mut Machine, r: &mut Regs, present: i64) -> bool {
    let end = stubs::depth_return();
    if !guard_frame(m, r, end) {
        return false;
    }
    raw::set_cell(r.e + env::Y0, Cell::int(present));
    m.env = r.e;
    m.set_context(word::DEPTH, Cell::int(present + 1));
    true
}

fn failed(m: &mut Machine, mut r: Regs) -> Regs {
    fail(m, &mut r);
    r
}

/// `depth_return`
#[inline(always)]
pub(crate) fn goal_return(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if m.store.wake_pending {
        let p = r.p;
        return wake(m, r, p, Held::guard(true));
    }
    let outer = raw::cell(r.e + env::Y0);
    m.set_context(word::DEPTH, outer);
    return_from_guard(m, &mut r);
    r
}
