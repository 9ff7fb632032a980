//! Prolog text: from characters to a flat syntax tree (ISO 13211-1, clause 6 and 7.1), and from terms to characters
//! (7.10.5, `format/2`). The folder `lolli` does both for Lolli text. This room knows names, operators and flags,
//! but no streams or files. Only the writers see terms on the heap; the readers do not.
//! Sees `base`, `store` and `arith`.
#![forbid(unsafe_code)]
pub(crate) mod ast;
pub(crate) mod bounded_text;
pub(crate) mod char_class;
pub(crate) mod clause_extent;
mod conversion;
mod error_rows;
mod format_columns;
pub(crate) mod format_directives;
pub(crate) mod layout;
pub(crate) mod lexemes;
pub(crate) mod lexer;
pub(crate) mod lolli;
pub(crate) mod name_table;
pub(crate) mod numeral;
mod parse_error;
pub(crate) mod parser;
pub(crate) mod query_tests;
mod quoted;
mod reduce;
pub(crate) mod resume;
pub(crate) mod syntax_error;
pub(crate) mod syntax_hints;
#[cfg(test)]
pub(crate) mod tests;
mod text_lists;
pub(crate) mod token;
pub(crate) mod token_out;
pub(crate) mod var_names;
pub(crate) mod write_atom;
pub(crate) mod write_cycles;
pub(crate) mod write_options;
pub(crate) mod writer;
