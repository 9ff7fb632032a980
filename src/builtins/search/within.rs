//! Nested searches: searches for the best value of a variable, within another search. The idle machines of the outer
//! search help. All machines share the best value that they have found.

use super::exchange::{Doing, Search};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::builtins::streams::captures::{begin_inner_captures, set_outer_captures};
use crate::machine::builtin::Table;
use crate::machine::search::path::NO_BEST;
use crate::machine::state::Machine;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

/// The data that a search has only if it is nested.
pub(super) struct Within {
    outer: Arc<Search>,
    /// The number of looks that found an idle machine. There is one look every few milliseconds.
    looks: AtomicUsize,
    /// The least value found so far. In a search for the greatest value, all values have the opposite sign here.
    pub(super) best: AtomicI64,
}

impl Within {
    /// Returns the data of a new search within `outer`.
    pub(super) fn new(outer: Arc<Search>) -> Within {
        Within {
            outer,
            looks: AtomicUsize::new(0),
            best: AtomicI64::new(NO_BEST),
        }
    }

    /// Returns the number of idle machines of the outer search.
    pub(super) fn idle(&self) -> usize {
        self.outer.pool.hungry()
    }

    /// Returns whether it is time to start idle machines. The first look that finds one returns `false`, so that one machine
    /// does a short search alone.
    pub(super) fn is_late(&self) -> bool {
        self.idle() > 0 && self.looks.fetch_add(1, Ordering::Relaxed) > 0
    }
}

/// The state to which a machine returns when a nested search has ended.
pub(super) struct Around {
    doing: Doing,
    builtins: Table,
    refusing: Option<Table>,
    /// The number of captures of output outside the goal.
    outer_captures: usize,
}

/// Begins a search within the present one. Goals may have effects until the goal of the nested search begins.
///
/// # Errors
/// Returns an error if memory runs out.
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

/// Ends the nested search and restores the state of the outer one.
pub(super) fn step_out(m: &mut Machine, around: Around) {
    m.world.host.builtins = around.builtins;
    m.world.host.refusing = around.refusing;
    set_outer_captures(m, around.outer_captures);
    *m.world.layers.of::<Doing>() = around.doing;
    m.end_inner_branches();
}
