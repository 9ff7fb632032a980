//! Instructions one after the other: the forms of dispatch, the registers, how instructions end.
#![forbid(unsafe_code)]

pub(crate) mod endings;
pub(crate) mod forms;
pub(crate) mod regs;
pub(crate) mod slow_forms;
