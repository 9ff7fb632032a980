#![expect(unsafe_code, reason = "what lies in the areas is said here")]
//! The areas of an engine, and how much of them is mapped. Areas begin small and grow where they are; what they no longer need goes back to
//! the system.

use super::address::{Addr, HeapAddr, TrailAddr};
use super::cell::WORD;
use std::cell::Cell;

/// Words that are always free on the heap when a builtin or an instruction starts: what is bounded
/// by a constant need not be reserved.
pub(crate) const HEAP_SLACK_WORDS: usize = 1 << 16;
/// Bytes that are always free on the trail when an instruction starts: see [`Store::assign_few`](super::heap::Store::assign_few).
pub(super) const TRAIL_SLACK: u64 = 1 << 19;

/// The number of areas of the size of the heap that are reserved; the trail has two. A variable is
/// on the trail once at most while it is bound, so all variables of the heap fit into the second
/// half, and need no check; what else is trailed keeps to the first.
pub(super) const AREAS: usize = 5;

/// Bytes that the areas other than the heap may use from the start.
pub(super) const FIRST_END: u64 = 1 << 20;
/// Bytes of the heap that are mapped at first: as much as an engine wants that has collected nothing yet.
pub(crate) const FIRST_HEAP: u64 = 3 << 20;
/// Bytes of the heap that are free when an instruction begins.
pub(super) const SLACK: u64 = HEAP_SLACK_WORDS as u64 * WORD;

/// One area: a part of the reservation.
#[derive(Debug)]
pub(crate) struct Area<Kind> {
    /// First address.
    pub(crate) base: Addr<Kind>,
    /// Address after the last that may be used; of areas but the heap, for the time being: see
    /// [`Store::grow_trail`] and its like. Of the heap less may be mapped: see [`Store::map_heap`].
    pub(crate) end: Addr<Kind>,
}

impl<Kind> Clone for Area<Kind> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Kind> Copy for Area<Kind> {}

impl<Kind> Area<Kind> {
    /// The area of so many bytes from a place of the reservation on, which is for this kind alone.
    pub(super) fn new(base: u64, bytes: u64) -> Area<Kind> {
        // SAFETY: all that lies there is of this kind.
        let base = unsafe { Addr::from_bits(base) };
        Area {
            base,
            end: base + bytes,
        }
    }

    /// Its size in bytes.
    pub(crate) fn bytes(self) -> u64 {
        self.end - self.base
    }

    /// Where it may end, if it is in use up to `top` only and has been so up to `high`, with `little` to be kept.
    pub(super) fn shorter(
        self,
        top: Addr<Kind>,
        high: Addr<Kind>,
        little: u64,
    ) -> Option<Addr<Kind>> {
        let used = top - self.base;
        let much = high - self.base > 4 * used + little;
        much.then(|| self.end.min(top + used + FIRST_END))
    }
}

/// How much of the areas is mapped.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// Where the areas begin: heap, environments, choice points, trail.
    pub(super) bases: [u64; 4],
    /// The address after what is mapped of each.
    pub(super) ends: [Cell<u64>; 4],
    /// What the heap may not grow beyond since the system has refused more.
    pub(super) refused: Cell<HeapAddr>,
    /// How far the heap may be filled without asking again, the slack included.
    #[cfg(debug_assertions)]
    pub(super) promised: Cell<u64>,
}

impl Mapped {
    pub(super) const HEAP: usize = 0;
    pub(super) const ENV: usize = 1;
    pub(super) const CHOICE: usize = 2;
    pub(super) const TRAIL: usize = 3;

    /// Nothing is mapped of areas that begin here; the heap may grow up to `end`.
    pub(super) fn new(bases: [u64; 4], end: HeapAddr) -> Mapped {
        Mapped {
            bases,
            ends: bases.map(Cell::new),
            refused: Cell::new(end),
            #[cfg(debug_assertions)]
            promised: Cell::new(bases[Mapped::HEAP] + 2 * SLACK),
        }
    }

    /// The address after what is mapped of the heap.
    #[inline(always)]
    pub(super) fn heap(&self) -> HeapAddr {
        // SAFETY: the area is the heap.
        unsafe { Addr::from_bits(self.ends[Mapped::HEAP].get()) }
    }

    /// Notes that the heap may be filled so far.
    pub(super) fn promise(&self, _end: HeapAddr) {
        #[cfg(debug_assertions)]
        self.promised.set(self.promised.get().max(_end.bits()));
    }

    /// Finds whoever fills the heap further than that.
    #[inline(always)]
    pub(super) fn check_promise(&self, _end: HeapAddr) {
        #[cfg(debug_assertions)]
        assert!(
            _end.bits() <= self.promised.get(),
            "nobody reserved this room"
        );
    }

    /// The same of the trail.
    pub(super) fn trail(&self) -> TrailAddr {
        // SAFETY: the area is the trail.
        unsafe { Addr::from_bits(self.ends[Mapped::TRAIL].get()) }
    }

    /// The address that the heap does not grow beyond, as far as the system is asked.
    pub(super) fn refused(&self) -> HeapAddr {
        self.refused.get()
    }
}

#[cfg(feature = "extra-checks")]
impl Drop for Mapped {
    fn drop(&mut self) {
        super::extra_checks::gone(self.bases[Mapped::HEAP]);
    }
}
