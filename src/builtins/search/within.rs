//! A search within another one, for the best value of a variable: the machines of the one around it that have nothing to
//! do help with it, and all tell each other what they have found.

use super::exchange::{Doing, Search};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::builtins::streams::captures::{begin_inner_captures, set_outer_captures};
use crate::machine::builtin::Table;
use crate::machine::search::path::NO_BEST;
use crate::machine::state::Machine;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

/// What belongs to a search because it is within another one.
pub(super) struct Within {
    outer: Arc<Search>,
    /// How often somebody was found to have nothing to do: at each look, one every few milliseconds.
    looks: AtomicUsize,
    /// The least value that was found, by its sign.
    pub(super) best: AtomicI64,
}

impl Within {
    pub(super) fn new(outer: Arc<Search>) -> Within {
        Within {
            outer,
            looks: AtomicUsize::new(0),
            best: AtomicI64::new(NO_BEST),
        }
    }

    /// The number of machines of the outer search that have nothing to do.
    pub(super) fn idle(&self) -> usize {
        self.outer.pool.hungry()
    }

    /// Is it time to ask them? Not at the first look: a short search is one machine's.
    pub(super) fn is_late(&self) -> bool {
        self.idle() > 0 && self.looks.fetch_add(1, Ordering::Relaxed) > 0
    }
}

/// What a machine goes back to when such a search has ended.
pub(super) struct Around {
    doing: Doing,
    builtins: Table,
    refusing: Option<Table>,
    /// Captures of output that are not those of the goal.
    outer_captures: usize,
}

/// A search within the one that is under way begins: goals may have effects until its own goal begins.
///
/// # Errors
/// There is no memory.
pub(super) fn step_in(m: &mut Machine, inner: Arc<Search>) -> Result<(), Stop> {
    m.begin_inner_branches()?;
    let outer_captures = begin_inner_captures(m);
    let host = &mut m.world.host;
    let (builtins, refusing) = (host.builtins, host.refusing.take());
    host.builtins = refusing.unwrap_or(builtins);
    let own = m.world.layers.of::<Doing>();
    let doing = std::mem::take(own);
    own.search = Some(inner);
    own.around.put(Around {
        doing,
        builtins,
        refusing,
        outer_captures,
    })
}

/// It has ended.
pub(super) fn step_out(m: &mut Machine, around: Around) {
    m.world.host.builtins = around.builtins;
    m.world.host.refusing = around.refusing;
    set_outer_captures(m, around.outer_captures);
    *m.world.layers.of::<Doing>() = around.doing;
    m.end_inner_branches();
}
