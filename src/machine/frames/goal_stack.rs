//! The goals that led to the present one, as far as environments tell: from continuation to
//! continuation. A last call leaves none.
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

/// So many different callers are gathered, the innermost.
const MOST: usize = 256;
/// So many frames are looked at.
pub(in crate::machine) const MOST_FRAMES: u32 = 1 << 20;

impl Machine {
    /// The continuations of frames from `next` and the environment `e` on, innermost first. The
    /// environments may be those of goals that have just been given up, as long as nothing was done
    /// since: what lies in memory that was given back is left out.
    pub(crate) fn callers(&self, next: CodeAddr, e: EnvAddr) -> Vec<Caller> {
        self.callers_within(next, e, MOST_FRAMES).0
    }

    /// The same of so many frames at most: the last continuation is left out where it may be that of
    /// further ones, for it would be told with a wrong number.
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

    /// The continuations from the present goal on that lie in clauses of the user's; where its query was asked
    /// within another one, also those of that.
    /// With the goals of the first of them, as far as goals were noted.
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

    /// The continuations of frames from `next` and the environment `e` on that lie in clauses of the user's: what
    /// alternates with them has no part in how many come in a row.
    fn callers_of_user(&mut self, next: CodeAddr, e: EnvAddr) -> Vec<Caller> {
        let mut found = Vec::new();
        let mut at = (next, e);
        for _ in 0..MOST_FRAMES {
            if at.0 == stubs::stop_success() || at.0 == CodeAddr::NONE {
                break;
            }
            let outer = self.after(at);
            // The clause that was interrupted.
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

    /// The continuations of so many frames at most, and whether there are no more.
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
                // The clause that was interrupted.
                found.put_bounded(Caller {
                    address: raw::code_at(at.1.slot(0)),
                    times: 1,
                });
            }
            at = outer;
        }
        (found, false)
    }

    /// The continuation after this one, with its environment.
    pub(in crate::machine) fn after(
        &self,
        (next, e): (CodeAddr, EnvAddr),
    ) -> Option<(CodeAddr, EnvAddr)> {
        (next != CodeAddr::NONE && self.is_environment(e)).then(|| (e.get(env::CP), e.get(env::CE)))
    }

    /// May an environment be there?
    pub(in crate::machine) fn is_environment(&self, e: EnvAddr) -> bool {
        let area = &self.store.env;
        e >= area.base
            && area.end.saturating_sub(e) >= env::Y0 + WORD
            && e.bits().is_multiple_of(WORD)
    }
}

/// Adds a continuation, if there is room.
pub(in crate::machine) fn add(found: &mut Vec<Caller>, address: CodeAddr) -> bool {
    let full = found.len() >= MOST;
    match found.last_mut() {
        Some(last) if last.address == address => last.times += 1,
        _ if full => return false,
        _ => found.put_bounded(Caller { address, times: 1 }),
    }
    true
}

/// Has a clause with this code an environment when the instruction at word `at` of it is done?
pub(crate) fn has_environment(code: &[u64], at: usize) -> bool {
    let (mut has, mut given_up, mut index) = (false, false, 0);
    while index < at {
        let Some(op) = code.get(index).and_then(|&word| decode(word)) else {
            break;
        };
        match op {
            Op::Allocate => has = true,
            Op::Deallocate => given_up = true,
            // Another branch begins, with the environment there was.
            Op::Execute | Op::Proceed | Op::BuiltinProceed | Op::Jump | Op::Fail => {
                given_up = false;
            }
            _ => {}
        }
        index += ROWS[op as usize].words;
    }
    has && !given_up
}
