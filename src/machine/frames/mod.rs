//! Environments, choice points and frames of the system: their words, functions that make and drop them, and the
//! instructions that continue them. The code that makes each frame is in `machine::ops` and `machine::control`.
//! `docs/machine.md` draws all frames.

pub(crate) mod frame;
pub(crate) mod goal_stack;
pub(crate) mod layout;
pub(crate) mod shield;
pub(crate) mod stubs;
pub(crate) mod suspend;
