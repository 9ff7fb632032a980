//! Exceptions, whose balls are outside the heap.
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
    /// The ball.
    pub(crate) ball: Ball,
    /// The place where the exception was raised, once that is known.
    pub(crate) trace: Option<Box<Trace>>,
    /// Whether no goal that is part of a search by several machines catches it.
    pub(crate) leaves_search: bool,
}

/// The ball of an exception.
#[derive(Debug)]
pub(crate) enum Ball {
    /// A term given to `throw/1`.
    Term(Stored),
    /// `error(Formal, Context)` without its context: the formal part, and perhaps a message.
    Error(Stored, Option<Box<str>>),
    /// Memory has run out. This ball needs no memory.
    OutOfMemory,
    /// `halt/1`: cannot be caught.
    Halt(i32),
    /// The host or the user stopped the query: cannot be caught.
    Aborted,
    /// The budget of this number is spent. Only the catcher that opened the budget catches it.
    Spent(i64, crate::machine::budget::ends::Amount),
}

impl Throw {
    /// Returns the exception of a ball.
    pub(crate) fn new(ball: Ball) -> Throw {
        Throw(Box::new(Thrown {
            ball,
            trace: None,
            leaves_search: false,
        }))
    }

    /// Returns the exception that ends the program with this exit status.
    pub(crate) fn halt(_: &Permit<Halt>, status: i32) -> Throw {
        Throw::new(Ball::Halt(status))
    }
}

impl From<Stop> for Throw {
    fn from(_: Stop) -> Throw {
        Throw::new(Ball::OutOfMemory)
    }
}
