//! Instructions while depths are limited: what is done before each of them, and the frames that take the
//! count back.

use super::called_goal;
use super::contexts::word;
use super::control::{self, fail, out_of_memory};
use super::layout::env;
use super::ops_control;
use super::ops_guard::{guard_frame, return_from_guard};
use super::ops_meta;
use super::ops_record;
use super::regs::Regs;
use super::slow_forms::do_rare;
use super::state::Machine;
use super::stubs;
use super::suspend::Held;
use super::wakeups::wake;
use crate::code::instruction::{Op, decode, wide};
use crate::program::predicate::PredId;
use crate::store::cell::Cell;
use crate::store::raw;

impl Machine {
    /// The goal of a limit runs from now on.
    fn start_depth(&mut self, number: i64) {
        if !self.run.budgets.depths.is_counting() {
            self.set_context(word::DEPTH, Cell::int(0));
        }
        let base = self.present_depth();
        self.run.budgets.depths.start(number, base);
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
    let number = control::x(m, 0).int_value();
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
        Op::BodyCall if !called_goal::calls_predicate(m) => return None,
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
