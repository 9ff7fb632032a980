//! Collections that grow as [`super::room`] has it, for those who cannot return a [`Stop`] yet: what ends
//! the work unwinds to the instruction, as it does where the trail is full.

use super::room;
use super::stop::Stop;
use std::panic::resume_unwind;

pub(crate) use super::room::GiveBack;

/// What was made, or the end of the instruction.
#[inline(always)]
pub(crate) fn unwound<T>(result: Result<T, Stop>) -> T {
    match result {
        Ok(made) => made,
        Err(Stop) => end_refused(),
    }
}

/// The same of what a call gives.
pub(crate) trait Unwound {
    /// What was made.
    type Made;
    /// What was made, or the end of the instruction.
    fn unwound(self) -> Self::Made;
}

impl<T> Unwound for Result<T, Stop> {
    type Made = T;

    #[inline(always)]
    fn unwound(self) -> T {
        unwound(self)
    }
}

/// Ends the instruction: there is no memory, or the query is to be stopped.
#[cold]
#[inline(never)]
pub(crate) fn end_refused() -> ! {
    resume_unwind(Box::new(Stop))
}

/// Growth of a collection of items.
pub(crate) trait Grow<T> {
    /// Adds an item at the end.
    fn put(&mut self, item: T);
    /// Adds items at the end.
    fn put_all(&mut self, items: impl IntoIterator<Item = T>);
}

impl<T, C: room::Grow<T>> Grow<T> for C {
    #[inline(always)]
    fn put(&mut self, item: T) {
        unwound(room::Grow::put(self, item));
    }

    fn put_all(&mut self, items: impl IntoIterator<Item = T>) {
        unwound(room::Grow::put_all(self, items));
    }
}

/// Growth of a vector by copies.
pub(crate) trait GrowBy<T> {
    /// Adds copies of these.
    fn put_slice(&mut self, items: &[T]);
    /// A vector of copies of these.
    fn of(items: &[T]) -> Self;
}

impl<T, C: room::GrowBy<T>> GrowBy<T> for C {
    #[inline(always)]
    fn put_slice(&mut self, items: &[T]) {
        unwound(room::GrowBy::put_slice(self, items));
    }

    fn of(items: &[T]) -> C {
        unwound(room::GrowBy::of(items))
    }
}

/// Growth of a table by an entry.
pub(crate) trait GrowTable {
    /// Makes room for one more entry.
    fn make_room(&mut self);
}

impl<C: room::GrowTable> GrowTable for C {
    #[inline(always)]
    fn make_room(&mut self) {
        unwound(room::GrowTable::make_room(self));
    }
}

/// Iterators whose items are kept.
pub(crate) trait Gather: Iterator + Sized {
    /// The items, in a vector.
    fn gather(self) -> Vec<Self::Item> {
        unwound(room::Gather::gather(self))
    }
}

impl<I: Iterator> Gather for I {}

/// Makes room for another item, whose `put` cannot fail then.
#[inline]
pub(crate) fn room_for_one<T>(items: &mut Vec<T>) {
    unwound(room::room_for_one(items));
}

/// A vector with room for so many items.
pub(crate) fn with_room<T>(items: usize) -> Vec<T> {
    unwound(room::with_room(items))
}

/// A vector of as many zeros, of memory that is taken as it is first used.
pub(crate) fn zeros(count: usize) -> Vec<u64> {
    unwound(room::zeros(count))
}

/// Makes room for so many more items.
pub(crate) fn reserve<T>(items: &mut Vec<T>, more: usize) {
    unwound(room::reserve(items, more));
}

/// A vector of as many times this.
pub(crate) fn filled<T: Clone>(item: T, times: usize) -> Vec<T> {
    unwound(room::filled(item, times))
}
