//! Environments, choice points and frames of the system: their words, making and dropping them, the instructions that
//! they continue with. Who makes which frame is in `machine::ops` and `machine::control`; `docs/machine.md` draws all.

pub(crate) mod frame;
pub(crate) mod goal_stack;
pub(crate) mod layout;
pub(crate) mod shield;
pub(crate) mod stubs;
pub(crate) mod suspend;
