//! How a thread that knows the time tells an engine that one has come, without locks: what the engine sets and what the
//! thread looks at. `tests/timer_protocol.rs` has this file checked in all orders of what they do.
#![forbid(unsafe_code)]

use super::sync::{AtomicU64, Ordering, in_order, store_over};

/// In place of a time that is not waited for.
pub(crate) const NEVER: u64 = u64::MAX;
/// Bits below the time in [`Alarm::at`].
const BELOW: u32 = 12;
/// The lowest of them: it is the later time.
const LATE: u64 = 1;
/// The last time that an alarm can be set to.
const LAST: u64 = (NEVER >> BELOW) - 1;

/// What an engine waits for. Times are numbers that grow.
#[derive(Debug)]
pub(crate) struct Alarm {
    /// When it rings next, over some bits of the number, and over whether that is the later time.
    at: AtomicU64,
    /// The later time.
    late: AtomicU64,
    /// The number of the time that is waited for.
    number: AtomicU64,
}

/// A time of an alarm that has come.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Due(u64);

impl Due {
    /// Is it the later one?
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

    /// Sets it to the first of two times. Only its engine does.
    pub(crate) fn set(&self, time: u64, late: u64, number: u64) {
        // Whoever reads one of the others after this finds that the first is no more what it was.
        self.clear();
        self.late.store(late, Ordering::Release);
        self.number.store(number, Ordering::Release);
        let turn = (number << 1) & ((1 << BELOW) - 1);
        self.at
            .store(time.min(LAST) << BELOW | turn, Ordering::SeqCst);
    }

    /// Waits for nothing any more. Only its engine does it.
    pub(crate) fn clear(&self) {
        // Either the thread has gone on to the later time before this, or it does not.
        store_over(&self.at, NEVER);
    }

    /// When it rings next.
    pub(crate) fn time(&self) -> u64 {
        match self.at.load(Ordering::SeqCst) {
            NEVER => NEVER,
            at => at >> BELOW,
        }
    }

    /// The time that has come by now, if it has. Only the thread asks.
    pub(crate) fn due(&self, now: u64) -> Option<Due> {
        let at = self.at.load(Ordering::Acquire);
        (at != NEVER && at >> BELOW <= now).then_some(Due(at))
    }

    /// Rings at a later time instead, if it is still what it was.
    pub(crate) fn put_off(&self, Due(at): Due, time: u64) {
        let later = time.min(LAST) << BELOW | (at & ((1 << BELOW) - 1));
        // If it is not, it is looked at again.
        let _ = self
            .at
            .compare_exchange(at, later, Ordering::AcqRel, Ordering::Relaxed);
    }

    /// Takes a time that has come, if it is still waited for: its number, and whether it is the later one.
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

/// When the thread looks at the alarms next. Who sets one to an earlier time wakes it.
#[derive(Debug)]
pub(crate) struct NextLook(pub(crate) AtomicU64);

impl NextLook {
    /// Does it come too late for an alarm that has been set to this time?
    pub(crate) fn is_after(&self, time: u64) -> bool {
        // Either this is seen below, or the alarm by the thread after it has told when it looks.
        in_order();
        time < self.0.load(Ordering::SeqCst)
    }

    /// Tells it. The thread looks at all alarms once more before it sleeps.
    pub(crate) fn tell(&self, next: u64) {
        self.0.store(next, Ordering::SeqCst);
        in_order();
    }
}

/// What an engine looks at: at each call its limit, and only where its heap top is above that the rest.
#[derive(Debug)]
pub(crate) struct Bell {
    /// The address above which it looks.
    pub(crate) limit: AtomicU64,
    /// The number of the time that is waited for.
    awaited: AtomicU64,
    /// The number of the last time that came. A time that is not waited for any more stops nothing.
    come: AtomicU64,
    /// The same of the time that counts while the work is shielded.
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
    /// Has the engine look at the next call. Also for who must not call a function.
    #[inline(always)]
    pub(crate) fn look_at_next_call(&self) {
        // A store alone could be lost between the looks of the engine and its next limit.
        self.limit.swap(0, Ordering::AcqRel);
    }

    /// Sets the limit. What was told before can be seen from here on, and what is told later sets the limit again.
    pub(crate) fn set_limit(&self, limit: u64) {
        self.limit.swap(limit, Ordering::AcqRel);
    }

    /// Waits for another time from now on, or for none: gives its number. Only the engine does.
    pub(crate) fn await_another(&self) -> u64 {
        let number = self.awaited.load(Ordering::Relaxed) + 1;
        self.awaited.store(number, Ordering::Relaxed);
        number
    }

    /// Has the time come that was waited for, or the later one? Only the engine asks.
    #[inline]
    pub(crate) fn has_come(&self, late: bool) -> bool {
        let come = if late { &self.come_late } else { &self.come };
        come.load(Ordering::Relaxed) == self.awaited.load(Ordering::Relaxed)
    }

    /// The number of the time that is waited for next.
    pub(crate) fn next(&self) -> u64 {
        self.awaited.load(Ordering::Relaxed) + 1
    }

    /// Has a time of this number or a later one come? Only the engine asks.
    pub(crate) fn has_come_since(&self, number: u64) -> bool {
        let come = [&self.come, &self.come_late];
        come.iter()
            .any(|come| come.load(Ordering::Relaxed) >= number)
    }

    /// The time of this number has come, or the later one.
    pub(crate) fn ring(&self, number: u64, late: bool) {
        let come = if late { &self.come_late } else { &self.come };
        come.store(number, Ordering::Release);
        self.look_at_next_call();
    }
}
