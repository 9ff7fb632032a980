//! What goals do, told to those who watch: observers, recorder, tracer, search trees, backtraces.
#![forbid(unsafe_code)]

pub(crate) mod backtrace;
pub(crate) mod call_chain;
pub(crate) mod depth;
pub(crate) mod limit_goal;
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
