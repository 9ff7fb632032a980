//! The state of the goals that run, besides the areas and the registers. It ends with the goals, except the values of
//! global variables, which are in the areas too.
#![forbid(unsafe_code)]

use super::budget::limits::Budgets;
use super::contexts::slots::Contexts;
use super::control::paused::Pausing;
use super::control::throw::Throw;
use super::events::observer::Observing;
use super::events::recorder::Recorder;
use super::events::trace::Traces;
use super::events::tracer::Tracer;
use super::frames::shield::Shield;
use super::memory::block_cache::Spare;
use super::memory::collection_log::Collector;
use super::memory::globals::Globals;
use super::search::bags::Bag;
use super::search::kept_solutions::KeptSolutions;
use super::search::meter::Meter;
use super::search::path::Branches;
use super::state::Machine;
use crate::arith::evaluable::EvalId;
use crate::arith::small::Small;
use crate::base::atom_table::Functor;
use crate::fd::queue::Queue;
use crate::ir::clause::Clause;
use crate::program::clauses::clause::Scratch;
use crate::program::predicate::PredId;
use crate::store::address::{CodeAddr, HeapAddr};
use crate::store::cell::Cell;
use crate::store::claims::Claim;
use crate::store::stored::Stored;

/// The parts of a run that compiled code seldom needs.
pub(crate) struct Run {
    /// Bytes of all areas together.
    pub(crate) memory: usize,
    /// Whether dispatch uses handlers that call each other.
    pub(crate) tail_calls: bool,
    /// The result of the run.
    pub(crate) outcome: Option<Outcome>,
    /// The address of the Rust stack at the end of the last run.
    pub(crate) stack_mark: u64,
    /// A term, and a compound that is being written to be unified with it. The instructions that write it share this field.
    pub(crate) written: (Cell, Cell),
    /// The result of a trial unification with its hooks, for the instruction that needs it.
    pub(crate) tried: Option<bool>,
    /// The state of exceptions.
    pub(crate) raising: Raising,
    /// Goals that delay the end of their query, outermost first.
    pub(super) shields: Vec<Shield>,
    /// Collections of solutions in progress, innermost last.
    pub(crate) bags: Vec<Bag>,
    /// The claim on memory for the vector `bags`.
    pub(crate) bags_claim: Claim,
    /// Number of times that goals have seen or changed state that their arguments do not show,
    /// though backtracking undoes it.
    pub(crate) unseen: u64,
    /// The branches taken by a search whose parts several machines share.
    pub(crate) branches: Option<Box<Branches<Machine>>>,
    /// The branches of the enclosing searches, outermost first, and whether they are noted.
    pub(crate) outer_branches: Vec<(Option<Box<Branches<Machine>>>, bool)>,
    /// The measurement of the progress of the search, if it is wanted.
    pub(crate) meter: Option<Box<Meter>>,
    /// Solutions that are returned in parts.
    pub(crate) kept_solutions: KeptSolutions,
    /// Constraints over integers that are to be propagated; empty between two goals.
    pub(crate) propagation: Queue,
    /// Global variables. Their values are on the heap, and stay there after the goals have ended.
    pub(crate) globals: Globals,
    /// The assumptions of goals.
    pub(crate) contexts: Contexts,
    /// The limits on the resources of goals.
    pub(crate) budgets: Budgets,
    /// The garbage collector.
    pub(crate) collector: Collector,
    /// The observers of the goals.
    pub(crate) observers: Observers,
    /// The state of queries that stop and go on.
    pub(crate) pausing: Pausing,
    /// Blocks of memory that builtins leave for reuse.
    pub(crate) spare: Spare,
    /// Scratch clause of the compiler.
    pub(crate) clause: Clause,
    /// Functions that wait for values during an evaluation.
    pub(crate) waiting: Vec<Waiting>,
    /// Memory for building a clause.
    pub(crate) scratch: Scratch,
}

/// A function that waits for the value of an argument.
#[derive(Copy, Clone)]
pub(crate) enum Waiting {
    /// A function that waits for its only argument.
    One(EvalId),
    /// A function that waits for its first argument; the second is at this address.
    First(EvalId, HeapAddr),
    /// A function that waits for its second argument; this is the value of the first.
    Second(EvalId, Small),
}

/// The result of a run.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The query has a solution.
    Success,
    /// The query has no further solution.
    Failure,
    /// An exception reached the query.
    Exception(Throw),
}

/// The exception in progress, and those that were caught.
#[derive(Default)]
pub(crate) struct Raising {
    /// The exception in progress.
    pub(crate) pending: Option<Throw>,
    /// The predicate that the pending error names.
    pub(crate) context: Option<Functor>,
    /// The instruction that raised the exception; 0 if none did.
    pub(crate) at: CodeAddr,
    /// The places where caught exceptions were raised.
    pub(crate) traces: Traces,
}

/// The observers of the goals.
#[derive(Default)]
pub(crate) struct Observers {
    /// The recorder of assumptions and their uses, while one is active.
    pub(crate) recorder: Option<Box<Recorder>>,
    /// The last recorder that has ended.
    pub(crate) recorded: Option<Box<Recorder>>,
    /// The observers that get events.
    pub(crate) observing: Observing<Machine>,
    /// The settings and the state of the tracer.
    pub(crate) tracer: Tracer,
    /// The result of the last query of the host.
    pub(crate) last_query: LastQuery,
    /// The predicate that an instruction is about to call, and the address of that instruction, while calls are noted.
    pub(super) expected_call: Option<(PredId, CodeAddr)>,
}

/// The result of the last query of the host.
#[derive(Default)]
pub(crate) struct LastQuery {
    /// The goal with its module, if the query had no solution or raised an exception before its first one.
    pub(crate) failed: Option<Stored>,
    /// Whether the query had a solution.
    pub(crate) succeeded: bool,
    /// Whether each failed query is explained.
    pub(crate) explain: bool,
}

impl LastQuery {
    /// Notes that the last query had no solution. `goal` is `None` if there was no room to store the goal.
    pub(crate) fn note_failed(&mut self, goal: Option<Stored>) {
        self.failed = goal;
        self.succeeded = false;
    }

    /// Notes that the last query had a solution.
    pub(crate) fn note_succeeded(&mut self) {
        self.failed = None;
        self.succeeded = true;
    }
}

impl Run {
    /// Returns the state of a run before its first goal.
    pub(crate) fn new(memory: usize) -> Run {
        Run {
            memory,
            tail_calls: false,
            outcome: None,
            stack_mark: 0,
            written: (Cell::int(0), Cell::int(0)),
            tried: None,
            raising: Raising::default(),
            shields: Vec::new(),
            bags: Vec::new(),
            bags_claim: Claim::default(),
            unseen: 0,
            branches: None,
            outer_branches: Vec::new(),
            meter: None,
            kept_solutions: KeptSolutions::default(),
            propagation: Queue::default(),
            globals: Globals::default(),
            contexts: Contexts::default(),
            budgets: Budgets::default(),
            collector: Collector::default(),
            observers: Observers::default(),
            pausing: Pausing::default(),
            spare: Spare::default(),
            clause: Clause::default(),
            waiting: Vec::new(),
            scratch: Scratch::default(),
        }
    }
}
