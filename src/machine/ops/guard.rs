//! Instructions of guards: catch/3 and cleanup goals.
#![forbid(unsafe_code)]

use super::meta::meta_call;
use crate::base::atom_table::atoms;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::machine::control::wakeups::wake;
use crate::machine::dispatch::endings::{call_system, out_of_memory, sync};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::layout::{ChoiceKind, NO_FRAME, env};
use crate::machine::frames::shield::Shield;
use crate::machine::frames::stubs;
use crate::machine::frames::suspend::{Held, suspend};
use crate::machine::state::Machine;
use crate::store::address::{ChoiceAddr, CodeAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::raw;

/// Makes a frame of a few slots, whose continuation is `after`. Returns false if there is no room.
pub(in crate::machine) fn guard_frame(m: &mut Machine, r: &mut Regs, after: CodeAddr) -> bool {
    let e = m.env_top(r.e, NO_FRAME);
    if m.env_full(e) {
        return false;
    }
    e.set(env::CE, r.e);
    e.set(env::CP, m.cont);
    r.e = e;
    m.cont = after;
    true
}

/// Returns the number of collections and of shields in one integer, for choice points that an exception may unwind to.
pub(in crate::machine) fn depths(m: &Machine) -> Cell {
    Cell::int((m.run.bags.len() as i64) << 24 | m.run.shields.len() as i64)
}

/// `catch_begin`
#[inline(always)]
pub(crate) fn catch_begin(m: &mut Machine, r: Regs, _: u64) -> Regs {
    match catch_frame(m, r) {
        Ok(r) => meta_call(m, r, 1 << 16),
        Err(full) => full,
    }
}

/// Makes the choice point and the frame of catch/3. Its goal is in X0.
pub(in crate::machine) fn catch_frame(m: &mut Machine, mut r: Regs) -> Result<Regs, Regs> {
    m.x[3] = depths(m);
    let fails = stubs::catch_fail();
    if !m.push_choice(&r, 4, NO_FRAME, fails, ChoiceKind::Catch) {
        return Err(out_of_memory(m, r));
    }
    let end = stubs::catch_end();
    if !guard_frame(m, &mut r, end) {
        return Err(out_of_memory(m, r));
    }
    raw::set_cell(r.e.slot(0), m.choice_cell(m.choice));
    Ok(r)
}

/// Drops the frame of a guard and returns to its continuation.
pub(in crate::machine) fn return_from_guard(m: &mut Machine, r: &mut Regs) {
    m.cont = r.e.get(env::CP);
    r.e = r.e.get(env::CE);
    r.go(m.cont);
}

/// `catch_end`
#[inline(always)]
pub(crate) fn catch_end(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    if m.store.wake_pending {
        let p = r.p();
        return Ok(wake(m, r, p, Held::guard(true)));
    }
    let _ = w;
    let b = m.cell_choice(raw::cell(r.e.slot(0)));
    if b == m.choice {
        m.leave_choice();
    } else {
        let meta = ChoiceKind::CatchExited.meta(m.choice_args(b));
        // META is before the registers.
        m.store.assign(b.argument(0) - WORD, Cell::of_word(meta))?;
    }
    return_from_guard(m, &mut r);
    Ok(r)
}

/// `cleanup_begin`: X0 is the goal, X1 its cleanup goal.
#[inline(always)]
pub(crate) fn cleanup_begin(m: &mut Machine, r: Regs, _: u64) -> Regs {
    match cleanup_frame(m, r) {
        Ok(r) => meta_call(m, r, 1 << 16),
        Err(full) => full,
    }
}

/// Makes the choice point and the frame of a goal with a cleanup; these are in X0 and X1. The goal stays in X0.
pub(in crate::machine) fn cleanup_frame(m: &mut Machine, mut r: Regs) -> Result<Regs, Regs> {
    let goal = m.x[0];
    m.x[0] = m.x[1];
    m.x[1] = depths(m);
    m.x[2] = m.cleanup_cell();
    let fails = stubs::cleanup_fail();
    if !m.push_choice(&r, 3, NO_FRAME, fails, ChoiceKind::Cleanup) {
        return Err(out_of_memory(m, r));
    }
    m.end_setup();
    m.cleanup_choice = m.choice;
    let end = stubs::cleanup_end();
    if !guard_frame(m, &mut r, end) {
        return Err(out_of_memory(m, r));
    }
    raw::set_cell(r.e.slot(0), m.choice_cell(m.choice));
    m.x[0] = goal;
    Ok(r)
}

impl Machine {
    /// Returns the newest choice point that needs work before it goes, for the last register of the next such choice point.
    pub(in crate::machine) fn cleanup_cell(&self) -> Cell {
        if self.cleanup_choice == ChoiceAddr::NONE {
            Cell::ABSENT
        } else {
            self.choice_cell(self.cleanup_choice)
        }
    }

    /// Takes the choice points above `barrier` that need work before they go, newest first. Releases the resources of
    /// builtins and returns the cleanup goals. Resources are released even if there is no room for all goals.
    pub(crate) fn take_cleanups(&mut self, barrier: ChoiceAddr) -> Result<Vec<Cell>, Stop> {
        let mut goals = Ok(Vec::new());
        while barrier < self.cleanup_choice {
            let b = self.cleanup_choice;
            if self.choice_kind(b) == ChoiceKind::Cleanup {
                let goal = self.choice_arg(b, 0);
                goals = goals.and_then(|mut goals: Vec<Cell>| {
                    goals.put(goal)?;
                    Ok(goals)
                });
                self.cleanup_choice = self.older_cleanup(b);
            } else {
                self.release_native();
            }
        }
        goals
    }

    /// Returns the choice point below `b` that needs work before it goes; [`ChoiceAddr::NONE`] for none.
    pub(crate) fn older_cleanup(&self, b: ChoiceAddr) -> ChoiceAddr {
        let older = self.choice_arg(b, self.choice_args(b) - 1);
        if older == Cell::ABSENT {
            ChoiceAddr::NONE
        } else {
            self.cell_choice(older)
        }
    }
}

/// Calls the cleanup goal of the choice point just left, then goes on at `p`.
#[inline(never)]
pub(crate) fn run_cleanup(
    m: &mut Machine,
    mut r: Regs,
    (goal, shield): (Cell, Shield),
    p: CodeAddr,
    held: Held,
) -> Regs {
    if m.begin_shield(shield).is_err() || !suspend(m, &mut r, p, held) {
        return out_of_memory(m, r);
    }
    sync(m, &r);
    m.x[0] = m.store.new_list(goal, Cell::atom(atoms::NIL));
    r.h = m.store.heap_top;
    let run = match m.run.shields.last() {
        Some(Shield::Unwinding(_)) => m.world.foundation.system.run_cleanups_silently,
        _ => m.world.foundation.system.run_cleanups,
    };
    call_system(m, r, run)
}

/// `cleanup_end`
#[inline(always)]
pub(crate) fn cleanup_end(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    if m.store.wake_pending {
        let p = r.p();
        return wake(m, r, p, Held::guard(true));
    }
    let b = m.cell_choice(raw::cell(r.e.slot(0)));
    if b == m.choice {
        let goal = m.choice_arg(b, 0);
        m.cleanup_choice = m.older_cleanup(b);
        m.leave_choice();
        let next = stubs::deallocate_proceed();
        let shielded = (goal, Shield::Cleanup);
        return run_cleanup(m, r, shielded, next, Held::guard(false));
    }
    return_from_guard(m, &mut r);
    r
}

/// `cleanup_fail`
#[inline(always)]
pub(crate) fn cleanup_fail(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.restore(&mut r);
    let goal = m.x[0];
    m.cleanup_choice = m.older_cleanup(m.choice);
    m.pop_choice();
    let next = stubs::fail();
    run_cleanup(m, r, (goal, Shield::Cleanup), next, Held::arguments(0))
}

/// `rethrow`
#[inline(always)]
pub(crate) fn rethrow(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.run.raising.pending = m.end_unwinding();
    r.go(stubs::raise());
    r
}
