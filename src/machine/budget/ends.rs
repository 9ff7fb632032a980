//! Amounts that work may use up, and the ends at which they are used up.
#![forbid(unsafe_code)]

use super::timer::now;
use crate::base::watch::GRACE_TIME;
use crate::store::os;
use std::time::Duration;

/// An amount of calls or time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// A number of calls.
    Inferences(u64),
    /// Real time.
    Time(Duration),
    /// CPU time of one thread.
    Cpu(Duration),
}

/// The amounts that work may use up, or has used up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Time in which the machine runs, in nanoseconds.
    pub(crate) time: u64,
    /// CPU time in nanoseconds.
    pub(crate) cpu: u64,
    /// Number of calls.
    pub(crate) inferences: u64,
}

impl Usage {
    /// No use at all.
    pub(crate) const NONE: Usage = Usage {
        time: 0,
        cpu: 0,
        inferences: 0,
    };
    /// No limit of use.
    pub(crate) const UNLIMITED: Usage = Usage {
        time: NEVER,
        cpu: NEVER,
        inferences: NEVER,
    };

    /// Returns the amounts left after `spent`, for each limited kind, the outer amount first.
    pub(crate) fn amounts(self, spent: Usage) -> impl Iterator<Item = Amount> {
        let left = |all: u64, spent| (all != NEVER).then(|| all.saturating_sub(spent));
        let inferences = left(self.inferences, spent.inferences).map(Amount::Inferences);
        let time = left(self.time, spent.time).map(Duration::from_nanos);
        let cpu = left(self.cpu, spent.cpu).map(Duration::from_nanos);
        let time = time.map(Amount::Time).into_iter();
        inferences
            .into_iter()
            .chain(time)
            .chain(cpu.map(Amount::Cpu))
    }

    /// Returns the smaller limit of each kind.
    #[inline]
    pub(crate) fn least_of(self, other: Usage) -> Usage {
        Usage {
            time: self.time.min(other.time),
            cpu: self.cpu.min(other.cpu),
            inferences: self.inferences.min(other.inferences),
        }
    }

    /// Returns whether nothing is limited.
    #[inline]
    pub(crate) fn is_unlimited(self) -> bool {
        self.time.min(self.cpu).min(self.inferences) == NEVER
    }

    /// Adds used amounts.
    pub(crate) fn add(&mut self, used: Usage) {
        self.time = self.time.saturating_add(used.time);
        self.cpu = self.cpu.saturating_add(used.cpu);
        self.inferences = self.inferences.saturating_add(used.inferences);
    }
}

/// Number of calls that goals that set up or clean up may still make when a budget is spent. The time for them is
/// [`GRACE_TIME`].
const GRACE_INFERENCES: u64 = 100_000;

/// The mark for an end that never comes, and for a missing limit.
pub(super) const NEVER: u64 = u64::MAX;

/// Converts a time to nanoseconds; a time that is too long becomes [`NEVER`].
pub(crate) fn nanoseconds(time: Duration) -> u64 {
    let whole = time.as_secs().saturating_mul(1_000_000_000);
    whole.saturating_add(u64::from(time.subsec_nanos()))
}

/// The end of a budget; times are in nanoseconds.
#[derive(Copy, Clone, Debug)]
pub(super) enum End {
    Calls(u64),
    /// The time at the end, as [`now`] returns it.
    Time(u64),
    /// The CPU time of the thread at the end.
    Cpu(u64),
}

/// Returns the CPU time of this thread, or real time if the CPU time is unknown.
pub(super) fn thread_time() -> u64 {
    os::time_of_thread(os::thread_number()).map_or_else(now, nanoseconds)
}

impl End {
    /// Returns the end of an amount that begins after `calls` calls. A time that is too long never ends.
    pub(super) fn of(amount: Amount, calls: u64, now: impl FnOnce() -> u64) -> End {
        match amount {
            Amount::Inferences(count) => End::Calls(calls.saturating_add(count)),
            Amount::Time(time) => End::Time(now().saturating_add(nanoseconds(time))),
            Amount::Cpu(time) => End::Cpu(thread_time().saturating_add(nanoseconds(time))),
        }
    }

    /// Returns the amount left until this end.
    pub(super) fn left(self, calls: u64) -> Amount {
        let until = |end: u64, now| Duration::from_nanos(end.saturating_sub(now));
        match self {
            End::Calls(end) => Amount::Inferences(end.saturating_sub(calls)),
            End::Time(end) => Amount::Time(until(end, now())),
            End::Cpu(end) => Amount::Cpu(until(end, thread_time())),
        }
    }

    /// Returns this end, or the present moment if this end is earlier.
    pub(super) fn not_before(self, calls: u64, now: u64) -> End {
        match self {
            End::Calls(end) => End::Calls(end.max(calls)),
            End::Time(end) => End::Time(end.max(now)),
            End::Cpu(end) => End::Cpu(end.max(thread_time())),
        }
    }
}

/// The first of several ends, for each kind.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) calls: u64,
    pub(super) time: u64,
    pub(super) cpu: u64,
}

impl Ends {
    /// The ends that never come.
    pub(super) const NONE: Ends = Ends {
        calls: NEVER,
        time: NEVER,
        cpu: NEVER,
    };

    pub(super) fn of(end: End) -> Ends {
        let none = Ends::NONE;
        match end {
            End::Calls(calls) => Ends { calls, ..none },
            End::Time(time) => Ends { time, ..none },
            End::Cpu(cpu) => Ends { cpu, ..none },
        }
    }

    /// Returns the first of these ends and others, for each kind.
    pub(super) fn first(self, other: Ends) -> Ends {
        Ends {
            calls: self.calls.min(other.calls),
            time: self.time.min(other.time),
            cpu: self.cpu.min(other.cpu),
        }
    }

    /// Returns the later ends that apply to goals that set up or clean up.
    pub(super) fn late(self) -> Ends {
        let later = |time: u64| time.saturating_add(GRACE_TIME.as_nanos() as u64);
        Ends {
            calls: self.calls.saturating_add(GRACE_INFERENCES),
            time: later(self.time),
            cpu: later(self.cpu),
        }
    }

    /// Returns whether the calls have an end.
    pub(super) fn has_calls(&self) -> bool {
        self.calls != NEVER
    }

    /// Returns whether the real time or the CPU time has an end.
    pub(super) fn has_time(&self) -> bool {
        self.time != NEVER || self.cpu != NEVER
    }

    /// Returns the amounts used up by now, after `calls` calls, if these ends depend on them.
    pub(super) fn used(&self, calls: u64) -> Used {
        Used {
            calls,
            now: if self.time == NEVER { 0 } else { now() },
            cpu: if self.cpu == NEVER { 0 } else { thread_time() },
        }
    }

    /// Returns whether one of the ends has come.
    pub(super) fn have_come(&self, used: Used) -> bool {
        used.calls > self.calls || used.now >= self.time || used.cpu >= self.cpu
    }
}

/// The amounts used up by now.
#[derive(Copy, Clone, Debug)]
pub(super) struct Used {
    calls: u64,
    now: u64,
    cpu: u64,
}
