//! The builtins that change the program: predicates, their clauses and declarations, modules, records (ISO 8.8,
//! 8.9). `program` stores clauses and predicates, `front` and `compile` compile clauses, and `load` loads files.
#![forbid(unsafe_code)]

pub(crate) mod clause_index;
pub(crate) mod clause_info;
pub(crate) mod clause_search;
pub(crate) mod clauses;
pub(crate) mod dcg;
pub(crate) mod declarations;
pub(crate) mod facts;
pub(crate) mod modules;
pub(crate) mod predicates;
pub(crate) mod records;
pub(crate) mod stored;
pub(crate) mod updates;
pub(crate) mod zero_arity;

use crate::machine::builtin::Builtin;

/// Tables of the builtins in this folder.
pub(crate) const TABLES: &[&[Builtin]] = &[
    updates::DATABASE,
    clause_info::CLAUSE_INFO,
    records::RECORDS,
    predicates::DATABASE_INFO,
    declarations::DECLARATIONS,
    modules::MODULES,
];
