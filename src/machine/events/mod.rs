//! Observation of goals: observers, recorder, tracer, search trees, notes for backtraces, the depth of calls. These modules
//! note the actions of goals; `tools` and `diagnose` show them. A program that is not observed pays nothing for them.
#![forbid(unsafe_code)]

pub(crate) mod backtrace;
pub(crate) mod call_chain;
pub(crate) mod depth;
pub(crate) mod limit_goal;
pub(crate) mod notify;
pub(crate) mod observer;
pub(crate) mod recorded;
pub(crate) mod recorder;
pub(crate) mod recording;
pub(crate) mod search_tree;
pub(crate) mod trace;
pub(crate) mod traced_depth;
pub(crate) mod traced_goals;
pub(crate) mod tracer;
pub(crate) mod watched;
pub(crate) mod watching;
