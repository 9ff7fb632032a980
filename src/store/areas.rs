#![expect(unsafe_code, reason = "this file defines the layout of the areas")]
//! The areas of an engine, and their mapped parts. Areas begin small and grow in place; pages that they no longer
//! need go back to the system.

use super::address::{Addr, HeapAddr, TrailAddr};
use super::cell::WORD;
use std::cell::Cell;

/// Words that are always free on the heap when a builtin or an instruction starts. Work that needs a number of words
/// bounded by a constant need not reserve them.
pub(crate) const HEAP_SLACK_WORDS: usize = 1 << 16;
/// Bytes that are always free on the trail when an instruction starts: see
/// [`Store::assign_few`](super::heap::Store::assign_few).
pub(super) const TRAIL_SLACK: u64 = 1 << 19;

/// The size of the reservation, in areas of the size of the heap; the trail has two of them. A variable is on the
/// trail once at most while it is bound. So all variables of the heap fit into the second half of the trail, and
/// binding one needs no check. All other entries keep to the first half.
pub(super) const AREAS: usize = 5;

/// Bytes that the areas other than the heap may use from the start.
pub(super) const FIRST_END: u64 = 1 << 20;
/// Bytes of the heap that are mapped at first: what an engine needs before its first collection.
pub(crate) const FIRST_HEAP: u64 = 3 << 20;
/// Bytes of the heap that are free when an instruction begins.
pub(super) const SLACK: u64 = HEAP_SLACK_WORDS as u64 * WORD;

/// One area: a part of the reservation.
#[derive(Debug)]
pub(crate) struct Area<Kind> {
    /// First address.
    pub(crate) base: Addr<Kind>,
    /// Address after the last word that may be used. It moves when an area grows: see [`Store::grow_trail`] and its
    /// like. Of the heap less may be mapped: see [`Store::map_heap`].
    pub(crate) end: Addr<Kind>,
}

impl<Kind> Clone for Area<Kind> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Kind> Copy for Area<Kind> {}

impl<Kind> Area<Kind> {
    /// Returns the area of `bytes` bytes from `base` on. This part of the reservation is for this kind alone.
    pub(super) fn new(base: u64, bytes: u64) -> Area<Kind> {
        // SAFETY: all words there are of this kind.
        let base = unsafe { Addr::from_bits(base) };
        Area {
            base,
            end: base + bytes,
        }
    }

    /// Returns the size of the area in bytes.
    pub(crate) fn bytes(self) -> u64 {
        self.end - self.base
    }

    /// Returns the address where the area may end, or `None` if it need not shrink. The area is in use up to `top`
    /// and has been in use up to `high`. It keeps `little` bytes.
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

/// The mapped parts of the areas.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// First addresses of the areas: heap, environments, choice points, trail.
    pub(super) bases: [u64; 4],
    /// The address after the mapped part of each area.
    pub(super) ends: [Cell<u64>; 4],
    /// The address that the heap may not grow beyond, because the system has refused more.
    pub(super) refused: Cell<HeapAddr>,
    /// The address up to which the heap may be filled without a new reservation, the slack included.
    #[cfg(debug_assertions)]
    pub(super) promised: Cell<u64>,
}

impl Mapped {
    pub(super) const HEAP: usize = 0;
    pub(super) const ENV: usize = 1;
    pub(super) const CHOICE: usize = 2;
    pub(super) const TRAIL: usize = 3;

    /// Returns the state in which nothing is mapped of areas that begin at `bases`. The heap may grow up to `end`.
    pub(super) fn new(bases: [u64; 4], end: HeapAddr) -> Mapped {
        Mapped {
            bases,
            ends: bases.map(Cell::new),
            refused: Cell::new(end),
            #[cfg(debug_assertions)]
            promised: Cell::new(bases[Mapped::HEAP] + 2 * SLACK),
        }
    }

    /// Returns the address after the mapped part of the heap.
    #[inline(always)]
    pub(super) fn heap(&self) -> HeapAddr {
        // SAFETY: the area is the heap.
        unsafe { Addr::from_bits(self.ends[Mapped::HEAP].get()) }
    }

    /// Notes that the heap may be filled up to `_end`.
    pub(super) fn promise(&self, _end: HeapAddr) {
        #[cfg(debug_assertions)]
        self.promised.set(self.promised.get().max(_end.bits()));
    }

    /// Panics if the heap is filled further than it may be.
    #[inline(always)]
    pub(super) fn check_promise(&self, _end: HeapAddr) {
        #[cfg(debug_assertions)]
        assert!(
            _end.bits() <= self.promised.get(),
            "nobody reserved this room"
        );
    }

    /// Returns the address after the mapped part of the trail.
    pub(super) fn trail(&self) -> TrailAddr {
        // SAFETY: the area is the trail.
        unsafe { Addr::from_bits(self.ends[Mapped::TRAIL].get()) }
    }

    /// Returns the address that the heap may not grow beyond, because the system has refused more.
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
