//! Counts that are remembered: how many solutions a call of a predicate leads to, where nothing but the count comes after
//! it. The declaration `count_memo/1` asks for it. Calls are in [`remembering`](super::remembering).
//!
//! What is remembered belongs to one count, and ends with it. A call of such a predicate pushes a choice point. When that
//! is the newest again all solutions have been counted that the call leads to: their number is kept under the arguments
//! and the context, if no goal has done or seen meanwhile what these do not tell.
#![forbid(unsafe_code)]

use crate::base::atom_table::FastMap;
use crate::base::number::Number;
use crate::store::address::ChoiceAddr;
use crate::store::claims::{Claim, Life};
use crate::store::heap::Store;
use crate::store::interned::{Interned, Part};

/// Memory that is claimed ahead.
const AHEAD: u64 = 1 << 16;
/// This part of the memory is left for the search itself.
const SPARE: u64 = 4;

/// What a call is known by: the slot of its predicate, its arguments and the context.
pub(super) type Key = (u32, Part);

/// A call whose solutions are being counted.
pub(super) struct Open {
    pub(super) choice: ChoiceAddr,
    pub(super) slot: u32,
    /// `None` if what it leads to is not to be kept.
    pub(super) key: Option<Part>,
    /// What was counted before.
    pub(super) before: (u64, Number),
    /// [`Seen`] before.
    pub(super) seen: Seen,
    /// The number of places of the heap that were known before.
    pub(super) places: usize,
}

/// How often goals have done what cannot be undone, and have seen or changed what their arguments do not tell.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) effects: u64,
    pub(super) unseen: u64,
}

/// The counts that are remembered.
#[derive(Default)]
pub(crate) struct Memo {
    pub(super) terms: Interned,
    pub(super) counts: FastMap<Key, Number>,
    pub(super) open: Vec<Open>,
    pub(super) seen: Seen,
    claim: Claim,
    /// There is no memory for more.
    full: bool,
}

impl std::fmt::Debug for Memo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memo")
    }
}

impl Memo {
    /// Forgets all counts, also those that are under way.
    pub(crate) fn forget(&mut self) {
        (self.terms, self.counts) = Default::default();
        for open in &mut self.open {
            (open.key, open.places) = (None, 0);
        }
    }

    /// The newest call that is being counted is so no more.
    pub(super) fn close(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        self.terms.forget_places(open.places);
        Some(open)
    }

    /// The terms on the heap move.
    pub(crate) fn heap_moves(&mut self) {
        self.terms.forget_places(0);
        self.open.iter_mut().for_each(|open| open.places = 0);
    }

    /// Is there memory for more? It counts as that of the engine.
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
            // A claim that is refused would have the engine look for room elsewhere.
            let has_room = store.room_left() >= ahead - self.claim.bytes() + spare;
            let claimed =
                has_room.then(|| store.resize_claim(&mut self.claim, ahead, Life::Passing));
            self.full = !matches!(claimed, Some(Ok(())));
        }
        !self.full
    }
}

/// What comes of a call.
pub(in crate::machine) enum Remembered {
    /// All that it leads to has been counted.
    Counted,
    /// It goes on as any other.
    No(Option<NotRemembered>),
}

/// Why the count of a call is not remembered.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotRemembered {
    /// Other goals come after it, or may cut it.
    Goals,
    /// An argument has no number.
    Argument,
    /// The context has none.
    Context,
    /// Goals that it leads to have effects, or see what it does not tell.
    Effects,
    /// There is no memory for more numbers.
    Memory,
}
