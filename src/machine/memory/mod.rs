//! What gives memory back: garbage collection of the heap, sweeps of symbols, code that nothing refers to; and global
//! variables, which outlive queries. The areas themselves and how they grow are in `store`, the limit of memory in
//! `store::memory_limit`.
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
