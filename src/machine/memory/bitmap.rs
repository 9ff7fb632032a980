//! The words of an area that a garbage collection has marked, and their new addresses.
#![forbid(unsafe_code)]

use crate::base::growth::{Grow, with_room, zeros};
use crate::base::stop::Stop;
use crate::store::address::Addr;
use crate::store::cell::WORD;
use std::ops::Range;

/// A bit for each word of an area, with ranks once marking is done.
pub(in crate::machine) struct Bitmap {
    base: u64,
    end: u64,
    bits: Vec<u64>,
    /// Number of bits set before each word of `bits`.
    ranks: Vec<u64>,
    /// After the ranks are computed, all words before this address are marked, so they do not move.
    gap: u64,
}

impl Bitmap {
    pub(in crate::machine) fn new<Kind>(base: Addr<Kind>, end: Addr<Kind>) -> Result<Bitmap, Stop> {
        let words = ((end - base) / WORD) as usize;
        Ok(Bitmap {
            base: base.bits(),
            end: end.bits(),
            bits: zeros(words / 64 + 1)?,
            ranks: Vec::new(),
            gap: base.bits(),
        })
    }

    /// Returns whether the address is in the area and comes after an unmarked word.
    #[inline(always)]
    pub(in crate::machine) fn moves<Kind>(&self, addr: Addr<Kind>) -> bool {
        (self.gap..self.end).contains(&addr.bits())
    }

    /// Returns the words of the area before the first unmarked word. The area begins at `base`.
    pub(in crate::machine) fn unmoved<Kind>(&self, base: Addr<Kind>) -> Range<Addr<Kind>> {
        base..base + (self.gap - self.base)
    }

    /// Returns whether every word is marked.
    pub(in crate::machine) fn is_full(&self) -> bool {
        self.gap == self.end
    }

    /// Returns the marked words from `from` on, in order.
    pub(in crate::machine) fn marked<'a, Kind: 'a>(
        &'a self,
        from: Addr<Kind>,
    ) -> impl Iterator<Item = Addr<Kind>> + 'a {
        let first = (from.bits() - self.base) / WORD;
        let mut index = (first / 64) as usize;
        let mut bits = self
            .bits
            .get(index)
            .map_or(0, |bits| bits & u64::MAX << (first % 64));
        let base = from - first * WORD;
        std::iter::from_fn(move || {
            while bits == 0 {
                index += 1;
                bits = *self.bits.get(index)?;
            }
            let bit = u64::from(bits.trailing_zeros());
            bits &= bits - 1;
            Some(base + (index as u64 * 64 + bit) * WORD)
        })
    }

    pub(in crate::machine) fn contains<Kind>(&self, addr: Addr<Kind>) -> bool {
        (self.base..self.end).contains(&addr.bits())
    }

    /// Sets the bit of an address; returns true if it was not set.
    pub(in crate::machine) fn mark<Kind>(&mut self, addr: Addr<Kind>) -> bool {
        let index = (addr.bits() - self.base) / WORD;
        let (word, bit) = ((index / 64) as usize, 1u64 << (index % 64));
        let new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        new
    }

    /// Sets the bits of `count` words, 1 to 63, from an address on. Returns the bits that were not set, the first in
    /// the lowest bit.
    #[inline(always)]
    pub(in crate::machine) fn mark_words<Kind>(&mut self, addr: Addr<Kind>, count: u64) -> u64 {
        let index = (addr.bits() - self.base) / WORD;
        let (word, bit) = ((index / 64) as usize, index % 64);
        let mask = (1u64 << count) - 1;
        let mut new = !(self.bits[word] >> bit) & mask;
        self.bits[word] |= mask << bit;
        if bit + count > 64 {
            let below = 64 - bit;
            let next = self.bits[word + 1];
            new = new & ((1u64 << below) - 1) | (!next & mask >> below) << below;
            self.bits[word + 1] = next | mask >> below;
        }
        new
    }

    /// Clears the bit of an address.
    pub(in crate::machine) fn clear<Kind>(&mut self, addr: Addr<Kind>) {
        let index = (addr.bits() - self.base) / WORD;
        self.bits[(index / 64) as usize] &= !(1 << (index % 64));
    }

    pub(in crate::machine) fn is_marked<Kind>(&self, addr: Addr<Kind>) -> bool {
        let index = (addr.bits() - self.base) / WORD;
        self.bits[(index / 64) as usize] >> (index % 64) & 1 != 0
    }

    pub(in crate::machine) fn rank_all(&mut self) -> Result<(), Stop> {
        let mut sum = 0;
        self.ranks = with_room(self.bits.len())?;
        for bits in &self.bits {
            self.ranks.put(sum)?;
            sum += u64::from(bits.count_ones());
        }
        let full = self.bits.iter().take_while(|&&bits| bits == u64::MAX);
        let full = full.count();
        let more = self.bits.get(full).map_or(0, |bits| bits.trailing_ones());
        self.gap = self.base + (full as u64 * 64 + u64::from(more)) * WORD;
        Ok(())
    }

    /// Returns the new address of a word at `addr`, or of a word that would begin there.
    pub(in crate::machine) fn forward<Kind>(&self, addr: Addr<Kind>) -> Addr<Kind> {
        let index = (addr.bits() - self.base) / WORD;
        let (word, bit) = ((index / 64) as usize, index % 64);
        let below = self.bits[word] & ((1u64 << bit) - 1);
        let marked = self.ranks[word] + u64::from(below.count_ones());
        addr - (index - marked) * WORD
    }
}
