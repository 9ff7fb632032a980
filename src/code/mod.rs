//! The instruction set of the machine, and its listing.
#![forbid(unsafe_code)]

pub(crate) mod frame_map;
pub(crate) mod instruction;
pub(crate) mod listing;
pub(crate) mod pairs;
