//! What work may use up, and when that is used up.
#![forbid(unsafe_code)]

use super::timer::now;
use crate::base::watch::GRACE_TIME;
use crate::store::os;
use std::time::{Duration, Instant};

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

/// What work may use up, or has used up; without a limit where nothing is said.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// Time in which the machine runs.
    pub(crate) time: Option<Duration>,
    /// Time of the processor.
    pub(crate) cpu: Option<Duration>,
    /// Calls.
    pub(crate) inferences: Option<u64>,
}

impl Allowance {
    /// Returns what is left of it, as far as it is limited, the outer amount first, when `spent` is used up.
    pub(crate) fn amounts(self, spent: Allowance) -> impl Iterator<Item = Amount> {
        let inferences = self.inferences.map(|all| {
            Amount::Inferences(all.saturating_sub(spent.inferences.unwrap_or_default()))
        });
        let left = |all: Option<Duration>, spent: Option<Duration>| {
            all.map(|all| all.saturating_sub(spent.unwrap_or_default()))
        };
        let time = left(self.time, spent.time).map(Amount::Time);
        let cpu = left(self.cpu, spent.cpu).map(Amount::Cpu);
        inferences.into_iter().chain(time).chain(cpu)
    }

    /// The smaller limit of each kind.
    #[inline]
    pub(crate) fn least_of(self, other: Allowance) -> Allowance {
        Allowance {
            time: first(self.time, other.time),
            cpu: first(self.cpu, other.cpu),
            inferences: first(self.inferences, other.inferences),
        }
    }

    /// Is nothing limited?
    #[inline]
    pub(crate) fn is_unlimited(self) -> bool {
        self.time.is_none() && self.cpu.is_none() && self.inferences.is_none()
    }

    /// Adds what was used up.
    pub(crate) fn add(&mut self, used: Allowance) {
        if let Some(time) = used.time {
            *self.time.get_or_insert_default() += time;
        }
        if let Some(cpu) = used.cpu {
            *self.cpu.get_or_insert_default() += cpu;
        }
        if let Some(inferences) = used.inferences {
            *self.inferences.get_or_insert_default() += inferences;
        }
    }
}

/// What goals that set up or clean up may still use up when a budget is spent; of time it is
/// [`GRACE_TIME`].
const GRACE_INFERENCES: u64 = 100_000;

/// The least time between two looks at the time of the processor.
const BETWEEN_LOOKS: Duration = Duration::from_micros(200);

/// When a budget is spent.
#[derive(Copy, Clone, Debug)]
pub(super) enum End {
    Calls(u64),
    Time(Instant),
    /// When the thread has had so much time of the processor, which is no earlier than `look`.
    Cpu {
        until: Duration,
        look: Instant,
    },
}

impl End {
    /// The end of an amount that begins to be spent after so many calls. A time that no clock will tell is none.
    pub(super) fn of(amount: Amount, calls: u64, now: impl FnOnce() -> Instant) -> Option<End> {
        match amount {
            Amount::Inferences(count) => Some(End::Calls(calls.saturating_add(count))),
            Amount::Time(time) => now().checked_add(time).map(End::Time),
            Amount::Cpu(time) => Some(End::Cpu {
                until: os::thread_time().checked_add(time)?,
                look: now().checked_add(time)?,
            }),
        }
    }

    /// What is left until then.
    pub(super) fn left(self, calls: u64) -> Amount {
        match self {
            End::Calls(end) => Amount::Inferences(end.saturating_sub(calls)),
            End::Time(end) => Amount::Time(end.saturating_duration_since(now())),
            End::Cpu { until, .. } => Amount::Cpu(until.saturating_sub(os::thread_time())),
        }
    }

    /// The same, but no earlier than now.
    pub(super) fn not_before(self, calls: u64, now: Instant) -> End {
        match self {
            End::Calls(end) => End::Calls(end.max(calls)),
            End::Time(end) => End::Time(end.max(now)),
            End::Cpu { until, look } => End::Cpu {
                until: until.max(os::thread_time()),
                look: look.max(now),
            },
        }
    }

    /// The same, with a later time at which the time of the processor is looked at next.
    pub(super) fn looked_at(self, now: Instant) -> End {
        match self {
            End::Cpu { until, look } if look <= now => {
                let left = until.saturating_sub(os::thread_time()).max(BETWEEN_LOOKS);
                End::Cpu {
                    until,
                    look: now.checked_add(left).unwrap_or(now),
                }
            }
            end => end,
        }
    }
}

/// The first of several of these.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) calls: Option<u64>,
    /// When the time is to be looked at.
    pub(super) look: Option<Instant>,
    time: Option<Instant>,
    cpu: Option<Duration>,
}

/// The first of two ends, or the smaller one of two limits, of which there may be none.
#[inline]
pub(crate) fn first<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl Ends {
    pub(super) fn of(end: End) -> Ends {
        let none = Ends::default();
        match end {
            End::Calls(calls) => Ends {
                calls: Some(calls),
                ..none
            },
            End::Time(time) => Ends {
                look: Some(time),
                time: Some(time),
                ..none
            },
            End::Cpu { until, look } => Ends {
                look: Some(look),
                cpu: Some(until),
                ..none
            },
        }
    }

    /// The first of these and others.
    pub(super) fn first(self, other: Ends) -> Ends {
        Ends {
            calls: first(self.calls, other.calls),
            look: first(self.look, other.look),
            time: first(self.time, other.time),
            cpu: first(self.cpu, other.cpu),
        }
    }

    /// The same for goals that set up or clean up.
    pub(super) fn late(self) -> Ends {
        let later = |time: Option<Instant>| time.and_then(|end| end.checked_add(GRACE_TIME));
        Ends {
            calls: self.calls.map(|end| end.saturating_add(GRACE_INFERENCES)),
            look: later(self.look),
            time: later(self.time),
            cpu: self.cpu.map(|end| end.saturating_add(GRACE_TIME)),
        }
    }

    /// Is there one of time of the processor?
    pub(super) fn has_cpu(self) -> bool {
        self.cpu.is_some()
    }

    /// What of it has been used up, after so many calls.
    pub(super) fn used(self, calls: u64) -> Used {
        Used {
            calls,
            now: self.time.map(|_| now()),
            cpu: self.cpu.map(|_| os::thread_time()),
        }
    }

    /// Has one come?
    pub(super) fn have_come(self, used: Used) -> bool {
        let calls = self.calls.is_some_and(|end| used.calls > end);
        let time = self.time.zip(used.now).is_some_and(|(end, now)| now >= end);
        calls || time || self.cpu.zip(used.cpu).is_some_and(|(end, cpu)| cpu >= end)
    }
}

/// What was used up by now, as far as that matters.
#[derive(Copy, Clone, Debug)]
pub(super) struct Used {
    calls: u64,
    now: Option<Instant>,
    cpu: Option<Duration>,
}
