//! The timer thread, which notifies machines when a time has come. The process has one for all machines.
//!
//! A machine that waits for a time writes it into its alarm. It does not wake the thread if the thread will look at
//! the alarms early enough. The thread sleeps until the first of all times, even if nobody waits for that time any
//! more. So goals with a limit that end long before it need only a few stores and no system call.
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

/// Returns the present moment for budgets of time: nanoseconds since the first call in this process. No program text
/// sees it.
#[expect(clippy::disallowed_methods, reason = "no text sees when budgets end")]
pub(super) fn now() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let now = Instant::now();
    let passed = now.saturating_duration_since(*FIRST.get_or_init(|| now));
    passed.as_secs() * 1_000_000_000 + u64::from(passed.subsec_nanos())
}

/// Notifies the machine when a time has come, and when the later time has come that counts while the work is
/// shielded.
#[derive(Debug)]
pub(in crate::machine) struct Timer {
    owned: Arc<Owned>,
}

/// Times to wait for, in nanoseconds; [`NEVER`] for none.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::machine) struct Times {
    time: u64,
    /// CPU time of the thread in which the machine works.
    cpu: u64,
}

impl Times {
    pub(super) fn of(ends: Ends) -> Times {
        let Ends { time, cpu, .. } = ends;
        Times { time, cpu }
    }
}

/// Alarms in microseconds since the first call of [`now`], with the events of their machine.
#[derive(Debug)]
struct Owned {
    alarm: Alarm,
    /// The alarm for looking at the CPU time.
    cpu_alarm: Alarm,
    /// The CPU time in nanoseconds at which the alarm rings, and the later one.
    cpu: [AtomicU64; 2],
    events: Arc<Events>,
    /// Whether nobody waits any more.
    gone: AtomicBool,
}

/// Least number of microseconds between two looks at the CPU time.
const BETWEEN_LOOKS: u64 = 200;
/// Number of times that a thread waiting for input or output is disturbed, and the microseconds between.
const DISTURBANCES: u32 = 100;
const BETWEEN_DISTURBANCES: u64 = 1000;

/// The timer thread and the alarms that it looks at.
struct Clock {
    alarms: Mutex<Alarms>,
    changed: Condvar,
    next_look: NextLook,
}

struct Alarms {
    /// The alarms, each with the number of times that its machine must still be disturbed.
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

/// Returns a time to wait for in microseconds, rounded up.
fn ticks(time: u64) -> u64 {
    time.div_ceil(1000)
}

/// Returns the microseconds passed so far, rounded down. So no alarm rings too early.
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

    /// Returns the time at which the next of the alarms rings.
    fn time(&self) -> u64 {
        self.alarm.time().min(self.cpu_alarm.time())
    }

    /// Returns the time of the next look at the CPU time, if its end has not come. If the CPU time is unknown, all
    /// time counts.
    fn left(&self, due: Due, now: u64) -> Option<u64> {
        let until = self.cpu[usize::from(due.is_late())].load(Ordering::Acquire);
        let used = os::time_of_thread(self.events.watch.worker())?;
        let left = until.saturating_sub(nanoseconds(used));
        (left > 0).then(|| now + ticks(left).max(BETWEEN_LOOKS))
    }

    /// Rings for each of its times that has come. Returns whether any has.
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
    /// Makes the thread look at the alarms now.
    fn wake(&self) {
        // Between its look and its sleep, the thread holds this lock all the time.
        drop(lock(&self.alarms));
        self.changed.notify_one();
    }

    /// Adds an alarm, and starts the thread if there is none. Returns false if the system provides no thread.
    fn add(&'static self, alarm: Arc<Owned>) -> bool {
        let mut alarms = lock(&self.alarms);
        // Only a few bytes, so goals can be limited even if memory is short.
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

    /// Looks at all alarms and returns the time of the next look.
    fn look(alarms: &mut Alarms, now: u64) -> u64 {
        let mut next = NEVER;
        alarms.all.retain_mut(|(owned, disturbances)| {
            if owned.look(now) {
                *disturbances = DISTURBANCES;
            }
            next = next.min(owned.time());
            if *disturbances > 0 {
                // A signal that arrives just before the system call does not interrupt it, so repeat it.
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
            self.next_look.store(next);
            // An owner may have set an alarm before it could see `next_look`.
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
    /// Returns a timer of this machine, or `None` if the system provides no thread.
    pub(in crate::machine) fn new(events: Arc<Events>) -> Option<Timer> {
        let owned = Arc::new(Owned::new(events));
        CLOCK.add(Arc::clone(&owned)).then_some(Timer { owned })
    }

    /// Waits for `times` and then for `late`, both with this number.
    pub(in crate::machine) fn set(&self, times: Times, late: Times, number: u64) {
        self.owned.set(times, late, number);
        if CLOCK.next_look.is_after(self.owned.time()) {
            CLOCK.wake();
        }
    }

    /// Stops waiting.
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
