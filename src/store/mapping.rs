//! Mapping of the areas of an engine as they grow, and unmapping of memory that they no longer need.
#![forbid(unsafe_code)]

use super::address::{Addr, HeapAddr};
use super::areas::{Mapped, SLACK, TRAIL_SLACK};
use super::grounds::Reserved;
use super::heap::Store;
use super::os::MAPPED_UNIT;
#[cfg(feature = "extra-checks")]
use std::cell::Cell;

/// Size in bytes from which an area may have large pages: small programs stay small.
const SMALL_AREA: u64 = 8 << 20;

impl Store {
    /// Returns the base of an area and the end of its mapped part. The third result is the end that this part must
    /// have if the area is used up to `end`.
    fn extent(&self, area: usize, end: u64) -> (u64, u64, u64) {
        let end = match area {
            Mapped::TRAIL => end + (self.mapped.heap() - self.heap.base) + TRAIL_SLACK,
            _ => end,
        };
        (self.mapped.bases[area], self.mapped.ends[area].get(), end)
    }

    /// Makes an area usable up to `end`. Returns false if the system refuses. Mapping more of the heap also maps
    /// more of the trail: see [`AREAS`](super::areas::AREAS).
    pub(super) fn map<Kind>(&self, area: usize, end: Addr<Kind>) -> bool {
        let (base, old, end) = self.extent(area, end.bits());
        if end <= old {
            return true;
        }
        let end = base + (end - base).next_multiple_of(MAPPED_UNIT);
        let Some(Reserved { reservation, .. }) = &self.grounds else {
            return false;
        };
        let from = reservation.base();
        let mapped = reservation.map(old - from, end - from);
        if mapped {
            self.mapped.ends[area].set(end);
            self.note_mapped();
            let large = old.max(base + SMALL_AREA);
            reservation.prefer_large_pages(large - from, end.max(large) - from);
        }
        mapped
    }

    /// Makes the heap usable up to `end`. Returns false if the system, or the size of the heap, does not allow it.
    #[inline]
    pub(super) fn map_heap(&self, end: HeapAddr) -> bool {
        end <= self.mapped.heap() || self.map_more_heap(end)
    }

    #[cold]
    #[inline(never)]
    fn map_more_heap(&self, end: HeapAddr) -> bool {
        let old = self.mapped.heap();
        let usual = old + (old - self.heap.base);
        let wanted = [usual.max(end).min(self.heap.end), end];
        wanted.into_iter().any(|to| {
            let done = end <= self.heap.end && self.map(Mapped::HEAP, to);
            if done && !self.map(Mapped::TRAIL, self.trail.end) {
                self.unmap(Mapped::HEAP, old);
                return false;
            }
            done
        })
    }

    /// Gives the mapped part of an area beyond `end` back.
    pub(super) fn unmap<Kind>(&self, area: usize, end: Addr<Kind>) {
        let (base, old, end) = self.extent(area, end.bits());
        let end = base + (end - base).next_multiple_of(MAPPED_UNIT);
        if let Some(Reserved { reservation, .. }) = &self.grounds
            && end < old
        {
            let from = reservation.base();
            reservation.release(end - from, old - from);
            self.mapped.ends[area].set(end);
            self.note_mapped();
        }
    }

    /// Reports the mapped parts to the extra checks.
    fn note_mapped(&self) {
        #[cfg(feature = "extra-checks")]
        super::extra_checks::mapped(
            self.mapped.bases[Mapped::HEAP],
            self.mapped.bases[Mapped::ENV] - self.mapped.bases[Mapped::HEAP],
            self.mapped.ends.each_ref().map(Cell::get),
        );
    }

    /// Returns the address up to which the heap may be filled without a check, if `limit` is wanted: the slack after
    /// it is mapped.
    pub(crate) fn mapped_limit(&self, limit: HeapAddr) -> HeapAddr {
        let refused = match self.map_heap(limit + SLACK) {
            true => self.heap.end,
            false => self.mapped.heap() - SLACK,
        };
        self.mapped.refused.set(refused);
        let limit = limit.min(refused);
        #[cfg(debug_assertions)]
        self.mapped.promised.set((limit + SLACK).bits());
        limit
    }
}
