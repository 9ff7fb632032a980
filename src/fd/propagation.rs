//! The loop that empties the queue of constraint work.
//!
//! A change of a domain puts the lists of its variable into a queue, once, with all its events. A propagator that
//! waits for one of the events runs at once if it is cheap. Otherwise it waits in the queue of its priority until the
//! queue of changed variables is empty. So an expensive propagator sees many changes in one run.
//!
//! Marks of queued items are written without a trail. Items are queued only during [`Fd::propagate`] and the posting
//! before it, and on failure the queues are emptied.

use super::change::{EVENTS, INTERESTS, PENDING};
use super::kinds::Kinds;
use super::propagator::{Propagator, QUEUED};
use super::propagators::{RUNS, binary};
use super::variable::{FIRST_LIST, LISTS, subscribers_at};
use super::work::{Fd, Halt, R};
use crate::base::growth::Grow;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

const PLACE: u32 = 8;

/// The lists that wait for one of some events, as bits.
const LISTS_OF: [u32; EVENTS as usize + 1] = {
    let mut lists_of = [0; EVENTS as usize + 1];
    let mut events = 0;
    while events < lists_of.len() {
        let mut list = 0;
        while list < LISTS.len() {
            if LISTS[list].0 & events as u32 != 0 {
                lists_of[events] |= 1 << LISTS[list].1;
            }
            list += 1;
        }
        events += 1;
    }
    lists_of
};

const DEAD: usize = Kinds::Dead as usize;
const DIFFERENT: usize = Kinds::Different as usize;
const AT_MOST: usize = Kinds::AtMost as usize;

/// Number of propagations between two checks whether the work must stop.
const LOOK: u32 = 64;

/// Clears the pending events of a variable and returns them.
#[inline(always)]
fn settle(at: HeapAddr) -> u32 {
    let pending = raw::cell(at + PENDING).int_value();
    raw::set_cell(at + PENDING, Cell::int(pending & EVENTS << INTERESTS));
    (pending & EVENTS) as u32
}

impl Fd<'_> {
    /// Notes events of the variable whose changes the subscribers wait for.
    #[inline(always)]
    pub(super) fn notify(&mut self, subscribers: Cell, events: u32) -> R {
        match subscribers_at(subscribers) {
            Some(at) => self.enqueue_change(at, events),
            None => Ok(()),
        }
    }

    fn enqueue_change(&mut self, at: HeapAddr, events: u32) -> R {
        let pending = raw::cell(at + PENDING).int_value();
        let interest = pending >> INTERESTS & EVENTS;
        let events = i64::from(events) & interest;
        if events == 0 {
            return Ok(());
        }
        if pending & EVENTS == 0 {
            let place = (self.queue.changed.len() as i64) << PLACE;
            self.queue.changed.put((at, self.queue.running))?;
            raw::set_cell(
                at + PENDING,
                Cell::int(place | interest << INTERESTS | events),
            );
            return Ok(());
        }
        raw::set_cell(at + PENDING, Cell::int(pending | events));
        if let Some(entry) = self.queue.changed.get_mut((pending >> PLACE) as usize)
            && entry.1 != self.queue.running
        {
            entry.1 = HeapAddr::NONE;
        }
        Ok(())
    }

    /// Puts a propagator into its queue.
    #[inline(always)]
    pub(super) fn enqueue(&mut self, propagator: Propagator, priority: usize) -> R {
        let flags = propagator.flags();
        if flags & QUEUED == 0 {
            self.queue.waiting[priority].put(propagator.0)?;
            propagator.set_flags(flags | QUEUED);
        }
        Ok(())
    }

    /// Runs the propagators until none waits.
    ///
    /// # Errors
    /// Returns an error if the constraints have no solution or the work must stop. The queues are empty then, too.
    pub(crate) fn propagate(&mut self) -> R {
        let result = self.run_all();
        if result.is_err() {
            self.forget();
        }
        self.queue.changed.clear();
        self.queue.changed_done = 0;
        self.queue.running = HeapAddr::NONE;
        result
    }

    /// Empties the queues.
    pub(crate) fn forget(&mut self) {
        for (at, _) in self.queue.changed.drain(..) {
            settle(at);
        }
        self.queue.changed_done = 0;
        for (waiting, done) in self.queue.waiting.iter_mut().zip(&mut self.queue.done) {
            for at in waiting.drain(..) {
                let propagator = Propagator(at);
                propagator.set_flags(propagator.flags() & !QUEUED);
            }
            *done = 0;
        }
        self.queue.running = HeapAddr::NONE;
    }

    fn run_all(&mut self) -> R {
        loop {
            while let Some(&(at, by)) = self.queue.changed.get(self.queue.changed_done) {
                self.queue.changed_done += 1;
                self.notify_subscribers(at, by)?;
            }
            self.queue.changed.clear();
            self.queue.changed_done = 0;
            let Some(propagator) = self.next_waiting() else {
                return Ok(());
            };
            propagator.set_flags(propagator.flags() & !QUEUED);
            self.look()?;
            self.run(propagator)?;
        }
    }

    fn next_waiting(&mut self) -> Option<Propagator> {
        for (waiting, done) in self.queue.waiting.iter_mut().zip(&mut self.queue.done) {
            if let Some(&at) = waiting.get(*done) {
                *done += 1;
                if *done == waiting.len() {
                    waiting.clear();
                    *done = 0;
                }
                return Some(Propagator(at));
            }
        }
        None
    }

    /// Runs or enqueues the propagators that wait for the changes of a variable, except the one that made them.
    fn notify_subscribers(&mut self, at: HeapAddr, by: HeapAddr) -> R {
        self.look()?;
        let mut lists = LISTS_OF[settle(at) as usize];
        while lists != 0 {
            let nth = u64::from(lists.trailing_zeros());
            lists &= lists - 1;
            let mut list = raw::cell(at + FIRST_LIST + nth * WORD);
            while list.tag() == tag::LST {
                let pair = list.addr();
                if let Some(propagator) = Propagator::of(raw::cell(pair)) {
                    // The most frequent kinds bypass the table. Their own changes give them no further work.
                    let done = match propagator.kind_number() {
                        DEAD => Some(Ok(())),
                        DIFFERENT => binary::different_small(self, propagator),
                        AT_MOST => binary::at_most_small(self, propagator),
                        _ if propagator.flags() & QUEUED != 0 => Some(Ok(())),
                        _ => None,
                    };
                    match done {
                        Some(Ok(())) => {}
                        None | Some(Err(Halt::Wide)) => self.notify_propagator(propagator, by)?,
                        Some(Err(halt)) => return Err(halt),
                    }
                }
                list = deref(raw::cell(pair + WORD));
            }
        }
        Ok(())
    }

    /// Runs or enqueues a propagator that waits for a change, unless it made the change and is idempotent.
    #[inline(never)]
    fn notify_propagator(&mut self, propagator: Propagator, by: HeapAddr) -> R {
        let kind = propagator.kind();
        if propagator.0 == by && kind.idempotent {
            return Ok(());
        }
        match kind.priority {
            0 => self.run(propagator),
            priority => self.enqueue(propagator, priority - 1),
        }
    }

    /// Counts a step of work and checks from time to time whether the work must stop.
    #[inline(always)]
    pub(crate) fn look(&mut self) -> R {
        self.queue.look = self.queue.look.wrapping_sub(1);
        if self.queue.look.is_multiple_of(LOOK) {
            self.store.events.watch.go_on_after(LOOK as usize * 16)?;
        }
        Ok(())
    }

    /// Runs a propagator.
    #[inline(always)]
    pub(super) fn run(&mut self, propagator: Propagator) -> R {
        let outer = std::mem::replace(&mut self.queue.running, propagator.0);
        let run = &RUNS[propagator.kind_number()];
        let result = match (run.small)(self, propagator) {
            Err(Halt::Wide) => (run.large)(self, propagator),
            result => result,
        };
        self.queue.running = outer;
        result
    }
}
