//! What is known of queries that are stopped and go on.
#![forbid(unsafe_code)]

use crate::base::atom_table::Functor;
use crate::io::stream::StreamId;
use crate::machine::events::tracer::Mode;
use crate::store::address::CodeAddr;

/// What is known of queries that are stopped and go on.
#[derive(Debug, Default)]
pub(crate) struct Pausing {
    /// Is a query that is interrupted stopped so that it can go on, and not ended?
    pub(crate) wanted: bool,
    /// Does the host hold sessions within the query that runs?
    pub(crate) breaks: bool,
    /// Where a query that was stopped so goes on, and why it was.
    pub(crate) at: Option<(CodeAddr, Why)>,
    /// How many runs there are within each other.
    pub(crate) runs: u32,
}

/// Why a query was stopped.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// It was interrupted when it was about to call this.
    Interrupted(Functor),
    /// It waits for a session within.
    Break,
    /// It waits for a prompt within that is a part of it.
    Prompt,
}

/// A query that was stopped and can go on.
#[derive(Debug)]
pub(crate) struct Paused {
    /// Where.
    pub(in crate::machine) at: CodeAddr,
    /// Why it was stopped.
    pub(crate) why: Why,
    /// What is to be so again.
    pub(in crate::machine) before: Option<Before>,
}

/// What a prompt within a query puts aside.
#[derive(Debug)]
pub(in crate::machine) struct Before {
    /// The budgets that stand still meanwhile.
    pub(in crate::machine) budgets: Vec<i64>,
    /// What a session puts aside besides.
    pub(in crate::machine) of_session: Option<BeforeSession>,
}

/// What a session within a query puts aside.
#[derive(Debug)]
pub(in crate::machine) struct BeforeSession {
    /// What the tracer did.
    pub(in crate::machine) mode: Mode,
    /// The current streams. The session reads and writes where the user is.
    pub(in crate::machine) input: StreamId,
    pub(in crate::machine) output: StreamId,
}
