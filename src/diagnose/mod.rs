//! The contents of messages: warnings about clauses, hints, and the places where exceptions were raised.
//! Printing and keeping of messages is in `source`; `load` requests the warnings.
//! Sees `base`, `store`, `ir`, `arith`, `io`, `text`, `code`, `front`, `program`, `machine`, `builtins`, `source` and
//! `library`.
#![forbid(unsafe_code)]

pub(crate) mod backtrace;
pub(crate) mod caught;
pub(crate) mod goal_places;
#[cfg(test)]
pub(crate) mod goal_places_tests;
pub(crate) mod handed_goals;
pub(crate) mod hint;
pub(crate) mod internal_predicates;
pub(crate) mod messages;
pub(crate) mod not_remembered;
pub(crate) mod origin;
pub(crate) mod other_systems;
pub(crate) mod refused;
pub(crate) mod rules;
pub(crate) mod similar;

use crate::machine::builtin::Builtin;

/// The tables of builtins of this room.
pub(crate) const TABLES: &[&[Builtin]] = &[caught::CAUGHT, messages::TOLD];
