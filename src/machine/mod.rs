//! The abstract machine: registers, frames, dispatch, control, exceptions. It knows no text, no
//! compiler and no builtin; builtins come as a table, and the compiler works through `linker`.

mod assumed_clause;
pub(crate) mod assumption;
pub(crate) mod budget;
pub(crate) mod builtin;
pub(crate) mod collect;
pub(crate) mod collection_log;
mod context_keys;
pub(crate) mod context_lookup;
mod context_scopes;
pub(crate) mod contexts;
pub(crate) mod definitions;
pub(crate) mod dispatch;
pub(crate) mod evaluate;
mod foreign;
pub(crate) mod frame;
pub(crate) mod lolli;
pub(crate) mod ops_arith;
pub(crate) mod ops_context;
pub(crate) mod ops_control;
pub(crate) mod ops_import;
pub(crate) mod ops_index;
pub(crate) mod ops_list;
pub(crate) mod ops_meta;
pub(crate) mod ops_record;
pub(crate) mod ops_scoped;
pub(crate) mod ops_unify;
pub(crate) mod program_ops;
pub(crate) mod query;
pub(crate) mod recorded;
pub(crate) mod recorder;
pub(crate) mod state;
pub(crate) mod sweep;
pub(crate) mod throw;
pub(crate) mod trace;
pub(crate) mod unwind;
pub(crate) mod wakeups;
