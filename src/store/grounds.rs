//! The reservations that hold the areas of engines. An engine takes grounds when it has a goal to run. When it
//! rests, it gives them back for other engines. So a resting engine takes no address space, and a new one needs no
//! request to the system.
#![forbid(unsafe_code)]

use super::areas::{AREAS, Area, FIRST_END, FIRST_HEAP, Mapped};
use super::heap::{SMALLEST_AREA, Store};
use super::os::{MAPPED_UNIT, Reservation};
use crate::base::growth::Within;
use crate::base::locks::lock;
use crate::base::stop::Stop;
use std::sync::Mutex;

/// A reservation, and how much of it is mapped.
pub(crate) struct Reserved {
    pub(super) reservation: Reservation,
    /// Bytes of an area.
    size: usize,
    /// The address after the mapped part of each area.
    ends: [u64; 4],
}

/// Greatest number of grounds that are kept for later engines.
const MOST_KEPT: usize = 32;

/// Grounds that no engine uses.
static KEPT: Mutex<Vec<Reserved>> = Mutex::new(Vec::new());

impl Reserved {
    /// Returns grounds with areas of `bytes` bytes, or fewer if the system refuses more.
    fn take(bytes: usize) -> Result<Reserved, Stop> {
        let mut kept = lock(&KEPT);
        if let Some(place) = kept.iter().rposition(|grounds| grounds.size == bytes) {
            return Ok(kept.swap_remove(place));
        }
        drop(kept);
        let mut size = bytes;
        let reservation = loop {
            match size.checked_mul(AREAS).and_then(Reservation::new) {
                Some(reservation) => break reservation,
                None if size <= SMALLEST_AREA => return Err(Stop),
                None => size = (size / 2).next_multiple_of(MAPPED_UNIT as usize),
            }
        };
        let ends = Reserved::bases(&reservation, size);
        Ok(Reserved {
            reservation,
            size,
            ends,
        })
    }

    fn bases(reservation: &Reservation, size: usize) -> [u64; 4] {
        [0, 1, 2, 3].map(|nth| reservation.base() + nth * size as u64)
    }

    /// Keeps the grounds for other engines, if few are kept.
    fn keep(self) {
        let mut kept = lock(&KEPT);
        if kept.len() < MOST_KEPT && kept.try_reserve(1).is_ok() {
            kept.put_within(self);
        }
    }
}

impl Store {
    /// Returns whether the store has no areas.
    #[inline]
    pub(crate) fn is_resting(&self) -> bool {
        self.grounds.is_none()
    }

    /// Takes areas if the store has none. They are empty.
    ///
    /// # Errors
    /// Returns an error if the system refuses memory.
    pub(crate) fn wake(&mut self) -> Result<(), Stop> {
        if !self.is_resting() {
            return Ok(());
        }
        let grounds = Reserved::take(self.most)?;
        let size = grounds.size;
        let bases = Reserved::bases(&grounds.reservation, size);
        self.heap = Area::new(bases[Mapped::HEAP], size as u64);
        self.env = Area::new(bases[Mapped::ENV], FIRST_END);
        self.choice = Area::new(bases[Mapped::CHOICE], FIRST_END);
        self.choices_end = self.choice.end;
        self.trail = Area::new(bases[Mapped::TRAIL], FIRST_END);
        self.mapped = Mapped::new(bases, self.heap.end);
        for (end, known) in self.mapped.ends.iter().zip(grounds.ends) {
            end.set(known);
        }
        self.limit = self.limit.min(size);
        self.grounds = Some(grounds);
        self.empty();
        let first = self.heap.base + FIRST_HEAP;
        let mapped = self.map(Mapped::ENV, self.env.end)
            && self.map(Mapped::CHOICE, self.choice.end)
            && self.map(Mapped::TRAIL, self.trail.end)
            && self.map_heap(first);
        if mapped {
            return Ok(());
        }
        self.rest();
        Err(Stop)
    }

    /// Gives the areas back, with their contents. Nothing may refer to the contents any more.
    pub(crate) fn rest(&mut self) {
        if self.is_resting() {
            return;
        }
        self.empty();
        self.env.end = self.env.base + FIRST_END;
        self.choice.end = self.choice.base + FIRST_END;
        self.choices_end = self.choice.end;
        self.trail.end = self.trail.base + FIRST_END;
        self.unmap(Mapped::ENV, self.env.end);
        self.unmap(Mapped::CHOICE, self.choice.end);
        let first = self.heap.base + FIRST_HEAP;
        self.unmap(Mapped::HEAP, first);
        self.unmap(Mapped::TRAIL, self.trail.end);
        if let Some(mut grounds) = self.grounds.take() {
            grounds.ends = self.mapped.ends.each_ref().map(std::cell::Cell::get);
            grounds.keep();
        }
        self.heap = Area::new(0, 0);
        self.trail = Area::new(0, 0);
        (self.env, self.choice) = (Area::new(0, 0), Area::new(0, 0));
        self.choices_end = self.choice.end;
        self.mapped = Mapped::new([0; 4], self.heap.end);
        self.empty();
        (self.limit, self.work) = (self.most, Vec::new());
    }

    /// Makes the areas empty.
    fn empty(&mut self) {
        (self.heap_top, self.heap_backtrack) = (self.heap.base, self.heap.base);
        (self.heap_kept, self.heap_high) = (self.heap.base, self.heap.base);
        (self.trail_top, self.trail_high) = (self.trail.base, self.trail.base);
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.rest();
    }
}
