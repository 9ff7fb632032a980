//! Garbage collection of the heap, sweeps of symbols, code that is given back, global variables.
#![forbid(unsafe_code)]

pub(crate) mod bitmap;
pub(crate) mod block_cache;
pub(crate) mod collect;
pub(crate) mod collection_log;
pub(crate) mod global_variables;
pub(crate) mod globals;
pub(crate) mod reclaim;
pub(crate) mod sweep;
pub(crate) mod unreferenced;
