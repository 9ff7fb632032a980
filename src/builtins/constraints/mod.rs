//! The builtins that `library(clpfd)` rests on: posting constraints, domains as terms, labeling, and the errors of all
//! these. Domains, propagators and their algorithms are in `fd`; the names that programs call are in
//! `prelude/constraints/clpfd.pl`.
#![forbid(unsafe_code)]

pub(crate) mod arrangements;
pub(crate) mod labeling;
pub(crate) mod posting;
pub(crate) mod relations;

use crate::machine::builtin::Builtin;

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[
    posting::CONSTRAINTS,
    relations::RELATIONS,
    labeling::LABELS,
    arrangements::ARRANGEMENTS,
];
