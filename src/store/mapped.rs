//! How much of the areas is mapped. Areas begin small and grow where they are; what they no longer need goes back to
//! the system.

use super::cell::{Addr, WORD};
use super::heap::{HEAP_SLACK_WORDS, Store, TRAIL_SLACK};
use super::os::MAPPED_UNIT;
use std::cell::Cell;

/// Beyond so many bytes an area may come in large pages: small programs stay small.
const SMALL_AREA: u64 = 8 << 20;
/// Bytes of the heap that are free when an instruction begins.
const SLACK: u64 = HEAP_SLACK_WORDS as u64 * WORD;

/// How much of the areas is mapped.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// Where the areas begin: heap, environments, choice points, trail.
    bases: [Addr; 4],
    /// The address after what is mapped of each.
    ends: [Cell<Addr>; 4],
    /// What the heap may not grow beyond since the system has refused more.
    refused: Cell<Addr>,
    /// How far the heap may be filled without asking again, the slack included.
    #[cfg(debug_assertions)]
    promised: Cell<Addr>,
}

impl Mapped {
    pub(super) const HEAP: usize = 0;
    pub(super) const ENV: usize = 1;
    pub(super) const CHOICE: usize = 2;
    pub(super) const TRAIL: usize = 3;

    /// Nothing is mapped of areas that begin here; the heap may grow up to `end`.
    pub(super) fn new(bases: [Addr; 4], end: Addr) -> Mapped {
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
    pub(super) fn heap(&self) -> Addr {
        self.ends[Mapped::HEAP].get()
    }

    /// Notes that the heap may be filled so far.
    pub(super) fn promise(&self, _end: Addr) {
        #[cfg(debug_assertions)]
        self.promised.set(self.promised.get().max(_end));
    }

    /// Finds whoever fills the heap further than that.
    #[inline(always)]
    pub(super) fn check_promise(&self, _end: Addr) {
        #[cfg(debug_assertions)]
        assert!(_end <= self.promised.get(), "nobody reserved this room");
    }

    /// The same of the trail.
    pub(super) fn trail(&self) -> Addr {
        self.ends[Mapped::TRAIL].get()
    }

    /// The address that the heap does not grow beyond, as far as the system is asked.
    pub(super) fn refused(&self) -> Addr {
        self.refused.get()
    }
}

impl Store {
    /// Makes an area usable up to `end`: false if the system refuses. Where more of the heap is mapped, so is more
    /// of the trail: see [`AREAS`](super::heap::AREAS).
    pub(super) fn map(&self, area: usize, end: Addr) -> bool {
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
            let large = old.max(base + SMALL_AREA);
            self.reservation
                .prefer_large_pages(large - from, end.max(large) - from);
        }
        mapped
    }

    /// Makes the heap usable up to `end`: false if the system, or its own size, does not allow it.
    #[inline]
    pub(super) fn map_heap(&self, end: Addr) -> bool {
        end <= self.mapped.heap() || self.map_more_heap(end)
    }

    #[cold]
    #[inline(never)]
    fn map_more_heap(&self, end: Addr) -> bool {
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
    pub(super) fn unmap(&self, area: usize, end: Addr) {
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
        }
    }

    /// How far the heap may be filled without a look if that is to be `limit`: the slack after it is mapped.
    pub(crate) fn mapped_limit(&self, limit: Addr) -> Addr {
        let refused = match self.map_heap(limit + SLACK) {
            true => self.heap.end,
            false => self.mapped.heap() - SLACK,
        };
        self.mapped.refused.set(refused);
        let limit = limit.min(refused);
        #[cfg(debug_assertions)]
        self.mapped.promised.set(limit + SLACK);
        limit
    }
}
