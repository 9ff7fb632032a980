//! Names with an arity, each kept once and known by its number. Functors can be removed, many at a time; their
//! numbers are used again.
#![forbid(unsafe_code)]

use super::atom_table::{Atom, FastMap};
use super::growth::{GiveBack, GrowTable, Within, reserve, room_for_one};
use super::stop::Stop;

/// The arity of a number that belongs to no functor.
const FREE: u32 = u32::MAX;

/// The table of functors, numbered from 0.
#[derive(Default)]
pub(super) struct FunctorTable {
    parts: Vec<(Atom, u32)>,
    /// Numbers that belong to no functor, the lowest last.
    free: Vec<u32>,
    numbers: FastMap<(Atom, u32), u32>,
}

impl FunctorTable {
    /// Returns a number greater than those of all functors so far.
    pub(super) fn end(&self) -> usize {
        self.parts.len()
    }

    /// Returns the number of functors.
    pub(super) fn count(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the name of a functor.
    #[inline]
    pub(super) fn name(&self, number: usize) -> Atom {
        self.parts[number].0
    }

    /// Returns name and arity of all functors, in order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Atom, u32)> {
        let used = self.parts.iter().filter(|&&(_, arity)| arity != FREE);
        used.copied()
    }

    /// Returns the number of a functor.
    #[inline]
    pub(super) fn find(&self, name: Atom, arity: u32) -> Option<usize> {
        let number = self.numbers.get(&(name, arity))?;
        Some(*number as usize)
    }

    /// Adds a functor that is not in the table and returns its number.
    pub(super) fn add(&mut self, name: Atom, arity: u32) -> Result<usize, Stop> {
        room_for_one(&mut self.parts)?;
        self.numbers.make_room()?;
        let number = match self.free.pop() {
            Some(number) => {
                self.parts[number as usize] = (name, arity);
                number
            }
            None => {
                self.parts.put_within((name, arity));
                self.parts.len() as u32 - 1
            }
        };
        self.numbers.put_within(((name, arity), number));
        Ok(number as usize)
    }

    /// Adds the functors of another table under the numbers that follow. A number that is free there is free here,
    /// too.
    pub(super) fn append(&mut self, other: &FunctorTable) -> Result<(), Stop> {
        reserve(&mut self.parts, other.parts.len())?;
        self.numbers.try_reserve(other.numbers.len())?;
        for &part in &other.parts {
            if part.1 != FREE {
                self.numbers.put_within((part, self.parts.len() as u32));
            }
            self.parts.put_within(part);
        }
        Ok(())
    }

    /// Removes the functors whose numbers `keep` refuses and returns how many these are. With `reuse` their numbers
    /// are used again for later functors.
    pub(super) fn retain(
        &mut self,
        keep: impl Fn(usize) -> bool,
        reuse: bool,
    ) -> Result<usize, Stop> {
        let mut gone = 0;
        let mut free: Vec<u32> = Vec::new();
        // No step may fail from here on.
        let goes = |&(number, parts): &(usize, &(Atom, u32))| parts.1 == FREE || !keep(number);
        reserve(
            &mut free,
            self.parts.iter().enumerate().filter(goes).count(),
        )?;
        let mut end = 0;
        for (number, parts) in self.parts.iter_mut().enumerate() {
            if parts.1 != FREE && !keep(number) {
                self.numbers.remove(parts);
                parts.1 = FREE;
                gone += 1;
            }
            if parts.1 != FREE {
                end = number + 1;
            } else if reuse {
                free.put_within(number as u32);
            }
        }
        if gone > 0 && reuse {
            self.parts.truncate(end);
            while free.last().is_some_and(|&number| number as usize >= end) {
                free.pop();
            }
            free.reverse();
            self.free = free;
            let (used, room) = (self.numbers.len(), self.numbers.capacity());
            if room > 16 * used + (1 << 12) {
                self.numbers.give_back(used * 4);
            }
        }
        Ok(gone)
    }
}
