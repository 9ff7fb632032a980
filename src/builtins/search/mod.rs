//! Searches by several threads: the parts of a search, the machines that search them, and the use of their results. Also
//! the division of a search into parts that other processes search. `machine::search` notes the branches of a search and
//! gives them away. The Prolog predicates that use these builtins are in `prelude/control/threads.pl`.
#![forbid(unsafe_code)]

mod division;
mod effects;
mod exchange;
mod helpers;
pub(crate) mod parts;
mod pool;
mod within;

use crate::machine::builtin::Builtin;

/// The tables of builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[parts::PARTS, division::DIVISIONS];
