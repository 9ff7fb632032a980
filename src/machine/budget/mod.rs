//! Limits of calls and time for goals: the limits, the amounts spent, and the timer thread. `machine::events::depth`
//! limits the depth of calls, and `store::memory_limit` limits memory. `machine::control::stops` raises the
//! exceptions of spent budgets.
#![forbid(unsafe_code)]

pub(crate) mod ends;
pub(crate) mod limits;
pub(crate) mod spending;
pub(crate) mod timer;
