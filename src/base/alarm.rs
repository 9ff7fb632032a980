//! The protocol, without locks, by which a thread that knows the time notifies an engine that a time has come: the
//! data that the engine sets and the thread reads. `tests/timer_protocol.rs` checks this file in all orders of the
//! operations.
#![forbid(unsafe_code)]

use super::sync::{AtomicU64, Ordering, in_order, store_over};

/// The time of an alarm that is not set.
pub(crate) const NEVER: u64 = u64::MAX;
/// Bits below the time in [`Alarm::at`].
const BELOW: u32 = 12;
/// The lowest of these bits: set if the time is the later one.
const LATE: u64 = 1;
/// The latest time that an alarm can be set to.
const LAST: u64 = (NEVER >> BELOW) - 1;

/// The times that an engine waits for. Times are numbers that grow.
#[derive(Debug)]
pub(crate) struct Alarm {
    /// The next time, above some bits of the number and the bit [`LATE`].
    at: AtomicU64,
    /// The later time.
    late: AtomicU64,
    /// The number of the alarm that the engine waits for.
    number: AtomicU64,
}

/// A time of an alarm that has come.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Due(u64);

impl Due {
    /// Returns whether the time is the later one of the two times of the alarm.
    pub(crate) fn is_late(self) -> bool {
        self.0 & LATE != 0
    }
}

impl Alarm {
    pub(crate) fn new() -> Alarm {
        Alarm {
            at: AtomicU64::new(NEVER),
            late: AtomicU64::new(0),
            number: AtomicU64::new(0),
        }
    }

    /// Sets the alarm to the first of two times. Only its engine calls this.
    pub(crate) fn set(&self, time: u64, late: u64, number: u64) {
        // A thread that reads one of the other fields after this finds that `at` has changed.
        self.clear();
        self.late.store(late, Ordering::Release);
        self.number.store(number, Ordering::Release);
        let turn = (number << 1) & ((1 << BELOW) - 1);
        self.at
            .store(time.min(LAST) << BELOW | turn, Ordering::SeqCst);
    }

    /// Clears the alarm. Only its engine calls this.
    pub(crate) fn clear(&self) {
        // Either the thread has gone on to the later time before this, or it never does.
        store_over(&self.at, NEVER);
    }

    /// Returns the next time.
    pub(crate) fn time(&self) -> u64 {
        match self.at.load(Ordering::SeqCst) {
            NEVER => NEVER,
            at => at >> BELOW,
        }
    }

    /// Returns the time of the alarm if it has come by `now`. Only the thread calls this.
    pub(crate) fn due(&self, now: u64) -> Option<Due> {
        let at = self.at.load(Ordering::Acquire);
        (at != NEVER && at >> BELOW <= now).then_some(Due(at))
    }

    /// Postpones the alarm to `time`, if it has not changed meanwhile.
    pub(crate) fn put_off(&self, Due(at): Due, time: u64) {
        let later = time.min(LAST) << BELOW | (at & ((1 << BELOW) - 1));
        // If it has changed, the thread looks at it again.
        let _ = self
            .at
            .compare_exchange(at, later, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// Takes a time that has come, if the engine still waits for it. Returns its number, and whether it is the later
    /// time.
    pub(crate) fn take(&self, Due(at): Due) -> Option<(u64, bool)> {
        let number = self.number.load(Ordering::Acquire);
        let late = self.late.load(Ordering::Acquire);
        let next = match at & LATE {
            0 => late.min(LAST) << BELOW | (at & ((1 << BELOW) - 1)) | LATE,
            _ => NEVER,
        };
        let same = self
            .at
            .compare_exchange(at, next, Ordering::AcqRel, Ordering::Relaxed);
        same.is_ok().then_some((number, at & LATE != 0))
    }
}

/// The time at which the thread looks at the alarms next. An engine that sets an alarm to an earlier time wakes the
/// thread.
#[derive(Debug)]
pub(crate) struct NextLook(pub(crate) AtomicU64);

impl NextLook {
    /// Returns whether the next look comes too late for an alarm that has been set to this time.
    pub(crate) fn is_after(&self, time: u64) -> bool {
        // Either the engine sees the new time below, or the thread sees the alarm after it has stored that time.
        in_order();
        time < self.0.load(Ordering::SeqCst)
    }

    /// Stores the time of the next look. The thread looks at all alarms once more before it sleeps.
    pub(crate) fn store(&self, next: u64) {
        self.0.store(next, Ordering::SeqCst);
        in_order();
    }
}

/// The limit that the engine compares with its heap top at each call. Only if the heap top is above it does the
/// engine look at the other fields.
#[derive(Debug)]
pub(crate) struct Bell {
    /// The address above which the engine looks.
    pub(crate) limit: AtomicU64,
    /// The number of the alarm that the engine waits for.
    awaited: AtomicU64,
    /// The number of the last alarm that has rung. An alarm that the engine no longer waits for stops nothing.
    come: AtomicU64,
    /// The number of the last alarm whose later time has come; this time counts while the work is shielded.
    come_late: AtomicU64,
}

impl Default for Bell {
    fn default() -> Bell {
        Bell {
            limit: AtomicU64::new(0),
            awaited: AtomicU64::new(1),
            come: AtomicU64::new(0),
            come_late: AtomicU64::new(0),
        }
    }
}

impl Bell {
    /// Makes the engine look at the next call. Also for callers that must not call a function.
    #[inline(always)]
    pub(crate) fn look_at_next_call(&self) {
        // A plain store could be lost between a look of the engine and its next limit.
        self.limit.swap(0, Ordering::AcqRel);
    }

    /// Sets the limit. Earlier notifications are visible from here on, and later ones change the limit again.
    pub(crate) fn set_limit(&self, limit: u64) {
        self.limit.swap(limit, Ordering::AcqRel);
    }

    /// Makes the engine wait for another alarm, or for none. Returns the number of the new alarm. Only the engine
    /// calls this.
    pub(crate) fn await_another(&self) -> u64 {
        let number = self.awaited.load(Ordering::Relaxed) + 1;
        self.awaited.store(number, Ordering::Relaxed);
        number
    }

    /// Returns whether the time that the engine waits for, or the later one, has come. Only the engine calls this.
    #[inline]
    pub(crate) fn has_come(&self, late: bool) -> bool {
        let come = if late { &self.come_late } else { &self.come };
        come.load(Ordering::Relaxed) == self.awaited.load(Ordering::Relaxed)
    }

    /// Returns the number of the alarm that the engine waits for next.
    pub(crate) fn next(&self) -> u64 {
        self.awaited.load(Ordering::Relaxed) + 1
    }

    /// Returns whether an alarm of this number or a later one has rung. Only the engine calls this.
    pub(crate) fn has_come_since(&self, number: u64) -> bool {
        let come = [&self.come, &self.come_late];
        come.iter()
            .any(|come| come.load(Ordering::Relaxed) >= number)
    }

    /// Notifies the engine that the time of this number has come, or the later one.
    pub(crate) fn ring(&self, number: u64, late: bool) {
        let come = if late { &self.come_late } else { &self.come };
        come.store(number, Ordering::Release);
        self.look_at_next_call();
    }
}
