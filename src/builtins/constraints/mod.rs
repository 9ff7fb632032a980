//! The builtins under `library(clpfd)`: posting constraints, domains as terms, labeling, and the errors of all
//! these. Domains, propagators and their algorithms are in `fd`. The predicates that programs call are in
//! `prelude/constraints/clpfd.pl`.
#![forbid(unsafe_code)]

pub(crate) mod arrangements;
pub(crate) mod labeling;
pub(crate) mod posting;
pub(crate) mod relations;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[
    posting::CONSTRAINTS,
    relations::RELATIONS,
    labeling::LABELS,
    arrangements::ARRANGEMENTS,
];
