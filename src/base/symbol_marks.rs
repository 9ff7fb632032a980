//! Marks of the atoms and functors in use, for the sweep of the others.
#![forbid(unsafe_code)]

use super::atom_table::{Atom, Functor};
use super::growth::{GrowAt, GrowBy, with_room};
use super::stop::Stop;

/// A set of numbers.
#[derive(Clone, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Adds a number.
    #[inline(always)]
    pub(super) fn insert(&mut self, number: usize) -> Result<(), Stop> {
        let word = number / 64;
        if word >= self.0.len() {
            self.grow(word)?;
        }
        self.mark(number);
        Ok(())
    }

    #[cold]
    fn grow(&mut self, word: usize) -> Result<(), Stop> {
        let words = (word + 1).next_power_of_two();
        self.0.fill_to(words, 0)
    }

    /// Adds a number that there is room for.
    #[inline(always)]
    fn mark(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Returns whether the number is in the set.
    #[inline(always)]
    pub(super) fn contains(&self, number: usize) -> bool {
        let word = self.0.get(number / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// Returns a copy with room for all numbers less than `end`.
    fn with_room(&self, end: usize) -> Result<Bits, Stop> {
        let words = end / 64 + 1;
        let mut bits = with_room(words.max(self.0.len()))?;
        bits.put_slice(&self.0)?;
        bits.fill_to(words.max(self.0.len()), 0)?;
        Ok(Bits(bits))
    }
}

/// The symbols of an engine that were found to be in use. [`Symbols::sweep`](super::atom_table::Symbols::sweep)
/// removes the others.
pub(crate) struct Marks {
    pub(super) atoms: Bits,
    pub(super) functors: Bits,
    /// The first atom and the first functor that may be removed, and the ends of the tables.
    first_atom: usize,
    first_functor: usize,
    atoms_end: usize,
    functors_end: usize,
}

impl Marks {
    /// Returns marks for the numbers above the frozen part. The symbols in `kept` are always marked.
    pub(super) fn new(
        kept: (&Bits, &Bits),
        first: (usize, usize),
        ends: (usize, usize),
    ) -> Result<Marks, Stop> {
        Ok(Marks {
            atoms: kept.0.with_room(ends.0)?,
            functors: kept.1.with_room(ends.1)?,
            first_atom: first.0,
            first_functor: first.1,
            atoms_end: ends.0,
            functors_end: ends.1,
        })
    }

    /// Marks this atom as in use. Ignores a number that belongs to no atom.
    #[inline(always)]
    pub(crate) fn atom(&mut self, atom: Atom) {
        let number = (atom.0 as usize).wrapping_sub(self.first_atom);
        if number < self.atoms_end {
            self.atoms.mark(number);
        }
    }

    /// Marks this functor and its name as in use. Ignores a number that belongs to no functor.
    #[inline(always)]
    pub(crate) fn functor(&mut self, functor: Functor) {
        let number = functor.index().wrapping_sub(self.first_functor);
        if number < self.functors_end {
            self.functors.mark(number);
        }
    }
}
