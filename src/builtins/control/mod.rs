//! Control constructs, collections of solutions, budgets and tables of goals (ISO 7.8, 8.10, 8.15). What the machine does for
//! them is in `machine`.
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
