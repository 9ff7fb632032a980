//! Targets of copies of terms: the end of a block, or the heap.
//!
//! If copying must stop, it ends as if there were no room. The machine, which raises the error, knows the true
//! reason.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::areas::HEAP_SLACK_WORDS;
use super::cell::WORD;
use super::heap::Store;
use super::raw;
use crate::base::growth::Within;
use crate::base::stop::Stop;
use crate::base::watch;

/// The target of a copy. Places are byte offsets in a block, addresses on the heap.
pub(super) trait Target {
    /// Returns the place after the last word.
    fn top(&self) -> HeapAddr;
    /// Makes room for `words` more words.
    fn reserve(&mut self, words: usize) -> Result<(), Stop>;
    /// Appends a word; there must be room for it.
    fn push(&mut self, word: u64);
    /// Returns the word at `place`.
    fn get(&self, place: HeapAddr) -> u64;
    /// Replaces the word at `place`.
    fn set(&mut self, place: HeapAddr, word: u64);
    /// Returns whether there is room for `words` words that are no part of the copy.
    fn has_room_beside(&self, words: usize) -> bool;
}

/// Number of words that are copied between two checks whether the copying must stop.
const CHUNK: usize = watch::STEPS;
const _: () = assert!(CHUNK <= HEAP_SLACK_WORDS);

/// The end of a block as a target.
pub(super) struct BlockTarget<'a> {
    words: &'a mut Vec<u64>,
    /// Number of words that were in the block before.
    before: usize,
    /// Number of words that the block may have before room must be requested.
    free: usize,
    /// Number of words at the last check whether the copying must stop.
    looked: usize,
    store: &'a Store,
}

impl<'a> BlockTarget<'a> {
    /// Returns the end of `words` as a target.
    #[inline(always)]
    pub(super) fn new(words: &'a mut Vec<u64>, store: &'a Store) -> BlockTarget<'a> {
        let free = words.capacity().min(words.len() + CHUNK);
        BlockTarget {
            before: words.len(),
            looked: words.len(),
            words,
            free,
            store,
        }
    }

    /// Returns the greatest number of words in the block. The words that were there before are counted already.
    fn limit(&self) -> usize {
        let room = self.before + (self.store.scratch_room() / WORD) as usize;
        room.min(self.store.area_bytes() / WORD as usize)
    }

    #[cold]
    fn grow(&mut self, words: usize) -> Result<(), Stop> {
        let len = self.words.len();
        let steps = len - self.looked;
        if steps >= CHUNK && self.store.watch.stop_wanted_after(steps) {
            return Err(Stop);
        }
        if self.words.capacity() - len < words {
            if len + words > self.limit() {
                return Err(Stop);
            }
            self.words.try_reserve(words.max(8))?;
        }
        if steps >= CHUNK {
            self.looked = len;
        }
        self.free = self.words.capacity().min(len + words.max(CHUNK));
        Ok(())
    }
}

impl Target for BlockTarget<'_> {
    #[inline(always)]
    fn top(&self) -> HeapAddr {
        HeapAddr::in_block(self.words.len())
    }
    #[inline(always)]
    fn reserve(&mut self, words: usize) -> Result<(), Stop> {
        if self.words.len() + words <= self.free {
            Ok(())
        } else {
            self.grow(words)
        }
    }
    #[inline(always)]
    fn push(&mut self, word: u64) {
        self.words.put_within(word);
    }
    #[inline(always)]
    fn get(&self, place: HeapAddr) -> u64 {
        self.words[place.block_word()]
    }
    #[inline(always)]
    fn set(&mut self, place: HeapAddr, word: u64) {
        self.words[place.block_word()] = word;
    }
    fn has_room_beside(&self, words: usize) -> bool {
        self.words.len() + words <= self.limit()
    }
}

/// The free part of the heap as a target.
pub(super) struct HeapTarget<'a> {
    /// The first address of the free part.
    pub(super) top: HeapAddr,
    /// Address after the last word of the free part.
    limit: HeapAddr,
    /// The address up to which no room need be requested.
    free: HeapAddr,
    store: &'a Store,
}

impl<'a> HeapTarget<'a> {
    /// Returns the heap from its top on as a target.
    pub(super) fn new(store: &'a Store) -> HeapTarget<'a> {
        let top = store.heap_top;
        HeapTarget {
            top,
            limit: store.reserve_end(),
            // The slack is always free.
            free: store.reserve_end().min(top + CHUNK as u64 * WORD),
            store,
        }
    }

    #[cold]
    fn grow(&mut self, words: usize) -> Result<(), Stop> {
        let end = self.top + words as u64 * WORD;
        let past = end.saturating_sub(self.free) / WORD;
        let stops = self
            .store
            .events
            .watch
            .stop_wanted_after(CHUNK + past as usize);
        let free = self.limit.min(end + CHUNK as u64 * WORD);
        let promised = free + HEAP_SLACK_WORDS as u64 * WORD;
        if end > self.limit || stops || !self.store.map_heap(promised) {
            return Err(Stop);
        }
        self.store.mapped.promise(promised);
        self.free = free;
        Ok(())
    }
}

impl Target for HeapTarget<'_> {
    #[inline(always)]
    fn top(&self) -> HeapAddr {
        self.top
    }
    #[inline(always)]
    fn reserve(&mut self, words: usize) -> Result<(), Stop> {
        if self.top + words as u64 * WORD <= self.free {
            Ok(())
        } else {
            self.grow(words)
        }
    }
    #[inline(always)]
    fn push(&mut self, word: u64) {
        raw::set_word(self.top, word);
        self.top += WORD;
    }
    #[inline(always)]
    fn get(&self, place: HeapAddr) -> u64 {
        raw::word(place)
    }
    #[inline(always)]
    fn set(&mut self, place: HeapAddr, word: u64) {
        raw::set_word(place, word);
    }
    fn has_room_beside(&self, words: usize) -> bool {
        self.top + words as u64 * WORD <= self.limit
    }
}
