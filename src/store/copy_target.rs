//! Where copies of terms are written: at the end of a block, or on the heap.

use super::cell::{Addr, WORD};
use super::heap::OutOfMemory;
use super::raw;

/// Where a copy is written. Places are byte offsets in a block, addresses on the heap.
pub(super) trait Target {
    /// The place after the last word.
    fn top(&self) -> u64;
    /// Makes room for `words` more words.
    fn reserve(&mut self, words: usize) -> Result<(), OutOfMemory>;
    /// Appends a word; room was made.
    fn push(&mut self, word: u64);
    /// The word at `place`.
    fn get(&self, place: u64) -> u64;
    /// Replaces the word at `place`.
    fn set(&mut self, place: u64, word: u64);
}

/// The end of a block.
pub(super) struct BlockTarget<'a> {
    /// The block.
    pub(super) words: &'a mut Vec<u64>,
    /// Greatest number of words in it.
    pub(super) limit: usize,
}

impl Target for BlockTarget<'_> {
    #[inline(always)]
    fn top(&self) -> u64 {
        self.words.len() as u64 * WORD
    }
    #[inline(always)]
    fn reserve(&mut self, words: usize) -> Result<(), OutOfMemory> {
        if self.words.capacity() - self.words.len() >= words {
            return Ok(());
        }
        if self.words.len() + words > self.limit {
            return Err(OutOfMemory);
        }
        self.words
            .try_reserve(words.max(8))
            .map_err(|_| OutOfMemory)
    }
    #[inline(always)]
    fn push(&mut self, word: u64) {
        self.words.push(word);
    }
    #[inline(always)]
    fn get(&self, place: u64) -> u64 {
        self.words[(place / WORD) as usize]
    }
    #[inline(always)]
    fn set(&mut self, place: u64, word: u64) {
        self.words[(place / WORD) as usize] = word;
    }
}

/// The free part of the heap.
pub(super) struct HeapTarget {
    /// Its first address.
    pub(super) top: Addr,
    /// Address after its last word.
    pub(super) limit: Addr,
}

impl Target for HeapTarget {
    #[inline(always)]
    fn top(&self) -> u64 {
        self.top
    }
    #[inline(always)]
    fn reserve(&mut self, words: usize) -> Result<(), OutOfMemory> {
        if self.top + words as u64 * WORD <= self.limit {
            Ok(())
        } else {
            Err(OutOfMemory)
        }
    }
    #[inline(always)]
    fn push(&mut self, word: u64) {
        raw::set_word(self.top, word);
        self.top += WORD;
    }
    #[inline(always)]
    fn get(&self, place: u64) -> u64 {
        raw::word(place)
    }
    #[inline(always)]
    fn set(&mut self, place: u64, word: u64) {
        raw::set_word(place, word);
    }
}
