//! The builtins of linear logic: beginnings and ends of assumptions, explanations, search trees. Records, chains
//! and scopes of assumptions are in `machine::contexts`, connectives in clauses in `front::linear`. Modules and
//! sessions of the language Lolli are in `lolli`.
#![forbid(unsafe_code)]

pub(crate) mod contexts;
pub(crate) mod explain;
pub(crate) mod lolli;
pub(crate) mod lolli_text;
pub(crate) mod search_tree;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[
    contexts::CONTEXTS,
    explain::EXPLAIN,
    search_tree::SEARCH_TREE,
    lolli::LOLLI,
];
