//! Where an exception was raised, as it is kept: the addresses of code from which control got there, and the
//! goals, as far as they are known.
#![forbid(unsafe_code)]

use crate::base::atom_table::Functor;
use crate::program::predicate::PredId;
use crate::store::address::{CodeAddr, EnvAddr};
use crate::store::cell::Cell;

/// From where an exception was raised.
#[derive(Clone, Debug)]
pub(crate) struct Trace {
    /// The instruction that raised it, 0 if none did, and then the continuations, innermost first:
    /// the calls whose frames a last call has replaced are not among them. The second one may be an
    /// old one of the innermost clause.
    pub(crate) addresses: Box<[CodeAddr]>,
    /// The predicate or builtin whose call raised it.
    pub(crate) culprit: Option<Functor>,
    /// The first arguments of that call as they were, for comparison only: nothing keeps what they point at. None
    /// if they are not known.
    pub(crate) args: Box<[Cell]>,
    /// All continuations as far as they are of use, those above among them.
    pub(crate) callers: Box<[Caller]>,
    /// What is known of goals, if anything is.
    pub(crate) goals: Option<Box<Goals>>,
}

/// What is known of the goals that led to an exception.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goals {
    /// The callers with their goals as far as goals were noted: then those of the trace come after these.
    pub(crate) chain: Option<Chain>,
    /// The goal that was being called or was running where a limit was met, if registers tell.
    pub(crate) met: Option<Met>,
}

/// A goal at which a limit was met.
#[derive(Clone, Debug)]
pub(crate) struct Met {
    /// Name and arity.
    pub(crate) functor: Functor,
    /// The texts of its arguments, abbreviated.
    pub(crate) args: Box<[String]>,
    /// Has one of its clauses been entered?
    pub(crate) entered: bool,
    /// Is its predicate one of the system's?
    pub(crate) system: bool,
}

/// An error that a program has caught: where it was raised is told if the program raises it again.
#[derive(Debug)]
pub(crate) struct Caught {
    /// The words of its term.
    pub(in crate::machine) cells: Box<[u64]>,
    /// From where it was raised.
    pub(in crate::machine) trace: Box<Trace>,
}

impl Caught {
    /// The words of its term.
    pub(in crate::machine) fn words(&self) -> &[u64] {
        &self.cells
    }

    /// The predicate or builtin whose call raised it.
    pub(in crate::machine) fn culprit(&self) -> Option<Functor> {
        self.trace.culprit
    }
}

/// What is known of exceptions that were caught.
#[derive(Debug, Default)]
pub(crate) struct Traces {
    /// From where the one was raised that `'$raised'(Ball)` has caught last.
    pub(crate) last: Option<Box<Trace>>,
    /// The error that the program has caught last, in case it raises it again.
    pub(crate) caught: Option<Caught>,
}

/// Where a goal continues, and how many times in a row it does so there.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The address of code after the call.
    pub(crate) address: CodeAddr,
    /// So many frames in a row have it.
    pub(crate) times: u32,
}

/// A goal that was called, as it is told.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// Its predicate.
    pub(crate) predicate: PredId,
    /// The texts of its arguments, abbreviated.
    pub(crate) args: Box<[String]>,
}

/// The callers of a goal as far as goals were noted, before anything is unwound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    /// Where each waits, innermost first: as continuations.
    pub(crate) callers: Vec<Caller>,
    /// The goal of each, if it is known.
    pub(crate) goals: Vec<Option<Called>>,
    /// Where the others are to be looked for.
    pub(in crate::machine) rest: Option<(CodeAddr, EnvAddr)>,
}
