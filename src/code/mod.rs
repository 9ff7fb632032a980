//! The instruction set of the machine, and its listing. What instructions do is in `machine`, what emits them in
//! `compile`.
//! Sees `base` and `ir`.
#![forbid(unsafe_code)]
pub(crate) mod frame_map;
pub(crate) mod instruction;
pub(crate) mod listing;
pub(crate) mod pairs;
