//! Which words of an area a collection of garbage has marked, and where they go.

use crate::base::room::{with_room, zeros};
use crate::base::stop::Stop;
use crate::store::cell::{Addr, WORD};

/// A bit for each word of an area, with ranks once marking is done.
pub(super) struct Bitmap {
    pub(super) base: Addr,
    pub(super) end: Addr,
    pub(super) bits: Vec<u64>,
    /// Number of bits set before each word of `bits`.
    ranks: Vec<u64>,
    /// Once they are counted: all words before this address are marked, so they stay in their places.
    pub(super) gap: Addr,
}

impl Bitmap {
    pub(super) fn new(base: Addr, end: Addr) -> Result<Bitmap, Stop> {
        let words = ((end - base) / WORD) as usize;
        Ok(Bitmap {
            base,
            end,
            bits: zeros(words / 64 + 1)?,
            ranks: Vec::new(),
            gap: base,
        })
    }

    pub(super) fn contains(&self, addr: Addr) -> bool {
        (self.base..self.end).contains(&addr)
    }

    /// Sets the bit of an address; true if it was not set.
    pub(super) fn mark(&mut self, addr: Addr) -> bool {
        let index = (addr - self.base) / WORD;
        let (word, bit) = ((index / 64) as usize, 1u64 << (index % 64));
        let new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        new
    }

    /// Sets the bits of `count` words, 1 to 63, from an address on; gives those that were not set, the
    /// first in the lowest bit.
    #[inline(always)]
    pub(super) fn mark_words(&mut self, addr: Addr, count: u64) -> u64 {
        let index = (addr - self.base) / WORD;
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

    /// Takes the bit of an address back.
    pub(super) fn clear(&mut self, addr: Addr) {
        let index = (addr - self.base) / WORD;
        self.bits[(index / 64) as usize] &= !(1 << (index % 64));
    }

    pub(super) fn is_marked(&self, addr: Addr) -> bool {
        let index = (addr - self.base) / WORD;
        self.bits[(index / 64) as usize] >> (index % 64) & 1 != 0
    }

    pub(super) fn rank_all(&mut self) -> Result<(), Stop> {
        let mut sum = 0;
        self.ranks = with_room(self.bits.len())?;
        for bits in &self.bits {
            self.ranks.push(sum);
            sum += u64::from(bits.count_ones());
        }
        let full = self.bits.iter().take_while(|&&bits| bits == u64::MAX);
        let full = full.count();
        let more = self.bits.get(full).map_or(0, |bits| bits.trailing_ones());
        self.gap = self.base + (full as u64 * 64 + u64::from(more)) * WORD;
        Ok(())
    }

    /// Where what lies at `addr`, or would begin there, goes.
    pub(super) fn forward(&self, addr: Addr) -> Addr {
        let index = (addr - self.base) / WORD;
        let (word, bit) = ((index / 64) as usize, index % 64);
        let below = self.bits[word] & ((1u64 << bit) - 1);
        self.base + (self.ranks[word] + u64::from(below.count_ones())) * WORD
    }
}
