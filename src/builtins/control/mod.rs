//! Primitives of control constructs, collections of solutions, budgets and tables of goals (ISO 7.8, 8.10, 8.15).
//! No builtin here calls a goal. The predicates that call goals are Prolog text in `prelude/iso/control.pl` and
//! `prelude/control`. Choice points, frames and exceptions are in `machine::control` and `machine::ops`.
#![forbid(unsafe_code)]

pub(crate) mod bags;
pub(crate) mod budgets;
pub(crate) mod constructs;
pub(crate) mod tables;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[
    constructs::CONTROL,
    bags::BAGS,
    budgets::BUDGETS,
    tables::TABLES_OF_GOALS,
];
