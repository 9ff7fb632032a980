//! The thread of the process that tells machines when a time has come: one for all of them.
//!
//! A machine that waits for a time writes it into its alarm, and does not wake the thread if that looks at the alarms soon
//! enough by itself. The thread sleeps until the first of all times, whether that is still waited for by then or not: so
//! goals with a limit that end long before it cost some stores, and no call of the system.
#![forbid(unsafe_code)]

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
    alarm: Arc<Alarm>,
}

/// What a machine waits for: times in microseconds since the process first asked.
#[derive(Debug)]
struct Alarm {
    events: Arc<Events>,
    /// When it rings next, over some bits of the number, and over whether that is the later time.
    at: AtomicU64,
    /// The later time.
    late: AtomicU64,
    /// The number of the time that is waited for.
    number: AtomicU64,
    /// Nobody waits any more.
    gone: AtomicBool,
}

/// In place of a time that is not waited for.
const NEVER: u64 = u64::MAX;
/// Bits below the time in [`Alarm::at`].
const BELOW: u32 = 12;
/// The lowest of them: it is the later time.
const LATE: u64 = 1;
/// A thread that waits for the world outside is disturbed so often, with so many microseconds between.
const DISTURBANCES: u32 = 100;
const BETWEEN_DISTURBANCES: u64 = 1000;

/// The thread and the alarms that it looks at.
struct Clock {
    alarms: Mutex<Alarms>,
    changed: Condvar,
    /// When it looks at them next; whoever needs it earlier wakes it.
    next_look: AtomicU64,
}

struct Alarms {
    /// Each with how often its machine is still to be disturbed.
    all: Vec<(Arc<Alarm>, u32)>,
    running: bool,
}

static CLOCK: Clock = Clock {
    alarms: Mutex::new(Alarms {
        all: Vec::new(),
        running: false,
    }),
    changed: Condvar::new(),
    next_look: AtomicU64::new(NEVER),
};

/// Nanoseconds from when the process first asked until then.
fn passed(time: Instant) -> u128 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    time.saturating_duration_since(*FIRST.get_or_init(now))
        .as_nanos()
}

/// A time that is waited for in microseconds, the next whole number.
fn ticks(time: Instant) -> u64 {
    u64::try_from(passed(time).div_ceil(1000)).unwrap_or(NEVER >> BELOW)
}

/// The microseconds that have passed. None of these times has come too early so.
fn ticks_by_now() -> u64 {
    u64::try_from(passed(now()) / 1000).unwrap_or(NEVER >> BELOW)
}

impl Alarm {
    /// Sets it to the first of two times.
    fn set(&self, time: u64, late: u64, number: u64) {
        self.at.store(NEVER, Ordering::SeqCst);
        self.late.store(late, Ordering::SeqCst);
        self.number.store(number, Ordering::SeqCst);
        // Whoever has read what it was before finds that it is no more.
        let turn = (number << 1) & ((1 << BELOW) - 1);
        self.at.store(time << BELOW | turn, Ordering::SeqCst);
    }

    /// Rings, if its time has come; gives the time when it is to be looked at next.
    fn look(&self, now: u64) -> (bool, u64) {
        let at = self.at.load(Ordering::SeqCst);
        let time = at >> BELOW;
        if at == NEVER || time > now {
            return (false, if at == NEVER { NEVER } else { time });
        }
        let number = self.number.load(Ordering::SeqCst);
        let late = self.late.load(Ordering::SeqCst);
        let next = match at & LATE {
            0 => late << BELOW | (at & ((1 << BELOW) - 1)) | LATE,
            _ => NEVER,
        };
        let same = self
            .at
            .compare_exchange(at, next, Ordering::SeqCst, Ordering::SeqCst);
        if same.is_ok() {
            self.events.ring(number, at & LATE != 0);
        }
        (same.is_ok(), now)
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
    fn add(&'static self, alarm: Arc<Alarm>) -> bool {
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
        alarms.all.retain_mut(|(alarm, disturbances)| {
            let (mut rung, mut at) = alarm.look(now);
            while at <= now {
                let (again, then) = alarm.look(now);
                (rung, at) = (rung | again, then);
            }
            if rung {
                *disturbances = DISTURBANCES;
            }
            if *disturbances > 0 {
                // A signal that comes right before the call of the system does not break it off.
                *disturbances = match alarm.events.disturb_once() {
                    true => *disturbances - 1,
                    false => 0,
                };
                at = at.min(now + BETWEEN_DISTURBANCES);
            }
            next = next.min(at);
            !alarm.gone.load(Ordering::Relaxed)
        });
        next
    }

    fn run(&self) {
        let mut alarms = self.alarms.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let next = Clock::look(&mut alarms, ticks_by_now());
            self.next_look.store(next, Ordering::SeqCst);
            // One may have been set before its owner could see that.
            let earlier = |(alarm, _): &(Arc<Alarm>, u32)| {
                let at = alarm.at.load(Ordering::SeqCst);
                at != NEVER && at >> BELOW < next
            };
            if alarms.all.iter().any(earlier) {
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
        let alarm = Arc::new(Alarm {
            events,
            at: AtomicU64::new(NEVER),
            late: AtomicU64::new(0),
            number: AtomicU64::new(0),
            gone: AtomicBool::new(false),
        });
        CLOCK.add(Arc::clone(&alarm)).then_some(Timer { alarm })
    }

    /// Waits for a time from now on, and then for a later one, both of this number.
    pub(in crate::machine) fn set(&self, time: Instant, late: Instant, number: u64) {
        let time = ticks(time);
        self.alarm.set(time, ticks(late), number);
        if time < CLOCK.next_look.load(Ordering::SeqCst) {
            CLOCK.wake();
        }
    }

    /// Waits for no time any more.
    pub(in crate::machine) fn clear(&self) {
        self.alarm.at.store(NEVER, Ordering::SeqCst);
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.clear();
        self.alarm.gone.store(true, Ordering::Relaxed);
    }
}
