//! The solutions of goals: bags that copy or count them, and counting without finding each. This directory also
//! divides a search among cores. `machine::builtin` holds the knowledge of builtins about their own solutions.
//! `machine::ops::collect` holds the instructions that collect.
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
