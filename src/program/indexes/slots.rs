//! A hash table with slots of 16 bytes. For each hash of 32 bits a slot has the only clause with that hash and the
//! address of its code, or the number of a list. A lookup costs one miss of the processor's cache; the next miss is
//! that of the clause.

use crate::base::growth::filled;
use crate::store::address::{CodeAddr, LabelledCode};

/// The content of a slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::program) enum Content {
    /// The clause at this position, and the address of its code.
    One(i64, CodeAddr),
    /// The list of this number.
    Many(usize),
}

/// First the address, with the upper half of the hash; [`CodeAddr::NONE`] for a list and for a free slot. Then the
/// position, or the number of the list plus one, above the lower half of the hash.
#[derive(Copy, Clone)]
#[repr(align(16))]
struct Slot(LabelledCode, u64);

const HALF: u32 = 16;

impl Slot {
    /// Makes a slot; `None` if the content does not fit.
    fn new(hash: u32, content: Content) -> Option<Slot> {
        let (code, rest) = match content {
            Content::One(position, code) => (code, position as u64),
            Content::Many(number) => (CodeAddr::NONE, number as u64 + 1),
        };
        let code = LabelledCode::new(code, (hash >> HALF) as u16)?;
        Some(Slot(code, rest << HALF | u64::from(hash as u16)))
    }

    const fn empty() -> Option<Slot> {
        match LabelledCode::new(CodeAddr::NONE, 0) {
            Some(code) => Some(Slot(code, 0)),
            None => None,
        }
    }

    #[inline(always)]
    fn hash(self) -> u32 {
        u32::from(self.0.label()) << HALF | u32::from(self.1 as u16)
    }

    /// Returns the content; `None` if the slot is free.
    #[inline(always)]
    fn content(self) -> Option<Content> {
        let code = self.0.code();
        let rest = self.1 as i64 >> HALF;
        if code != CodeAddr::NONE {
            return Some(Content::One(rest, code));
        }
        (rest != 0).then(|| Content::Many(rest as usize - 1))
    }
}

/// The table.
#[derive(Default)]
pub(in crate::program) struct Slots {
    /// The slots. Between the home of a hash and its slots there is no free slot; the search wraps around at the end.
    slots: Vec<Slot>,
    used: usize,
}

/// Number of slots of the smallest table.
const FEWEST: usize = 8;

impl Slots {
    /// Returns the number of slots in use.
    pub(in crate::program) fn len(&self) -> usize {
        self.used
    }

    /// Returns the bytes that the table takes.
    pub(in crate::program) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot>()
    }

    /// Returns the place where the search for a hash begins. Places are in the order of the hashes, so a copy of a
    /// table to another one fills it from end to end.
    #[inline(always)]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline(always)]
    fn after(&self, at: usize) -> usize {
        if at + 1 == self.slots.len() {
            0
        } else {
            at + 1
        }
    }

    /// Finds the slot of this hash whose content `accepts` accepts.
    #[inline(always)]
    pub(in crate::program) fn find(
        &self,
        hash: u32,
        accepts: impl Fn(Content) -> bool,
    ) -> Option<(usize, Content)> {
        let mut at = self.home(hash);
        // The table always has free slots.
        loop {
            let slot = *self.slots.get(at)?;
            let content = slot.content()?;
            if slot.hash() == hash && accepts(content) {
                return Some((at, content));
            }
            at = self.after(at);
        }
    }

    /// Finds the slot of this hash whose content `accepts` accepts. Otherwise returns the free slot after all slots
    /// of this hash, and whether there are others of this hash.
    #[inline(always)]
    pub(in crate::program) fn find_or_free(
        &self,
        hash: u32,
        accepts: impl Fn(Content) -> bool,
    ) -> Result<(usize, Content), (usize, bool)> {
        let (mut at, mut others) = (self.home(hash), false);
        while let Some(&slot) = self.slots.get(at)
            && let Some(content) = slot.content()
        {
            if slot.hash() == hash {
                if accepts(content) {
                    return Ok((at, content));
                }
                others = true;
            }
            at = self.after(at);
        }
        Err((at, others))
    }

    /// Adds a slot where [`Slots::find_or_free`] has found a free one. Returns false if that is not possible.
    #[must_use]
    pub(in crate::program) fn insert_at(
        &mut self,
        free: usize,
        hash: u32,
        content: Content,
    ) -> bool {
        if (self.used + 1) * 5 > self.slots.len() * 4 {
            return self.insert(hash, content);
        }
        let slot = Slot::new(hash, content);
        if let Some(slot) = slot {
            debug_assert!(self.slots[free].content().is_none(), "the slot is free");
            self.slots[free] = slot;
            self.used += 1;
        }
        slot.is_some()
    }

    /// Adds a slot. Returns false if that is not possible.
    #[must_use]
    pub(in crate::program) fn insert(&mut self, hash: u32, content: Content) -> bool {
        let Some(slot) = Slot::new(hash, content) else {
            return false;
        };
        if (self.used + 1) * 5 > self.slots.len() * 4 {
            let more = self.slots.len() + self.slots.len() * 5 / 8;
            if !self.resize(more.max(FEWEST)) {
                return false;
            }
        }
        self.place(slot);
        self.used += 1;
        true
    }

    fn place(&mut self, slot: Slot) {
        let mut at = self.home(slot.hash());
        while self.slots[at].content().is_some() {
            at = self.after(at);
        }
        self.slots[at] = slot;
    }

    fn resize(&mut self, room: usize) -> bool {
        let Some(Ok(slots)) = Slot::empty().map(|empty| filled(empty, room)) else {
            return false;
        };
        for slot in std::mem::replace(&mut self.slots, slots) {
            if slot.content().is_some() {
                self.place(slot);
            }
        }
        true
    }

    /// Replaces the content of a slot. Returns false if that is not possible.
    #[must_use]
    pub(in crate::program) fn replace(&mut self, at: usize, content: Content) -> bool {
        let slot = Slot::new(self.slots[at].hash(), content);
        if let Some(slot) = slot {
            self.slots[at] = slot;
        }
        slot.is_some()
    }

    /// Removes a slot.
    pub(in crate::program) fn remove(&mut self, at: usize) {
        let Some(empty) = Slot::empty() else {
            return;
        };
        let (mut free, mut next) = (at, self.after(at));
        while self.slots[next].content().is_some() {
            // A slot moves to the free one if its home permits that.
            let home = self.home(self.slots[next].hash());
            let stays = if free < next {
                free < home && home <= next
            } else {
                free < home || home <= next
            };
            if !stays {
                self.slots[free] = self.slots[next];
                free = next;
            }
            next = self.after(next);
        }
        self.slots[free] = empty;
        self.used -= 1;
        if self.slots.len() > 64 && self.used < self.slots.len() / 4 {
            self.resize(self.used * 2);
        }
    }
}
