//! The kinds of changes of a domain. Propagators name the kinds that they wait for.

use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::raw;

/// Offset of the pending events (see `propagation`).
pub(super) const PENDING: u64 = WORD;

/// The variable is an integer now.
pub(crate) const INST: u32 = 1;
/// The least value has become greater.
pub(crate) const MIN: u32 = 2;
/// The greatest value has become less.
pub(crate) const MAX: u32 = 4;
/// One of both bounds has changed.
pub(crate) const BOUNDS: u32 = MIN | MAX;
/// The domain has changed.
pub(crate) const DOM: u32 = 8;
/// All of these.
pub(super) const EVENTS: i64 = 15;
/// Shift of the awaited events in the word of pending events of a variable. The word has the pending events in its
/// lowest bits. Then come the events that propagators are known to wait for, and then the place in the queue.
pub(super) const INTERESTS: u32 = 4;

/// Notes that a propagator waits for these events.
pub(super) fn interest(at: HeapAddr, events: u32) {
    let pending = raw::cell(at + PENDING).int_value();
    raw::set_cell(
        at + PENDING,
        Cell::int(pending | i64::from(events) << INTERESTS),
    );
}
