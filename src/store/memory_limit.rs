//! The limit of an engine's memory: areas that grow step by step, and what is kept outside of them.
//!
//! One number of bytes bounds all together. Garbage on the heap does not count against others, so
//! whoever wants room gets it a little beyond the limit and makes the next call look
//! ([`Events::room_wanted`](super::events::Events::room_wanted)): it collects, and raises the error if
//! that did not help. What is kept until the program drops it (clauses, atoms, global variables)
//! may not fill the last part of the memory: with a full database queries still have some to run
//! in, and so has the heap, whatever else takes memory.
#![forbid(unsafe_code)]

use super::address::{Addr, ChoiceAddr, EnvAddr, HeapAddr, TrailAddr, kind};
use super::areas::{Area, FIRST_END, HEAP_SLACK_WORDS, Mapped, TRAIL_SLACK};
use super::cell::WORD;
use super::claims::{Claim, Life, Told};
use super::events::Events;
use super::heap::Store;
use crate::base::atom_table::Watcher;
use crate::base::growth::is_short;
use crate::base::stop::Stop;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Bytes by which an area grows at least.
const GROWTH: u64 = 1 << 20;
/// A trail of so many bytes is no reason for a collection.
const TRAIL_UNSEEN: u64 = 8 << 20;
/// Why the next call is to look whether there is room: a table has grown, or there may be little, or something
/// that is kept has grown and filled its part. 0 if it need not.
const TABLE_GREW: u8 = 1;
const GREW: u8 = 2;
/// Stored terms of fewer bytes than this that are soon dropped are not counted.
const SMALL: u64 = 4096;

impl Store {
    /// Heap and trail are about to shrink: remembers how far they have grown.
    pub(crate) fn note_tops(&mut self) {
        self.heap_high = self.heap_high.max(self.heap_top);
        self.trail_high = self.trail_high.max(self.trail_top);
    }

    /// Gives back to the system what the areas have grown by and no longer need. Little is kept as
    /// it is: what grows and shrinks in turns must not go to the system each time.
    pub(crate) fn trim(&mut self, env_top: EnvAddr, choice_top: ChoiceAddr) {
        let little = (self.area_bytes() as u64 / 32).clamp(FIRST_END, 64 << 20);
        let (trail_top, trail_high) = (self.trail_top, self.trail_high.max(self.trail.end));
        let (env_high, choice_high) = (self.env.end, self.choices_end);
        if let Some(end) = self.env.shorter(env_top, env_high, little) {
            self.env.end = end;
            self.unmap(Mapped::ENV, end);
        }
        let choice = self.whole_choices();
        if let Some(end) = choice.shorter(choice_top, choice_high, little) {
            self.set_choices_end(end);
            self.unmap(Mapped::CHOICE, end);
        }
        if let Some(end) = self.trail.shorter(trail_top, trail_high, little) {
            self.trail.end = end;
            self.unmap(Mapped::TRAIL, end);
        }
        self.trail_high = self.trail_high.min(self.trail.end);
        let used = self.heap_top - self.heap.base;
        if self.heap_high - self.heap.base > 4 * used + little {
            let limit = self.heap_top + used + FIRST_END;
            self.watch
                .bell
                .limit
                .fetch_min(limit.bits(), Ordering::Relaxed);
            self.unmap(Mapped::HEAP, limit + HEAP_SLACK_WORDS as u64 * WORD);
            self.unmap(Mapped::TRAIL, self.trail.end);
            self.heap_high = self.heap_top;
        }
    }

    /// The tables that count themselves are gone, and others begin.
    pub(crate) fn forget_told(&self) {
        let told = self.outside.told.iter();
        told.for_each(|bytes| bytes.store(0, Ordering::Relaxed));
    }

    /// Bytes that all areas together may grow to, and each alone.
    pub(crate) fn area_bytes(&self) -> usize {
        self.limit
    }

    /// Lets them grow to so many bytes from now on, as far as they have room.
    pub(crate) fn set_limit(&mut self, bytes: usize) {
        self.limit = bytes.min(self.most);
        // Nothing has grown: what clauses leave to others is there for them.
        want_room(&self.events, TABLE_GREW);
    }

    /// Bytes taken by everything but the heap.
    fn taken(&self) -> u64 {
        let trail = self.trail.end.max(self.trail_top) - self.trail.base;
        let areas = self.env.bytes() + self.whole_choices().bytes() + trail;
        // A store that rests has none.
        areas.saturating_sub(3 * FIRST_END) + self.outside.bytes()
    }

    /// The address that the heap may not grow beyond, things being as they are. Some room it has
    /// whatever else takes memory, so that an engine can go on after an error.
    pub(crate) fn heap_bound(&self) -> HeapAddr {
        let size = self.area_bytes() as u64;
        let room = size.saturating_sub(self.taken()).max(size / 16);
        let slack = HEAP_SLACK_WORDS as u64 * WORD;
        let bound = self.heap.base + room.min(size).max(2 * slack) - slack;
        bound.min(self.mapped.refused())
    }

    /// Bytes in use with `bytes` more outside of the heap, of which only what the last collection
    /// found alive counts.
    fn all_with(&self, bytes: u64) -> u64 {
        let heap = self.heap_top.min(self.heap_kept) - self.heap.base;
        heap.saturating_add(self.taken()).saturating_add(bytes)
    }

    /// Bytes that all together may come to when something of this life grows.
    fn bound_of(&self, life: Life) -> u64 {
        let size = self.area_bytes() as u64;
        match life {
            Life::Kept => size - size / 16,
            Life::Passing => size,
        }
    }

    /// Is there room for `bytes` more outside of the heap?
    ///
    /// # Errors
    /// There is none, even if a collection should find some garbage.
    pub(crate) fn room_outside(&self, bytes: u64, life: Life) -> Result<(), Stop> {
        if is_short() {
            return Err(Stop);
        }
        let all = self.all_with(bytes);
        let bound = self.bound_of(life);
        if all <= bound {
            return Ok(());
        }
        want_room(&self.events, GREW);
        let beyond = match life {
            Life::Kept => self.area_bytes() as u64 / 64,
            Life::Passing => self.area_bytes() as u64 / 8,
        };
        if all <= bound + beyond {
            Ok(())
        } else {
            Err(Stop)
        }
    }

    /// Is there room on the heap for `bytes` that stay there from query to query, besides what the last
    /// collection left? An eighth of all is for the queries to come.
    ///
    /// # Errors
    /// There is none, even if a collection should find some garbage.
    pub(crate) fn room_for_good(&self, bytes: u64) -> Result<(), Stop> {
        let size = self.area_bytes() as u64;
        if self.all_with(bytes) <= size - size / 8 {
            return Ok(());
        }
        want_room(&self.events, TABLE_GREW);
        Err(Stop)
    }

    /// Bytes of names.
    fn names(&self) -> u64 {
        self.outside.told(Told::Names).load(Ordering::Relaxed)
    }

    /// Bytes that something that soon passes may take outside of the heap.
    pub(crate) fn room_left(&self) -> u64 {
        self.bound_of(Life::Passing)
            .saturating_sub(self.all_with(0))
    }

    /// Something outside of the heap has grown, and the limit is reached, or (`after_collection`)
    /// so nearly that collections would follow each other closely. The limit is that of what lives so
    /// long; tables may grow a little beyond it, and beyond where an error told of it last: the first call of
    /// a predicate does not go wrong because clauses or other predicates have filled the memory.
    pub(crate) fn is_short_of_room(&self, after_collection: bool, life: Life) -> bool {
        let size = self.area_bytes() as u64;
        let bound = self.bound_of(life);
        let (bound, margin) = match self.events.room_wanted.load(Ordering::Relaxed) {
            GREW if after_collection => (bound, size / 32),
            GREW => (bound, 0),
            TABLE_GREW => {
                if self.all_with(0) < bound {
                    self.outside.short_at.store(0, Ordering::Relaxed);
                }
                let since_told = self.outside.short_at.load(Ordering::Relaxed) + size / 32;
                (since_told.max(bound + size / 32).min(size), 0)
            }
            _ => return false,
        };
        let names = self.names();
        let since_told = self.outside.names_at.load(Ordering::Relaxed) + size / 32;
        let names_bound = since_told.clamp(size / 2, size / 2 + size / 8);
        let short = self.all_with(margin) > bound || names + margin > names_bound;
        if !short || after_collection {
            self.events.room_wanted.store(0, Ordering::Relaxed);
        }
        short
    }

    /// May something hold so many bytes for a moment? Only those who might need much ask.
    pub(crate) fn has_room_for(&self, bytes: usize) -> bool {
        bytes < SMALL as usize * 16 || self.all_with(bytes as u64) <= self.bound_of(Life::Passing)
    }

    /// Bytes that work on terms may take outside of the heap for a moment, besides all that lies on the
    /// heap, garbage or not: as many as a builtin may fill the heap with, or a few.
    pub(super) fn scratch_room(&self) -> u64 {
        let room = self.reserve_end().saturating_sub(self.heap_top);
        room.max(self.area_bytes() as u64 / 32)
    }

    /// An error tells of it: until something grows again nobody need look.
    pub(crate) fn has_told_of_shortage(&self) {
        let all = self.all_with(0);
        self.outside.short_at.store(all, Ordering::Relaxed);
        let names = self.names();
        let too_many = names > self.area_bytes() as u64 / 16 * 7;
        let names_at = if too_many { names } else { 0 };
        self.outside.names_at.store(names_at, Ordering::Relaxed);
        self.events.room_wanted.store(0, Ordering::Relaxed);
    }

    /// Counts memory outside of the areas against the limit.
    ///
    /// # Errors
    /// There is no room for it.
    pub(crate) fn claim(&self, bytes: u64, life: Life) -> Result<Claim, Stop> {
        let mut claim = Claim::default();
        if life == Life::Kept || bytes >= SMALL {
            self.resize_claim(&mut claim, bytes, life)?;
        }
        Ok(claim)
    }

    /// Changes how much a claim is.
    ///
    /// # Errors
    /// There is no room for more.
    pub(crate) fn resize_claim(
        &self,
        claim: &mut Claim,
        bytes: u64,
        life: Life,
    ) -> Result<(), Stop> {
        if bytes > claim.bytes {
            self.room_outside(bytes - claim.bytes, life)?;
        }
        self.count(claim, bytes);
        Ok(())
    }

    fn count(&self, claim: &mut Claim, bytes: u64) {
        let outside = claim.outside.get_or_insert_with(|| self.outside.clone());
        // Adding what wraps around takes away.
        let change = bytes.wrapping_sub(claim.bytes);
        outside.claimed.fetch_add(change, Ordering::Relaxed);
        claim.bytes = bytes;
    }

    /// What is to be told, whenever a table has grown, how many bytes it takes.
    pub(crate) fn watcher(&self, of: Told) -> Watcher {
        let (outside, events) = (self.outside.clone(), self.events.clone());
        Arc::new(move |bytes| {
            outside.told(of).store(bytes, Ordering::Relaxed);
            want_room(&events, TABLE_GREW);
        })
    }

    /// Tells how many bytes these take now.
    pub(crate) fn tell(&self, of: Told, bytes: u64) {
        let told = self.outside.told(of);
        let before = told.load(Ordering::Relaxed);
        if bytes != before {
            told.store(bytes, Ordering::Relaxed);
        }
        if bytes > before {
            want_room(&self.events, TABLE_GREW);
        }
    }

    /// Lets the environments grow beyond `top`, by half of what they have where possible; false if the limit does
    /// not allow it.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow_environments(&mut self, top: EnvAddr) -> bool {
        let Some(end) = self.room_beyond(Mapped::ENV, self.env, top, 0) else {
            return false;
        };
        self.env.end = end;
        self.judge_heap_anew();
        true
    }

    /// The area of the choice points, as far as it may be used.
    fn whole_choices(&self) -> Area<kind::Choice> {
        Area {
            end: self.choices_end,
            ..self.choice
        }
    }

    pub(super) fn set_choices_end(&mut self, end: ChoiceAddr) {
        self.choices_end = end;
        if !self.notes_choices() {
            self.choice.end = end;
        }
    }

    /// Says whether the machine is to look at each choice point that it makes: then it finds no room at once.
    pub(crate) fn note_choices(&mut self, notes: bool) {
        self.choice.end = match notes {
            true => self.choice.base,
            false => self.choices_end,
        };
    }

    /// Does it look at each?
    #[inline(always)]
    pub(crate) fn notes_choices(&self) -> bool {
        self.choice.end == self.choice.base && self.choices_end != self.choice.base
    }

    /// The same of the choice points.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow_choices(&mut self, top: ChoiceAddr) -> bool {
        if top <= self.choices_end {
            return true;
        }
        let Some(end) = self.room_beyond(Mapped::CHOICE, self.whole_choices(), top, 0) else {
            return false;
        };
        self.set_choices_end(end);
        self.judge_heap_anew();
        true
    }

    /// The same of the trail.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow_trail(&mut self, top: TrailAddr) -> bool {
        let Some(end) = self.room_beyond(Mapped::TRAIL, self.trail, top, TRAIL_SLACK) else {
            return false;
        };
        self.trail.end = end;
        self.judge_heap_anew();
        self.trail_has_grown();
        true
    }

    /// Maps more of an area, so that it ends at `top` or later and `slack` bytes are mapped after that. Returns its new
    /// end, or nothing if there is no room.
    fn room_beyond<Kind>(
        &self,
        number: usize,
        area: Area<Kind>,
        top: Addr<Kind>,
        slack: u64,
    ) -> Option<Addr<Kind>> {
        let size = self.area_bytes() as u64;
        let usual = area.end + (area.bytes() / 2).max(GROWTH);
        let fits = |end: Addr<Kind>| end + slack <= area.base + size && end >= top;
        let end = if fits(usual) && self.all_with(usual - area.end) <= size {
            usual
        } else {
            top + GROWTH
        };
        let fits = fits(end) && self.room_outside(end - area.end, Life::Passing).is_ok();
        (fits && self.map(number, end)).then_some(end)
    }

    /// What is asked of the heap next is judged by what the other areas have grown to.
    fn judge_heap_anew(&self) {
        let bound = self.heap_bound().bits();
        self.watch.bell.limit.fetch_min(bound, Ordering::Relaxed);
    }

    /// Entries that a collection drops may be what fills the trail.
    fn trail_has_grown(&mut self) {
        let (trail, heap) = (
            self.trail.end - self.trail.base,
            self.heap_top - self.heap.base,
        );
        if trail > TRAIL_UNSEEN && trail > heap / 8 {
            self.collect_for_trail = true;
            self.watch.look_at_next_call();
        }
    }

    /// After a collection: remembers how much is alive, and how far the trail may grow before the
    /// next.
    pub(crate) fn collected(&mut self) {
        self.heap_kept = self.heap_top;
        self.collect_for_trail = false;
        let used = self.trail_top - self.trail.base;
        self.trail.end = self.trail.end.min(self.trail_top + used.max(TRAIL_UNSEEN));
    }

    /// So little room is left that collections would follow each other closely.
    pub(crate) fn heap_is_crowded(&self) -> bool {
        let bound = self.heap_bound();
        self.heap_top > bound || (bound - self.heap_top) * 16 < self.heap_top - self.heap.base
    }

    /// The address that a builtin may fill the heap up to, whose garbage is still there.
    pub(super) fn reserve_end(&self) -> HeapAddr {
        let size = self.area_bytes() as u64;
        let room = (size + size / 8).saturating_sub(self.taken());
        let slack = HEAP_SLACK_WORDS as u64 * WORD;
        let room = room.max(size / 16).max(2 * slack).min(size);
        self.heap.base + room - slack
    }

    /// Makes sure that `words` words can be allocated beyond the slack.
    ///
    /// # Errors
    /// There is no room for them.
    pub(crate) fn reserve(&self, words: usize) -> Result<(), Stop> {
        let (end, top) = (self.reserve_end(), self.heap_top);
        let fits = end > top && words as u64 <= (end - top) / WORD;
        let wanted = top + (words + HEAP_SLACK_WORDS) as u64 * WORD;
        if fits && self.map_heap(wanted) {
            self.mapped.promise(wanted);
            Ok(())
        } else {
            Err(Stop)
        }
    }
}

/// Makes the next call look whether there is room.
fn want_room(events: &Events, why: u8) {
    events.room_wanted.fetch_max(why, Ordering::Relaxed);
    events.watch.look_at_next_call();
}
