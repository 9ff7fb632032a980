//! How many calls goals may make and how long they may take: limits, what was spent, the thread that tells the time. The
//! depth of calls is limited in `machine::events::depth`, memory in `store::memory_limit`. What a spent budget raises is in
//! `machine::control::stops`.
#![forbid(unsafe_code)]

pub(crate) mod ends;
pub(crate) mod limits;
pub(crate) mod spending;
pub(crate) mod timer;
