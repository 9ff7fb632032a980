//! How instructions follow each other: the forms of dispatch, the registers of the loop, how an instruction ends. What an
//! instruction does is in `machine::ops`; its number, name and operands are in `code::instruction`.
#![forbid(unsafe_code)]

pub(crate) mod endings;
pub(crate) mod forms;
pub(crate) mod regs;
pub(crate) mod slow_forms;
