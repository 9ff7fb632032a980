//! The messages between an engine and the timer thread, in all orders of their steps, and with all delays of memory
//! between processors. The test uses `src/base/alarm.rs` with the atomic numbers of `loom`.

/// Replaces `src/base/sync.rs`.
mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};

    /// `loom` does not know that this store comes after an exchange that read an earlier store.
    pub(crate) fn store_over(number: &AtomicU64, value: u64) {
        number.swap(value, Ordering::Relaxed);
    }

    /// `loom` orders single accesses only by `Release` and `Acquire`.
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

/// Runs the model in all orders with at most this number of preemptions.
fn check(preemptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(model);
}

/// The two times of each number.
const TIMES: [(u64, u64); 3] = [(0, 0), (5, 7), (9, 11)];

/// Returns the number of a time that has come, and whether it is the later one.
fn take(alarm: &Alarm, now: u64) -> Option<(u64, bool)> {
    alarm.take(alarm.due(now)?)
}

#[test]
fn no_alarm_rings_before_its_time() {
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
        // The alarm is now set to the last number, at either time.
        if alarm.time() <= 10 {
            assert_eq!(take(&alarm, 10), Some((2, false)));
        }
        assert_eq!(take(&alarm, 11), Some((2, true)));
        assert_eq!((take(&alarm, 100), alarm.time()), (None, NEVER));
    });
}

#[test]
fn a_cleared_alarm_does_not_ring() {
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

/// If the processor time has not come, the timer puts the alarm off and checks it again.
#[test]
fn an_alarm_that_is_put_off_rings_later() {
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
fn an_engine_checks_after_each_ring() {
    check(3, || {
        let bell = Arc::new(Bell::default());
        let number = bell.await_another();
        let (timer, other) = (Arc::clone(&bell), Arc::clone(&bell));
        let timer = thread::spawn(move || timer.ring(number, false));
        let other = thread::spawn(move || other.look_at_next_call());
        // The machine does the same after it has checked.
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

/// The timer thread and its data, as in `machine/budget/timer.rs`.
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

    /// Sleeps until each next time and rings, until the time of number `last` has come.
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
            self.next_look.store(next);
            if self.alarm.time() < next {
                continue;
            }
            match next {
                NEVER => asleep = self.changed.wait(asleep).expect("no panic"),
                next => now = next,
            }
        }
    }

    /// Sets the alarm to a time and returns its number.
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
fn no_alarm_is_missed() {
    check(3, || {
        let clock = Arc::new(Clock::new());
        let timer = Arc::clone(&clock);
        // The first query ends before its time, the second does not.
        let last = clock.bell.next() + 1;
        let timer = thread::spawn(move || timer.run_until(last));
        let ended = clock.set(5, 7);
        clock.alarm.clear();
        assert_eq!(clock.set(6, 8), last);
        timer.join().unwrap();
        assert!(clock.bell.has_come(false) && ended < last);
    });
}
