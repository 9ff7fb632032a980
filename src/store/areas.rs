#![expect(unsafe_code, reason = "what lies in the areas is said here")]
//! The areas of an engine, and how much of them is mapped. Areas begin small and grow where they are; what they no longer need goes back to
//! the system.

use super::address::{Addr, HeapAddr, TrailAddr};
use super::cell::WORD;
use super::heap::{HEAP_SLACK_WORDS, Store, TRAIL_SLACK};
use super::limit::FIRST_END;
use super::os::MAPPED_UNIT;
use std::cell::Cell;

/// Beyond so many bytes an area may come in large pages: small programs stay small.
const SMALL_AREA: u64 = 8 << 20;
/// Bytes of the heap that are free when an instruction begins.
const SLACK: u64 = HEAP_SLACK_WORDS as u64 * WORD;

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
    bases: [u64; 4],
    /// The address after what is mapped of each.
    ends: [Cell<u64>; 4],
    /// What the heap may not grow beyond since the system has refused more.
    refused: Cell<HeapAddr>,
    /// How far the heap may be filled without asking again, the slack included.
    #[cfg(debug_assertions)]
    promised: Cell<u64>,
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

impl Store {
    /// Makes an area usable up to `end`: false if the system refuses. Where more of the heap is mapped, so is more
    /// of the trail: see [`AREAS`](super::heap::AREAS).
    pub(super) fn map<Kind>(&self, area: usize, end: Addr<Kind>) -> bool {
        let end = end.bits();
        let (base, old) = (self.mapped.bases[area], self.mapped.ends[area].get());
        let end = match area {
            Mapped::TRAIL => end + (self.mapped.heap() - self.heap.base) + TRAIL_SLACK,
            _ => end,
        };
        if end <= old {
            return true;
        }
        let end = base + (end - base).next_multiple_of(MAPPED_UNIT);
        let from = self.reservation.base();
        let mapped = self.reservation.map(old - from, end - from);
        if mapped {
            self.mapped.ends[area].set(end);
            self.note_mapped();
            let large = old.max(base + SMALL_AREA);
            self.reservation
                .prefer_large_pages(large - from, end.max(large) - from);
        }
        mapped
    }

    /// Makes the heap usable up to `end`: false if the system, or its own size, does not allow it.
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

    /// Gives back what is mapped of an area beyond `end`.
    pub(super) fn unmap<Kind>(&self, area: usize, end: Addr<Kind>) {
        let end = end.bits();
        let (base, old) = (self.mapped.bases[area], self.mapped.ends[area].get());
        let end = match area {
            Mapped::TRAIL => end + (self.mapped.heap() - self.heap.base) + TRAIL_SLACK,
            _ => end,
        };
        let end = base + (end - base).next_multiple_of(MAPPED_UNIT);
        if end < old {
            let from = self.reservation.base();
            self.reservation.release(end - from, old - from);
            self.mapped.ends[area].set(end);
            self.note_mapped();
        }
    }

    /// What is mapped has changed.
    fn note_mapped(&self) {
        #[cfg(feature = "extra-checks")]
        super::extra_checks::mapped(
            self.mapped.bases[Mapped::HEAP],
            self.mapped.bases[Mapped::ENV] - self.mapped.bases[Mapped::HEAP],
            self.mapped.ends.each_ref().map(Cell::get),
        );
    }

    /// How far the heap may be filled without a look if that is to be `limit`: the slack after it is mapped.
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
