//! What a host lets a query, a load or other work use up.

use super::broken::LEAST_MEMORY;
use super::setters::setters;
use crate::machine::budget::ends::{Allowance, first};
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
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub(super) allowance: Allowance,
    pub(super) room: Room,
    pub(super) answers: Option<u64>,
}

/// Limits of what is there at a time.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Room {
    /// Bytes of memory.
    pub(super) memory: Option<usize>,
    /// Streams that are open.
    pub(super) streams: Option<usize>,
}

setters! { Budget:
    /// Limits the time for which the engine runs. Time in which the host holds it between two solutions does not count.
    /// More ends in an error of the kind [`ErrorKind::TimeLimit`](super::ErrorKind::TimeLimit), which no program can
    /// catch; its cleanup goals have a tenth of a second.
    pub time(time: Duration) allowance.time = Some(time);

    /// Limits the processor time of the thread that runs the engine. Time in which it waits, or another thread has the
    /// processor, does not count. More ends as [`Budget::time`] does. Where the system does not tell this time (Windows, WebAssembly)
    /// all time counts.
    pub cpu(time: Duration) allowance.cpu = Some(time);

    /// Limits the number of inferences: calls, and further solutions of builtins. 64 steps of a few nanoseconds of a
    /// builtin on large terms, texts and numbers count as an inference. The same program meets this limit at the same
    /// place each time. More ends in an error of the kind
    /// [`ErrorKind::InferenceLimit`](super::ErrorKind::InferenceLimit), which no program can catch; its cleanup goals have a
    /// hundred thousand.
    pub steps(inferences: u64) allowance.inferences = Some(inferences);

    /// Limits the bytes of memory that terms may take, and the program with them: at most what the engine was built
    /// with, and at least 4 MiB. More ends in `resource_error(memory)`, which a program can catch.
    pub memory(bytes: usize) room.memory = Some(bytes.max(LEAST_MEMORY));

    /// Limits the number of solutions that a query gives. Where it has more, the next one is `resource_error(answers)`
    /// in its place, and the query is over.
    pub answers(answers: u64) answers = Some(answers);

    /// Limits the number of streams that the program may have open at a time, beside what
    /// [`Capabilities::streams`](super::Capabilities::streams) allows. One more is a `resource_error(streams)`, which a
    /// program can catch. Streams that are open stay open.
    pub streams(streams: usize) room.streams = Some(streams);
}

impl Room {
    /// The smaller limit of each kind.
    pub(super) fn least_of(self, other: Room) -> Room {
        Room {
            memory: first(self.memory, other.memory),
            streams: first(self.streams, other.streams),
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
            allowance: self.allowance.least_of(other.allowance),
            room: self.room.least_of(other.room),
            answers: first(self.answers, other.answers),
        }
    }
}

/// What some work may use up.
pub(super) struct Bounds<'s> {
    /// What it may use up itself, besides what the engine allows.
    pub(super) own: Budget,
    /// What it has used up before, to which it adds what it uses, if there is more of it to come.
    pub(super) spent: Option<&'s mut Allowance>,
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
