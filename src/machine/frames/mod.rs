//! Environments, choice points, frames of the system's own, and the instructions that stand for their ends.

pub(crate) mod frame;
pub(crate) mod goal_stack;
pub(crate) mod layout;
pub(crate) mod shield;
pub(crate) mod stubs;
pub(crate) mod suspend;
