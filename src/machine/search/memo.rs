//! Remembered counts: the number of solutions to which a call of a predicate leads, if only the count follows the
//! call. The declaration `count_memo/1` requests this. [`remembering`](super::remembering) handles the calls.
//!
//! Remembered counts belong to one collection that counts, and end with it. A call of such a predicate pushes a
//! choice point. When this choice point is the newest again, all solutions of the call have been counted. Their
//! number is then stored under the arguments and the context. It is not stored if a goal has had an effect, or has
//! seen something outside the arguments and the context.
#![forbid(unsafe_code)]

use crate::base::atom_table::FastMap;
use crate::base::number::Number;
use crate::store::address::ChoiceAddr;
use crate::store::claims::{Claim, Life};
use crate::store::heap::Store;
use crate::store::interned::{Interned, Part};

/// Bytes of memory that are claimed ahead.
const AHEAD: u64 = 1 << 16;
/// Divisor of the memory: this part is left for the search itself.
const SPARE: u64 = 4;

/// The key of a call: the slot of its predicate, its arguments and the context.
pub(super) type Key = (u32, Part);

/// A call whose solutions are being counted.
pub(super) struct Open {
    pub(super) choice: ChoiceAddr,
    pub(super) slot: u32,
    /// The key of the count; `None` if the count is not to be stored.
    pub(super) key: Option<Part>,
    /// The count before the call.
    pub(super) before: (u64, Number),
    /// [`Seen`] before the call.
    pub(super) seen: Seen,
    /// The number of known places of the heap before the call.
    pub(super) places: usize,
}

/// The number of effects of goals, and of accesses to state outside the arguments of goals.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) effects: u64,
    pub(super) unseen: u64,
}

/// The remembered counts.
#[derive(Default)]
pub(crate) struct Memo {
    pub(super) terms: Interned,
    pub(super) counts: FastMap<Key, Number>,
    pub(super) open: Vec<Open>,
    pub(super) seen: Seen,
    claim: Claim,
    /// Whether there is no memory for more counts.
    full: bool,
}

impl std::fmt::Debug for Memo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memo")
    }
}

impl Memo {
    /// Forgets all counts, including those under way.
    pub(crate) fn forget(&mut self) {
        (self.terms, self.counts) = Default::default();
        for open in &mut self.open {
            (open.key, open.places) = (None, 0);
        }
    }

    /// Removes the newest call that is being counted.
    pub(super) fn close(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        self.terms.forget_places(open.places);
        Some(open)
    }

    /// Forgets the places of terms, because the terms on the heap move.
    pub(crate) fn heap_moves(&mut self) {
        self.terms.forget_places(0);
        self.open.iter_mut().for_each(|open| open.places = 0);
    }

    /// Returns whether there is memory for more counts. It counts as memory of the engine.
    pub(super) fn has_room(&mut self, store: &mut Store) -> bool {
        let count = size_of::<(Key, Number)>() + 1;
        let full = self.counts.len() == self.counts.capacity();
        let bytes = (self.counts.capacity() << usize::from(full)) * count
            + self.open.capacity() * size_of::<Open>()
            + self.terms.bytes();
        let bytes = bytes as u64;
        if bytes > self.claim.bytes() && !self.full {
            let ahead = bytes + bytes / 16 + AHEAD;
            let spare = store.area_bytes() as u64 / SPARE;
            // If the engine refused a claim, it would look for room elsewhere.
            let has_room = store.room_left() >= ahead - self.claim.bytes() + spare;
            let claimed =
                has_room.then(|| store.resize_claim(&mut self.claim, ahead, Life::Passing));
            self.full = !matches!(claimed, Some(Ok(())));
        }
        !self.full
    }
}

/// The result of looking up the count of a call.
pub(in crate::machine) enum Remembered {
    /// All solutions of the call have been counted.
    Counted,
    /// The call continues as any other.
    No(Option<NotRemembered>),
}

/// The reason why the count of a call is not remembered.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotRemembered {
    /// Other goals follow the call, or may cut it.
    Goals,
    /// An argument has no number.
    Argument,
    /// The context has no number.
    Context,
    /// Goals of the call have effects, or see state that does not belong to the call.
    Effects,
    /// There is no memory for more numbers.
    Memory,
}
