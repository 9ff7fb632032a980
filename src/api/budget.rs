//! Budgets: limits that a host sets for a query, a load or other work.

use super::broken::LEAST_MEMORY;
use super::setters::setters;
use crate::machine::budget::ends::{Usage, nanoseconds};
use std::time::Duration;

/// Limits on the work of an engine: a query, the load of a file or text, or another call of the host.
///
/// An engine has a budget for each of its queries and loads ([`EngineBuilder::budget`](super::EngineBuilder::budget),
/// [`Engine::set_budget`](super::Engine::set_budget)). A single query can have its own budget
/// ([`Engine::query_within`](super::Engine::query_within)), and so can any other work
/// ([`Engine::within`](super::Engine::within)). If two budgets apply, the smaller limit of each kind counts. A new
/// budget has no limits.
///
/// ```
/// use std::time::Duration;
/// use wamlet::{Budget, Engine, ErrorKind};
///
/// # fn main() -> Result<(), wamlet::Error> {
/// let mut engine = Engine::builder().budget(Budget::new().time(Duration::from_secs(10))).build()?;
/// let small = Budget::new().steps(1000).answers(2);
/// let mut solutions = engine.query_within(&small, "repeat", &[])?;
/// assert!(solutions.advance()? && solutions.advance()?);
/// assert_eq!(*solutions.advance().unwrap_err().kind(), ErrorKind::Resource);
/// # Ok(())
/// # }
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    pub(super) usage: Usage,
    pub(super) room: Room,
    /// Maximum number of solutions. `u64::MAX` means no limit.
    pub(super) answers: u64,
}

/// Limits on resources in use at one time. `usize::MAX` means no limit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Bytes of memory.
    pub(super) memory: usize,
    /// Number of open streams.
    pub(super) streams: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            usage: Usage::UNLIMITED,
            room: Room::UNLIMITED,
            answers: u64::MAX,
        }
    }
}

setters! { Budget:
    /// Limits the time for which the engine runs. Time that the host spends between two solutions does not count.
    /// Beyond the limit, the work ends with an error of the kind [`ErrorKind::TimeLimit`](super::ErrorKind::TimeLimit),
    /// which no program can catch. Its cleanup goals have another tenth of a second.
    pub time(time: Duration) usage.time = nanoseconds(time);

    /// Limits the processor time of the thread that runs the engine. Time in which the thread waits, or another thread
    /// has the processor, does not count. Beyond the limit, the work ends as with [`Budget::time`]. Only Linux reports
    /// the time of a single thread; on other systems all time counts.
    pub cpu(time: Duration) usage.cpu = nanoseconds(time);

    /// Limits the number of inferences: calls, and further solutions of builtins. Work inside builtins on large terms,
    /// texts and numbers also counts: 64 steps of a few nanoseconds equal one inference. The same program reaches this
    /// limit at the same place each time. Beyond the limit, the work ends with an error of the kind
    /// [`ErrorKind::InferenceLimit`](super::ErrorKind::InferenceLimit), which no program can catch. Its cleanup goals
    /// have another hundred thousand inferences.
    pub steps(inferences: u64) usage.inferences = inferences;

    /// Limits the bytes of memory for terms and the program together. The limit is at most the memory that the engine
    /// was built with, and at least 4 MiB. Beyond the limit, the engine raises `resource_error(memory)`, which a
    /// program can catch.
    pub memory(bytes: usize) room.memory = bytes.max(LEAST_MEMORY);

    /// Limits the number of solutions of a query. In place of a further solution the query returns
    /// `resource_error(answers)` and ends.
    pub answers(answers: u64) answers = answers;

    /// Limits the number of streams that the program may have open at a time, in addition to the limit of
    /// [`Capabilities::streams`](super::Capabilities::streams). One more stream raises `resource_error(streams)`, which
    /// a program can catch. Streams that are already open stay open.
    pub streams(streams: usize) room.streams = streams;
}

impl Room {
    pub(super) const UNLIMITED: Room = Room {
        memory: usize::MAX,
        streams: usize::MAX,
    };

    /// Returns the smaller limit of each kind.
    pub(super) fn least_of(self, other: Room) -> Room {
        Room {
            memory: self.memory.min(other.memory),
            streams: self.streams.min(other.streams),
        }
    }
}

impl Budget {
    /// Returns a budget without limits.
    pub fn new() -> Budget {
        Budget::default()
    }

    /// Returns the smaller limit of each kind.
    #[must_use]
    pub fn least_of(self, other: Budget) -> Budget {
        Budget {
            usage: self.usage.least_of(other.usage),
            room: self.room.least_of(other.room),
            answers: self.answers.min(other.answers),
        }
    }
}

/// The budget of some work, with the usage so far.
pub(super) struct Bounds<'s> {
    /// The limits of this work, in addition to those of the engine.
    pub(super) own: Budget,
    /// The usage of earlier parts of the same work. The usage of this part is added to it. `None` if the work has one
    /// part only.
    pub(super) spent: Option<&'s mut Usage>,
}

impl Bounds<'_> {
    /// Returns the bounds of work that has no limits of its own and one part only.
    pub(super) fn fresh() -> Bounds<'static> {
        Bounds {
            own: Budget::default(),
            spent: None,
        }
    }
}
