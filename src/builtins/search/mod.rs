//! Searching by several threads: the parts of a search, the machines that search them, and what becomes of their
//! results; and parts that other processes search. The branches of a search are noted and given away in
//! `machine::search`; the goals around are in `prelude/control/threads.pl`.
#![forbid(unsafe_code)]

mod division;
mod effects;
mod exchange;
mod helpers;
pub(crate) mod parts;
mod pool;
mod within;

use crate::machine::builtin::Builtin;

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[parts::PARTS, division::DIVISIONS];
