//! The parts of a search by several threads: a pool of work, as in work stealing. A worker without a part takes a waiting
//! part, or requests one from the others. A part that a worker gives away directly follows the rest of its own part. So
//! the parts are in the order of the solutions.
//!
//! `P` is the place where a part begins. `T` is the result of a part, or the exception that it raised. This file does not
//! depend on machines, so `tests/search_protocol.rs` can check it in all orders of the steps of the threads.

use crate::base::growth::Grow;
use crate::base::locks::{lock, wait};
use crate::base::stop::Stop;
use crate::base::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, Ordering};
use std::collections::VecDeque;
use std::time::Duration;

/// The time between two looks of a waiting thread. It looks whether it must stop, and requests a part again. A change of
/// the pool wakes the thread at once.
const MOMENT: Duration = Duration::from_millis(2);

/// The interface of a thread that does parts, for the other threads.
pub(super) trait Worker {
    /// Makes the thread look soon whether it can give a part away.
    fn ask(&self);
    /// Stops the thread.
    fn interrupt(&self);
    /// Returns whether the thread must stop.
    fn is_stopped(&self) -> bool;
}

/// The reason why a worker stops before the search is over.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Halt {
    /// Another thread has stopped it.
    Stopped,
    /// Another worker has reached its limit of work. The first worker reports that.
    Spent,
}

/// A part of the search. Its number is its index.
struct Part<T> {
    /// The number of the next part in order.
    next: Option<usize>,
    /// The result, once the part is done.
    found: Option<Result<T, T>>,
}

struct State<P, T, W> {
    /// The parts that no worker has taken, with the places where they begin.
    waiting: VecDeque<(usize, P)>,
    /// All parts. Part 0 is the first in order.
    parts: Vec<Part<T>>,
    /// The workers. The first of them began the search.
    workers: Vec<W>,
    /// The number of workers that have a part.
    working: usize,
    /// The number of helper threads that were requested and have not ended.
    helping: usize,
    /// Whether a part has raised an exception.
    raised: bool,
    /// Whether a worker has reached its limit of work.
    spent: bool,
    /// A fault that no goal can report.
    broken: Option<&'static str>,
    /// The part whose result is the result of the race.
    winner: Option<usize>,
}

impl<P, T, W> State<P, T, W> {
    /// Adds a waiting part, with the number of the part that follows it.
    fn add(&mut self, from: P, next: Option<usize>) -> Result<usize, Stop> {
        let part = self.parts.len();
        self.parts.put(Part { next, found: None })?;
        self.waiting.put((part, from))?;
        Ok(part)
    }

    /// Returns the numbers of the parts in order.
    fn in_order(&self) -> impl Iterator<Item = usize> {
        let first = (!self.parts.is_empty()).then_some(0);
        std::iter::successors(first, |&part| self.parts[part].next)
    }

    /// Takes the part that has waited longest, except parts whose results the search does not need.
    fn take(&mut self) -> Option<(usize, P)> {
        while let Some(taken) = self.waiting.pop_front() {
            if !self.is_in_vain(taken.0) {
                return Some(taken);
            }
        }
        None
    }

    /// Returns whether an earlier part has raised an exception, so that the search does not need this part.
    fn is_in_vain(&self, part: usize) -> bool {
        let mut before = self.in_order().take_while(|&other| other != part);
        self.raised && before.any(|other| matches!(self.parts[other].found, Some(Err(_))))
    }

    /// Returns whether a part has raised an exception and all parts before it are done.
    fn is_settled(&self) -> bool {
        let mut parts = self.in_order().map(|part| &self.parts[part].found);
        self.raised
            && matches!(
                parts.find(|found| !matches!(found, Some(Ok(_)))),
                Some(Some(Err(_)))
            )
    }
}

/// The pool of the parts of a search, for workers `W`.
pub(super) struct Pool<P, T, W> {
    /// Whether the first exception ends the search.
    race: bool,
    state: Mutex<State<P, T, W>>,
    news: Condvar,
    /// The number of workers that wait for a part. It changes only under the lock.
    hungry: AtomicUsize,
    /// Whether the search is over: no worker gets another part.
    over: AtomicBool,
}

impl<P, T, W: Worker> Pool<P, T, W> {
    /// Returns the pool of a search that the worker `first` begins. The first parts begin at these places, in this order.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
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

    /// Adds a worker and returns its number. The first worker has the number 0.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(super) fn join(&self, worker: W) -> Result<usize, Stop> {
        let workers = &mut lock(&self.state).workers;
        workers.put(worker)?;
        Ok(workers.len() - 1)
    }

    /// Makes the first worker look.
    pub(super) fn ask_first(&self) {
        lock(&self.state).workers[0].ask();
    }

    /// Takes a part and returns its number and the place where it begins. Waits until there is a part. Returns `None` once
    /// the search is over.
    ///
    /// # Errors
    /// Returns the reason if the worker must stop before.
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
                // A new part may have woken this worker, so wake another one for the part.
                self.news.notify_one();
                return Err(Halt::Stopped);
            }
        }
    }

    /// Returns the number of workers that wait for a part.
    pub(super) fn hungry(&self) -> usize {
        self.hungry.load(Ordering::Acquire)
    }

    /// Returns whether more workers than parts are waiting.
    pub(super) fn wanted(&self) -> bool {
        self.hungry() > 0 && !self.is_over() && {
            let state = lock(&self.state);
            state.waiting.len() < self.hungry()
        }
    }

    /// Adds a part directly after the part of its giver. If memory runs out, the search breaks, because no worker would do
    /// this part.
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

    /// Stores the result of a part that is done.
    pub(super) fn done(&self, part: usize, found: Result<T, T>) {
        let mut state = lock(&self.state);
        let raised = found.is_err();
        state.raised |= raised;
        if raised && self.race && !self.over.swap(true, Ordering::AcqRel) {
            state.winner = Some(part);
        }
        state.parts[part].found = Some(found);
        state.working -= 1;
        if raised {
            // Workers whose parts are in vain abandon them.
            state.workers.iter().for_each(Worker::ask);
        }
        if raised || state.working == 0 || self.hungry() > 0 {
            self.news.notify_all();
        }
    }

    /// Returns whether the search does not need this part, because an earlier part has raised an exception.
    pub(super) fn is_in_vain(&self, part: usize) -> bool {
        lock(&self.state).is_in_vain(part)
    }

    /// Notes that a worker abandons its part.
    pub(super) fn leave(&self) {
        lock(&self.state).working -= 1;
        self.news.notify_all();
    }

    /// Notes that a worker has reached its limit of work.
    pub(super) fn spend(&self) {
        lock(&self.state).spent = true;
        self.news.notify_all();
    }

    /// Ends the search because of a fault that no goal can report. Only the first fault is kept.
    pub(super) fn broke(&self, why: &'static str) {
        let mut state = lock(&self.state);
        state.broken.get_or_insert(why);
        self.over.store(true, Ordering::Release);
        self.news.notify_all();
    }

    /// Returns the fault that ended the search, if there is one.
    pub(super) fn broken(&self) -> Option<&'static str> {
        lock(&self.state).broken
    }

    /// Ends the search even if parts are left. Stops all workers except the first, and waits until no worker has a part or
    /// the search has a fault.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Release);
        let mut state = lock(&self.state);
        self.news.notify_all();
        while state.working > 0 && state.broken.is_none() {
            // Repeat the interrupt: a goal may continue after it.
            state.workers.iter().skip(1).for_each(Worker::interrupt);
            state = wait(&self.news, (&self.state, state), Some(MOMENT));
        }
    }

    /// Returns whether the search is over.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Waits for about this time at most, and returns whether the search is over then. Any change of the pool can end the
    /// wait early.
    pub(super) fn is_over_within(&self, time: Duration) -> bool {
        let state = lock(&self.state);
        if !self.is_over() {
            drop(wait(&self.news, (&self.state, state), Some(time)));
        }
        self.is_over()
    }

    /// Notes that a helper thread was requested.
    pub(super) fn add_helper(&self) {
        lock(&self.state).helping += 1;
    }

    /// Notes that a helper thread has ended.
    pub(super) fn drop_helper(&self) {
        lock(&self.state).helping -= 1;
        self.news.notify_all();
    }

    /// Makes the first worker wait until the search is over. Returns `false` if all helpers ended before.
    ///
    /// # Errors
    /// Returns the reason if the worker must stop before.
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

    /// Returns the results of all parts in order, up to the first exception. If a race has a winner, returns only the
    /// result of the winner.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
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
