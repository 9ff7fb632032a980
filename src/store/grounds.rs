//! What the areas of a run are parts of. An engine takes grounds when it has a goal to run, and gives them back for others
//! when it rests: so engines that rest take nothing of the address space, and those that begin ask nothing of the system.
#![forbid(unsafe_code)]

use super::areas::{AREAS, Area, FIRST_END, FIRST_HEAP, Mapped};
use super::heap::{SMALLEST_AREA, Store};
use super::os::{MAPPED_UNIT, Reservation};
use crate::base::growth::Within;
use crate::base::locks::lock;
use crate::base::stop::Stop;
use std::sync::Mutex;

/// A reservation, and how much of it is mapped.
pub(crate) struct Grounds {
    pub(super) reservation: Reservation,
    /// Bytes of an area.
    size: usize,
    /// The addresses after what is mapped of each area.
    ends: [u64; 4],
}

/// So many are kept for engines to come.
const MOST_KEPT: usize = 32;

/// Those that no engine has.
static KEPT: Mutex<Vec<Grounds>> = Mutex::new(Vec::new());

impl Grounds {
    /// Grounds with areas of so many bytes, or of less if the system refuses more.
    fn take(bytes: usize) -> Result<Grounds, Stop> {
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
        let ends = Grounds::bases(&reservation, size);
        Ok(Grounds {
            reservation,
            size,
            ends,
        })
    }

    fn bases(reservation: &Reservation, size: usize) -> [u64; 4] {
        [0, 1, 2, 3].map(|nth| reservation.base() + nth * size as u64)
    }

    /// Keeps them for others, if there are not many.
    fn keep(self) {
        let mut kept = lock(&KEPT);
        if kept.len() < MOST_KEPT && kept.try_reserve(1).is_ok() {
            kept.put_within(self);
        }
    }
}

impl Store {
    /// Is it without areas?
    #[inline]
    pub(crate) fn is_resting(&self) -> bool {
        self.grounds.is_none()
    }

    /// Takes areas, if it has none. They are empty.
    ///
    /// # Errors
    /// The system refuses memory.
    pub(crate) fn wake(&mut self) -> Result<(), Stop> {
        if !self.is_resting() {
            return Ok(());
        }
        let grounds = Grounds::take(self.most)?;
        let size = grounds.size;
        let bases = Grounds::bases(&grounds.reservation, size);
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

    /// Gives the areas back, with all that is in them. Nobody refers to it any more.
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

    /// Nothing is in the areas.
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
