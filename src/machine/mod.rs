//! The abstract machine: registers, frames, dispatch, control, exceptions. It does not depend on texts, the compiler or the
//! builtins. It gets the builtins as a table, and uses the layers above through `upper_layers`.
//! Sees `base`, `store`, `ir`, `arith`, `io`, `code`, `fd` and `program`.
pub(crate) mod budget;
pub(crate) mod builtin;
mod constraints;
pub(crate) mod contexts;
pub(crate) mod control;
pub(crate) mod dispatch;
pub(crate) mod evaluable_rows;
pub(crate) mod evaluate;
pub(crate) mod events;
pub(crate) mod frames;
pub(crate) mod host_scope;
pub(crate) mod lolli;
pub(crate) mod lolli_arith;
pub(crate) mod memory;
pub(crate) mod ops;
pub(crate) mod permits;
pub(crate) mod program_ops;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod startup;
pub(crate) mod state;
pub(crate) mod tables;
pub(crate) mod template;
pub(crate) mod upper_layers;
pub(crate) mod world;
