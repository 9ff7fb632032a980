//! What work on constraints needs, and what it comes to.

use super::queue::Queue;
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::areas::HEAP_SLACK_WORDS;
use crate::store::cell::WORD;
use crate::store::heap::Store;

/// Why a propagator does not come to its end.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The constraint has no solution.
    Fail,
    /// A number is too large for a machine word.
    Wide,
    /// There is no room, or the work is to be stopped.
    Stop,
}

impl From<Stop> for Halt {
    fn from(_: Stop) -> Halt {
        Halt::Stop
    }
}

/// What work on constraints comes to.
pub(crate) type R<T = ()> = Result<T, Halt>;

/// Words that are free for sure when work begins, and that are reserved anew when they are used up.
const ROOM: u64 = HEAP_SLACK_WORDS as u64 / 2;

/// The constraints of an engine while they are worked on.
pub(crate) struct Fd<'a> {
    /// Where everything lies.
    pub(crate) store: &'a mut Store,
    /// What is to be done.
    pub(crate) queue: &'a mut Queue,
    /// Up to where the heap may be filled without asking.
    room: HeapAddr,
}

impl<'a> Fd<'a> {
    /// The constraints of this store.
    pub(crate) fn new(store: &'a mut Store, queue: &'a mut Queue) -> Fd<'a> {
        let room = store.heap_top + ROOM * WORD;
        Fd { store, queue, room }
    }

    /// Takes words of the heap: no more than some thousands at once.
    #[inline(always)]
    pub(crate) fn allocate(&mut self, words: usize) -> R<HeapAddr> {
        if self.store.heap_top + words as u64 * WORD > self.room {
            self.more_room(words)?;
        }
        Ok(self.store.allocate(words))
    }

    #[cold]
    #[inline(never)]
    fn more_room(&mut self, words: usize) -> R {
        self.store.reserve(words + ROOM as usize)?;
        self.room = self.store.heap_top + (words as u64 + ROOM) * WORD;
        Ok(())
    }
}
