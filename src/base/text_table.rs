//! Texts, each kept once and known by its number. They follow one another in chunks, so a million names take a few
//! allocations. Texts can be removed, many at a time; their numbers and their room are used again.
#![forbid(unsafe_code)]

use super::atom_table::FastHasher;
use super::growth::{GiveBack, Within, filled, reserve, room_for_one, text_with_room};
use super::stop::Stop;
use std::hash::Hasher;
use xxhash_rust::xxh3::xxh3_64;

/// The place of a text, and its hash.
#[derive(Copy, Clone)]
struct Place {
    /// [`FREE`] if the number belongs to no text.
    chunk: u32,
    start: u32,
    length: u32,
    hash: u32,
}

/// The chunk of a number that belongs to no text.
const FREE: u32 = u32::MAX;

/// A sequence of texts.
#[derive(Default)]
struct Chunk {
    /// The text never grows beyond the capacity that it is made with. It is empty if the chunk was given back.
    text: String,
    /// Number of bytes of the chunk that belong to texts in the table.
    used: usize,
}

/// The table of texts, numbered from 0.
#[derive(Default)]
pub(super) struct TextTable {
    chunks: Vec<Chunk>,
    /// The chunk that texts are added to.
    open: Option<usize>,
    /// Chunks that were given back.
    empty: Vec<usize>,
    places: Vec<Place>,
    /// Numbers that belong to no text, the lowest last.
    free: Vec<u32>,
    /// The hash table with linear probing: each slot has a number plus 1, or 0 if it is empty. Its length is a power
    /// of two, and at most two thirds of it are full.
    slots: Vec<u32>,
}

/// Bytes of a chunk; a longer text has its own. The first chunk is smaller.
const CHUNK: usize = 1 << 16;
const FIRST_CHUNK: usize = 1 << 9;
/// Number of texts that the slots have room for at first.
const FIRST_SLOTS: usize = 1 << 6;

/// Length in bytes from which another hash function is used, which starts slower but is faster per byte.
const LONG_TEXT: usize = 1 << 8;

/// Returns the hash of a text in the table.
#[inline]
pub(super) fn text_hash(text: &str) -> u32 {
    if text.len() > LONG_TEXT {
        return xxh3_64(text.as_bytes()) as u32;
    }
    let mut hasher = FastHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish() as u32
}

impl TextTable {
    /// Returns a number greater than those of all texts so far.
    pub(super) fn end(&self) -> usize {
        self.places.len()
    }

    /// Returns the number of texts.
    pub(super) fn count(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Returns a text by its number; the text is empty if the number belongs to none.
    #[inline]
    pub(super) fn text(&self, number: usize) -> &str {
        let place = self.places[number];
        let start = place.start as usize;
        match self.chunks.get(place.chunk as usize) {
            Some(chunk) => &chunk.text[start..start + place.length as usize],
            None => "",
        }
    }

    /// Returns whether a search for the text of this number finds the number.
    pub(super) fn is_named(&self, number: usize) -> bool {
        let text = self.text(number);
        self.find(text, text_hash(text)) == Some(number)
    }

    /// Returns the number of a text that has this hash.
    #[inline]
    pub(super) fn find(&self, text: &str, hash: u32) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let number = (self.slots[at] as usize).checked_sub(1)?;
            if self.places[number].hash == hash && self.text(number) == text {
                return Some(number);
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a text that is not in the table and has this hash. Returns its number.
    pub(super) fn add(&mut self, text: &str, hash: u32) -> Result<usize, Stop> {
        room_for_one(&mut self.places)?;
        if self.slots.len() * 2 <= (self.count() + 1) * 3 {
            self.set_slots((self.slots.len() * 2).max(FIRST_SLOTS))?;
        }
        let place = self.store(text, hash)?;
        let number = match self.free.pop() {
            Some(number) => {
                self.places[number as usize] = place;
                number as usize
            }
            None => {
                self.places.put_within(place);
                self.places.len() - 1
            }
        };
        self.put(number, hash);
        Ok(number)
    }

    /// Adds the texts of another table under the numbers that follow. A number that is free there is free here, too.
    pub(super) fn append(&mut self, other: &TextTable) -> Result<(), Stop> {
        reserve(&mut self.places, other.places.len())?;
        reserve(&mut self.free, other.free.len())?;
        for (number, place) in other.places.iter().enumerate() {
            let place = match place.chunk {
                FREE => {
                    self.free.put_within(self.places.len() as u32);
                    *place
                }
                _ => self.store(other.text(number), place.hash)?,
            };
            self.places.put_within(place);
        }
        let slots = (self.count() * 2).next_power_of_two().max(FIRST_SLOTS);
        self.set_slots(slots)
    }

    /// Puts a text into a chunk.
    fn store(&mut self, text: &str, hash: u32) -> Result<Place, Stop> {
        let fits = |&open: &usize| {
            let chunk = &self.chunks[open].text;
            chunk.capacity() - chunk.len() >= text.len()
        };
        let chunk = match self.open.filter(fits) {
            Some(open) => open,
            None => self.new_chunk(text.len())?,
        };
        let Chunk { text: all, used } = &mut self.chunks[chunk];
        let start = all.len();
        all.put_within(text);
        *used += text.len();
        Ok(Place {
            chunk: chunk as u32,
            start: start as u32,
            length: text.len() as u32,
            hash,
        })
    }

    fn new_chunk(&mut self, bytes: usize) -> Result<usize, Stop> {
        let usual = if self.chunks.is_empty() {
            FIRST_CHUNK
        } else {
            CHUNK
        };
        room_for_one(&mut self.chunks)?;
        let text = text_with_room(usual.max(bytes))?;
        let chunk = Chunk { text, used: 0 };
        let number = match self.empty.pop() {
            Some(number) => {
                self.chunks[number] = chunk;
                number
            }
            None => {
                self.chunks.put_within(chunk);
                self.chunks.len() - 1
            }
        };
        // A long text leaves the open chunk to later texts.
        if bytes < CHUNK / 4 || self.open.is_none() {
            self.open = Some(number);
        }
        Ok(number)
    }

    fn put(&mut self, number: usize, hash: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = number as u32 + 1;
    }

    /// Makes a new table of `count` slots, a power of two.
    fn set_slots(&mut self, count: usize) -> Result<(), Stop> {
        if self.slots.len() == count {
            self.slots.fill(0);
        } else {
            self.slots = filled(0, count)?;
        }
        for number in 0..self.places.len() {
            let place = self.places[number];
            if place.chunk != FREE {
                self.put(number, place.hash);
            }
        }
        Ok(())
    }

    /// Removes the texts whose numbers `keep` refuses, and gives their room back. Returns the number of these texts
    /// and of their bytes. With `reuse` their numbers are used again for later texts.
    pub(super) fn retain(
        &mut self,
        keep: impl Fn(usize) -> bool,
        reuse: bool,
    ) -> Result<(usize, usize), Stop> {
        let (mut gone, mut bytes) = (0, 0);
        let mut free: Vec<u32> = Vec::new();
        // No step may fail from here on.
        let goes = |&(number, place): &(usize, &Place)| place.chunk == FREE || !keep(number);
        reserve(
            &mut free,
            self.places.iter().enumerate().filter(goes).count(),
        )?;
        let mut end = 0;
        for (number, place) in self.places.iter_mut().enumerate() {
            if place.chunk != FREE && !keep(number) {
                let length = place.length as usize;
                self.chunks[place.chunk as usize].used -= length;
                place.chunk = FREE;
                gone += 1;
                bytes += length;
            }
            if place.chunk != FREE {
                end = number + 1;
            } else if reuse {
                free.put_within(number as u32);
            }
        }
        if gone == 0 {
            return Ok((0, 0));
        }
        if reuse {
            self.places.truncate(end);
            if self.places.capacity() > 4 * end + CHUNK {
                self.places.give_back(2 * end);
            }
            while free.last().is_some_and(|&number| number as usize >= end) {
                free.pop();
            }
            free.reverse();
            free.give_back(0);
            self.free = free;
        }
        self.gather();
        let needed = (self.count() * 2).next_power_of_two().max(FIRST_SLOTS);
        if self.slots.len() > 16 * needed
            && let Ok(fewer) = filled(0, needed * 4)
        {
            self.slots = fewer;
        }
        self.set_slots(self.slots.len())?;
        Ok((gone, bytes))
    }

    /// Moves texts out of chunks that are largely unused, as far as there is memory to do it.
    fn gather(&mut self) {
        let is_sparse = |chunk: &Chunk| chunk.used * 2 < chunk.text.len();
        let sparse = self.chunks.iter().filter(|chunk| is_sparse(chunk)).count();
        let mut moves: Vec<bool> = Vec::new();
        if moves.try_reserve_exact(self.chunks.len()).is_err()
            || self.empty.try_reserve(sparse).is_err()
        {
            return;
        }
        for chunk in &self.chunks {
            moves.put_within(is_sparse(chunk));
        }
        self.open = self.open.filter(|&open| !moves[open]);
        for number in 0..self.places.len() {
            let place = self.places[number];
            let from = place.chunk as usize;
            if moves.get(from) == Some(&true) {
                let old = std::mem::take(&mut self.chunks[from].text);
                let (start, length) = (place.start as usize, place.length as usize);
                let moved = self.store(&old[start..start + length], place.hash);
                self.chunks[from].text = old;
                match moved {
                    Ok(moved) => {
                        self.chunks[from].used -= length;
                        self.places[number] = moved;
                    }
                    Err(Stop) => moves[from] = false,
                }
            }
        }
        for (number, _) in moves.iter().enumerate().filter(|&(_, &moved)| moved) {
            self.chunks[number] = Chunk::default();
            self.empty.put_within(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TextTable, text_hash};

    #[test]
    fn texts_are_found_by_number_and_number_by_text() {
        let mut table = TextTable::default();
        let long = "x".repeat(1 << 17);
        let texts: Vec<String> = (0..50_000)
            .map(|n| {
                if n == 777 {
                    long.clone()
                } else {
                    format!("é{n}")
                }
            })
            .chain([String::new()])
            .collect();
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(table.find(text, text_hash(text)), None);
            assert_eq!(table.add(text, text_hash(text)), Ok(number));
        }
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(table.text(number), text);
            assert_eq!(table.find(text, text_hash(text)), Some(number));
        }
        assert_eq!(table.count(), texts.len());
    }

    #[test]
    fn numbers_and_room_of_removed_texts_are_used_again() {
        let mut table = TextTable::default();
        let text = |n: usize| format!("text number {n}");
        let is_kept = |number: usize| number.is_multiple_of(1000);
        for n in 0..20_000 {
            let text = text(n);
            assert_eq!(table.add(&text, text_hash(&text)), Ok(n));
        }
        let (gone, bytes) = table.retain(is_kept, true).unwrap();
        assert_eq!((gone, table.count()), (19_980, 20));
        assert!(bytes > 12 * gone);
        assert!(table.chunks.iter().map(|c| c.text.len()).sum::<usize>() < 1000);
        for n in 0..20_000 {
            let text = text(n);
            let found = table.find(&text, text_hash(&text));
            assert_eq!(found, is_kept(n).then_some(n));
            if !is_kept(n) {
                table.add(&text, text_hash(&text)).unwrap();
            }
        }
        assert_eq!((table.end(), table.count()), (20_000, 20_000));
        for n in 0..20_000 {
            let text = text(n);
            let found = table.find(&text, text_hash(&text));
            assert_eq!(found.map(|number| table.text(number)), Some(text.as_str()));
        }
    }
}
