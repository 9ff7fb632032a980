//! What changes of a domain there are: those who wait for it name them.

use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::raw;

/// Where what is pending lies (see `propagation`).
pub(super) const PENDING: u64 = WORD;

/// The variable is an integer now.
pub(crate) const INST: u32 = 1;
/// Its least value has become greater.
pub(crate) const MIN: u32 = 2;
/// Its greatest value has become less.
pub(crate) const MAX: u32 = 4;
/// One of both.
pub(crate) const BOUNDS: u32 = MIN | MAX;
/// Its domain has changed.
pub(crate) const DOM: u32 = 8;
/// All of these.
pub(super) const EVENTS: i64 = 15;
/// What is pending for a variable, in its lists: events in the lowest bits, then those that somebody waits for, as far
/// as known, and where in the queue they stand.
pub(super) const INTERESTS: u32 = 4;

/// Notes that somebody waits for these events.
pub(super) fn interest(at: HeapAddr, events: u32) {
    let pending = raw::cell(at + PENDING).int_value();
    raw::set_cell(
        at + PENDING,
        Cell::int(pending | i64::from(events) << INTERESTS),
    );
}
