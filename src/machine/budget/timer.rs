//! The thread of the process that tells machines when a time has come: one for all of them.
//!
//! A machine that waits for a time writes it into its alarm, and does not wake the thread if that looks at the alarms soon
//! enough by itself. The thread sleeps until the first of all times, whether that is still waited for by then or not: so
//! goals with a limit that end long before it cost some stores, and no call of the system.
#![forbid(unsafe_code)]

use super::ends::{Ends, nanoseconds, thread_time};
use crate::base::alarm::{Alarm, Due, NEVER, NextLook};
use crate::base::growth::Within;
use crate::base::locks::{lock, wait};
use crate::store::events::Events;
use crate::store::os;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The present moment, which budgets of time are held against: nanoseconds since the process first asked. No text sees it.
#[expect(clippy::disallowed_methods, reason = "no text sees when budgets end")]
pub(super) fn now() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let now = Instant::now();
    let passed = now.saturating_duration_since(*FIRST.get_or_init(|| now));
    passed.as_secs() * 1_000_000_000 + u64::from(passed.subsec_nanos())
}

/// Tells the machine when a certain time has come, and when the one has that counts while the work is
/// shielded.
#[derive(Debug)]
pub(in crate::machine) struct Timer {
    owned: Arc<Owned>,
}

/// Times that are waited for, in nanoseconds; [`NEVER`] for none.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::machine) struct Times {
    time: u64,
    /// That of the processor, of the thread that the machine works in.
    cpu: u64,
}

impl Times {
    pub(super) fn of(ends: Ends) -> Times {
        let Ends { time, cpu, .. } = ends;
        Times { time, cpu }
    }
}

/// Alarms in microseconds since the process first asked, and whose they are.
#[derive(Debug)]
struct Owned {
    alarm: Alarm,
    /// When the time of the processor is looked at.
    cpu_alarm: Alarm,
    /// The number of nanoseconds of that which is waited for, and the later one.
    cpu: [AtomicU64; 2],
    events: Arc<Events>,
    /// Nobody waits any more.
    gone: AtomicBool,
}

/// Microseconds between two looks at the time of the processor, at least.
const BETWEEN_LOOKS: u64 = 200;
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

/// A time that is waited for in microseconds, the next whole number.
fn ticks(time: u64) -> u64 {
    time.div_ceil(1000)
}

/// The microseconds that have passed. None of these times has come too early so.
fn ticks_by_now() -> u64 {
    now() / 1000
}

impl Owned {
    fn new(events: Arc<Events>) -> Owned {
        Owned {
            alarm: Alarm::new(),
            cpu_alarm: Alarm::new(),
            cpu: [AtomicU64::new(NEVER), AtomicU64::new(NEVER)],
            events,
            gone: AtomicBool::new(false),
        }
    }

    /// Sets the alarms.
    fn set(&self, times: Times, late: Times, number: u64) {
        self.cpu_alarm.clear();
        if times.cpu != NEVER {
            self.cpu[0].store(times.cpu, Ordering::Release);
            self.cpu[1].store(late.cpu, Ordering::Release);
            let left = |end: u64| ticks(now().saturating_add(end.saturating_sub(thread_time())));
            self.cpu_alarm.set(left(times.cpu), left(late.cpu), number);
        }
        match times.time {
            NEVER => self.alarm.clear(),
            time => self.alarm.set(ticks(time), ticks(late.time), number),
        }
    }

    fn clear(&self) {
        self.alarm.clear();
        self.cpu_alarm.clear();
    }

    /// When one of them rings next.
    fn time(&self) -> u64 {
        self.alarm.time().min(self.cpu_alarm.time())
    }

    /// When the time of the processor that is due is to be looked at again, if it has not come. Where it is not known all
    /// time counts.
    fn left(&self, due: Due, now: u64) -> Option<u64> {
        let until = self.cpu[usize::from(due.is_late())].load(Ordering::Acquire);
        let used = os::time_of_thread(self.events.watch.worker())?;
        let left = until.saturating_sub(nanoseconds(used));
        (left > 0).then(|| now + ticks(left).max(BETWEEN_LOOKS))
    }

    /// Rings for each of its times that has come: whether one has.
    fn look(&self, now: u64) -> bool {
        let mut rung = false;
        let mut ring = |alarm: &Alarm, due| {
            if let Some((number, late)) = alarm.take(due) {
                self.events.watch.bell.ring(number, late);
                rung = true;
            }
        };
        while let Some(due) = self.alarm.due(now) {
            ring(&self.alarm, due);
        }
        while let Some(due) = self.cpu_alarm.due(now) {
            match self.left(due, now) {
                Some(later) => self.cpu_alarm.put_off(due, later),
                None => ring(&self.cpu_alarm, due),
            }
        }
        rung
    }
}

impl Clock {
    /// Has it look at the alarms now.
    fn wake(&self) {
        // It is between its look and its sleep only while it holds this.
        drop(lock(&self.alarms));
        self.changed.notify_one();
    }

    /// Adds an alarm, and begins the thread if there is none; false if the system has none.
    fn add(&'static self, alarm: Arc<Owned>) -> bool {
        let mut alarms = lock(&self.alarms);
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
            next = next.min(owned.time());
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
        let mut alarms = lock(&self.alarms);
        loop {
            let next = Clock::look(&mut alarms, ticks_by_now());
            self.next_look.tell(next);
            // One may have been set before its owner could see that.
            let mut all = alarms.all.iter();
            if all.any(|(owned, _)| owned.time() < next) {
                continue;
            }
            let left = || Duration::from_micros(next.saturating_sub(ticks_by_now()));
            let left = (next != NEVER).then(left);
            alarms = wait(&self.changed, (&self.alarms, alarms), left);
        }
    }
}

impl Timer {
    /// A timer of this machine; nothing if the system gives no thread.
    pub(in crate::machine) fn new(events: Arc<Events>) -> Option<Timer> {
        let owned = Arc::new(Owned::new(events));
        CLOCK.add(Arc::clone(&owned)).then_some(Timer { owned })
    }

    /// Waits for one of these times from now on, and then for a later one, all of this number.
    pub(in crate::machine) fn set(&self, times: Times, late: Times, number: u64) {
        self.owned.set(times, late, number);
        if CLOCK.next_look.is_after(self.owned.time()) {
            CLOCK.wake();
        }
    }

    /// Waits for no time any more.
    pub(in crate::machine) fn clear(&self) {
        self.owned.clear();
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.clear();
        self.owned.gone.store(true, Ordering::Relaxed);
    }
}
