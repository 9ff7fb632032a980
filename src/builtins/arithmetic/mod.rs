//! Evaluation and comparison of expressions as builtins: `is/2`, `=:=/2`, `succ/2` and the like (ISO 8.6, 8.7). The
//! functions themselves are in `arith`, the evaluation of terms in `machine::evaluate`, constraints in
//! `builtins::constraints`.
#![forbid(unsafe_code)]

pub(crate) mod numbers;

use crate::machine::builtin::Builtin;

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[numbers::NUMBERS];
