//! The state of queries that are stopped and can resume.
#![forbid(unsafe_code)]

use crate::base::atom_table::Functor;
use crate::io::stream::StreamId;
use crate::machine::events::tracer::Mode;
use crate::store::address::CodeAddr;

/// The state of queries that are stopped and can resume.
#[derive(Debug, Default)]
pub(crate) struct Pausing {
    /// Whether an interrupted query is paused instead of ended.
    pub(crate) wanted: bool,
    /// Whether the host handles sessions within the running query.
    pub(crate) breaks: bool,
    /// The place where a paused query resumes, and the reason for the pause.
    pub(crate) at: Option<(CodeAddr, Why)>,
    /// The number of nested runs.
    pub(crate) runs: u32,
}

/// The reason why a query was paused.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The user interrupted it when it was about to call this predicate.
    Interrupted(Functor),
    /// The query waits for a session within it.
    Break,
    /// The query waits for an inner prompt that is part of the query.
    Prompt,
}

/// A paused query.
#[derive(Debug)]
pub(crate) struct Paused {
    /// The place where the query resumes.
    pub(in crate::machine) at: CodeAddr,
    /// The reason for the pause.
    pub(crate) why: Why,
    /// The state to restore.
    pub(in crate::machine) before: Option<Before>,
}

/// The state that a prompt within a query puts aside.
#[derive(Debug)]
pub(in crate::machine) struct Before {
    /// The budgets that are paused meanwhile.
    pub(in crate::machine) budgets: Vec<i64>,
    /// The further state that a session puts aside.
    pub(in crate::machine) of_session: Option<BeforeSession>,
}

/// The state that a session within a query puts aside.
#[derive(Debug)]
pub(in crate::machine) struct BeforeSession {
    /// The mode of the tracer.
    pub(in crate::machine) mode: Mode,
    /// The current streams. The session reads from and writes to the user's streams.
    pub(in crate::machine) input: StreamId,
    pub(in crate::machine) output: StreamId,
}
