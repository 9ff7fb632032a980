//! The heads of the chains of first arguments: one for each key of which something is assumed.
//!
//! A head is [`HEAD_WORDS`] words outside of the heap. Collections of garbage
//! take those back whose chains are empty and that nothing on the trail would fill again, so a loop
//! that assumes and uses facts with ever new keys needs no more than is there at a time.
#![forbid(unsafe_code)]

use super::assumption::NONE;
use crate::base::room::{Grow, GrowTable, filled, reserve, room_for_one};
use crate::base::stop::Stop;
use crate::base::symbol::FastMap;
use crate::store::address::{Addr, HeapAddr};
use crate::store::cell::WORD;
use crate::store::raw;

/// Words of the head of a chain: the newest record in it, where on the trail the old value was last
/// put, and where the link of an older record was that changes as newer ones come and go.
pub(super) const HEAD_WORDS: usize = 3;
/// Heads that are allocated together; their places never change.
const CHUNK: usize = 256;
/// The slot of a head that belongs to no key.
const FREE: u32 = u32::MAX;

/// The heads, by number.
#[derive(Default)]
pub(super) struct KeyHeads {
    chunks: Vec<Vec<u64>>,
    /// For each head the slot of its predicate and its key.
    owners: Vec<(u32, u64)>,
    /// Those that belong to no key.
    free: Vec<usize>,
    /// Bytes of the tables of the slots by key.
    tables: u64,
}

/// The number of the head of each key, of the predicate of a slot.
pub(super) type Keys = FastMap<u64, usize>;

/// A table with room for so few keys is kept for the next query.
const FEW_KEYS: usize = 1 << 10;

/// Bytes that a table takes: it is an eighth larger than what it has room for, with a byte for each entry.
fn bytes_of(keys: &Keys) -> u64 {
    keys.capacity() as u64 * 8 / 7 * (size_of::<(u64, usize)>() as u64 + 1)
}

impl KeyHeads {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        *self = KeyHeads::default();
    }

    /// How many there are, free ones included.
    pub(super) fn count(&self) -> usize {
        self.owners.len()
    }

    /// The address of a head.
    #[inline(always)]
    pub(super) fn at(&self, number: usize) -> HeapAddr {
        Addr::of_table(&self.chunks[number / CHUNK]) + (number % CHUNK * HEAD_WORDS) as u64 * WORD
    }

    /// Bytes that all this takes.
    pub(super) fn bytes(&self) -> u64 {
        let owners = self.owners.capacity() * size_of::<(u32, u64)>();
        let heads = self.chunks.len() * CHUNK * HEAD_WORDS * size_of::<u64>();
        let free = self.free.capacity() * size_of::<usize>();
        (owners + heads + free) as u64 + self.tables
    }

    /// A new head for a key of the predicate of a slot.
    fn take(&mut self, slot: u32, key: u64) -> Result<usize, Stop> {
        if let Some(number) = self.free.pop() {
            self.owners[number] = (slot, key);
            return Ok(number);
        }
        let number = self.owners.len();
        room_for_one(&mut self.owners)?;
        if number == self.chunks.len() * CHUNK {
            self.chunks.put(filled(NONE.word(), HEAD_WORDS * CHUNK)?)?;
        }
        self.owners.push((slot, key));
        Ok(number)
    }

    /// A new head for a key of the predicate of a slot, whose keys these are: its number.
    pub(super) fn take_for(&mut self, keys: &mut Keys, slot: u32, key: u64) -> Result<usize, Stop> {
        let before = bytes_of(keys);
        keys.make_room()?;
        self.tables += bytes_of(keys) - before;
        let number = self.take(slot, key)?;
        keys.insert(key, number);
        Ok(number)
    }

    /// Forgets the keys of a predicate. The heads are forgotten already.
    pub(super) fn forget_keys(&mut self, keys: &mut Keys) {
        if keys.capacity() > FEW_KEYS {
            *keys = Keys::default();
        }
        keys.clear();
        self.tables += bytes_of(keys);
    }

    /// The heads of keys of which nothing is assumed now, by address. There is room then to take them
    /// back.
    pub(super) fn empty(&mut self) -> Result<FastMap<HeapAddr, usize>, Stop> {
        let mut empty = FastMap::default();
        for number in 0..self.count() {
            let at = self.at(number);
            if self.owners[number].0 != FREE && raw::word(at) == NONE.word() {
                empty.make_room()?;
                empty.insert(at, number);
            }
        }
        reserve(&mut self.free, empty.len())?;
        Ok(empty)
    }

    /// Takes back a head that is empty, one that backtracking leaves empty: the slot and the key that it was of.
    pub(super) fn release(&mut self, number: usize) -> (u32, u64) {
        let owner = self.owners[number];
        self.owners[number].0 = FREE;
        self.free.push(number);
        owner
    }
}
