//! An index of a long text: the places of some characters, so that any character is found without a scan of the
//! whole text. The words of an index are the number of characters, and the bytes at which every [`EVERY`]th
//! character begins.
#![forbid(unsafe_code)]

/// Minimum length in bytes of texts with an index of their own.
pub(crate) const LONG: usize = 256;
/// Number of characters for which one place is kept.
const EVERY: usize = 64;

/// Returns the number of words of the index that a text has of its own. It is 0 if the text is short, or if each of
/// its characters is one byte.
pub(crate) fn own_words(text: &str) -> usize {
    if text.len() < LONG || text.is_ascii() {
        0
    } else {
        1 + text.chars().count() / EVERY
    }
}

/// Returns the words of the index of a text.
pub(crate) fn index_of(text: &str) -> impl Iterator<Item = u64> {
    let places = text.char_indices().map(|(at, _)| at as u64);
    let places = places.chain(std::iter::once(text.len() as u64));
    std::iter::once(text.chars().count() as u64).chain(places.step_by(EVERY).skip(1))
}

/// A text whose characters can be addressed by number.
pub(crate) struct Indexed<'t> {
    pub(crate) text: &'t str,
    /// The index of the text; empty if each character is one byte.
    pub(crate) index: &'t [u64],
}

impl Indexed<'_> {
    /// Returns the number of characters.
    pub(crate) fn len(&self) -> usize {
        self.index
            .first()
            .map_or(self.text.len(), |&count| count as usize)
    }

    /// Returns the byte at which character `nth` begins, or the end of the text if there is none.
    pub(crate) fn byte(&self, nth: usize) -> usize {
        if self.index.is_empty() {
            return nth.min(self.text.len());
        }
        let start = match nth / EVERY {
            0 => 0,
            place => match self.index.get(place) {
                Some(&at) => at as usize,
                None => return self.text.len(),
            },
        };
        let mut chars = self.text[start..].char_indices();
        chars
            .nth(nth % EVERY)
            .map_or(self.text.len(), |(at, _)| start + at)
    }

    /// Returns the number of the character that begins at this byte.
    pub(crate) fn char_at(&self, byte: usize) -> usize {
        let Some((_, places)) = self.index.split_first() else {
            return byte;
        };
        let place = places.partition_point(|&at| at as usize <= byte);
        let start = place
            .checked_sub(1)
            .map_or(0, |before| places[before] as usize);
        place * EVERY + self.text[start..byte].chars().count()
    }
}

#[cfg(test)]
mod tests {
    use super::{Indexed, index_of, own_words};

    #[test]
    fn characters_are_found_by_number_and_by_byte() {
        for length in [0, 1, 63, 64, 65, 127, 128, 129, 1000] {
            for letters in ["a", "é", "aé", "a😀é", "😀"] {
                let text: String = letters.chars().cycle().take(length).collect();
                let index: Vec<u64> = index_of(&text).collect();
                assert!([0, index.len()].contains(&own_words(&text)));
                let indexed = Indexed {
                    text: &text,
                    index: &index,
                };
                assert_eq!(indexed.len(), length);
                for (nth, (at, _)) in text.char_indices().enumerate() {
                    assert_eq!((indexed.byte(nth), indexed.char_at(at)), (at, nth));
                }
                assert_eq!(indexed.byte(length), text.len());
                assert_eq!(indexed.byte(length + 100), text.len());
                assert_eq!(indexed.char_at(text.len()), length);
            }
        }
    }
}
