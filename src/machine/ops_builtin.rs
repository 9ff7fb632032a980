//! Instructions that run builtins.

use super::builtin::{Body, Step};
use super::control::{call_system, count_call, fail, out_of_memory, raise, step, sync, x};
use super::layout::{ChoiceKind, NO_FRAME, cp};
use super::regs::Regs;
use super::state::Machine;
use super::suspend::{Held, suspend};
use super::throw::Throw;
use super::wakeups::wake;
use crate::base::symbol::{Atom, Functor, atoms, functors};
use crate::code::instruction::{Op, decode, slot_a, wide};
use crate::store::cell::{Cell, WORD};
use crate::store::raw;
use std::sync::atomic::Ordering;

/// Runs a deterministic builtin: true or false, or the registers after an exception.
#[inline(always)]
fn run_builtin(m: &mut Machine, r: &mut Regs, w: u64) -> Result<bool, Regs> {
    sync(m, r);
    let entry = m.world.program.builtins[wide(w) as usize];
    let Body::Det(body) = entry.body else {
        unreachable!("only deterministic builtins get here")
    };
    let result = body(m);
    r.h = m.store.heap_top;
    m.entries = m.world.predicates.entries();
    match result {
        Ok(truth) => Ok(truth),
        Err(throw) => Err(raise_builtin(m, *r, throw, wide(w))),
    }
}

#[cold]
fn raise_builtin(m: &mut Machine, r: Regs, throw: Throw, index: u32) -> Regs {
    let functor = match m.world.program.builtin_functors.get(index as usize) {
        Some(&Some(functor)) => functor,
        _ => {
            let entry = m.world.program.builtins[index as usize];
            let name = m.world.symbols.intern(entry.name);
            m.world.symbols.functor(name, entry.modes.len())
        }
    };
    if let Some(name) = m.world.globals.missing.take() {
        return ask_for_global(m, r, name, functor);
    }
    raise(m, r, throw, Some(functor))
}

/// Has the program asked, by `user:exception/3`, for a global variable that the builtin at P has missed, and then
/// the builtin taken up again.
fn ask_for_global(m: &mut Machine, mut r: Regs, name: Atom, builtin: Functor) -> Regs {
    let (p, w) = (r.p, raw::word(r.p));
    let held = match decode(w) {
        Some(Op::Builtin) => Held::builtin(p, w),
        _ => Held::arguments(builtin.arity()),
    };
    if m.store.reserve(8).is_err() || !suspend(m, &mut r, p, held) {
        return out_of_memory(m, r);
    }
    m.x[0] = Cell::atom(name);
    let indicator = m.indicator(builtin);
    let system = Cell::atom(atoms::SYSTEM);
    m.x[1] = m.store.new_struct(functors::COLON, &[system, indicator]);
    r.h = m.store.heap_top;
    let ask = m.world.program.system.undefined_variable;
    call_system(m, r, ask)
}

/// `builtin b`
#[inline(always)]
pub(crate) fn builtin(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    if m.store.wake_pending {
        let p = r.p;
        return wake(m, r, p, Held::builtin(p, w));
    }
    match run_builtin(m, &mut r, w) {
        Ok(true) => step(&mut r, 3),
        Ok(false) => fail(m, &mut r),
        Err(raised) => return raised,
    }
    r
}

/// `builtin_proceed b`
#[inline(always)]
pub(crate) fn builtin_proceed(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    match run_builtin(m, &mut r, w) {
        Ok(true) => r.p = m.cont,
        Ok(false) => fail(m, &mut r),
        Err(raised) => return raised,
    }
    r
}

/// `nondet n, b`
#[inline(always)]
pub(crate) fn nondet(m: &mut Machine, r: Regs, w: u64) -> Regs {
    let arity = slot_a(w);
    if (m.world.program.builtins[wide(w) as usize].once)(m) {
        return run_once(m, r, w);
    }
    for index in 0..arity {
        let cell = x(m, index);
        raw::set_register(&mut m.x, index, cell);
    }
    raw::set_register(&mut m.x, arity, Cell::int(0));
    if !m.push_choice(&r, arity + 1, NO_FRAME, r.p + WORD, ChoiceKind::Plain) {
        return out_of_memory(m, r);
    }
    run_nondet(m, r, w, None)
}

/// Runs a nondeterministic builtin that has one solution at most.
#[inline(always)]
fn run_once(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    sync(m, &r);
    let entry = m.world.program.builtins[wide(w) as usize];
    let Body::Nondet(body) = entry.body else {
        unreachable!("only nondeterministic ones get here")
    };
    let result = body(m, None);
    r.h = m.store.heap_top;
    m.entries = m.world.predicates.entries();
    match result {
        Ok(Step::Fail) => fail(m, &mut r),
        Ok(step) => {
            debug_assert_eq!(step, Step::Last, "this call was said to have one solution");
            r.p = m.cont;
        }
        Err(throw) => return raise_builtin(m, r, throw, wide(w)),
    }
    r
}

/// `nondet_retry n, b`
#[inline(always)]
pub(crate) fn nondet_retry(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    m.restore(&mut r);
    if count_call(m) || r.h > m.store.watch.heap_limit.load(Ordering::Relaxed) {
        m.store.heap_top = r.h;
        if !m.has_room_at_retry(&mut r, slot_a(w) + 1) {
            return out_of_memory(m, r);
        }
        m.sweep_if_due(r.e, None);
        if let Some(holder) = m.holder() {
            let entry = m.world.program.builtins[wide(w) as usize];
            let name = m.world.symbols.intern(entry.name);
            let functor = m.world.symbols.functor(name, entry.modes.len());
            let again = (r.p, Held::arguments(0));
            return m.hold(r, again, functor, holder);
        }
        if let Some(throw) = m.poll() {
            return raise(m, r, throw, None);
        }
    }
    let state = x(m, slot_a(w)).int_value();
    run_nondet(m, r, w, Some(state))
}

#[inline(always)]
fn run_nondet(m: &mut Machine, mut r: Regs, w: u64, state: Option<i64>) -> Regs {
    sync(m, &r);
    let entry = m.world.program.builtins[wide(w) as usize];
    let Body::Nondet(body) = entry.body else {
        unreachable!("only nondeterministic ones get here")
    };
    let result = body(m, state);
    r.h = m.store.heap_top;
    m.entries = m.world.predicates.entries();
    match result {
        Ok(Step::More(state)) => {
            let at = m.choice + cp::ARGS + slot_a(w) as u64 * WORD;
            raw::set_cell(at, Cell::int(state));
            r.p = m.cont;
        }
        Ok(Step::Last) => {
            m.pop_choice();
            r.p = m.cont;
        }
        Ok(Step::Fail) => {
            m.pop_choice();
            fail(m, &mut r);
        }
        Err(throw) => {
            m.pop_choice();
            return raise_builtin(m, r, throw, wide(w));
        }
    }
    r
}
