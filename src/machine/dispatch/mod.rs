//! Dispatch: the forms of dispatch, the registers of the loop, the ends of instructions. The bodies of instructions
//! are in `machine::ops`; their numbers, names and operands are in `code::instruction`.
#![forbid(unsafe_code)]

pub(crate) mod endings;
pub(crate) mod forms;
pub(crate) mod regs;
pub(crate) mod slow_forms;
