//! Shared work of instructions: calls of all kinds, exceptions and unwinding, queries, their stops and resumptions.
//! The instructions themselves are in `machine::ops`, the words of frames in `machine::frames`, and the observers of
//! goals in `machine::events`.
#![forbid(unsafe_code)]

pub(crate) mod call_cache;
pub(crate) mod called_goal;
pub(crate) mod calls;
pub(crate) mod definitions;
pub(crate) mod errors;
pub(crate) mod foreign;
pub(crate) mod hook_predicates;
pub(crate) mod lambdas;
pub(crate) mod paused;
pub(crate) mod pausing;
pub(crate) mod query;
pub(crate) mod stops;
pub(crate) mod throw;
pub(crate) mod unwind;
pub(crate) mod wakeups;
