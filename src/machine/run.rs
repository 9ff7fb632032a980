//! What belongs to the goals that run, besides the areas and the registers: it ends with them, but for the values of
//! global variables, which lie in the areas, too.
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

/// The parts of a run that compiled code seldom meets.
pub(crate) struct Run {
    /// Bytes of all areas together.
    pub(crate) memory: usize,
    /// Dispatch by handlers that call each other.
    pub(crate) tail_calls: bool,
    /// How the run ended.
    pub(crate) outcome: Option<Outcome>,
    /// Where the stack of the host was at the end of the last run.
    pub(crate) stack_mark: u64,
    /// A term and what is being written to be unified with it, between the instructions that do so.
    pub(crate) written: (Cell, Cell),
    /// What trying a unification with its hooks came to, for the instruction that asked for it.
    pub(crate) tried: Option<bool>,
    /// Exceptions.
    pub(crate) raising: Raising,
    /// Goals for which what stops the query waits, outer ones first.
    pub(super) shields: Vec<Shield>,
    /// Collections of solutions under way, innermost last.
    pub(crate) bags: Vec<Bag>,
    /// Memory of that stack itself.
    pub(crate) bags_claim: Claim,
    /// How often goals have seen or changed what their arguments do not tell, though backtracking undoes it.
    pub(crate) unseen: u64,
    /// The branches that a search has taken whose parts are for several machines.
    pub(crate) branches: Option<Box<Branches<Machine>>>,
    /// Those of the searches around it, outermost first, and whether they are noted.
    pub(crate) outer_branches: Vec<(Option<Box<Branches<Machine>>>, bool)>,
    /// What tells others how far the search is, where somebody wants to know.
    pub(crate) meter: Option<Box<Meter>>,
    /// Solutions that are given in parts.
    pub(crate) kept_solutions: KeptSolutions,
    /// Constraints over integers that are to be propagated: nothing between two goals.
    pub(crate) propagation: Queue,
    /// Global variables: their values lie on the heap, and stay there when the goals have ended.
    pub(crate) globals: Globals,
    /// What goals have assumed.
    pub(crate) contexts: Contexts,
    /// What goals may use up.
    pub(crate) budgets: Budgets,
    /// Collections of garbage.
    pub(crate) collector: Collector,
    /// Who watches the goals.
    pub(crate) observers: Observers,
    /// What is known of queries that are stopped and go on.
    pub(crate) pausing: Pausing,
    /// Blocks of memory that builtins leave to the next.
    pub(crate) spare: Spare,
    /// Scratch clause of the compiler.
    pub(crate) clause: Clause,
    /// Functions that wait for values, within an evaluation.
    pub(crate) waiting: Vec<Waiting>,
    /// Room for the parts of a clause.
    pub(crate) scratch: Scratch,
}

/// A function that waits for the value of an argument of a compound.
#[derive(Copy, Clone)]
pub(crate) enum Waiting {
    /// For its only one.
    One(EvalId),
    /// For its first; the second lies at this address.
    First(EvalId, HeapAddr),
    /// For its second; this is the value of the first.
    Second(EvalId, Small),
}

/// How a run ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// The query has a solution.
    Success,
    /// The query has no further solution.
    Failure,
    /// An exception reached the query.
    Exception(Throw),
}

/// The exception under way, and those that were caught.
#[derive(Default)]
pub(crate) struct Raising {
    /// The exception under way.
    pub(crate) pending: Option<Throw>,
    /// The predicate that the pending error names.
    pub(crate) context: Option<Functor>,
    /// The instruction that has raised it; 0 if none has.
    pub(crate) at: CodeAddr,
    /// From where exceptions were raised that were caught.
    pub(crate) traces: Traces,
}

/// Who watches the goals.
#[derive(Default)]
pub(crate) struct Observers {
    /// What notes what goals assume and use, while one is asked for.
    pub(crate) recorder: Option<Box<Recorder>>,
    /// The last one that has ended.
    pub(crate) recorded: Option<Box<Recorder>>,
    /// Who is told what goals do.
    pub(crate) observing: Observing<Machine>,
    /// What the tracer was told.
    pub(crate) tracer: Tracer,
    /// How the last query of the host came out.
    pub(crate) last_query: LastQuery,
    /// The predicate that an instruction is about to call, and where that is, while calls are noted.
    pub(super) expected_call: Option<(PredId, CodeAddr)>,
}

/// How the last query of the host came out.
#[derive(Default)]
pub(crate) struct LastQuery {
    /// If it had no solution, or raised an exception before it had one, its goal with its module.
    pub(crate) failed: Option<Stored>,
    /// Had it a solution?
    pub(crate) succeeded: bool,
    /// Is it to be said why, whenever one fails?
    pub(crate) explain: bool,
}

impl LastQuery {
    /// The last query had no solution; there may be no room for its goal.
    pub(crate) fn note_failed(&mut self, goal: Option<Stored>) {
        self.failed = goal;
        self.succeeded = false;
    }

    /// The last query had a solution.
    pub(crate) fn note_succeeded(&mut self) {
        self.failed = None;
        self.succeeded = true;
    }
}

impl Run {
    /// No goal runs yet.
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
