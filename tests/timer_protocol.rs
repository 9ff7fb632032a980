//! What an engine and the thread that knows the time tell one another, in all orders of their steps, and with all that
//! processors may see of these steps late: `src/base/alarm.rs` with the atomic numbers of `loom`.

/// In place of `src/base/sync.rs`.
mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};

    /// `loom` does not see that a store after an exchange that read an earlier one comes after this.
    pub(crate) fn store_over(number: &AtomicU64, value: u64) {
        number.swap(value, Ordering::Relaxed);
    }

    /// `loom` orders single accesses by `Release` and `Acquire` only.
    pub(crate) fn in_order() {
        loom::sync::atomic::fence(Ordering::SeqCst);
    }
}

#[path = "../src/base/alarm.rs"]
mod alarm;

use alarm::{Alarm, Bell, NEVER, NextLook};
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;
use sync::{AtomicU64, Ordering};

/// All orders but those that change the thread more often than this where it need not.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// The two times of a number.
const TIMES: [(u64, u64); 3] = [(0, 0), (5, 7), (9, 11)];

/// The number of a time that has come by now, and whether it is the later one.
fn take(alarm: &Alarm, now: u64) -> Option<(u64, bool)> {
    alarm.take(alarm.due(now)?)
}

#[test]
fn no_time_rings_before_it_has_come() {
    check(4, || {
        let alarm = Arc::new(Alarm::new());
        let owned = Arc::clone(&alarm);
        let engine = thread::spawn(move || {
            for number in [1, 2] {
                let (time, late) = TIMES[number as usize];
                owned.set(time, late, number);
            }
        });
        for now in [5, 7, 10] {
            if let Some((number, is_late)) = take(&alarm, now) {
                let (time, late) = TIMES[number as usize];
                assert!(now >= if is_late { late } else { time });
            }
        }
        engine.join().unwrap();
        // It is set to the last number by now, at whatever time.
        if alarm.time() <= 10 {
            assert_eq!(take(&alarm, 10), Some((2, false)));
        }
        assert_eq!(take(&alarm, 11), Some((2, true)));
        assert_eq!((take(&alarm, 100), alarm.time()), (None, NEVER));
    });
}

#[test]
fn what_is_not_waited_for_does_not_ring() {
    check(4, || {
        let alarm = Arc::new(Alarm::new());
        let owned = Arc::clone(&alarm);
        let engine = thread::spawn(move || {
            owned.set(5, 7, 1);
            owned.clear();
        });
        take(&alarm, 6);
        engine.join().unwrap();
        assert_eq!((take(&alarm, 100), alarm.time()), (None, NEVER));
    });
}

/// The time of the processor is looked at anew as long as it has not come.
#[test]
fn what_is_put_off_rings_later_if_it_is_waited_for() {
    check(4, || {
        let alarm = Arc::new(Alarm::new());
        let owned = Arc::clone(&alarm);
        owned.set(5, 7, 1);
        let engine = thread::spawn(move || owned.set(9, 11, 2));
        if let Some(due) = alarm.due(5) {
            assert!(!due.is_late());
            alarm.put_off(due, 6);
        }
        engine.join().unwrap();
        assert_eq!(alarm.time(), 9);
        assert_eq!(take(&alarm, 9), Some((2, false)));
    });
}

#[test]
fn an_engine_looks_after_each_ring() {
    check(3, || {
        let bell = Arc::new(Bell::default());
        let number = bell.await_another();
        let (timer, other) = (Arc::clone(&bell), Arc::clone(&bell));
        let timer = thread::spawn(move || timer.ring(number, false));
        let other = thread::spawn(move || other.look_at_next_call());
        // As the machine does where it has looked.
        bell.set_limit(100);
        if bell.has_come(false) {
            bell.look_at_next_call();
        }
        timer.join().unwrap();
        other.join().unwrap();
        assert_eq!(bell.limit.load(Ordering::Relaxed), 0);
        assert!(bell.has_come(false) && bell.has_come_since(number));
        assert!(!bell.has_come_since(bell.next()));
        bell.await_another();
        assert!(!bell.has_come(false));
    });
}

/// The thread and what it looks at, as `machine/budget/timer.rs` has them.
struct Clock {
    alarm: Alarm,
    bell: Bell,
    next_look: NextLook,
    asleep: Mutex<()>,
    changed: Condvar,
}

impl Clock {
    fn new() -> Clock {
        Clock {
            alarm: Alarm::new(),
            bell: Bell::default(),
            next_look: NextLook(AtomicU64::new(NEVER)),
            asleep: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// Sleeps until each time to come, and rings until the time of this number has come.
    fn run_until(&self, last: u64) {
        let mut asleep = self.asleep.lock().expect("no panic");
        let mut now = 0;
        loop {
            while let Some((number, late)) = take(&self.alarm, now) {
                self.bell.ring(number, late);
                if number == last {
                    return;
                }
            }
            let next = self.alarm.time();
            self.next_look.tell(next);
            if self.alarm.time() < next {
                continue;
            }
            match next {
                NEVER => asleep = self.changed.wait(asleep).expect("no panic"),
                next => now = next,
            }
        }
    }

    /// Waits for a time: its number.
    fn set(&self, time: u64, late: u64) -> u64 {
        let number = self.bell.await_another();
        self.alarm.set(time, late, number);
        if self.next_look.is_after(time) {
            drop(self.asleep.lock().expect("no panic"));
            self.changed.notify_one();
        }
        number
    }
}

#[test]
fn no_time_that_is_waited_for_is_missed() {
    check(3, || {
        let clock = Arc::new(Clock::new());
        let timer = Arc::clone(&clock);
        // A query that ends before its time, and one that does not.
        let last = clock.bell.next() + 1;
        let timer = thread::spawn(move || timer.run_until(last));
        let ended = clock.set(5, 7);
        clock.alarm.clear();
        assert_eq!(clock.set(6, 8), last);
        timer.join().unwrap();
        assert!(clock.bell.has_come(false) && ended < last);
    });
}
