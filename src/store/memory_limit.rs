//! The limit of an engine's memory: areas that grow step by step, and the data outside of them.
//!
//! One number of bytes limits all together. Garbage on the heap does not count against other data. So a request for
//! room may go a little beyond the limit, and makes the next call look
//! ([`Events::room_wanted`](super::events::Events::room_wanted)). The call collects, and raises the error if that
//! did not help. Data that a program keeps until it drops them (clauses, atoms, global variables) may not fill the
//! last part of the memory. So queries still have some memory with a full database. The heap always has some room
//! too, whatever else takes memory.
#![forbid(unsafe_code)]

use super::address::{Addr, ChoiceAddr, EnvAddr, HeapAddr, TrailAddr, kind};
use super::areas::{Area, FIRST_END, HEAP_SLACK_WORDS, Mapped, TRAIL_SLACK};
use super::cell::WORD;
use super::claims::{Claim, Life, Reported};
use super::events::Events;
use super::heap::Store;
use crate::base::atom_table::Watcher;
use crate::base::growth::is_short;
use crate::base::stop::Stop;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Minimum number of bytes by which an area grows.
const GROWTH: u64 = 1 << 20;
/// Size in bytes up to which the trail causes no collection.
const TRAIL_UNSEEN: u64 = 8 << 20;
/// Reasons why the next call must look for room: a table has grown (`TABLE_GREW`), or room is short or kept data
/// have filled their part (`GREW`). 0 means that no call need look.
const TABLE_GREW: u8 = 1;
const GREW: u8 = 2;
/// Size in bytes from which stored terms count even if they are soon dropped.
const SMALL: u64 = 4096;

impl Store {
    /// Remembers how far heap and trail have grown; call this before they shrink.
    pub(crate) fn note_tops(&mut self) {
        self.heap_high = self.heap_high.max(self.heap_top);
        self.trail_high = self.trail_high.max(self.trail_top);
    }

    /// Gives back to the system the memory that the areas no longer need. Small areas stay as they are: memory that
    /// grows and shrinks in turns must not go to the system each time.
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

    /// Sets the sizes of the tables that count themselves to 0: other tables replace them.
    pub(crate) fn reset_table_sizes(&self) {
        let tables = self.outside.table_bytes.iter();
        tables.for_each(|bytes| bytes.store(0, Ordering::Relaxed));
    }

    /// Returns the number of bytes that all areas together may grow to, and each alone.
    pub(crate) fn area_bytes(&self) -> usize {
        self.limit
    }

    /// Sets the number of bytes that all areas together may grow to, as far as they have room.
    pub(crate) fn set_limit(&mut self, bytes: usize) {
        self.limit = bytes.min(self.most);
        // Nothing has grown, so the part of the memory that clauses may not fill is available: `TABLE_GREW`.
        want_room(&self.events, TABLE_GREW);
    }

    /// Returns the number of bytes taken by everything except the heap.
    fn taken(&self) -> u64 {
        let trail = self.trail.end.max(self.trail_top) - self.trail.base;
        let areas = self.env.bytes() + self.whole_choices().bytes() + trail;
        // A store that has no areas yet takes nothing for them.
        areas.saturating_sub(3 * FIRST_END) + self.outside.bytes()
    }

    /// Returns the address that the heap may not grow beyond at present. The heap always has some room, whatever
    /// else takes memory, so an engine can go on after an error.
    pub(crate) fn heap_bound(&self) -> HeapAddr {
        let size = self.area_bytes() as u64;
        let room = size.saturating_sub(self.taken()).max(size / 16);
        let slack = HEAP_SLACK_WORDS as u64 * WORD;
        let bound = self.heap.base + room.min(size).max(2 * slack) - slack;
        bound.min(self.mapped.refused())
    }

    /// Returns the number of bytes in use with `bytes` more outside of the heap. Of the heap only the part that the
    /// last collection found alive counts.
    fn all_with(&self, bytes: u64) -> u64 {
        let heap = self.heap_top.min(self.heap_kept) - self.heap.base;
        heap.saturating_add(self.taken()).saturating_add(bytes)
    }

    /// Returns the number of bytes that all data together may take when data of this life grow.
    fn bound_of(&self, life: Life) -> u64 {
        let size = self.area_bytes() as u64;
        match life {
            Life::Kept => size - size / 16,
            Life::Passing => size,
        }
    }

    /// Checks that there is room for `bytes` more outside of the heap.
    ///
    /// # Errors
    /// Returns an error if there is no room, even if a collection should find some garbage.
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

    /// Checks that the heap has room for `bytes` that stay from query to query. The data that the last collection
    /// left count too. An eighth of the memory stays free for the queries that follow.
    ///
    /// # Errors
    /// Returns an error if there is no room, even if a collection should find some garbage.
    pub(crate) fn room_for_good(&self, bytes: u64) -> Result<(), Stop> {
        let size = self.area_bytes() as u64;
        if self.all_with(bytes) <= size - size / 8 {
            return Ok(());
        }
        want_room(&self.events, TABLE_GREW);
        Err(Stop)
    }

    /// Returns the number of bytes that names take.
    fn names(&self) -> u64 {
        self.outside
            .reported(Reported::Names)
            .load(Ordering::Relaxed)
    }

    /// Returns the number of bytes that short-lived data may still take outside of the heap.
    pub(crate) fn room_left(&self) -> u64 {
        self.bound_of(Life::Passing)
            .saturating_sub(self.all_with(0))
    }

    /// Returns whether data outside of the heap have grown and the limit is reached. With `after_collection` it also
    /// returns true if so little room is left that collections would follow each other closely. The limit depends on
    /// `life`. Tables may grow a little beyond the limit, and beyond the size at which an error last reported the
    /// shortage. So the first call of a predicate does not fail because clauses or other predicates have filled the
    /// memory.
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
                let after_growth = self.outside.short_at.load(Ordering::Relaxed) + size / 32;
                (after_growth.max(bound + size / 32).min(size), 0)
            }
            _ => return false,
        };
        let names = self.names();
        let after_growth = self.outside.names_at.load(Ordering::Relaxed) + size / 32;
        let names_bound = after_growth.clamp(size / 2, size / 2 + size / 8);
        let short = self.all_with(margin) > bound || names + margin > names_bound;
        if !short || after_collection {
            self.events.room_wanted.store(0, Ordering::Relaxed);
        }
        short
    }

    /// Returns whether `bytes` bytes may be in use for a moment. Only code that may need much calls this.
    pub(crate) fn has_room_for(&self, bytes: usize) -> bool {
        bytes < SMALL as usize * 16 || self.all_with(bytes as u64) <= self.bound_of(Life::Passing)
    }

    /// Returns the number of bytes that work on terms may take outside of the heap for a moment. The whole heap
    /// counts, with its garbage. The number is the room that a builtin may fill the heap with, but at least a small
    /// part of the memory.
    pub(super) fn scratch_room(&self) -> u64 {
        let room = self.reserve_end().saturating_sub(self.heap_top);
        room.max(self.area_bytes() as u64 / 32)
    }

    /// Notes that an error has reported the shortage: no call need look until something grows again.
    pub(crate) fn note_reported_shortage(&self) {
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
    /// Returns an error if there is no room for it.
    pub(crate) fn claim(&self, bytes: u64, life: Life) -> Result<Claim, Stop> {
        let mut claim = Claim::default();
        if life == Life::Kept || bytes >= SMALL {
            self.resize_claim(&mut claim, bytes, life)?;
        }
        Ok(claim)
    }

    /// Changes the size of a claim.
    ///
    /// # Errors
    /// Returns an error if there is no room for more.
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
        // Adding a negative difference wraps around and so subtracts.
        let change = bytes.wrapping_sub(claim.bytes);
        outside.claimed.fetch_add(change, Ordering::Relaxed);
        claim.bytes = bytes;
    }

    /// Returns the watcher that a table calls with its size in bytes whenever it has grown.
    pub(crate) fn watcher(&self, of: Reported) -> Watcher {
        let (outside, events) = (self.outside.clone(), self.events.clone());
        Arc::new(move |bytes| {
            outside.reported(of).store(bytes, Ordering::Relaxed);
            want_room(&events, TABLE_GREW);
        })
    }

    /// Records how many bytes the tables of this kind take now.
    pub(crate) fn report_table_size(&self, of: Reported, bytes: u64) {
        let size = self.outside.reported(of);
        let before = size.load(Ordering::Relaxed);
        if bytes != before {
            size.store(bytes, Ordering::Relaxed);
        }
        if bytes > before {
            want_room(&self.events, TABLE_GREW);
        }
    }

    /// Lets the environments grow beyond `top`, by half of their size where possible. Returns false if the limit
    /// does not allow it.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow_environments(&mut self, top: EnvAddr) -> bool {
        let Some(end) = self.room_beyond(Mapped::ENV, self.env, top, 0) else {
            return false;
        };
        self.env.end = end;
        self.lower_heap_limit();
        true
    }

    /// Returns the area of the choice points up to the end that may be used.
    fn whole_choices(&self) -> Area<kind::Choice> {
        Area {
            end: self.choices_end,
            ..self.choice
        }
    }

    pub(super) fn set_choices_end(&mut self, end: ChoiceAddr) {
        self.choices_end = end;
        if !self.inspects_choices() {
            self.choice.end = end;
        }
    }

    /// Sets whether the machine must look at each choice point that it makes. If so, each new choice point finds no
    /// room, so the machine stops to look.
    pub(crate) fn set_inspects_choices(&mut self, notes: bool) {
        self.choice.end = match notes {
            true => self.choice.base,
            false => self.choices_end,
        };
    }

    /// Returns whether the machine must look at each choice point.
    #[inline(always)]
    pub(crate) fn inspects_choices(&self) -> bool {
        self.choice.end == self.choice.base && self.choices_end != self.choice.base
    }

    /// Lets the choice stack grow beyond `top`. Returns false if the limit does not allow it.
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
        self.lower_heap_limit();
        true
    }

    /// Lets the trail grow beyond `top`. Returns false if the limit does not allow it.
    #[cold]
    #[inline(never)]
    pub(crate) fn grow_trail(&mut self, top: TrailAddr) -> bool {
        let Some(end) = self.room_beyond(Mapped::TRAIL, self.trail, top, TRAIL_SLACK) else {
            return false;
        };
        self.trail.end = end;
        self.lower_heap_limit();
        self.trail_has_grown();
        true
    }

    /// Maps more of an area, so that it ends at `top` or later with `slack` mapped bytes after its end. Returns its
    /// new end, or nothing if there is no room.
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

    /// Lowers the limit of the heap to its present bound: the other areas have grown.
    fn lower_heap_limit(&self) {
        let bound = self.heap_bound().bits();
        self.watch.bell.limit.fetch_min(bound, Ordering::Relaxed);
    }

    /// Requests a collection if the trail has grown large: a collection may drop many of its entries.
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

    /// Remembers after a collection how much is alive, and how far the trail may grow before the next.
    pub(crate) fn collected(&mut self) {
        self.heap_kept = self.heap_top;
        self.collect_for_trail = false;
        let used = self.trail_top - self.trail.base;
        self.trail.end = self.trail.end.min(self.trail_top + used.max(TRAIL_UNSEEN));
    }

    /// Returns whether so little room is left that collections would follow each other closely.
    pub(crate) fn heap_is_crowded(&self) -> bool {
        let bound = self.heap_bound();
        self.heap_top > bound || (bound - self.heap_top) * 16 < self.heap_top - self.heap.base
    }

    /// Returns the address up to which a builtin may fill the heap, garbage included.
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
    /// Returns an error if there is no room for them.
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
