//! Checks of the signals between the threads of a search, in all orders of their steps. The tests run
//! `src/builtins/search/pool.rs` with the locks and atomic numbers of `loom`. No time passes here: a thread that no other
//! thread wakes waits forever, and `loom` reports it.

/// Replacements for files of `src/base`.
mod base {
    pub(crate) mod stop {
        /// The error that memory has run out.
        #[derive(Debug)]
        pub(crate) struct Stop;
    }

    pub(crate) mod growth {
        use super::stop::Stop;
        use std::cell::Cell;
        use std::collections::VecDeque;

        thread_local! {
            /// Whether memory is refused. The threads of a model are one thread of the system.
            pub(crate) static REFUSED: Cell<bool> = const { Cell::new(false) };
        }

        pub(crate) trait Grow<T> {
            fn put(&mut self, item: T) -> Result<(), Stop>;
        }

        impl<T> Grow<T> for Vec<T> {
            fn put(&mut self, item: T) -> Result<(), Stop> {
                self.push(item);
                Ok(())
            }
        }

        impl<T> Grow<T> for VecDeque<T> {
            fn put(&mut self, item: T) -> Result<(), Stop> {
                if REFUSED.get() {
                    return Err(Stop);
                }
                self.push_back(item);
                Ok(())
            }
        }
    }

    pub(crate) mod sync {
        pub(crate) use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
        pub(crate) use loom::sync::{Condvar, Mutex};
    }

    pub(crate) mod locks {
        use loom::sync::{Condvar, Mutex, MutexGuard};
        use std::time::Duration;

        pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
            mutex.lock().expect("no panic")
        }

        pub(crate) fn wait<'a, T>(
            news: &Condvar,
            (_, guard): (&'a Mutex<T>, MutexGuard<'a, T>),
            _: Option<Duration>,
        ) -> MutexGuard<'a, T> {
            news.wait(guard).expect("no panic")
        }
    }
}

#[path = "../src/builtins/search/pool.rs"]
mod pool;

use base::growth::REFUSED;
use base::locks::{lock, wait};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread::{self, JoinHandle};
use pool::{Halt, Worker};
use std::ops::Range;
use std::time::Duration;

/// Checks a model in all orders with at most this number of preemptions. A preemption is a change of the thread that is
/// not necessary.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// An event that has happened or not.
struct Event(Mutex<bool>, Condvar);

impl Event {
    fn new() -> Event {
        Event(Mutex::new(false), Condvar::new())
    }

    fn set(&self) {
        *lock(&self.0) = true;
        self.1.notify_all();
    }

    fn await_it(&self) {
        let mut happened = lock(&self.0);
        while !*happened {
            happened = wait(&self.1, (&self.0, happened), None);
        }
    }
}

/// The signals that a worker receives from other workers.
struct Signals {
    asked: Event,
    interrupted: Event,
}

impl Worker for Arc<Signals> {
    fn ask(&self) {
        self.asked.set();
    }

    fn interrupt(&self) {
        self.interrupted.set();
    }

    fn is_stopped(&self) -> bool {
        *lock(&self.interrupted.0)
    }
}

fn signals() -> Arc<Signals> {
    Arc::new(Signals {
        asked: Event::new(),
        interrupted: Event::new(),
    })
}

fn join(threads: [JoinHandle<()>; 2]) {
    for thread in threads {
        thread.join().expect("no panic");
    }
}

/// A part of the search for the numbers of a range: its number and its range.
type Part = (usize, Range<u32>);
type Pool = pool::Pool<Range<u32>, Vec<u32>, Arc<Signals>>;

/// Returns the pool of a search by this number of workers, and the signals of the workers. The parts end before the
/// numbers in `ends`.
fn search_by(workers: usize, ends: &[u32], race: bool) -> (Arc<Pool>, Vec<Arc<Signals>>) {
    let workers: Vec<_> = (0..workers).map(|_| signals()).collect();
    let begins = [0].iter().chain(ends);
    let places: Vec<_> = begins.zip(ends).map(|(&begin, &end)| begin..end).collect();
    let pool = Pool::new(Arc::clone(&workers[0]), places.into_iter(), race).expect("memory");
    for (number, worker) in workers.iter().enumerate().skip(1) {
        assert_eq!(pool.join(Arc::clone(worker)).expect("memory"), number);
    }
    (Arc::new(pool), workers)
}

/// Returns the next part of a worker that only the end of the search stops.
fn next(pool: &Pool, worker: usize) -> Option<Part> {
    pool.next(worker).unwrap_or_else(|halt| {
        assert!(halt == Halt::Stopped && pool.is_over());
        None
    })
}

/// Does a part: finds the numbers of its range, up to the first that `raising` selects, and raises that one. If other
/// workers need parts, gives away the upper half of the remaining numbers. Abandons a part that is in vain.
fn do_part(pool: &Pool, (part, mut range): Part, raising: fn(u32) -> bool) {
    let mut found = Vec::new();
    while let Some(number) = range.next() {
        if pool.is_in_vain(part) {
            return pool.leave();
        }
        if raising(number) {
            return pool.done(part, Err(vec![number]));
        }
        found.push(number);
        if !range.is_empty() && pool.wanted() {
            let middle = range.start + (range.len() / 2) as u32;
            pool.give(part, middle..range.end);
            range.end = middle;
        }
    }
    pool.done(part, Ok(found));
}

/// Does parts until none are left.
fn work(pool: &Pool, worker: usize, raising: fn(u32) -> bool) {
    while let Some(part) = next(pool, worker) {
        do_part(pool, part, raising);
    }
}

/// Returns the numbers that the search found, in order, and the number that it raised.
fn outcome(pool: &Pool) -> (Vec<u32>, Option<u32>) {
    let (mut all, mut raised) = (Vec::new(), None);
    for found in pool.take_found().expect("memory") {
        assert!(raised.is_none());
        match found {
            Ok(found) => all.extend(found),
            Err(ball) => raised = Some(ball[0]),
        }
    }
    (all, raised)
}

#[test]
fn every_part_is_done_once_and_found_in_order() {
    check(2, || {
        let (pool, _) = search_by(3, &[2, 5], false);
        let others = [1, 2].map(|worker| {
            let pool = Arc::clone(&pool);
            thread::spawn(move || work(&pool, worker, |_| false))
        });
        work(&pool, 0, |_| false);
        assert_eq!(outcome(&pool), ((0..5).collect(), None));
        pool.end();
        join(others);
    });
}

#[test]
fn given_part_follows_its_giver() {
    check(3, || {
        let (pool, _) = search_by(2, &[4, 5], false);
        let first = next(&pool, 0).unwrap();
        let other = Arc::clone(&pool);
        let other = thread::spawn(move || work(&other, 1, |_| false));
        // No worker requested these parts. Each directly follows its giver, so 2..3 comes before 3..4.
        pool.give(first.0, 3..4);
        pool.give(first.0, 2..3);
        do_part(&pool, (first.0, 0..2), |_| false);
        work(&pool, 0, |_| false);
        assert_eq!(outcome(&pool), ((0..5).collect(), None));
        pool.end();
        other.join().unwrap();
    });
}

#[test]
fn each_given_part_wakes_a_waiter() {
    check(3, || {
        let (pool, _) = search_by(3, &[3], false);
        let first = next(&pool, 0).unwrap();
        let others = [1, 2].map(|worker| {
            let pool = Arc::clone(&pool);
            thread::spawn(move || {
                let part = next(&pool, worker).unwrap();
                do_part(&pool, part, |_| false);
            })
        });
        pool.give(first.0, 2..3);
        pool.give(first.0, 1..2);
        // The first part ends only after the other parts.
        join(others);
        do_part(&pool, (first.0, 0..1), |_| false);
        assert!(next(&pool, 0).is_none());
        assert_eq!(outcome(&pool), ((0..3).collect(), None));
    });
}

#[test]
fn asked_worker_sees_the_request() {
    check(3, || {
        let (pool, workers) = search_by(2, &[2], false);
        let first = next(&pool, 0).unwrap();
        let other = Arc::clone(&pool);
        let other = thread::spawn(move || {
            let part = next(&other, 1).unwrap();
            do_part(&other, part, |_| false);
        });
        workers[0].asked.await_it();
        assert!(pool.wanted());
        pool.give(first.0, 1..2);
        assert!(!pool.wanted());
        other.join().unwrap();
        do_part(&pool, (first.0, 0..1), |_| false);
    });
}

#[test]
fn stopped_worker_leaves_its_part_to_another() {
    check(2, || {
        let (pool, workers) = search_by(3, &[2], false);
        let first = next(&pool, 0).unwrap();
        let taken = Arc::new(Event::new());
        let others = [1, 2].map(|worker| {
            let (pool, taken) = (Arc::clone(&pool), Arc::clone(&taken));
            thread::spawn(move || match pool.next(worker) {
                Ok(Some(part)) => {
                    taken.set();
                    do_part(&pool, part, |_| false);
                }
                Ok(None) => {}
                Err(halt) => assert!(halt == Halt::Stopped && (worker == 1 || pool.is_over())),
            })
        });
        workers[1].interrupt();
        pool.give(first.0, 1..2);
        taken.await_it();
        do_part(&pool, (first.0, 0..1), |_| false);
        pool.end();
        join(others);
    });
}

#[test]
fn the_first_exception_in_order_ends_the_search() {
    check(3, || {
        let (pool, _) = search_by(2, &[1, 3, 5], false);
        let other = Arc::clone(&pool);
        let other = thread::spawn(move || work(&other, 1, |number| number == 1 || number == 4));
        work(&pool, 0, |number| number == 1 || number == 4);
        assert_eq!(outcome(&pool), (vec![0], Some(1)));
        pool.end();
        other.join().unwrap();
    });
}

#[test]
fn an_exception_waits_for_the_parts_before_it_alone() {
    check(3, || {
        let (pool, workers) = search_by(3, &[1, 2, 3, 4], false);
        let parts = [0, 1, 2].map(|worker| next(&pool, worker).unwrap());
        let [first, second, third] = parts;
        // The third worker continues until it is interrupted.
        let others = Arc::clone(&pool);
        let endless = thread::spawn(move || {
            workers[2].interrupted.await_it();
            others.leave();
            assert_eq!((third.0, next(&others, 2)), (2, None));
        });
        let other = Arc::clone(&pool);
        let other = thread::spawn(move || do_part(&other, first, |_| false));
        do_part(&pool, second, |_| true);
        assert_eq!(next(&pool, 0), None);
        assert_eq!(outcome(&pool), (vec![0], Some(1)));
        pool.end();
        endless.join().unwrap();
        other.join().unwrap();
    });
}

#[test]
fn the_end_waits_for_who_works_and_then_nobody_gets_a_part() {
    check(2, || {
        let (pool, workers) = search_by(3, &[1, 2, 3], false);
        assert_eq!(next(&pool, 0), Some((0, 0..1)));
        let working = Arc::new(Mutex::new(0));
        let others = [1, 2].map(|worker| {
            let (pool, working) = (Arc::clone(&pool), Arc::clone(&working));
            let signals = Arc::clone(&workers[worker]);
            thread::spawn(move || {
                if let Ok(Some(_)) = pool.next(worker) {
                    *lock(&working) += 1;
                    signals.interrupted.await_it();
                    *lock(&working) -= 1;
                    pool.leave();
                }
            })
        });
        // The first worker leaves its part, like a machine that is stopped.
        pool.leave();
        pool.end();
        assert_eq!(*lock(&working), 0);
        assert_eq!(next(&pool, 0), None);
        join(others);
        assert_eq!(*lock(&working), 0);
    });
}

#[test]
fn a_fault_ends_all() {
    check(3, || {
        let (pool, _) = search_by(3, &[1], false);
        let part = next(&pool, 1);
        let broken = Arc::clone(&pool);
        // Worker 1 has a part and never reports its end.
        let broken = thread::spawn(move || broken.broke("the first fault"));
        let other = Arc::clone(&pool);
        let other = thread::spawn(move || next(&other, 2));
        assert_eq!(next(&pool, 0), None);
        pool.broke("another fault");
        assert_eq!(pool.broken(), Some("the first fault"));
        pool.end();
        broken.join().unwrap();
        assert_eq!((other.join().unwrap(), part), (None, Some((0, 0..1))));
    });
}

#[test]
fn lack_of_memory_ends_the_search() {
    check(3, || {
        let (pool, _) = search_by(3, &[2], false);
        let first = next(&pool, 0).unwrap();
        let others = [1, 2].map(|worker| {
            let pool = Arc::clone(&pool);
            thread::spawn(move || assert_eq!(next(&pool, worker), None))
        });
        REFUSED.set(true);
        pool.give(first.0, 1..2);
        REFUSED.set(false);
        join(others);
        assert!(pool.is_over() && pool.broken().is_some());
        do_part(&pool, (first.0, 0..1), |_| false);
        assert_eq!(outcome(&pool), (vec![0], None));
    });
}

#[test]
fn the_first_worker_hears_that_another_may_do_no_more() {
    check(3, || {
        let (pool, workers) = search_by(3, &[1], false);
        assert!(next(&pool, 2).is_some());
        let endless = Arc::clone(&pool);
        let endless = thread::spawn(move || {
            workers[2].interrupted.await_it();
            endless.leave();
        });
        let spent = Arc::clone(&pool);
        let spent = thread::spawn(move || spent.spend());
        assert_eq!(pool.next(0), Err(Halt::Spent));
        pool.end();
        join([endless, spent]);
    });
}

#[test]
fn a_race_has_one_winner() {
    check(2, || {
        let (pool, _) = search_by(3, &[1, 2], true);
        let won = Arc::new(Mutex::new(Vec::new()));
        let others = [1, 2].map(|worker| {
            pool.add_helper();
            let (pool, won) = (Arc::clone(&pool), Arc::clone(&won));
            thread::spawn(move || {
                while let Some(part) = next(&pool, worker) {
                    lock(&won).push(part.1.start);
                    do_part(&pool, part, |_| true);
                }
                pool.drop_helper();
            })
        });
        assert_eq!(pool.wait_for_helpers(), Ok(true));
        let (found, winner) = outcome(&pool);
        assert!(found.is_empty() && lock(&won).contains(&winner.unwrap()));
        join(others);
        assert_eq!(outcome(&pool), (Vec::new(), None), "the winner stays");
    });
}

#[test]
fn a_race_without_a_winner_is_over_when_all_have_done_their_parts() {
    check(2, || {
        let (pool, _) = search_by(3, &[1, 2], true);
        // One of the threads has no memory for a machine.
        let helps = [true, false].map(|helps| {
            pool.add_helper();
            let pool = Arc::clone(&pool);
            thread::spawn(move || {
                if helps {
                    work(&pool, 1, |_| false);
                }
                pool.drop_helper();
            })
        });
        assert_eq!(pool.wait_for_helpers(), Ok(true));
        assert_eq!(outcome(&pool), (vec![0, 1], None));
        join(helps);
    });
}

#[test]
fn race_without_runner_needs_no_wait() {
    check(3, || {
        let (pool, _) = search_by(1, &[1], true);
        pool.add_helper();
        let other = Arc::clone(&pool);
        let other = thread::spawn(move || other.drop_helper());
        assert_eq!(pool.wait_for_helpers(), Ok(false));
        other.join().unwrap();
    });
}

#[test]
fn end_of_search_wakes_waiter() {
    check(3, || {
        let (pool, _) = search_by(1, &[1], false);
        let waiting = Arc::clone(&pool);
        let waiting = thread::spawn(move || {
            if !waiting.is_over_within(Duration::ZERO) {
                waiting.ask_first();
            }
        });
        work(&pool, 0, |_| false);
        waiting.join().unwrap();
        assert!(pool.is_over());
    });
}
