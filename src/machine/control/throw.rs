//! Exceptions: the ball, kept off the heap.
#![forbid(unsafe_code)]

use crate::base::needs::{Halt, Permit};
use crate::base::stop::Stop;
use crate::machine::events::trace::Trace;
use crate::store::stored::Stored;

/// A raised exception on its way to the goal that catches it.
#[derive(Debug)]
pub(crate) struct Throw(pub(crate) Box<Thrown>);

/// An exception.
#[derive(Debug)]
pub(crate) struct Thrown {
    /// What was thrown.
    pub(crate) ball: Ball,
    /// From where, once that is known.
    pub(crate) trace: Option<Box<Trace>>,
    /// Does no goal catch it that is part of a search by several machines?
    pub(crate) leaves_search: bool,
}

/// What was thrown.
#[derive(Debug)]
pub(crate) enum Ball {
    /// A term given to `throw/1`.
    Term(Stored),
    /// `error(Formal, Context)`, the context still to be filled in: the formal part, and a
    /// message if there is more to say.
    Error(Stored, Option<Box<str>>),
    /// No memory: made without any.
    OutOfMemory,
    /// `halt/1`: cannot be caught.
    Halt(i32),
    /// The host or the user stopped the query: cannot be caught.
    Aborted,
    /// The budget of this number is spent: only who opened it catches this.
    Spent(i64, crate::machine::budget::ends::Amount),
}

impl Throw {
    /// The exception of a ball.
    pub(crate) fn new(ball: Ball) -> Throw {
        Throw(Box::new(Thrown {
            ball,
            trace: None,
            leaves_search: false,
        }))
    }

    /// The program ends with this exit status.
    pub(crate) fn halt(_: &Permit<Halt>, status: i32) -> Throw {
        Throw::new(Ball::Halt(status))
    }
}

impl From<Stop> for Throw {
    fn from(_: Stop) -> Throw {
        Throw::new(Ball::OutOfMemory)
    }
}
