//! Stored traces of exceptions: the addresses of code through which control reached the exception, and the
//! goals as far as they are known.
#![forbid(unsafe_code)]

use crate::base::atom_table::Functor;
use crate::program::predicate::PredId;
use crate::store::address::{CodeAddr, EnvAddr};
use crate::store::cell::Cell;

/// The trace of an exception.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// The instruction that raised it, 0 if there is none, and then the continuations, innermost first. Calls whose
    /// frames a last call has replaced are missing. The second address may be an old one of the innermost clause.
    pub(crate) addresses: Box<[CodeAddr]>,
    /// The predicate or builtin whose call raised the exception.
    pub(crate) culprit: Option<Functor>,
    /// The first arguments of that call, for comparison only: their cells do not protect the terms that they refer
    /// to. Empty if they are not known.
    pub(crate) args: Box<[Cell]>,
    /// All useful continuations, those above included.
    pub(crate) callers: Box<[Caller]>,
    /// The known goals, if there are any.
    pub(crate) goals: Option<Box<Goals>>,
}

/// The trace of an exception on its way to another machine with the same program. Clauses that only one of the machines
/// has are not found in the other.
#[derive(Debug)]
pub(crate) struct CarriedTrace {
    pub(in crate::machine) addresses: Box<[CodeAddr]>,
    /// Name and arity of the culprit.
    pub(in crate::machine) culprit: Option<(String, usize)>,
    pub(in crate::machine) callers: Box<[Caller]>,
}

/// The known goals that led to an exception.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goals {
    /// The noted callers with their goals. The callers of the trace follow these.
    pub(crate) chain: Option<Chain>,
    /// The goal that was called or ran when it met a limit, if registers still hold it.
    pub(crate) met: Option<Met>,
}

/// A goal that met a limit.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    /// Name and arity.
    pub(crate) functor: Functor,
    /// The texts of the arguments of the goal, abbreviated.
    pub(crate) args: Box<[String]>,
    /// Whether a clause of the predicate was entered.
    pub(crate) entered: bool,
    /// Whether the predicate belongs to the system.
    pub(crate) system: bool,
}

/// An error that a program has caught. If the program raises it again, reports give its first place.
#[derive(Debug)]
pub(crate) struct Caught {
    /// The words of the term of the error.
    pub(in crate::machine) cells: Box<[u64]>,
    /// The trace of the first place of the error.
    pub(in crate::machine) trace: Box<Trace>,
}

impl Caught {
    /// Returns the words of its term.
    pub(in crate::machine) fn words(&self) -> &[u64] {
        &self.cells
    }

    /// Returns the predicate or builtin whose call raised it.
    pub(in crate::machine) fn culprit(&self) -> Option<Functor> {
        self.trace.culprit
    }
}

/// The traces of caught exceptions.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    /// The trace of the exception that `'$raised'(Ball)` has caught last.
    pub(crate) last: Option<Box<Trace>>,
    /// The error that the program has caught last. The program may raise it again.
    pub(crate) caught: Option<Caught>,
}

/// The continuation of a goal, and the number of frames in a row that have it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The address of the code after the call.
    pub(crate) address: CodeAddr,
    /// Number of frames in a row with this continuation.
    pub(crate) times: u32,
}

/// A called goal, as reports show it.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// The predicate of the goal.
    pub(crate) predicate: PredId,
    /// The texts of the arguments of the goal, abbreviated.
    pub(crate) args: Box<[String]>,
}

/// The noted callers of a goal, before anything is unwound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    /// The address where each caller waits, as a continuation; innermost first.
    pub(crate) callers: Vec<Caller>,
    /// The goal of each, if it is known.
    pub(crate) goals: Vec<Option<Called>>,
    /// The continuation and environment from which the other callers are searched.
    pub(in crate::machine) rest: Option<(CodeAddr, EnvAddr)>,
}
