//! Primitives of control constructs, collections of solutions, budgets and tables of goals (ISO 7.8, 8.10, 8.15). No goal
//! is called here: what calls goals is Prolog text in `prelude/iso/control.pl` and `prelude/control`. Choice points, frames
//! and exceptions are in `machine::control` and `machine::ops`.
#![forbid(unsafe_code)]

pub(crate) mod bags;
pub(crate) mod budgets;
pub(crate) mod constructs;
pub(crate) mod tables;

use crate::machine::builtin::Builtin;

/// The tables of builtins here.
pub(crate) const TABLES: &[&[Builtin]] = &[
    constructs::CONTROL,
    bags::BAGS,
    budgets::BUDGETS,
    tables::TABLES_OF_GOALS,
];
