//! The builtins on terms: unification, type tests, comparison, creation and change, lists, sorting, attributed and
//! global variables (ISO 8.2 to 8.5). The algorithms are in `store`. Terms as texts are in `builtins::term_io`,
//! atoms and strings in `builtins::texts`.
#![forbid(unsafe_code)]

pub(crate) mod assign;
pub(crate) mod attributes;
pub(crate) mod globals;
pub(crate) mod lists;
pub(crate) mod sorting;
pub(crate) mod term;
pub(crate) mod term_order;
pub(crate) mod type_check;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[
    lists::LISTS,
    sorting::SORTING,
    term_order::TERM_ORDER,
    term::TERM,
    assign::ASSIGN,
    globals::GLOBALS,
    attributes::ATTRIBUTES,
    type_check::TYPE_CHECK,
];
