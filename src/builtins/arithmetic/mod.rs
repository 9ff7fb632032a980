//! The builtins that evaluate and compare expressions: `is/2`, `=:=/2`, `succ/2` and others (ISO 8.6, 8.7). The
//! functions are in `arith`, the evaluation of terms in `machine::evaluate`, constraints in
//! `builtins::constraints`.
#![forbid(unsafe_code)]

pub(crate) mod numbers;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[numbers::NUMBERS];
