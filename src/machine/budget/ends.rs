//! What work may use up, and when that is used up.
#![forbid(unsafe_code)]

use super::timer::now;
use crate::base::watch::GRACE_TIME;
use crate::store::os;
use std::time::Duration;

/// How much.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Amount {
    /// So many calls.
    Inferences(u64),
    /// So much time.
    Time(Duration),
    /// So much time of the processor, in one thread.
    Cpu(Duration),
}

/// What work may use up, or has used up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Time in which the machine runs, in nanoseconds.
    pub(crate) time: u64,
    /// Time of the processor, likewise.
    pub(crate) cpu: u64,
    /// Calls.
    pub(crate) inferences: u64,
}

impl Usage {
    /// Nothing was used up.
    pub(crate) const NONE: Usage = Usage {
        time: 0,
        cpu: 0,
        inferences: 0,
    };
    /// What may be used up has no limit.
    pub(crate) const UNLIMITED: Usage = Usage {
        time: NEVER,
        cpu: NEVER,
        inferences: NEVER,
    };

    /// Returns what is left of it, as far as it is limited, the outer amount first, when `spent` is used up.
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

    /// The smaller limit of each kind.
    #[inline]
    pub(crate) fn least_of(self, other: Usage) -> Usage {
        Usage {
            time: self.time.min(other.time),
            cpu: self.cpu.min(other.cpu),
            inferences: self.inferences.min(other.inferences),
        }
    }

    /// Is nothing limited?
    #[inline]
    pub(crate) fn is_unlimited(self) -> bool {
        self.time.min(self.cpu).min(self.inferences) == NEVER
    }

    /// Adds what was used up.
    pub(crate) fn add(&mut self, used: Usage) {
        self.time = self.time.saturating_add(used.time);
        self.cpu = self.cpu.saturating_add(used.cpu);
        self.inferences = self.inferences.saturating_add(used.inferences);
    }
}

/// What goals that set up or clean up may still use up when a budget is spent; of time it is
/// [`GRACE_TIME`].
const GRACE_INFERENCES: u64 = 100_000;

/// In place of an end that never comes, and of a limit that there is not.
pub(super) const NEVER: u64 = u64::MAX;

/// A time in nanoseconds; one that no clock will tell is [`NEVER`].
pub(crate) fn nanoseconds(time: Duration) -> u64 {
    let whole = time.as_secs().saturating_mul(1_000_000_000);
    whole.saturating_add(u64::from(time.subsec_nanos()))
}

/// When a budget is spent: times are in nanoseconds.
#[derive(Copy, Clone, Debug)]
pub(super) enum End {
    Calls(u64),
    /// As [`now`] gives it.
    Time(u64),
    /// When the thread has had so much time of the processor.
    Cpu(u64),
}

/// The time of the processor that this thread has had; where that is not known, all time.
pub(super) fn thread_time() -> u64 {
    os::time_of_thread(os::thread_number()).map_or_else(now, nanoseconds)
}

impl End {
    /// The end of an amount that begins to be spent after so many calls. A time that no clock will tell never comes.
    pub(super) fn of(amount: Amount, calls: u64, now: impl FnOnce() -> u64) -> End {
        match amount {
            Amount::Inferences(count) => End::Calls(calls.saturating_add(count)),
            Amount::Time(time) => End::Time(now().saturating_add(nanoseconds(time))),
            Amount::Cpu(time) => End::Cpu(thread_time().saturating_add(nanoseconds(time))),
        }
    }

    /// What is left until then.
    pub(super) fn left(self, calls: u64) -> Amount {
        let until = |end: u64, now| Duration::from_nanos(end.saturating_sub(now));
        match self {
            End::Calls(end) => Amount::Inferences(end.saturating_sub(calls)),
            End::Time(end) => Amount::Time(until(end, now())),
            End::Cpu(end) => Amount::Cpu(until(end, thread_time())),
        }
    }

    /// The same, but no earlier than now.
    pub(super) fn not_before(self, calls: u64, now: u64) -> End {
        match self {
            End::Calls(end) => End::Calls(end.max(calls)),
            End::Time(end) => End::Time(end.max(now)),
            End::Cpu(end) => End::Cpu(end.max(thread_time())),
        }
    }
}

/// The first of several of these.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) calls: u64,
    pub(super) time: u64,
    pub(super) cpu: u64,
}

impl Ends {
    /// No end ever comes.
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

    /// The first of these and others.
    pub(super) fn first(self, other: Ends) -> Ends {
        Ends {
            calls: self.calls.min(other.calls),
            time: self.time.min(other.time),
            cpu: self.cpu.min(other.cpu),
        }
    }

    /// The same for goals that set up or clean up.
    pub(super) fn late(self) -> Ends {
        let later = |time: u64| time.saturating_add(GRACE_TIME.as_nanos() as u64);
        Ends {
            calls: self.calls.saturating_add(GRACE_INFERENCES),
            time: later(self.time),
            cpu: later(self.cpu),
        }
    }

    /// Are calls counted?
    pub(super) fn has_calls(&self) -> bool {
        self.calls != NEVER
    }

    /// Is there an end of time, or of that of the processor?
    pub(super) fn has_time(&self) -> bool {
        self.time != NEVER || self.cpu != NEVER
    }

    /// What was used up by now, after so many calls, as far as it matters for these.
    pub(super) fn used(&self, calls: u64) -> Used {
        Used {
            calls,
            now: if self.time == NEVER { 0 } else { now() },
            cpu: if self.cpu == NEVER { 0 } else { thread_time() },
        }
    }

    /// Has one come?
    pub(super) fn have_come(&self, used: Used) -> bool {
        used.calls > self.calls || used.now >= self.time || used.cpu >= self.cpu
    }
}

/// What was used up by now.
#[derive(Copy, Clone, Debug)]
pub(super) struct Used {
    calls: u64,
    now: u64,
    cpu: u64,
}
