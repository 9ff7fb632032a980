//! The solutions of goals: bags that keep copies of them or count them, and counting without finding each. Dividing a search
//! among cores belongs here, too. What a builtin knows of its own solutions is in `machine::builtin`, the
//! instructions of collecting are in `machine::ops::collect`.
#![forbid(unsafe_code)]

pub(crate) mod bags;
pub(crate) mod branches;
pub(crate) mod carried;
pub(crate) mod counting;
pub(crate) mod decisions;
pub(crate) mod gauge;
pub(crate) mod kept_solutions;
pub(crate) mod measuring;
pub(crate) mod memo;
pub(crate) mod meter;
pub(crate) mod path;
pub(crate) mod remembering;
pub(crate) mod share;
pub(crate) mod splitting;
