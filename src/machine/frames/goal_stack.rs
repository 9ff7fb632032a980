//! The goals that led to the present one, as far as environments show them: from continuation to continuation. A
//! last call leaves no environment.
#![forbid(unsafe_code)]

use super::layout::{ChoiceKind, cp, env};
use super::stubs;
use crate::base::growth::Bounded;
use crate::code::instruction::{Op, ROWS, decode};
use crate::machine::dispatch::regs::Regs;
use crate::machine::events::trace::{Called, Caller};
use crate::machine::state::Machine;
use crate::store::address::{CodeAddr, EnvAddr};
use crate::store::cell::WORD;
use crate::store::raw;

/// Maximum number of different callers gathered; the innermost are kept.
const MOST: usize = 256;
/// Maximum number of frames looked at.
pub(in crate::machine) const MOST_FRAMES: u32 = 1 << 20;

impl Machine {
    /// Returns the continuations of frames from `next` and the environment `e` on, innermost first. The
    /// goals of these environments may just have been left, if nothing was done since. Environments in
    /// memory that was given back are left out.
    pub(crate) fn callers(&self, next: CodeAddr, e: EnvAddr) -> Vec<Caller> {
        self.callers_within(next, e, MOST_FRAMES).0
    }

    /// Returns the continuations of at most `most` frames. Leaves out the last one if further frames may have it,
    /// because its count would be wrong.
    pub(in crate::machine) fn nearest_callers(
        &self,
        next: CodeAddr,
        e: EnvAddr,
        most: u32,
    ) -> Vec<Caller> {
        let (mut found, whole) = self.callers_within(next, e, most);
        if !whole {
            found.pop();
        }
        found
    }

    /// Returns the continuations from the present goal on that are in the user's clauses. If its query is nested in other
    /// queries, their continuations follow. Also returns the goals of the first continuations, as far as goals were noted.
    pub(crate) fn present_callers(&mut self) -> (Vec<Caller>, Vec<Option<Called>>) {
        let (mut next, mut e, mut b) = (self.cont, self.env, self.choice);
        let mut present = Regs::NONE;
        present.e = e;
        let (mut all, mut goals) = (Vec::new(), Vec::new());
        if let Some(chain) = self.chain(CodeAddr::NONE, &present) {
            (all, goals) = (chain.callers, chain.goals);
            (next, e) = chain.rest.unwrap_or((CodeAddr::NONE, EnvAddr::NONE));
        }
        while b > self.store.choice.base && all.len() < MOST {
            all.put_all_bounded(self.callers_of_user(next, e));
            while b > self.store.choice.base && self.choice_kind(b) != ChoiceKind::Query {
                b = b.get(cp::PREV);
            }
            (next, e) = (b.get(cp::CONT), b.get(cp::ENV));
            b = b.get(cp::PREV);
        }
        (all, goals)
    }

    /// Returns the continuations of frames from `next` and the environment `e` on that are in the user's clauses.
    /// Other continuations between two equal ones do not interrupt their count.
    fn callers_of_user(&mut self, next: CodeAddr, e: EnvAddr) -> Vec<Caller> {
        let mut found = Vec::new();
        let mut at = (next, e);
        for _ in 0..MOST_FRAMES {
            if at.0 == stubs::stop_success() || at.0 == CodeAddr::NONE {
                break;
            }
            let outer = self.after(at);
            // The interrupted clause.
            let resumed = outer.filter(|_| stubs::resumes(at.0));
            let resumed = resumed.map(|_| raw::code_at(at.1.slot(0)));
            for address in [Some(at.0), resumed].into_iter().flatten() {
                let is_users = self.user_clause(address.wrapping_sub(WORD)).is_some();
                if is_users && !add(&mut found, address) {
                    return found;
                }
            }
            let Some(outer) = outer else {
                break;
            };
            at = outer;
        }
        found
    }

    /// Returns the continuations of at most `most` frames, and whether there are no more.
    fn callers_within(&self, next: CodeAddr, e: EnvAddr, most: u32) -> (Vec<Caller>, bool) {
        let mut found = Vec::new();
        let mut at = (next, e);
        for _ in 0..most {
            if at.0 == stubs::stop_success() || at.0 == CodeAddr::NONE || !add(&mut found, at.0) {
                return (found, true);
            }
            let Some(outer) = self.after(at) else {
                return (found, true);
            };
            if stubs::resumes(at.0) {
                // The interrupted clause.
                found.put_bounded(Caller {
                    address: raw::code_at(at.1.slot(0)),
                    times: 1,
                });
            }
            at = outer;
        }
        (found, false)
    }

    /// Returns the continuation after this one, with its environment.
    pub(in crate::machine) fn after(
        &self,
        (next, e): (CodeAddr, EnvAddr),
    ) -> Option<(CodeAddr, EnvAddr)> {
        (next != CodeAddr::NONE && self.is_environment(e)).then(|| (e.get(env::CP), e.get(env::CE)))
    }

    /// Returns whether an environment can be at this address.
    pub(in crate::machine) fn is_environment(&self, e: EnvAddr) -> bool {
        let area = &self.store.env;
        e >= area.base
            && area.end.saturating_sub(e) >= env::Y0 + WORD
            && e.bits().is_multiple_of(WORD)
    }
}

/// Adds a continuation. Returns false if there is no room.
pub(in crate::machine) fn add(found: &mut Vec<Caller>, address: CodeAddr) -> bool {
    let full = found.len() >= MOST;
    match found.last_mut() {
        Some(last) if last.address == address => last.times += 1,
        _ if full => return false,
        _ => found.put_bounded(Caller { address, times: 1 }),
    }
    true
}

/// Returns whether a clause with this code has an environment when its instruction at word `at` runs.
pub(crate) fn has_environment(code: &[u64], at: usize) -> bool {
    let (mut has, mut given_up, mut index) = (false, false, 0);
    while index < at {
        let Some(op) = code.get(index).and_then(|&word| decode(word)) else {
            break;
        };
        match op {
            Op::Allocate => has = true,
            Op::Deallocate => given_up = true,
            // Another branch begins; it has the environment from before.
            Op::Execute | Op::Proceed | Op::BuiltinProceed | Op::Jump | Op::Fail => {
                given_up = false;
            }
            _ => {}
        }
        index += ROWS[op as usize].words;
    }
    has && !given_up
}
