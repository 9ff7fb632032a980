//! How much goals may do, and how long.
#![forbid(unsafe_code)]

pub(crate) mod limits;
pub(crate) mod spending;
pub(crate) mod timer;
