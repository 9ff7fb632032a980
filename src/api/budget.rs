//! What a host lets a query, a load or other work use up.

use super::broken::LEAST_MEMORY;
use super::setters::setters;
use crate::machine::budget::ends::{Usage, nanoseconds};
use std::time::Duration;

/// Limits of the work of an engine: a query, the load of a file or text, and other calls of the host.
///
/// An engine has a budget for each of its queries and loads ([`EngineBuilder::budget`](super::EngineBuilder::budget),
/// [`Engine::set_budget`](super::Engine::set_budget)). A single query can have another one
/// ([`Engine::query_within`](super::Engine::query_within)), and so can any work
/// ([`Engine::within`](super::Engine::within)). Of two budgets the smaller limit of each kind counts. A new budget limits
/// nothing.
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
    /// As many as can be counted if they have no limit.
    pub(super) answers: u64,
}

/// Limits of what is there at a time: as much as can be counted is no limit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Room {
    /// Bytes of memory.
    pub(super) memory: usize,
    /// Streams that are open.
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
    /// Limits the time for which the engine runs. Time in which the host holds it between two solutions does not count.
    /// More ends in an error of the kind [`ErrorKind::TimeLimit`](super::ErrorKind::TimeLimit), which no program can
    /// catch; its cleanup goals have a tenth of a second.
    pub time(time: Duration) usage.time = nanoseconds(time);

    /// Limits the processor time of the thread that runs the engine. Time in which it waits, or another thread has the
    /// processor, does not count. More ends as [`Budget::time`] does. Where the system does not tell it of threads, all but Linux,
    /// all time counts.
    pub cpu(time: Duration) usage.cpu = nanoseconds(time);

    /// Limits the number of inferences: calls, and further solutions of builtins. 64 steps of a few nanoseconds of a
    /// builtin on large terms, texts and numbers count as an inference. The same program meets this limit at the same
    /// place each time. More ends in an error of the kind
    /// [`ErrorKind::InferenceLimit`](super::ErrorKind::InferenceLimit), which no program can catch; its cleanup goals have a
    /// hundred thousand.
    pub steps(inferences: u64) usage.inferences = inferences;

    /// Limits the bytes of memory that terms may take, and the program with them: at most what the engine was built
    /// with, and at least 4 MiB. More ends in `resource_error(memory)`, which a program can catch.
    pub memory(bytes: usize) room.memory = bytes.max(LEAST_MEMORY);

    /// Limits the number of solutions that a query gives. Where it has more, the next one is `resource_error(answers)`
    /// in its place, and the query is over.
    pub answers(answers: u64) answers = answers;

    /// Limits the number of streams that the program may have open at a time, beside what
    /// [`Capabilities::streams`](super::Capabilities::streams) allows. One more is a `resource_error(streams)`, which a
    /// program can catch. Streams that are open stay open.
    pub streams(streams: usize) room.streams = streams;
}

impl Room {
    pub(super) const UNLIMITED: Room = Room {
        memory: usize::MAX,
        streams: usize::MAX,
    };

    /// The smaller limit of each kind.
    pub(super) fn least_of(self, other: Room) -> Room {
        Room {
            memory: self.memory.min(other.memory),
            streams: self.streams.min(other.streams),
        }
    }
}

impl Budget {
    /// A budget that limits nothing.
    pub fn new() -> Budget {
        Budget::default()
    }

    /// The smaller limit of each kind.
    #[must_use]
    pub fn least_of(self, other: Budget) -> Budget {
        Budget {
            usage: self.usage.least_of(other.usage),
            room: self.room.least_of(other.room),
            answers: self.answers.min(other.answers),
        }
    }
}

/// What some work may use up.
pub(super) struct Bounds<'s> {
    /// What it may use up itself, besides what the engine allows.
    pub(super) own: Budget,
    /// What it has used up before, to which it adds what it uses, if there is more of it to come.
    pub(super) spent: Option<&'s mut Usage>,
}

impl Bounds<'_> {
    /// Those of work by itself.
    pub(super) fn fresh() -> Bounds<'static> {
        Bounds {
            own: Budget::default(),
            spent: None,
        }
    }
}
