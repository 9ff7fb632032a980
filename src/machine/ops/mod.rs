//! The bodies of instructions, a file for each kind. A function here runs one instruction, whose operands its
//! comment names. Code that several instructions share is in `machine::control`, their order in
//! `machine::dispatch`, their table in `code`.
#![forbid(unsafe_code)]

pub(crate) mod arith;
pub(crate) mod branch;
pub(crate) mod builtin;
pub(crate) mod collect;
pub(crate) mod constraint;
pub(crate) mod context;
pub(crate) mod control;
pub(crate) mod depth;
pub(crate) mod fact;
pub(crate) mod guard;
pub(crate) mod import;
pub(crate) mod index;
pub(crate) mod interpret;
pub(crate) mod list;
pub(crate) mod meta;
pub(crate) mod recorded;
pub(crate) mod scoped;
pub(crate) mod table;
pub(crate) mod term;
pub(crate) mod trace;
pub(crate) mod unify;
