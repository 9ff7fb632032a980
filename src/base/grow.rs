//! Collections that grow with what a program or a host gives. The system may refuse the memory:
//! then the instruction ends, as it does where the trail is full, and the machine raises a
//! `resource_error`. The collections of the standard library would end the process instead.
//!
//! What grows by these functions is scratch of one piece of work, dropped as that ends, or is grown
//! before anything that outlives the work is changed. `tests/refused` runs goals on an allocator that
//! refuses large blocks.

use indexmap::IndexMap;
use std::collections::{HashMap, HashSet, TryReserveError, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::panic::resume_unwind;

/// What ends an instruction for which the system has no memory. No panic, and not told as one.
pub(crate) struct Refused;

/// Ends the instruction: the system has no memory.
#[cold]
#[inline(never)]
pub(crate) fn end_refused() -> ! {
    resume_unwind(Box::new(Refused))
}

#[inline(always)]
fn granted(result: Result<(), TryReserveError>) {
    if result.is_err() {
        end_refused();
    }
}

#[cold]
#[inline(never)]
fn grow<T>(items: &mut Vec<T>, more: usize) {
    granted(items.try_reserve(more));
}

/// Growth of a collection of items.
pub(crate) trait Grow<T> {
    /// Adds an item at the end.
    fn put(&mut self, item: T);
    /// Adds items at the end.
    fn put_all(&mut self, items: impl IntoIterator<Item = T>);
}

/// Makes room for another item, whose `put` cannot fail then.
#[inline]
pub(crate) fn room_for_one<T>(items: &mut Vec<T>) {
    if items.len() == items.capacity() {
        grow(items, 1);
    }
}

impl<T> Grow<T> for Vec<T> {
    #[inline(always)]
    fn put(&mut self, item: T) {
        if self.len() == self.capacity() {
            grow(self, 1);
        }
        self.push(item);
    }

    fn put_all(&mut self, items: impl IntoIterator<Item = T>) {
        let items = items.into_iter();
        grow(self, items.size_hint().0);
        for item in items {
            self.put(item);
        }
    }
}

impl Grow<char> for String {
    #[inline(always)]
    fn put(&mut self, item: char) {
        if self.capacity() - self.len() < item.len_utf8() {
            granted(self.try_reserve(item.len_utf8()));
        }
        self.push(item);
    }

    fn put_all(&mut self, items: impl IntoIterator<Item = char>) {
        for item in items {
            self.put(item);
        }
    }
}

/// Growth of a vector by copies.
pub(crate) trait GrowBy<T> {
    /// Adds copies of these.
    fn put_slice(&mut self, items: &[T]);
    /// A vector of copies of these.
    fn of(items: &[T]) -> Self;
}

impl<T: Copy> GrowBy<T> for Vec<T> {
    #[inline(always)]
    fn put_slice(&mut self, items: &[T]) {
        if self.capacity() - self.len() < items.len() {
            grow(self, items.len());
        }
        self.extend_from_slice(items);
    }

    fn of(items: &[T]) -> Vec<T> {
        let mut copies = with_room(items.len());
        copies.extend_from_slice(items);
        copies
    }
}

/// Growth of a text.
pub(crate) trait GrowText {
    /// Adds a text at the end.
    fn put_str(&mut self, text: &str);
}

impl GrowText for String {
    #[inline(always)]
    fn put_str(&mut self, text: &str) {
        if self.capacity() - self.len() < text.len() {
            granted(self.try_reserve(text.len()));
        }
        self.push_str(text);
    }
}

/// Growth of a table by an entry.
pub(crate) trait GrowTable {
    /// Makes room for one more entry.
    fn make_room(&mut self);
}

impl<K: Eq + Hash, V, S: BuildHasher> GrowTable for HashMap<K, V, S> {
    #[inline(always)]
    fn make_room(&mut self) {
        if self.len() == self.capacity() {
            granted(self.try_reserve(1));
        }
    }
}

impl<K: Eq + Hash, S: BuildHasher> GrowTable for HashSet<K, S> {
    #[inline(always)]
    fn make_room(&mut self) {
        if self.len() == self.capacity() {
            granted(self.try_reserve(1));
        }
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> GrowTable for IndexMap<K, V, S> {
    fn make_room(&mut self) {
        if self.len() == self.capacity() && self.try_reserve(1).is_err() {
            end_refused();
        }
    }
}

impl<T> GrowTable for VecDeque<T> {
    #[inline(always)]
    fn make_room(&mut self) {
        if self.len() == self.capacity() {
            granted(self.try_reserve(1));
        }
    }
}

/// Giving back of room that is not needed any more, as far as there is memory to do it.
pub(crate) trait GiveBack {
    /// Keeps room for so many items, and for those that are there.
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

impl<T> GiveBack for VecDeque<T> {
    fn give_back(&mut self, room: usize) {
        let mut less = VecDeque::new();
        if less.try_reserve_exact(room.max(self.len())).is_ok() {
            less.append(self);
            *self = less;
        }
    }
}

impl<T> GiveBack for Vec<T> {
    fn give_back(&mut self, room: usize) {
        let mut less = Vec::new();
        if less.try_reserve_exact(room.max(self.len())).is_ok() {
            less.append(self);
            *self = less;
        }
    }
}

/// Iterators whose items are kept.
pub(crate) trait Gather: Iterator + Sized {
    /// The items, in a vector.
    fn gather(self) -> Vec<Self::Item> {
        let mut items = with_room(self.size_hint().0);
        for item in self {
            items.put(item);
        }
        items
    }
}

impl<I: Iterator> Gather for I {}

/// A vector with room for so many items.
pub(crate) fn with_room<T>(items: usize) -> Vec<T> {
    let mut empty = Vec::new();
    if items > 0 {
        granted(empty.try_reserve_exact(items));
    }
    empty
}

/// A vector of as many zeros, of memory that is taken as it is first used.
pub(crate) fn zeros(count: usize) -> Vec<u64> {
    granted(Vec::<u64>::new().try_reserve_exact(count));
    vec![0; count]
}

/// Makes room for so many more items.
pub(crate) fn reserve<T>(items: &mut Vec<T>, more: usize) {
    granted(items.try_reserve(more));
}

/// A vector of as many times this.
pub(crate) fn filled<T: Clone>(item: T, times: usize) -> Vec<T> {
    let mut items = with_room(times);
    items.resize(times, item);
    items
}

/// A text with room for so many bytes.
pub(crate) fn text_with_room(bytes: usize) -> String {
    let mut text = String::new();
    granted(text.try_reserve_exact(bytes));
    text
}

/// Makes room for so many more bytes.
pub(crate) fn reserve_text(text: &mut String, more: usize) {
    granted(text.try_reserve(more));
}

/// Makes room for so many more items of a queue.
pub(crate) fn reserve_items<T>(items: &mut VecDeque<T>, more: usize) {
    granted(items.try_reserve(more));
}

/// A text of these pieces.
pub(crate) fn joined(pieces: &[&str]) -> String {
    let mut text = text_with_room(pieces.iter().map(|piece| piece.len()).sum());
    for piece in pieces {
        text.push_str(piece);
    }
    text
}

/// A text of one's own.
pub(crate) fn text_of(text: &str) -> String {
    let mut copy = text_with_room(text.len());
    copy.push_str(text);
    copy
}

#[cfg(test)]
mod tests {
    use super::{Gather, Grow, Refused, with_room};
    use std::panic::catch_unwind;

    #[test]
    fn what_has_room_grows() {
        let mut items = vec![1, 2];
        items.put(3);
        items.put_all(4..6);
        assert_eq!(items, (1..6).gather());
    }

    #[test]
    fn what_the_system_refuses_ends_the_work() {
        let refused = catch_unwind(|| with_room::<u64>(1 << 59));
        assert!(refused.is_err_and(|payload| payload.is::<Refused>()));
    }
}
