//! Constraints over integers: posting, labeling. The algorithms are in `fd`.
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
