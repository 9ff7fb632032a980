//! Texts, each kept once and known by its number. They lie one behind the other in chunks, so that a
//! million names are a few allocations.

use super::symbol::FastHasher;
use std::hash::Hasher;

/// Where a text lies, and its hash.
#[derive(Copy, Clone)]
struct Place {
    chunk: u32,
    start: u32,
    length: u32,
    hash: u32,
}

/// The table: numbers are given from 0 on.
#[derive(Clone, Default)]
pub(super) struct TextTable {
    /// None grows beyond the capacity that it is made with.
    chunks: Vec<String>,
    places: Vec<Place>,
    /// Numbers plus 1 by hash, with linear probing; 0 where none is. A power of two long, and at most
    /// two thirds full.
    slots: Vec<u32>,
}

/// Bytes of a chunk; a longer text has its own. The first one is smaller.
const CHUNK: usize = 1 << 16;
const FIRST_CHUNK: usize = 1 << 13;

/// The hash of a text in the table.
#[inline]
pub(super) fn text_hash(text: &str) -> u32 {
    let mut hasher = FastHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish() as u32
}

impl TextTable {
    /// Number of texts.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// A text by its number.
    #[inline]
    pub(super) fn text(&self, number: usize) -> &str {
        let place = self.places[number];
        let start = place.start as usize;
        &self.chunks[place.chunk as usize][start..start + place.length as usize]
    }

    /// All texts in order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.text(number))
    }

    /// The number of a text that has this hash.
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

    /// Adds a text that is not in the table and has this hash; gives its number.
    pub(super) fn add(&mut self, text: &str, hash: u32) -> usize {
        let number = self.places.len();
        if self.slots.len() * 2 <= (number + 1) * 3 {
            self.grow();
        }
        let full = |chunk: &String| chunk.capacity() - chunk.len() < text.len();
        if self.chunks.last().is_none_or(full) {
            let usual = if self.chunks.is_empty() {
                FIRST_CHUNK
            } else {
                CHUNK
            };
            self.chunks
                .push(String::with_capacity(usual.max(text.len())));
        }
        let chunk = self.chunks.len() - 1;
        let start = self.chunks[chunk].len();
        self.chunks[chunk].push_str(text);
        self.places.push(Place {
            chunk: chunk as u32,
            start: start as u32,
            length: text.len() as u32,
            hash,
        });
        self.put(number, hash);
        number
    }

    fn put(&mut self, number: usize, hash: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = number as u32 + 1;
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(1 << 10)];
        for number in 0..self.places.len() {
            self.put(number, self.places[number].hash);
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
            assert_eq!(table.add(text, text_hash(text)), number);
        }
        for (number, text) in texts.iter().enumerate() {
            assert_eq!(table.text(number), text);
            assert_eq!(table.find(text, text_hash(text)), Some(number));
        }
        assert_eq!(table.iter().count(), texts.len());
    }
}
