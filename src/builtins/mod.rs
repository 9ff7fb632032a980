//! The builtins: tables of what every program may call, one file for each theme of ISO 13211-1,
//! clause 8. A file joins [`TABLES`] once.
#![forbid(unsafe_code)]

pub(crate) mod args;
mod arrangements;
pub(crate) mod assign;
pub(crate) mod atom_lists;
pub(crate) mod atoms;
pub(crate) mod atoms_sub;
pub(crate) mod attributes;
pub(crate) mod bags;
pub(crate) mod budgets;
pub(crate) mod calendar;
pub(crate) mod captures;
mod char_io;
pub(crate) mod char_types;
pub(crate) mod clause_index;
pub(crate) mod clause_info;
pub(crate) mod clause_reader;
mod clause_search;
pub(crate) mod clauses;
pub(crate) mod constraints;
pub(crate) mod contexts;
pub(crate) mod control;
pub(crate) mod database;
pub(crate) mod database_info;
pub(crate) mod dates;
pub(crate) mod dcg;
mod declarations;
pub(crate) mod errors_io;
pub(crate) mod explain;
mod facts;
pub(crate) mod file_names;
pub(crate) mod files;
pub(crate) mod flags;
pub(crate) mod format;
pub(crate) mod globals;
#[cfg(test)]
mod instruction_manual;
mod known_flags;
mod labeling;
mod line_io;
pub(crate) mod lists;
pub(crate) mod lolli;
pub(crate) mod lolli_text;
pub(crate) mod modules;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod operators;
mod read_layout;
pub(crate) mod records;
mod relations;
pub(crate) mod search_tree;
pub(crate) mod sorting;
pub(crate) mod stored;
pub(crate) mod stream_properties;
pub(crate) mod streams;
pub(crate) mod strings;
pub(crate) mod system;
mod system_names;
pub(crate) mod tables;
pub(crate) mod term;
pub(crate) mod term_order;
pub(crate) mod term_read;
pub(crate) mod term_text;
pub(crate) mod term_write;
pub(crate) mod type_check;
mod zero_arity;

use crate::machine::builtin::Builtin;

/// All tables.
pub(crate) const TABLES: &[&[Builtin]] = &[
    control::CONTROL,
    bags::BAGS,
    budgets::BUDGETS,
    contexts::CONTEXTS,
    constraints::CONSTRAINTS,
    relations::RELATIONS,
    labeling::LABELS,
    arrangements::ARRANGEMENTS,
    explain::EXPLAIN,
    search_tree::SEARCH_TREE,
    lists::LISTS,
    sorting::SORTING,
    term_order::TERM_ORDER,
    term::TERM,
    assign::ASSIGN,
    globals::GLOBALS,
    attributes::ATTRIBUTES,
    atoms::ATOMS,
    atoms_sub::ATOMS_SUB,
    strings::STRINGS,
    atom_lists::ATOM_LISTS,
    char_types::CHAR_TYPES,
    term_text::TERM_TEXT,
    names::NAMES,
    numbers::NUMBERS,
    flags::FLAGS,
    operators::OPERATORS,
    system::SYSTEM,
    tables::TABLES_OF_GOALS,
    dates::DATES,
    type_check::TYPE_CHECK,
    char_io::CHAR_IO,
    files::FILES,
    file_names::FILE_NAMES,
    format::FORMAT,
    line_io::LINE_IO,
    stream_properties::STREAM_PROPERTIES,
    streams::STREAMS,
    term_read::TERM_READ,
    term_write::TERM_WRITE,
    database::DATABASE,
    clause_info::CLAUSE_INFO,
    records::RECORDS,
    database_info::DATABASE_INFO,
    declarations::DECLARATIONS,
    modules::MODULES,
    lolli::LOLLI,
];
