//! Evaluation and comparison of expressions (ISO 8.6, 8.7). The functions themselves are in `arith`.
#![forbid(unsafe_code)]

pub(crate) mod numbers;

use crate::machine::builtin::Builtin;

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[numbers::NUMBERS];
