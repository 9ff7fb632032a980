//! Reclamation of memory: garbage collection of the heap, sweeps of symbols, and code without references. Also global
//! variables, which outlive queries. `store` holds the areas and their growth, and `store::memory_limit` the limit of
//! memory.
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
