//! Collections that grow with the data of a program or a host. The system may refuse the memory: then the work ends
//! with [`Stop`], and the machine raises a `resource_error`. The collections of the standard library would end the
//! process instead.
//!
//! A collection that grows by these functions is scratch of one piece of work and dropped at its end. Otherwise it
//! grows before the work changes anything that outlives it. `tests/refused` runs goals on an allocator that refuses
//! large blocks.
//!
//! [`Bounded`] is for collections whose size does not depend on data of a user or a host. [`Within`] uses room that
//! was made before.
#![forbid(unsafe_code)]
#![expect(
    clippy::disallowed_methods,
    reason = "what others use in place of these is made of them"
)]

use super::stop::Stop;
use indexmap::IndexMap;
use std::borrow::Borrow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of blocks of the last reserve of memory that are in use (`store::reserve`).
pub(crate) static HELD: AtomicUsize = AtomicUsize::new(0);

/// Returns whether the system has refused memory and blocks of the reserve are still in use. No collection may grow
/// then.
#[inline]
pub(crate) fn is_short() -> bool {
    HELD.load(Ordering::Relaxed) != 0
}

/// Size in bytes up to which memory is assumed to be available.
const ASSUMED_AVAILABLE: usize = 1 << 17;

/// Makes sure that the system has `bytes` bytes for code that does not ask for its memory: the library of integers.
#[inline]
pub(crate) fn require_memory(bytes: usize) -> Result<(), Stop> {
    if is_short() {
        return Err(Stop);
    }
    if bytes >= ASSUMED_AVAILABLE {
        let mut asked = Vec::<u8>::new();
        asked.try_reserve_exact(bytes)?;
        // Without this, the compiler may find that the memory is unused.
        black_box(asked.as_mut_ptr());
    }
    Ok(())
}

#[cold]
#[inline(never)]
fn grow<T>(items: &mut Vec<T>, more: usize) -> Result<(), Stop> {
    if is_short() {
        return Err(Stop);
    }
    Ok(items.try_reserve(more)?)
}

/// Growth of a collection of items.
pub(crate) trait Grow<T> {
    /// Adds an item at the end.
    fn put(&mut self, item: T) -> Result<(), Stop>;
    /// Makes room for `more` more items.
    fn room_for(&mut self, more: usize) -> Result<(), Stop>;
    /// Adds items at the end.
    fn put_all(&mut self, items: impl IntoIterator<Item = T>) -> Result<(), Stop> {
        let items = items.into_iter();
        self.room_for(items.size_hint().0)?;
        for item in items {
            self.put(item)?;
        }
        Ok(())
    }
}

/// Makes room for one more item, so its `put` cannot fail.
#[inline]
pub(crate) fn room_for_one<T>(items: &mut Vec<T>) -> Result<(), Stop> {
    if items.len() == items.capacity() {
        grow(items, 1)?;
    }
    Ok(())
}

impl<T> Grow<T> for Vec<T> {
    #[inline(always)]
    fn put(&mut self, item: T) -> Result<(), Stop> {
        if self.len() == self.capacity() {
            grow(self, 1)?;
        }
        self.push(item);
        Ok(())
    }

    fn room_for(&mut self, more: usize) -> Result<(), Stop> {
        grow(self, more)
    }
}

impl Grow<char> for String {
    #[inline(always)]
    fn put(&mut self, item: char) -> Result<(), Stop> {
        if self.capacity() - self.len() < item.len_utf8() {
            self.try_reserve(item.len_utf8())?;
        }
        self.push(item);
        Ok(())
    }

    fn room_for(&mut self, more: usize) -> Result<(), Stop> {
        reserve_text(self, more)
    }
}

/// Growth of a table by an entry.
pub(crate) trait GrowTable {
    /// Makes room for one more entry.
    fn make_room(&mut self) -> Result<(), Stop>;
}

/// Defines tables: parameters, type, and how an entry is added.
macro_rules! tables {
    ($([$($of:tt)*] $table:ty, $entry:ident: $kind:ty => $add:ident($($part:expr),*);)*) => {$(
        impl<$($of)*> GrowTable for $table {
            #[inline(always)]
            fn make_room(&mut self) -> Result<(), Stop> {
                if self.len() == self.capacity() {
                    self.try_reserve(1)?;
                }
                Ok(())
            }
        }

        impl<$($of)*> Grow<$kind> for $table {
            #[inline(always)]
            fn put(&mut self, $entry: $kind) -> Result<(), Stop> {
                self.make_room()?;
                self.$add($($part),*);
                Ok(())
            }

            fn room_for(&mut self, more: usize) -> Result<(), Stop> {
                Ok(self.try_reserve(more)?)
            }
        }
    )*};
}

tables! {
    [T] VecDeque<T>, item: T => push_back(item);
    [K: Eq + Hash, S: BuildHasher] HashSet<K, S>, key: K => insert(key);
    [K: Eq + Hash, V, S: BuildHasher] HashMap<K, V, S>, entry: (K, V) => insert(entry.0, entry.1);
    [K: Eq + Hash, V, S: BuildHasher] IndexMap<K, V, S>, entry: (K, V) => insert(entry.0, entry.1);
}

/// Growth of a queue at its beginning.
pub(crate) trait GrowFront<T> {
    /// Adds an item before the others.
    fn put_front(&mut self, item: T) -> Result<(), Stop>;
}

impl<T> GrowFront<T> for VecDeque<T> {
    fn put_front(&mut self, item: T) -> Result<(), Stop> {
        self.make_room()?;
        self.push_front(item);
        Ok(())
    }
}

/// Growth of a vector at any place.
pub(crate) trait GrowAt<T> {
    /// Adds an item before the one at `at`.
    fn put_at(&mut self, at: usize, item: T) -> Result<(), Stop>;
    /// Adds copies of an item until there are `len`, or drops the items from there on.
    fn fill_to(&mut self, len: usize, item: T) -> Result<(), Stop>
    where
        T: Clone;
}

impl<T> GrowAt<T> for Vec<T> {
    fn put_at(&mut self, at: usize, item: T) -> Result<(), Stop> {
        room_for_one(self)?;
        self.insert(at, item);
        Ok(())
    }

    #[inline]
    fn fill_to(&mut self, len: usize, item: T) -> Result<(), Stop>
    where
        T: Clone,
    {
        if self.capacity() < len {
            grow(self, len - self.len())?;
        }
        self.resize(len, item);
        Ok(())
    }
}

/// Growth of a vector by copies.
pub(crate) trait GrowBy<T>: Sized {
    /// Adds copies of these.
    fn put_slice(&mut self, items: &[T]) -> Result<(), Stop>;
    /// Returns a vector of copies of these.
    fn of(items: &[T]) -> Result<Self, Stop>;
}

impl<T: Copy> GrowBy<T> for Vec<T> {
    #[inline(always)]
    fn put_slice(&mut self, items: &[T]) -> Result<(), Stop> {
        if self.capacity() - self.len() < items.len() {
            grow(self, items.len())?;
        }
        self.extend_from_slice(items);
        Ok(())
    }

    fn of(items: &[T]) -> Result<Vec<T>, Stop> {
        let mut copies = with_room(items.len())?;
        copies.extend_from_slice(items);
        Ok(copies)
    }
}

/// Growth of a text.
pub(crate) trait GrowText {
    /// Adds a text at the end.
    fn put_str(&mut self, text: &str) -> Result<(), Stop>;
}

impl GrowText for String {
    #[inline(always)]
    fn put_str(&mut self, text: &str) -> Result<(), Stop> {
        if self.capacity() - self.len() < text.len() {
            self.try_reserve(text.len())?;
        }
        self.push_str(text);
        Ok(())
    }
}

/// Growth of a table whose entries have values.
pub(crate) trait GrowMap<K, V>: GrowTable {
    /// Adds an entry. Returns the value that the key had.
    fn put_entry(&mut self, key: K, value: V) -> Result<Option<V>, Stop>;
}

impl<K: Eq + Hash, V, S: BuildHasher> GrowMap<K, V> for HashMap<K, V, S> {
    #[inline(always)]
    fn put_entry(&mut self, key: K, value: V) -> Result<Option<V>, Stop> {
        self.make_room()?;
        Ok(self.insert(key, value))
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> GrowMap<K, V> for IndexMap<K, V, S> {
    fn put_entry(&mut self, key: K, value: V) -> Result<Option<V>, Stop> {
        self.make_room()?;
        Ok(self.insert(key, value))
    }
}

/// Growth of a set.
pub(crate) trait GrowSet<K>: GrowTable {
    /// Adds a member. Returns whether it is new.
    fn put_new(&mut self, key: K) -> Result<bool, Stop>;
}

impl<K: Eq + Hash, S: BuildHasher> GrowSet<K> for HashSet<K, S> {
    #[inline(always)]
    fn put_new(&mut self, key: K) -> Result<bool, Stop> {
        self.make_room()?;
        Ok(self.insert(key))
    }
}

/// Growth into room that was made before, which cannot fail.
pub(crate) trait Within<T> {
    /// Adds an item; there must be room for it.
    fn put_within(&mut self, item: T);
    /// Adds items; there must be room for all of them.
    fn put_all_within(&mut self, items: impl IntoIterator<Item = T>) {
        items.into_iter().for_each(|item| self.put_within(item));
    }
}

/// Growth of collections whose size is bounded by Wamlet's own source, not by data.
pub(crate) trait Bounded<T> {
    /// Adds an item; the number of items must be bounded by Wamlet's own source, not by data.
    fn put_bounded(&mut self, item: T);
    /// Adds items; their number must be bounded by Wamlet's own source, not by data.
    fn put_all_bounded(&mut self, items: impl IntoIterator<Item = T>) {
        items.into_iter().for_each(|item| self.put_bounded(item));
    }
}

/// Defines such collections: parameters, type, the item added, the room that it takes, and how it is added.
macro_rules! without_failure {
    ($([$($of:tt)*] $collection:ty, $item:ident: $kind:ty, $room:expr => $add:ident($($part:expr),*);)*) => {$(
        impl<$($of)*> Within<$kind> for $collection {
            #[inline(always)]
            fn put_within(&mut self, $item: $kind) {
                debug_assert!(self.capacity() - self.len() >= $room, "room was made");
                self.$add($($part),*);
            }
        }

        impl<$($of)*> Bounded<$kind> for $collection {
            fn put_bounded(&mut self, $item: $kind) {
                self.$add($($part),*);
            }
        }
    )*};
}

without_failure! {
    [T] Vec<T>, item: T, 1 => push(item);
    [T] VecDeque<T>, item: T, 1 => push_back(item);
    [K: Eq + Hash, S: BuildHasher] HashSet<K, S>, key: K, 1 => insert(key);
    [K: Eq + Hash, V, S: BuildHasher] HashMap<K, V, S>, entry: (K, V), 1 => insert(entry.0, entry.1);
    [K: Eq + Hash, V, S: BuildHasher] IndexMap<K, V, S>, entry: (K, V), 1 => insert(entry.0, entry.1);
    [] String, c: char, c.len_utf8() => push(c);
    [] String, text: &str, text.len() => push_str(text);
}

/// Giving back of unused room, as far as there is memory to do it.
pub(crate) trait GiveBack {
    /// Keeps the present items and room for `room` items.
    fn give_back(&mut self, room: usize);
}

impl<K: Eq + Hash, V, S: BuildHasher + Default> GiveBack for HashMap<K, V, S> {
    fn give_back(&mut self, room: usize) {
        let mut less = HashMap::default();
        if less.try_reserve(room.max(self.len())).is_ok() {
            less.extend(self.drain());
            *self = less;
        }
    }
}

macro_rules! give_back {
    ($($sequence:ident)*) => {$(
        impl<T> GiveBack for $sequence<T> {
            fn give_back(&mut self, room: usize) {
                let mut less = $sequence::new();
                if less.try_reserve_exact(room.max(self.len())).is_ok() {
                    less.append(self);
                    *self = less;
                }
            }
        }
    )*};
}

give_back! { Vec VecDeque }

/// Iterators whose items are kept.
pub(crate) trait Gather: Iterator + Sized {
    /// Returns the items in a vector.
    fn gather(self) -> Result<Vec<Self::Item>, Stop> {
        let mut items = with_room(self.size_hint().0)?;
        for item in self {
            items.put(item)?;
        }
        Ok(items)
    }

    /// Returns the items in a vector, or the first [`Stop`].
    fn try_gather<T>(self) -> Result<Vec<T>, Stop>
    where
        Self: Iterator<Item = Result<T, Stop>>,
    {
        self.gather_results()
    }

    /// Returns the items in a vector, or the first error.
    fn gather_results<T, E: From<Stop>>(self) -> Result<Vec<T>, E>
    where
        Self: Iterator<Item = Result<T, E>>,
    {
        let mut items = with_room(self.size_hint().0)?;
        for item in self {
            items.put(item?)?;
        }
        Ok(items)
    }

    /// Returns the characters in a text.
    fn gather_text(self) -> Result<String, Stop>
    where
        Self: Iterator<Item = char>,
    {
        let mut text = String::new();
        text.put_all(self)?;
        Ok(text)
    }

    /// Returns a table of the keys and their values.
    fn gather_map<K: Eq + Hash, V, S: BuildHasher + Default>(self) -> Result<HashMap<K, V, S>, Stop>
    where
        Self: Iterator<Item = (K, V)>,
    {
        let mut table = HashMap::default();
        table.put_all(self)?;
        Ok(table)
    }

    /// Returns a set of the items.
    fn gather_set<S: BuildHasher + Default>(self) -> Result<HashSet<Self::Item, S>, Stop>
    where
        Self::Item: Eq + Hash,
    {
        let mut set = HashSet::default();
        set.put_all(self)?;
        Ok(set)
    }

    /// Returns a collection of the items; their number must be bounded by Wamlet's own source, not by data.
    fn collect_bounded<C: FromIterator<Self::Item>>(self) -> C {
        self.collect()
    }
}

impl<I: Iterator> Gather for I {}

/// Returns a vector with room for `items` items.
pub(crate) fn with_room<T>(items: usize) -> Result<Vec<T>, Stop> {
    let mut empty = Vec::new();
    if items > 0 {
        empty.try_reserve_exact(items)?;
    }
    Ok(empty)
}

/// Returns a vector of `count` zeros. The system provides their memory at first use.
pub(crate) fn zeros(count: usize) -> Result<Vec<u64>, Stop> {
    Vec::<u64>::new().try_reserve_exact(count)?;
    Ok(vec![0; count])
}

/// Makes room for `more` more items.
pub(crate) fn reserve<T>(items: &mut Vec<T>, more: usize) -> Result<(), Stop> {
    Ok(items.try_reserve(more)?)
}

/// Returns a vector of `times` copies of `item`.
pub(crate) fn filled<T: Clone>(item: T, times: usize) -> Result<Vec<T>, Stop> {
    let mut items = with_room(times)?;
    items.resize(times, item);
    Ok(items)
}

/// Returns a text with room for `bytes` bytes.
pub(crate) fn text_with_room(bytes: usize) -> Result<String, Stop> {
    let mut text = String::new();
    text.try_reserve_exact(bytes)?;
    Ok(text)
}

/// Makes room for `more` more bytes.
pub(crate) fn reserve_text(text: &mut String, more: usize) -> Result<(), Stop> {
    Ok(text.try_reserve(more)?)
}

/// Makes room for `more` more items of a queue.
pub(crate) fn reserve_items<T>(items: &mut VecDeque<T>, more: usize) -> Result<(), Stop> {
    Ok(items.try_reserve(more)?)
}

/// Returns a text of these pieces.
pub(crate) fn joined(pieces: &[&str]) -> Result<String, Stop> {
    let mut text = text_with_room(pieces.iter().map(|piece| piece.len()).sum())?;
    for piece in pieces {
        text.push_str(piece);
    }
    Ok(text)
}

/// Returns a text of these pieces, with `between` between any two.
pub(crate) fn joined_by(pieces: &[impl AsRef<str>], between: &str) -> Result<String, Stop> {
    let mut text = String::new();
    for (at, piece) in pieces.iter().enumerate() {
        if at > 0 {
            text.put_str(between)?;
        }
        text.put_str(piece.as_ref())?;
    }
    Ok(text)
}

/// Returns a text of these pieces; their number and lengths must be bounded by Wamlet's own source.
pub(crate) fn joined_bounded(pieces: &[impl Borrow<str>], between: &str) -> String {
    pieces.join(between)
}

/// Returns an owned copy of the text.
pub(crate) fn text_of(text: &str) -> Result<String, Stop> {
    joined(&[text])
}

#[cfg(test)]
mod tests {
    use super::{Gather, Grow, with_room};
    use crate::base::stop::Stop;

    #[test]
    fn vectors_with_room_grow() {
        let mut items = vec![1, 2];
        items.put(3).unwrap();
        items.put_all(4..6).unwrap();
        assert_eq!(items, (1..6).gather().unwrap());
    }

    #[test]
    fn refused_memory_stops_the_work() {
        assert_eq!(with_room::<u64>(1 << 59), Err(Stop));
    }
}
