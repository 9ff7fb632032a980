//! Instructions that run builtins.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, Functor, atoms, functors};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode, slot_a, wide};
use crate::machine::builtin::{Body, NativeChoice, Past, Search, Selected, Step};
use crate::machine::control::throw::Throw;
use crate::machine::control::wakeups::wake;
use crate::machine::dispatch::endings::{
    call_system, count_call, fail, out_of_memory, raise, step, sync, x,
};
use crate::machine::dispatch::regs::Regs;
use crate::machine::dispatch::slow_forms::one_by_one;
use crate::machine::frames::layout::{ChoiceKind, NO_FRAME, cp, native_meta};
use crate::machine::frames::suspend::{Held, suspend};
use crate::machine::state::Machine;
use crate::store::address::{ChoiceAddr, CodeAddr};
use crate::store::cell::{Cell, WORD};
use crate::store::raw;
use std::sync::atomic::Ordering;

/// Runs a deterministic builtin. Returns whether it succeeds, or the registers after an exception.
#[inline(always)]
fn run_builtin(m: &mut Machine, r: &mut Regs, w: u64) -> Result<bool, Regs> {
    sync(m, r);
    let entry = m.world.host.builtins[wide(w) as usize];
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
    let Ok(functor) = m.builtin_functor(index) else {
        return out_of_memory(m, r);
    };
    if let Some(name) = m.run.globals.missing.take() {
        return ask_for_global(m, r, name, functor);
    }
    raise(m, r, throw, Some(functor))
}

/// Asks the program for a global variable that the builtin at P needs, by `user:exception/3`. Then the builtin resumes.
fn ask_for_global(m: &mut Machine, mut r: Regs, name: Atom, builtin: Functor) -> Regs {
    let (p, w) = (r.p(), raw::word(r.p()));
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
    let ask = m.world.foundation.system.undefined_variable;
    call_system(m, r, ask)
}

/// `builtin b`
#[inline(always)]
pub(crate) fn builtin(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    if m.store.wake_pending {
        let p = r.p();
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
        Ok(true) => r.go(m.cont),
        Ok(false) => fail(m, &mut r),
        Err(raised) => return raised,
    }
    r
}

/// `nondet n, b`
#[inline(always)]
pub(crate) fn nondet(m: &mut Machine, mut r: Regs, w: u64) -> Regs {
    let arity = slot_a(w);
    let native = match m.world.host.builtins[wide(w) as usize].body {
        Body::Nondet(native) => native,
        Body::Search(search) => {
            let retry = r.p() + WORD;
            return run_search(m, r, w, search, retry, Past::Nothing);
        }
        Body::Det(_) => unreachable!("only nondeterministic builtins get here"),
    };
    if (native.once)(m) {
        return run_once(m, r, w, native);
    }
    for index in 0..arity {
        let cell = x(m, index);
        raw::set_register(&mut m.x, index, cell);
    }
    if m.counts_next() && m.count_at_once(|m| solutions_of(m, native, arity)) {
        fail(m, &mut r);
        return r;
    }
    raw::set_register(&mut m.x, arity, Cell::int(0));
    let kind = ChoiceKind::Native(native);
    if !m.push_choice(&r, arity + 1, NO_FRAME, r.p() + WORD, kind) {
        return out_of_memory(m, r);
    }
    if !(m.store.inspects_choices() && m.note_choice()) {
        return run_nondet(m, one_by_one(r), w, native, None);
    }
    // The state after the first solution leads to the other solutions.
    let b = m.choice;
    let mut r = run_nondet(m, r, w, native, None);
    if m.choice == b && r.p() == m.cont {
        fail(m, &mut r);
    }
    r
}

/// Returns the number of solutions of a call of a builtin, if it is known without finding them.
fn solutions_of(m: &Machine, native: &NativeChoice, arity: usize) -> Option<Number> {
    let args = m.x.get(..arity)?;
    (native.remaining)(m, args, 0)
}

/// Returns the table entry for the nondeterministic builtin of an instruction.
#[inline(always)]
fn native_at(m: &Machine, w: u64) -> &'static NativeChoice {
    match m.world.host.builtins[wide(w) as usize].body {
        Body::Nondet(native) => native,
        Body::Search(search) => &search.choice,
        Body::Det(_) => unreachable!("only nondeterministic builtins get here"),
    }
}

impl Machine {
    /// Returns the table entry for the builtin of a choice point of kind `Native`.
    pub(in crate::machine) fn native_choice(&self, b: ChoiceAddr) -> &'static NativeChoice {
        native_at(self, raw::word(self.alternative(b)))
    }

    /// Returns the number of arguments of the builtin of a choice point of kind `Native`.
    pub(crate) fn native_arity(&self, b: ChoiceAddr) -> usize {
        slot_a(raw::word(self.alternative(b)))
    }

    /// Adds the newest choice point, of a builtin with this arity, to those that need work before they go.
    #[cold]
    #[inline(never)]
    fn hold_native(&mut self, arity: usize) {
        let b = self.choice;
        raw::set_cell(b.argument(arity as u64 + 1), self.cleanup_cell());
        b.set(cp::META, native_meta(arity + 2));
        self.cleanup_choice = b;
    }

    /// Releases the resources of the newest choice point that needs work before it goes; it belongs to a builtin.
    #[cold]
    #[inline(never)]
    pub(in crate::machine) fn release_native(&mut self) {
        let b = self.cleanup_choice;
        self.cleanup_choice = self.older_cleanup(b);
        let state = self.choice_arg(b, self.choice_args(b) - 2).int_value();
        if let Some(dropped) = self.native_choice(b).dropped {
            dropped(self, state);
        }
    }

    /// Drops the newest choice point. It may belong to a builtin but not to a cleanup.
    #[inline(always)]
    pub(in crate::machine) fn pop_native(&mut self) {
        if self.cleanup_choice == self.choice {
            self.release_native();
        }
        self.pop_choice();
    }
}

/// Runs a nondeterministic builtin that has at most one solution.
#[inline(always)]
fn run_once(m: &mut Machine, mut r: Regs, w: u64, native: &NativeChoice) -> Regs {
    sync(m, &r);
    let result = (native.retry)(m, None);
    r.h = m.store.heap_top;
    m.entries = m.world.predicates.entries();
    match result {
        Ok(Step::Fail) => fail(m, &mut r),
        Ok(step) => {
            debug_assert_eq!(step, Step::Last, "this call was said to have one solution");
            r.go(m.cont);
        }
        Err(throw) => return raise_builtin(m, r, throw, wide(w)),
    }
    r
}

/// `nondet_retry n, b`
///
/// Counts as a call if it finds a solution. An attempt without a solution may only result from a missing index.
#[inline(always)]
pub(crate) fn nondet_retry(m: &mut Machine, mut r: Regs, w: u64) -> Result<Regs, Stop> {
    m.restore(&mut r);
    if count_call(m) || r.h.bits() > m.store.watch.bell.limit.load(Ordering::Relaxed) {
        m.store.heap_top = r.h;
        let registers = m.choice_args(m.choice);
        if !m.has_room_at_retry(&mut r, registers)? {
            return Ok(out_of_memory(m, r));
        }
        m.sweep_if_due(r.e, None)?;
        if m.is_held() {
            let functor = m.builtin_functor(wide(w))?;
            let again = (r.p(), Held::arguments(0));
            return Ok(m.hold(r, again, functor));
        }
        if let Some(throw) = m.poll() {
            return Ok(raise(m, r, throw, None));
        }
        m.measure_if_requested(r.e);
        if m.run.branches.is_some() {
            m.look_at_exchange(r.e, None)?;
        }
    }
    if let Body::Search(search) = m.world.host.builtins[wide(w) as usize].body {
        let past = next_decision(m, w, search);
        let retry = r.p();
        return Ok(run_search(m, r, w, search, retry, past));
    }
    let state = x(m, slot_a(w)).int_value();
    let native = native_at(m, w);
    Ok(run_nondet(m, one_by_one(r), w, native, Some(state)))
}

/// Returns whether this instruction retries decisions of a search.
pub(super) fn decides(m: &Machine, w: u64) -> bool {
    matches!(
        m.world.host.builtins[wide(w) as usize].body,
        Body::Search(_)
    )
}

/// Makes the newest choice point, which continues at the instruction `w`, try its next value if it belongs to a
/// search. Returns false if it does not.
pub(super) fn skip_decision(m: &mut Machine, r: &mut Regs, w: u64) -> bool {
    let Body::Search(search) = m.world.host.builtins[wide(w) as usize].body else {
        return false;
    };
    m.restore(r);
    next_decision(m, w, search);
    true
}

/// Returns the decision that replaces the last one of the newest choice point, whose registers are restored. After
/// the last value the choice point goes.
#[inline(always)]
fn next_decision(m: &mut Machine, w: u64, search: &'static Search) -> Past {
    let state = x(m, slot_a(w)).int_value();
    let decision = (state, x(m, slot_a(w) + 1));
    match (search.another)(m, decision) {
        Some((value, true)) => {
            raw::set_cell(m.choice.argument(slot_a(w) as u64 + 1), value);
            Past::Made((state, value))
        }
        Some((value, false)) => {
            m.pop_choice();
            Past::Made((state, value))
        }
        None => {
            m.pop_choice();
            Past::Undone(decision)
        }
    }
}

/// Continues a search until everything is decided or a decision fails. Its choice points continue at `retry`.
#[inline(never)]
fn run_search(
    m: &mut Machine,
    mut r: Regs,
    w: u64,
    search: &'static Search,
    retry: CodeAddr,
    mut past: Past,
) -> Regs {
    let arity = slot_a(w);
    loop {
        sync(m, &r);
        let selected = (search.go_on)(m, past);
        r.h = m.store.heap_top;
        match selected {
            Ok(Selected::Nothing) => {
                r.go(m.cont);
                return r;
            }
            Ok(Selected::Fail) => {
                fail(m, &mut r);
                return r;
            }
            Ok(Selected::Woken) => {
                r.go(retry - WORD);
                return wake(m, r, retry - WORD, Held::arguments(arity));
            }
            Ok(Selected::Open(decision)) => {
                if m.counts_next() && m.count_at_once(search.solutions) {
                    fail(m, &mut r);
                    return r;
                }
                raw::set_register(&mut m.x, arity, Cell::int(decision.0));
                raw::set_register(&mut m.x, arity + 1, decision.1);
                let kind = ChoiceKind::Native(&search.choice);
                if !m.push_choice(&r, arity + 2, NO_FRAME, retry, kind) {
                    return out_of_memory(m, r);
                }
                if m.store.inspects_choices() {
                    if m.note_choice() {
                        fail(m, &mut r);
                        return r;
                    }
                    m.note_decision(decision);
                }
                past = Past::Made(decision);
            }
            Err(throw) => return raise_builtin(m, r, throw, wide(w)),
        }
    }
}

/// Stores the state that a builtin returned in its choice point, the newest one.
#[inline(always)]
fn keep_native(m: &mut Machine, w: u64, native: &NativeChoice, former: Option<i64>, state: i64) {
    let at = m.choice.argument(slot_a(w) as u64);
    raw::set_cell(at, Cell::int(state));
    if former.is_none() && native.dropped.is_some() {
        m.hold_native(slot_a(w));
    }
}

#[inline(always)]
fn run_nondet(
    m: &mut Machine,
    mut r: Regs,
    w: u64,
    native: &NativeChoice,
    state: Option<i64>,
) -> Regs {
    sync(m, &r);
    let result = (native.retry)(m, state);
    r.h = m.store.heap_top;
    m.entries = m.world.predicates.entries();
    match result {
        Ok(Step::More(rest)) => {
            keep_native(m, w, native, state, rest);
            r.go(m.cont);
        }
        Ok(Step::Again(rest)) => {
            keep_native(m, w, native, state, rest);
            fail(m, &mut r);
        }
        Ok(Step::Last) => {
            m.pop_native();
            r.go(m.cont);
        }
        Ok(Step::Fail) => {
            if state.is_some() {
                m.calls = m.calls.wrapping_sub(1);
            }
            m.pop_native();
            fail(m, &mut r);
        }
        Err(throw) => {
            m.pop_native();
            return raise_builtin(m, r, throw, wide(w));
        }
    }
    one_by_one(r)
}
