//! Wake-ups of attributed variables at the right place.
//!
//! When an attributed variable is bound, its hooks are due before the next goal. Instructions of clauses do not check
//! for wake-ups. Instead, after such a binding the loop of `dispatch` runs one instruction at a time and calls
//! [`before`] first. This ends when the wake-ups run or are dropped. So programs without wake-ups pay nothing.
//!
//! Goals compiled in place begin with instructions that the compiler has marked, where wake-ups may be due. The
//! instructions `alive` at the end of the clause list the registers and slots to keep there. Calls and builtins check
//! for wake-ups themselves.
#![forbid(unsafe_code)]

use crate::base::atom_table::atoms;
use crate::code::instruction::{GOAL, Op, ROWS, decode, wide};
use crate::machine::dispatch::endings::{call_system, fail, out_of_memory, raise, sync};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::out_of_line;
use crate::machine::frames::suspend::{Held, suspend};
use crate::machine::state::Machine;
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::raw;

out_of_line! {
    /// Propagates constraints and runs the pending wake-ups, then continues at `p` with the held values unchanged.
    pub(crate) fn wake(m, mut r, p: CodeAddr, held: Held) {
        sync(m, &r);
        let woken = m.wake_constraints();
        r.h = m.store.heap_top;
        let list = m.store.wakeups;
        match woken {
            Err(throw) => {
                m.drop_wakeups();
                m.reset_heap_limit();
                return raise(m, r, throw, None);
            }
            Ok(false) => {
                m.drop_wakeups();
                m.reset_heap_limit();
                fail(m, &mut r);
                return r;
            }
            Ok(true) if list == Cell::atom(atoms::NIL) => {
                m.reset_heap_limit();
                r.go(p);
                return r;
            }
            Ok(true) => {}
        }
        m.store.set_wakeups(Cell::atom(atoms::NIL));
        m.reset_heap_limit();
        if !suspend(m, &mut r, p, held) {
            return out_of_memory(m, r);
        }
        raw::set_register(&mut m.x, 0, list);
        m.store.heap_top = r.h;
        let run = match m.hooks_are_foreign(list) {
            true => m.world.foundation.system.wake_within_scope,
            false => m.world.foundation.system.run_wakeups,
        };
        call_system(m, r, run)
    }
}

/// Runs `'$try_unify'(a, b)` for `not_unifiable`, which cannot decide without the hooks of variables. The result goes
/// to [`Machine::tried`], and the instruction starts again.
pub(crate) fn try_unify(m: &mut Machine, mut r: Regs, a: Cell, b: Cell) -> Regs {
    let Some(held) = held_at(r.p()) else {
        unreachable!("such an instruction is marked")
    };
    let p = r.p();
    if !suspend(m, &mut r, p, held) {
        return out_of_memory(m, r);
    }
    raw::set_register(&mut m.x, 0, a);
    raw::set_register(&mut m.x, 1, b);
    let run = m.world.foundation.system.try_unify;
    call_system(m, r, run)
}

/// Runs pending wake-ups before an instruction, if a goal begins here or the clause has returned. Returns the
/// registers with which they run. Returns the same registers if there are none, or if failure has made them void.
#[cold]
#[inline(never)]
pub(crate) fn before(m: &mut Machine, r: Regs) -> Option<Regs> {
    let (p, w) = (r.p(), raw::word(r.p()));
    if m.store.wakeups == Cell::atom(atoms::NIL) {
        if m.run.collector.at_return {
            return m.collect_if_returned(r);
        }
        // Only the mode has changed.
        m.drop_wakeups();
        m.reset_heap_limit();
        return Some(r);
    }
    if p == m.cont {
        return Some(wake(m, r, p, Held::arguments(0)));
    }
    let held = match decode(w)? {
        Op::NeckCut | Op::CutY | Op::PopChoice => Held::instruction(p, w),
        Op::RetryElse
        | Op::TrustElse
        | Op::Retry
        | Op::Trust
        | Op::BetweenRetry
        | Op::BetweenNext
        | Op::NextBranch
        | Op::StopFailure
        | Op::Raise => {
            m.drop_wakeups();
            m.reset_heap_limit();
            return Some(r);
        }
        _ if w & GOAL != 0 => held_at(p)?,
        _ => return None,
    };
    Some(wake(m, r, p, held))
}

/// Returns the live values at a marked instruction.
fn held_at(p: CodeAddr) -> Option<Held> {
    let mut at = p;
    loop {
        let word = raw::word(at);
        let op = decode(word)?;
        if op == Op::Alive && at - u64::from(wide(word)) * WORD == p {
            return Some(Held::builtin(at, word));
        }
        at += ROWS[op as usize].words as u64 * WORD;
    }
}
