//! Control instructions: calls, frames, choice points, cuts.
#![forbid(unsafe_code)]

use crate::base::stop::Stop;
use crate::code::frame_map::MASKED_SLOTS;
use crate::code::instruction::{ROWS, decode, slot_a, slot_b, slot_c, wide};
use crate::machine::control::calls::event;
use crate::machine::control::wakeups::wake;
use crate::machine::dispatch::endings::{
    call_system, count_call, fail, out_of_memory, step, target,
};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::{out_of_line, rare, rare_with, rarely};
use crate::machine::frames::layout::{ChoiceKind, NO_FRAME, cp, env};
use crate::machine::frames::shield::Shield;
use crate::machine::frames::stubs;
use crate::machine::frames::suspend::{Held, suspend};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::ChoiceAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::raw;
use std::sync::atomic::Ordering;

// ---- calls ------------------------------------------------------------------------------------

/// Enters the predicate that the instruction names.
#[inline(always)]
fn enter_named(m: &mut Machine, mut r: Regs) -> Regs {
    m.cut_choice = m.choice;
    if count_call(m) || r.h.bits() > m.store.watch.bell.limit.load(Ordering::Relaxed) {
        return rare(m, r, rarely!(event_before_named));
    }
    r.go(raw::code_at(m.entries + u64::from(r.wide()) * WORD));
    r
}

#[inline(always)]
fn event_before_named(m: &mut Machine, r: Regs, w: u64) -> Regs {
    event(m, r, PredId(wide(w)))
}

/// `call p`
#[inline(always)]
pub(crate) fn call(m: &mut Machine, r: Regs, _: u64) -> Regs {
    m.cont = r.p() + 2 * WORD;
    enter_named(m, r)
}

/// `execute p`
#[inline(always)]
pub(crate) fn execute(m: &mut Machine, r: Regs, _: u64) -> Regs {
    enter_named(m, r)
}

/// `proceed`
#[inline(always)]
pub(crate) fn proceed(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.go(m.cont);
    r
}

/// `allocate n`
#[inline(always)]
pub(crate) fn allocate(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let e = m.env_top(r.e, NO_FRAME);
    if m.env_crowded(e) {
        return rare(m, r, rarely!(more_environments));
    }
    e.set(env::CE, r.e);
    e.set(env::CP, m.cont);
    // Slots that no mask covers are valid at all times.
    for index in MASKED_SLOTS as u64..slot_a(w) as u64 {
        raw::set_cell(e.slot(index), Cell::int(0));
    }
    r.e = e;
    step(&mut r, 1);
    r
}

/// Runs the instruction again when there is room for an environment.
#[inline(always)]
fn more_environments(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let e = m.env_top(r.e, NO_FRAME);
    if m.env_full(e) {
        return out_of_memory(m, r);
    }
    r
}

/// Makes room for a choice point. If choice points are noted, also makes the choice point and notes it.
macro_rules! noted {
    ($m:ident, $r:ident, $w:ident, $op:path, $is_branch:expr) => {{
        if !$m.room_for_choice() {
            return out_of_memory($m, $r);
        }
        if !$m.store.inspects_choices() {
            return $r;
        }
        $m.forget_gone();
        $m.store.set_inspects_choices(false);
        let mut r = $op($m, $r, $w);
        $m.store.set_inspects_choices(true);
        if $is_branch && $m.note_choice() {
            fail($m, &mut r);
        }
        r
    }};
}

#[inline(always)]
fn try_else_noted(m: &mut Machine, r: Regs, w: u64) -> Regs {
    noted!(m, r, w, try_else, slot_c(w) == 0)
}

#[inline(always)]
fn try_noted(m: &mut Machine, r: Regs, w: u64) -> Regs {
    noted!(m, r, w, try_clause, true)
}

#[inline(always)]
fn drop_frame(m: &mut Machine, r: &mut Regs) {
    m.cont = r.e.get(env::CP);
    r.e = r.e.get(env::CE);
}

/// `deallocate`
#[inline(always)]
pub(crate) fn deallocate(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    drop_frame(m, &mut r);
    step(&mut r, 1);
    r
}

/// `deallocate_execute p`
#[inline(always)]
pub(crate) fn deallocate_execute(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    drop_frame(m, &mut r);
    enter_named(m, r)
}

/// `deallocate_proceed`
#[inline(always)]
pub(crate) fn deallocate_proceed(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    drop_frame(m, &mut r);
    r.go(m.cont);
    r
}

/// `alive`
#[inline(always)]
pub(crate) fn alive(_: &mut Machine, mut r: Regs, _: u64) -> Regs {
    step(&mut r, 3);
    r
}

/// `jump label`
#[inline(always)]
pub(crate) fn jump(_: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.go(target(&r, 1));
    r
}

/// `jump_to address`
#[inline(always)]
pub(crate) fn jump_to(_: &mut Machine, mut r: Regs, _: u64) -> Regs {
    r.go(raw::code_at(r.p() + WORD));
    r
}

/// `ensure_heap n`
#[inline(always)]
pub(crate) fn ensure_heap(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.store.heap_top = r.h;
    if m.store.reserve(raw::word(r.p() + WORD) as usize).is_err() {
        return out_of_memory(m, r);
    }
    step(&mut r, 2);
    r
}

// ---- choice points ----------------------------------------------------------------------------

/// `try_else n, slots, label`
#[inline(always)]
pub(crate) fn try_else(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    if m.choices_crowded() {
        return rare(m, r, rarely!(try_else_noted));
    }
    let alternative = target(&r, 1);
    let registers = (slot_a(w), raw::word(r.p() + 2 * WORD));
    m.make_inner_choice(&r, registers, slot_b(w), alternative, ChoiceKind::Plain);
    step(&mut r, 3);
    r
}

/// `retry_else label`
#[inline(always)]
pub(crate) fn retry_else(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    m.restore_plain(&mut r);
    m.choice.set(cp::ALT, target(&r, 1));
    step(&mut r, 3);
    r
}

/// `trust_else`
#[inline(always)]
pub(crate) fn trust_else(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    m.restore_plain(&mut r);
    m.pop_choice();
    step(&mut r, 2);
    r
}

/// `try n, address`
#[inline(always)]
pub(crate) fn try_clause(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    if m.choices_crowded() {
        return rare(m, r, rarely!(try_noted));
    }
    m.make_choice(&r, slot_a(w), NO_FRAME, r.p() + 2 * WORD, ChoiceKind::Plain);
    r.go(raw::code_at(r.p() + WORD));
    r
}

/// `retry address`
#[inline(always)]
pub(crate) fn retry_clause(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    m.restore_plain(&mut r);
    m.choice.set(cp::ALT, r.p() + 2 * WORD);
    r.go(raw::code_at(r.p() + WORD));
    r
}

/// `trust address`
#[inline(always)]
pub(crate) fn trust_clause(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    m.restore_plain(&mut r);
    m.pop_choice();
    r.go(raw::code_at(r.p() + WORD));
    r
}

// ---- cuts -------------------------------------------------------------------------------------

/// Cuts to `barrier`, for an instruction of `words` words. Its second and third words give the live registers and slots.
#[inline(always)]
fn cut(m: &mut Machine, mut r: Regs, barrier: ChoiceAddr, words: u64) -> Regs {
    debug_assert!(!m.store.wake_pending, "see wakeups");
    if barrier < m.choice {
        if barrier < m.cleanup_choice {
            return rare_with(m, r, rarely!(with clean_before_cut), barrier.bits(), 0);
        }
        m.set_choice(barrier);
    }
    step(&mut r, words);
    r
}

#[inline(always)]
fn clean_before_cut(m: &mut Machine, r: Regs, w: u64, barrier: u64, _: u64) -> Regs {
    let barrier = m.choice - (m.choice.bits() - barrier);
    let held = Held::instruction(r.p(), w);
    let words = decode(w).map_or(0, |op| ROWS[op as usize].words);
    cut_cleanup(m, r, held, barrier, words as u64)
}

out_of_line! {
    fn cut_cleanup(m, mut r, held: Held, barrier: ChoiceAddr, words: u64) -> Result<Regs, Stop> {
        m.store.heap_top = r.h;
        let goals = m.take_cleanups(barrier)?;
        m.set_choice(barrier);
        let next = r.p() + words * WORD;
        if goals.is_empty() {
            r.go(next);
            return Ok(r);
        }
        let goals = match m.store.list_of(&goals) {
            Ok(goals) => goals,
            Err(_) => return Ok(out_of_memory(m, r)),
        };
        r.h = m.store.heap_top;
        if !suspend(m, &mut r, next, held) {
            return Ok(out_of_memory(m, r));
        }
        raw::set_register(&mut m.x, 0, goals);
        m.begin_shield(Shield::Cleanup)?;
        let run = m.world.foundation.system.run_cleanups;
        Ok(call_system(m, r, run))
    }
}

/// `neck_cut`
#[inline(always)]
pub(crate) fn neck_cut(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let barrier = m.cut_choice;
    cut(m, r, barrier, 3)
}

/// `cut Yb`
#[inline(always)]
pub(crate) fn cut_y(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let barrier = m.cell_choice(raw::cell(r.e.slot(slot_b(w) as u64)));
    cut(m, r, barrier, 3)
}

/// `cut_to`: cuts to the barrier in X0 and returns.
#[inline(always)]
pub(crate) fn cut_to(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    let barrier = m.checked_choice(raw::register(&m.x, 0));
    // The instruction runs again after wake-ups and cleanup goals. It returns when there is nothing to cut.
    if m.store.wake_pending {
        let p = r.p();
        return wake(m, r, p, Held::arguments(1));
    }
    if barrier < m.choice {
        if barrier < m.cleanup_choice {
            return cut_cleanup(m, r, Held::arguments(1), barrier, 0);
        }
        m.set_choice(barrier);
    }
    r.go(m.cont);
    r
}

/// `pop_choice label`
#[inline(always)]
pub(crate) fn pop_choice(m: &mut Machine, r: Regs, _: u64) -> Regs {
    if m.choice.get(cp::ALT) != target(&r, 3) {
        return rare(m, r, rarely!(pop_choice_below));
    }
    let barrier = m.choice.get(cp::PREV);
    cut(m, r, barrier, 4)
}

/// Cuts when woken goals have left choice points. They may have run this clause too, but in environments of their
/// own. The environment of this clause may be newer than the choice point.
#[inline(always)]
fn pop_choice_below(m: &mut Machine, r: Regs, _: u64) -> Regs {
    let (mut b, alternative) = (m.choice, target(&r, 3));
    let environments = [r.e, r.e.get(env::CE)];
    while b.get(cp::ALT) != alternative || !environments.contains(&b.get(cp::ENV)) {
        debug_assert!(b > m.store.choice.base, "the choice point is there");
        b = b.get(cp::PREV);
    }
    let barrier = b.get(cp::PREV);
    cut(m, r, barrier, 4)
}

/// `get_level Ya`
#[inline(always)]
pub(crate) fn get_level(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = m.choice_cell(m.cut_choice);
    raw::set_cell(r.e.slot(slot_a(w) as u64), cell);
    step(&mut r, 1);
    r
}

/// `save_choice Ya`
#[inline(always)]
pub(crate) fn save_choice(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let cell = m.choice_cell(m.choice);
    raw::set_cell(r.e.slot(slot_a(w) as u64), cell);
    step(&mut r, 1);
    r
}

/// `soft_cut Ya`
#[inline(always)]
pub(crate) fn soft_cut(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let b = m.cell_choice(raw::cell(r.e.slot(slot_a(w) as u64)));
    if b == m.choice {
        m.leave_choice();
    } else {
        b.set(cp::ALT, stubs::pop_fail());
    }
    step(&mut r, 1);
    r
}

/// Drops a choice point that is no longer needed and backtracks further.
#[inline(always)]
pub(crate) fn pop_fail(m: &mut Machine, mut r: Regs, _: u64) -> Regs {
    m.pop_choice();
    fail(m, &mut r);
    r
}
