//! The resources and the results of work on constraints.

use super::queue::Queue;
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::areas::HEAP_SLACK_WORDS;
use crate::store::cell::WORD;
use crate::store::heap::Store;

/// The reason why a propagator stops early.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The constraint has no solution.
    Fail,
    /// A number is too large for a machine word.
    Wide,
    /// There is no room, or the work must stop.
    Stop,
}

impl From<Stop> for Halt {
    fn from(_: Stop) -> Halt {
        Halt::Stop
    }
}

/// The result of work on constraints.
pub(crate) type R<T = ()> = Result<T, Halt>;

/// Number of words that are certainly free when work begins. More are reserved when they are used up.
const ROOM: u64 = HEAP_SLACK_WORDS as u64 / 2;

/// The constraints of an engine during work on them.
pub(crate) struct Fd<'a> {
    /// The store that contains all data.
    pub(crate) store: &'a mut Store,
    /// The queue of work.
    pub(crate) queue: &'a mut Queue,
    /// Address up to which the heap may be filled without a check.
    room: HeapAddr,
}

impl<'a> Fd<'a> {
    /// Returns the constraints of this store.
    pub(crate) fn new(store: &'a mut Store, queue: &'a mut Queue) -> Fd<'a> {
        let room = store.heap_top + ROOM * WORD;
        Fd { store, queue, room }
    }

    /// Takes words of the heap: at most some thousands at once.
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
