//! The profiler: a look at each instruction before it is done, and from time to time at the clauses that wait.

use super::called_goal::goal_of_call;
use super::profile::{CALLS, Profile};
use super::regs::Regs;
use super::state::Machine;
use super::trace::Caller;
use crate::base::grow::Grow;
use crate::code::instruction::{Op, decode, wide};
use crate::program::predicate::PredId;
use crate::store::cell::{Addr, WORD};
use crate::store::raw;
use std::time::{Duration, Instant};

impl Machine {
    /// The clauses of all predicates, by address.
    fn all_code(&self) -> Vec<(Addr, Addr, PredId)> {
        let mut code = Vec::new();
        for id in (0..self.world.predicates.len() as u32).map(PredId) {
            for (_, clause) in self.world.predicates.get(id).clauses.iter() {
                let range = clause.addresses();
                code.put((range.start, range.end, id));
            }
        }
        code.sort_unstable();
        code
    }
}

/// Looks at an instruction before it is done.
pub(super) fn look(m: &mut Machine, r: &Regs, w: u64) {
    let Some(mut profile) = m.run.observers.profiles.running.take() else {
        return;
    };
    if let Some((builtin, at)) = profile.within.take() {
        let now = Instant::now();
        let time = now - profile.last;
        if time >= PERIOD {
            profile.last = now;
            note(m, &mut profile, &at, Some(builtin), time);
        }
    }
    let called = match decode(w) {
        Some(Op::Call | Op::Execute | Op::DeallocateExecute) => {
            let id = PredId(wide(w));
            // The instruction that call/N consists of comes next, and tells its goal.
            let calls = decode(raw::word(m.world.predicates.entry(id))) == Some(Op::MetaCall);
            (!calls).then_some(id)
        }
        Some(op @ (Op::MetaCall | Op::BodyCall)) => goal_of_call(m, w, op),
        Some(Op::Builtin | Op::BuiltinProceed) => {
            let count = profile.builtins.get(&wide(w)).copied().unwrap_or(0);
            if decode(w) == Some(Op::Builtin) {
                profile.builtins.insert(wide(w), count + 1);
            }
            profile.within = Some((wide(w), *r));
            None
        }
        _ => None,
    };
    if let Some(id) = called {
        let id = m.definition(id);
        let count = profile.calls.get(&id).copied().unwrap_or(0);
        profile.calls.insert(id, count + 1);
        profile.left -= 1;
        if profile.left == 0 {
            profile.left = CALLS;
            let now = Instant::now();
            let time = now - profile.last;
            if time >= PERIOD {
                profile.last = now;
                note(m, &mut profile, r, None, time);
            }
        }
    }
    m.run.observers.profiles.running = Some(profile);
}

/// Notes which clauses wait while this instruction is done, and that they did for so long.
fn note(m: &Machine, profile: &mut Profile, r: &Regs, builtin: Option<u32>, time: Duration) {
    if profile.generation != m.world.predicates.generation {
        profile.generation = m.world.predicates.generation;
        profile.code = m.all_code();
    }
    let callers = m.callers(m.cont, r.e);
    let present = Caller {
        address: r.p + WORD,
        times: 1,
    };
    let mut stack: Vec<PredId> = Vec::new();
    for caller in std::iter::once(&present).chain(&callers) {
        let Some(id) = profile.predicate_at(caller.address.wrapping_sub(WORD)) else {
            continue;
        };
        let predicate = m.world.predicates.get(id);
        let name = m
            .world
            .symbols
            .text(m.world.symbols.name(predicate.functor));
        let own = name.starts_with('$') && m.is_system_module(predicate.module);
        let own = own || m.world.symbols.text(predicate.module) == "prolog_debug";
        // The same clause many times over is one step of a stack.
        if !own && stack.last() != Some(&id) {
            stack.put(id);
        }
    }
    stack.reverse();
    if profile.stacks.len() >= MOST_STACKS {
        stack.truncate(1);
    }
    let key = (stack, builtin);
    let before = profile.stacks.get(&key).copied().unwrap_or_default();
    profile.stacks.insert(key, before + time);
}

/// The time from one look at the clauses that wait to the next.
const PERIOD: Duration = Duration::from_micros(250);

/// So many stacks of clauses are told apart.
const MOST_STACKS: usize = 20_000;
