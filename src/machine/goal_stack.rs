//! The goals that led to the present one, as far as environments tell: from continuation to
//! continuation. A last call leaves none.

use super::frame::env;
use super::state::Machine;
use crate::base::grow::Grow;
use crate::code::instruction::{Op, ROWS, decode};
use crate::store::cell::{Addr, WORD};
use crate::store::raw;

/// Where a goal continues, and how many times in a row it does so there.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The address of code after the call.
    pub(crate) address: Addr,
    /// So many frames in a row have it.
    pub(crate) times: u32,
}

/// So many different callers are gathered, the innermost.
const MOST: usize = 256;
/// So many frames are looked at.
const MOST_FRAMES: u32 = 1 << 20;

impl Machine {
    /// The continuations of frames from `next` and the environment `e` on, innermost first. The
    /// environments may be those of goals that have just been given up, as long as nothing was done
    /// since: what lies in memory that was given back is left out.
    pub(crate) fn callers(&self, next: Addr, e: Addr) -> Vec<Caller> {
        self.callers_within(next, e, MOST_FRAMES).0
    }

    /// The same of so many frames at most: the last continuation is left out where it may be that of
    /// further ones, for it would be told with a wrong number.
    pub(super) fn nearest_callers(&self, next: Addr, e: Addr, most: u32) -> Vec<Caller> {
        let (mut found, whole) = self.callers_within(next, e, most);
        if !whole {
            found.pop();
        }
        found
    }

    /// The continuations of so many frames at most, and whether there are no more.
    fn callers_within(&self, mut next: Addr, mut e: Addr, most: u32) -> (Vec<Caller>, bool) {
        let mut found: Vec<Caller> = Vec::new();
        let end = self.store.env.end;
        for _ in 0..most {
            if next == self.stubs.stop_success() || next == 0 {
                return (found, true);
            }
            let full = found.len() == MOST;
            match found.last_mut() {
                Some(last) if last.address == next => last.times += 1,
                _ if full => return (found, true),
                _ => found.put(Caller {
                    address: next,
                    times: 1,
                }),
            }
            let outside = e < self.store.env.base || e.saturating_add(env::Y0 + WORD) > end;
            if outside || !e.is_multiple_of(WORD) {
                return (found, true);
            }
            if next == self.stubs.resume() {
                // The clause that was interrupted.
                found.put(Caller {
                    address: raw::word(e + env::Y0),
                    times: 1,
                });
            }
            next = raw::word(e + env::CP);
            e = raw::word(e + env::CE);
        }
        (found, false)
    }
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
