//! The builtins: tables of the predicates that every program may call. There is a folder for each theme of ISO
//! 13211-1, clause 8. Each file adds its table once to the `TABLES` of its folder. `args` reads the arguments of
//! builtins of all themes. Builtins that load, explain or print programs are in the rooms that do this work.
//! Sees `base`, `store`, `ir`, `arith`, `io`, `text`, `code`, `fd`, `front`, `compile`, `program` and `machine`.
#![forbid(unsafe_code)]
pub(crate) mod args;
pub(crate) mod arithmetic;
pub(crate) mod constraints;
pub(crate) mod control;
pub(crate) mod database;
pub(crate) mod linear;
pub(crate) mod search;
pub(crate) mod streams;
pub(crate) mod system;
pub(crate) mod term_io;
pub(crate) mod terms;
pub(crate) mod texts;

use crate::machine::builtin::Builtin;

/// All tables, ordered by folder.
pub(crate) const TABLES: &[&[&[Builtin]]] = &[
    control::TABLES,
    search::TABLES,
    linear::TABLES,
    constraints::TABLES,
    terms::TABLES,
    texts::TABLES,
    term_io::TABLES,
    arithmetic::TABLES,
    system::TABLES,
    streams::TABLES,
    database::TABLES,
];
