//! The thread of the process that tells machines when a time has come: one for all of them.
//!
//! A machine that waits for a time writes it into its alarm, and does not wake the thread if that looks at the alarms soon
//! enough by itself. The thread sleeps until the first of all times, whether that is still waited for by then or not: so
//! goals with a limit that end long before it cost some stores, and no call of the system.
#![forbid(unsafe_code)]

use crate::base::alarm::{Alarm, LAST, NEVER, NextLook};
use crate::base::growth::Within;
use crate::store::events::Events;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The present moment, which budgets of time are held against. No text sees it.
#[expect(clippy::disallowed_methods, reason = "no text sees when budgets end")]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// Tells the machine when a certain time has come, and when the one has that counts while the work is
/// shielded.
#[derive(Debug)]
pub(in crate::machine) struct Timer {
    owned: Arc<Owned>,
}

/// An alarm with times in microseconds since the process first asked, and whose it is.
#[derive(Debug)]
struct Owned {
    alarm: Alarm,
    events: Arc<Events>,
    /// Nobody waits any more.
    gone: AtomicBool,
}

/// A thread that waits for the world outside is disturbed so often, with so many microseconds between.
const DISTURBANCES: u32 = 100;
const BETWEEN_DISTURBANCES: u64 = 1000;

/// The thread and the alarms that it looks at.
struct Clock {
    alarms: Mutex<Alarms>,
    changed: Condvar,
    next_look: NextLook,
}

struct Alarms {
    /// Each with how often its machine is still to be disturbed.
    all: Vec<(Arc<Owned>, u32)>,
    running: bool,
}

static CLOCK: Clock = Clock {
    alarms: Mutex::new(Alarms {
        all: Vec::new(),
        running: false,
    }),
    changed: Condvar::new(),
    next_look: NextLook(AtomicU64::new(NEVER)),
};

/// From when the process first asked until then: whole microseconds, and nanoseconds of one more.
fn passed(time: Instant) -> (u64, u32) {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let passed = time.saturating_duration_since(*FIRST.get_or_init(now));
    let whole = passed.as_secs().saturating_mul(1_000_000);
    let whole = whole.saturating_add(u64::from(passed.subsec_micros()));
    (whole.min(LAST - 1), passed.subsec_nanos() % 1000)
}

/// A time that is waited for in microseconds, the next whole number.
fn ticks(time: Instant) -> u64 {
    let (whole, rest) = passed(time);
    whole + u64::from(rest > 0)
}

/// The microseconds that have passed. None of these times has come too early so.
fn ticks_by_now() -> u64 {
    passed(now()).0
}

impl Owned {
    /// Rings for each of its times that has come: whether one has.
    fn look(&self, now: u64) -> bool {
        let mut rung = false;
        while let Some((number, late)) = self.alarm.take(now) {
            self.events.watch.bell.ring(number, late);
            rung = true;
        }
        rung
    }
}

impl Clock {
    /// Has it look at the alarms now.
    fn wake(&self) {
        // It is between its look and its sleep only while it holds this.
        drop(self.alarms.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_one();
    }

    /// Adds an alarm, and begins the thread if there is none; false if the system has none.
    fn add(&'static self, alarm: Arc<Owned>) -> bool {
        let mut alarms = self.alarms.lock().unwrap_or_else(PoisonError::into_inner);
        // A few bytes: also while there is a shortage of memory goals are to be limited.
        if alarms.all.try_reserve(1).is_err() {
            return false;
        }
        alarms.all.put_within((alarm, 0));
        if !alarms.running {
            let builder = std::thread::Builder::new().name("wamlet-timer".to_owned());
            alarms.running = builder.spawn(|| self.run()).is_ok();
            if !alarms.running {
                alarms.all.pop();
            }
        }
        alarms.running
    }

    /// Looks at all alarms: when it is to look next.
    fn look(alarms: &mut Alarms, now: u64) -> u64 {
        let mut next = NEVER;
        alarms.all.retain_mut(|(owned, disturbances)| {
            if owned.look(now) {
                *disturbances = DISTURBANCES;
            }
            next = next.min(owned.alarm.time());
            if *disturbances > 0 {
                // A signal that comes right before the call of the system does not break it off.
                *disturbances = match owned.events.disturb_once() {
                    true => *disturbances - 1,
                    false => 0,
                };
                next = next.min(now + BETWEEN_DISTURBANCES);
            }
            !owned.gone.load(Ordering::Relaxed)
        });
        next
    }

    fn run(&self) {
        let mut alarms = self.alarms.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let next = Clock::look(&mut alarms, ticks_by_now());
            self.next_look.tell(next);
            // One may have been set before its owner could see that.
            let mut all = alarms.all.iter();
            if all.any(|(owned, _)| owned.alarm.time() < next) {
                continue;
            }
            alarms = if next == NEVER {
                let woken = self.changed.wait(alarms);
                woken.unwrap_or_else(PoisonError::into_inner)
            } else {
                let left = Duration::from_micros(next.saturating_sub(ticks_by_now()));
                let woken = self.changed.wait_timeout(alarms, left);
                woken.unwrap_or_else(PoisonError::into_inner).0
            };
        }
    }
}

impl Timer {
    /// A timer of this machine; nothing if the system gives no thread.
    pub(in crate::machine) fn new(events: Arc<Events>) -> Option<Timer> {
        let owned = Arc::new(Owned {
            alarm: Alarm::new(),
            events,
            gone: AtomicBool::new(false),
        });
        CLOCK.add(Arc::clone(&owned)).then_some(Timer { owned })
    }

    /// Waits for a time from now on, and then for a later one, both of this number.
    pub(in crate::machine) fn set(&self, time: Instant, late: Instant, number: u64) {
        let time = ticks(time);
        self.owned.alarm.set(time, ticks(late), number);
        if CLOCK.next_look.is_after(time) {
            CLOCK.wake();
        }
    }

    /// Waits for no time any more.
    pub(in crate::machine) fn clear(&self) {
        self.owned.alarm.clear();
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.clear();
        self.owned.gone.store(true, Ordering::Relaxed);
    }
}
