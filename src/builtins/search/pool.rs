//! The parts of a search that several threads do: a pool of work, as in work stealing. Whoever has no part takes one that
//! waits, or asks the others for one. A part that is given away comes right after the rest of the giver's, so the parts
//! have an order, which is that of the solutions.
//!
//! A part is found wherever it began, `P`; what comes of it is a `T`, or what it raised, another. This knows nothing of
//! machines: `tests/search_protocol.rs` has this file checked in all orders of what the threads do.

use crate::base::growth::Grow;
use crate::base::locks::{lock, wait};
use crate::base::stop::Stop;
use crate::base::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, Ordering};
use std::collections::VecDeque;
use std::time::Duration;

/// Between two looks of a thread that waits: whether it is to stop, and whether the others have something to give by now.
/// What changes here wakes it at once.
const MOMENT: Duration = Duration::from_millis(2);

/// A thread that does parts, as others reach it.
pub(super) trait Worker {
    /// Has it look soon whether it can give something away.
    fn ask(&self);
    /// Stops it.
    fn interrupt(&self);
    /// Is it to stop?
    fn is_stopped(&self) -> bool;
}

/// Why a worker stops before all is over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// Somebody has stopped it.
    Stopped,
    /// Another has done all that it may do. The first worker reports that.
    Spent,
}

/// A part, by its number.
struct Part<T> {
    /// The one that comes next in order.
    next: Option<usize>,
    found: Option<Result<T, T>>,
}

struct State<P, T, W> {
    /// Parts that nobody does so far, and where they begin.
    waiting: VecDeque<(usize, P)>,
    /// All. The first of them comes first.
    parts: Vec<Part<T>>,
    /// The first of them has begun the search.
    workers: Vec<W>,
    /// Workers that have a part.
    working: usize,
    /// Threads that were asked for and have not ended.
    helping: usize,
    /// Has a part raised something?
    raised: bool,
    /// Has a worker done all that it may do?
    spent: bool,
    /// A fault that no goal can report.
    broken: Option<&'static str>,
    /// The part whose result is that of a race.
    winner: Option<usize>,
}

impl<P, T, W> State<P, T, W> {
    /// Adds a part that waits, with the one that comes after it.
    fn add(&mut self, from: P, next: Option<usize>) -> Result<usize, Stop> {
        let part = self.parts.len();
        self.parts.put(Part { next, found: None })?;
        self.waiting.put((part, from))?;
        Ok(part)
    }

    /// The parts in order.
    fn in_order(&self) -> impl Iterator<Item = usize> {
        let first = (!self.parts.is_empty()).then_some(0);
        std::iter::successors(first, |&part| self.parts[part].next)
    }

    /// Takes the part that has waited longest and is not in vain.
    fn take(&mut self) -> Option<(usize, P)> {
        while let Some(taken) = self.waiting.pop_front() {
            if !self.is_in_vain(taken.0) {
                return Some(taken);
            }
        }
        None
    }

    /// Has a part that comes before this one raised something?
    fn is_in_vain(&self, part: usize) -> bool {
        let mut before = self.in_order().take_while(|&other| other != part);
        self.raised && before.any(|other| matches!(self.parts[other].found, Some(Err(_))))
    }

    /// Has one raised something, and are all before it done?
    fn is_settled(&self) -> bool {
        let mut parts = self.in_order().map(|part| &self.parts[part].found);
        self.raised
            && matches!(
                parts.find(|found| !matches!(found, Some(Ok(_)))),
                Some(Some(Err(_)))
            )
    }
}

/// The parts of a search, for workers `W`.
pub(super) struct Pool<P, T, W> {
    /// Does the first part that raises something end all?
    race: bool,
    state: Mutex<State<P, T, W>>,
    news: Condvar,
    /// Workers that wait for a part. Changes under the lock.
    hungry: AtomicUsize,
    /// Nobody gets a part any more.
    over: AtomicBool,
}

impl<P, T, W: Worker> Pool<P, T, W> {
    /// A search that this worker begins, of the parts that begin at these places, in their order.
    ///
    /// # Errors
    /// There is no memory.
    pub(super) fn new(
        first: W,
        places: impl ExactSizeIterator<Item = P>,
        race: bool,
    ) -> Result<Pool<P, T, W>, Stop> {
        let mut state = State {
            waiting: VecDeque::new(),
            parts: Vec::new(),
            workers: Vec::new(),
            working: 0,
            helping: 0,
            raised: false,
            spent: false,
            broken: None,
            winner: None,
        };
        state.workers.put(first)?;
        let count = places.len();
        for (part, from) in places.enumerate() {
            state.add(from, Some(part + 1).filter(|&next| next < count))?;
        }
        Ok(Pool {
            race,
            state: Mutex::new(state),
            news: Condvar::new(),
            hungry: AtomicUsize::new(0),
            over: AtomicBool::new(false),
        })
    }

    /// Another worker: its number. The first has 0.
    ///
    /// # Errors
    /// There is no memory.
    pub(super) fn join(&self, worker: W) -> Result<usize, Stop> {
        let workers = &mut lock(&self.state).workers;
        workers.put(worker)?;
        Ok(workers.len() - 1)
    }

    /// Has the first worker look.
    pub(super) fn ask_first(&self) {
        lock(&self.state).workers[0].ask();
    }

    /// Takes a part, and waits until there is one: its number, and where it begins. Nothing once all is over.
    ///
    /// # Errors
    /// The worker stops before.
    pub(super) fn next(&self, worker: usize) -> Result<Option<(usize, P)>, Halt> {
        let mut state = lock(&self.state);
        loop {
            if state.spent && worker == 0 {
                return Err(Halt::Spent);
            }
            if self.is_over() {
                return Ok(None);
            }
            if let Some(taken) = state.take() {
                state.working += 1;
                return Ok(Some(taken));
            }
            if state.working == 0 || state.is_settled() {
                self.over.store(true, Ordering::Release);
                self.news.notify_all();
                return Ok(None);
            }
            self.hungry.fetch_add(1, Ordering::AcqRel);
            state.workers.iter().for_each(Worker::ask);
            state = wait(&self.news, (&self.state, state), Some(MOMENT));
            self.hungry.fetch_sub(1, Ordering::AcqRel);
            if state.workers[worker].is_stopped() {
                // It may have been woken for a part.
                self.news.notify_one();
                return Err(Halt::Stopped);
            }
        }
    }

    /// The number of workers that wait for a part.
    pub(super) fn hungry(&self) -> usize {
        self.hungry.load(Ordering::Acquire)
    }

    /// Are more parts wanted than wait?
    pub(super) fn wanted(&self) -> bool {
        self.hungry() > 0 && !self.is_over() && {
            let state = lock(&self.state);
            state.waiting.len() < self.hungry()
        }
    }

    /// Puts a part right after that of who gives it. Without memory all is over: nobody would do what was given away.
    pub(super) fn give(&self, giver: usize, from: P) {
        let mut state = lock(&self.state);
        let next = state.parts[giver].next;
        let Ok(part) = state.add(from, next) else {
            drop(state);
            return self.broke("there is no memory for the parts of a search");
        };
        state.parts[giver].next = Some(part);
        self.news.notify_one();
    }

    /// A part is done: what came of it.
    pub(super) fn done(&self, part: usize, found: Result<T, T>) {
        let mut state = lock(&self.state);
        let raised = found.is_err();
        state.raised |= raised;
        if raised && self.race && !self.over.swap(true, Ordering::AcqRel) {
            state.winner = Some(part);
        }
        state.parts[part].found = Some(found);
        state.working -= 1;
        if raised || state.working == 0 || self.hungry() > 0 {
            self.news.notify_all();
        }
    }

    /// A worker gives up on its part.
    pub(super) fn leave(&self) {
        lock(&self.state).working -= 1;
        self.news.notify_all();
    }

    /// A worker has done all that it may do.
    pub(super) fn spend(&self) {
        lock(&self.state).spent = true;
        self.news.notify_all();
    }

    /// Ends all because of a fault that no goal can report. The first counts.
    pub(super) fn broke(&self, why: &'static str) {
        let mut state = lock(&self.state);
        state.broken.get_or_insert(why);
        self.over.store(true, Ordering::Release);
        self.news.notify_all();
    }

    /// That fault, if there is one.
    pub(super) fn broken(&self) -> Option<&'static str> {
        lock(&self.state).broken
    }

    /// Ends all, whatever is left to do, stops the workers but the first and waits until none has a part.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Release);
        let mut state = lock(&self.state);
        self.news.notify_all();
        while state.working > 0 && state.broken.is_none() {
            // Again and again: a goal may go on after it was interrupted.
            state.workers.iter().skip(1).for_each(Worker::interrupt);
            state = wait(&self.news, (&self.state, state), Some(MOMENT));
        }
    }

    /// Is all over?
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Is all over within about that time?
    pub(super) fn is_over_within(&self, time: Duration) -> bool {
        let state = lock(&self.state);
        if !self.is_over() {
            drop(wait(&self.news, (&self.state, state), Some(time)));
        }
        self.is_over()
    }

    /// A thread is asked for to help.
    pub(super) fn add_helper(&self) {
        lock(&self.state).helping += 1;
    }

    /// One has ended.
    pub(super) fn drop_helper(&self) {
        lock(&self.state).helping -= 1;
        self.news.notify_all();
    }

    /// Has the first worker wait until all is over; false if no thread helps any more.
    ///
    /// # Errors
    /// The worker stops before.
    pub(super) fn wait_for_helpers(&self) -> Result<bool, Halt> {
        let mut state = lock(&self.state);
        while !self.is_over() && state.helping > 0 {
            state = wait(&self.news, (&self.state, state), Some(MOMENT));
            if state.spent {
                return Err(Halt::Spent);
            }
            if state.workers[0].is_stopped() {
                return Err(Halt::Stopped);
            }
        }
        Ok(self.is_over())
    }

    /// What came of all parts, in order, up to the first that raised something; in a race that of the winner.
    ///
    /// # Errors
    /// There is no memory.
    pub(super) fn take_found(&self) -> Result<Vec<Result<T, T>>, Stop> {
        let mut state = lock(&self.state);
        let mut all = Vec::new();
        let mut at = state.winner.or_else(|| state.in_order().next());
        while let Some(part) = at {
            let part = &mut state.parts[part];
            at = part.next;
            let Some(found) = part.found.take() else {
                break;
            };
            let raised = found.is_err();
            all.put(found)?;
            if raised {
                break;
            }
        }
        Ok(all)
    }
}
