//! The instruction set of the machine, and listings of code.
//! `machine` runs the instructions, `compile` emits them.
//! Sees `base` and `ir`.
#![forbid(unsafe_code)]
pub(crate) mod frame_map;
pub(crate) mod instruction;
pub(crate) mod listing;
pub(crate) mod pairs;
