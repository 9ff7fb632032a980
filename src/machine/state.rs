//! The machine: its registers and everything an engine owns.

use super::builtin::Builtin;
use super::call_cache::CallCache;
use super::dispatch::{Outcome, Regs};
use super::evaluate::EvaluableRows;
use super::shield::Shield;
use super::throw::Throw;
use super::trace::Traces;
use crate::base::flags::{FlagType, Flags, OccursCheck};
use crate::base::grow::Grow;
use crate::base::needs::Permit;
use crate::base::symbol::{Atom, FastMap, Functor, Symbols, atoms};
use crate::io::stream_table::StreamTable;
use crate::program::files::Files;
use crate::program::module::Modules;
use crate::program::predicate::{PredId, Predicates};
use crate::store::cell::{Addr, Cell};
use crate::store::copy::Stored;
use crate::store::heap::{OutOfMemory, Store};
use crate::store::limit::{Claim, Told};
use std::any::{Any, TypeId};
use std::hash::{Hash, Hasher};

/// Number of registers: those of compiled code, and a few for the machine's own choice points.
pub(crate) const REGISTERS: usize = crate::code::instruction::REGISTERS + 8;
/// Greatest arity of a predicate.
pub(crate) const MAX_PREDICATE_ARITY: usize = 255;

/// What collects the solutions of a goal.
#[derive(Debug)]
pub(crate) enum Bag {
    /// Copies of terms: their words, and the root of each.
    Terms(Vec<u64>, Vec<u64>, Claim),
    /// Their number.
    Count(u128),
}

/// Compiles clauses for the machine: given by the layer that knows the compiler.
#[derive(Copy, Clone)]
pub(crate) struct Hooks {
    /// Builds the index code of a predicate: node `node`, or the root for `None`. Returns the
    /// address to go on at.
    pub(crate) link: fn(&mut Machine, PredId, Option<usize>) -> u64,
    /// Assumes what files declare, at the beginning of a query.
    pub(crate) assume_declared: fn(&mut Machine) -> Result<(), Throw>,
    /// Compiles the clauses of a deferred predicate, or looks for the definition of an undefined
    /// one in the libraries; true if it was found and loaded.
    pub(crate) autoload: fn(&mut Machine, PredId) -> Result<bool, Throw>,
    /// Loads the library that defines this module, if there is one and it is not loaded.
    pub(crate) load_module: fn(&mut Machine, Atom) -> Result<(), Throw>,
    /// Is told of a predicate that is about to be declared to be something.
    pub(crate) declares: fn(&mut Machine, PredId),
    /// What is assumed of a predicate, as a formula.
    pub(crate) formula:
        fn(&mut Machine, PredId, super::assumption::Assumed) -> Result<Cell, OutOfMemory>,
    /// Has the libraries heed the flag `occurs_check`, which is not false any more.
    pub(crate) heed_occurs_check: fn(&mut Machine) -> Result<(), Throw>,
    /// Shows an event of a context that is traced.
    pub(crate) trace_context: fn(&mut Machine, super::recorder::Event, &[Cell]),
    /// Tells of an event of a search tree.
    pub(crate) draw: super::search_tree::Draw,
    /// Shows a port that a traced goal comes by: what is to be done then.
    pub(crate) trace_port: fn(&mut Machine, &super::tracer::Event) -> super::tracer::Command,
    /// Tells that a goal of Lolli fails because nothing defines its predicate.
    pub(crate) undefined: fn(&mut Machine, Functor, &super::trace::Trace),
    /// What is known of the clause of the user's that an address lies in.
    pub(crate) user_clause: fn(&Machine, Addr) -> Option<super::traced_depth::InClause>,
    /// Tells which symbols and predicates the layers above hold.
    pub(crate) held: fn(&mut Machine, &mut super::unreferenced::Held),
    /// Is told which predicates were forgotten, in order.
    pub(crate) forgotten: fn(&mut Machine, &[PredId]),
    /// The texts of arguments of a goal, abbreviated so that they fit into a line together.
    pub(crate) abbreviated: fn(&Machine, &[Cell]) -> Box<[String]>,
    /// The text of a term of Lolli, for a message.
    pub(crate) lolli_text: fn(&Machine, Cell) -> String,
}

/// Predicates that the machine itself calls; the library defines them.
#[derive(Copy, Clone, Debug)]
pub(crate) struct SystemPredicates {
    /// `'$run_wakeups'(List)`
    pub(crate) run_wakeups: PredId,
    /// `'$within_scope'(Goal)`
    pub(crate) within_scope: PredId,
    /// `'$wake_within_scope'(List)`
    pub(crate) wake_within_scope: PredId,
    /// `lolli_session:from_prolog(Goal)`
    pub(crate) from_prolog: PredId,
    /// `'$try_unify'(X, Y)`
    pub(crate) try_unify: PredId,
    /// `'$clean_up'(Goals)`
    pub(crate) run_cleanups: PredId,
    /// The same, for a time when an exception is under way.
    pub(crate) run_cleanups_silently: PredId,
    /// `'$and'(A, B, Module, Cut)`
    pub(crate) conjunction: PredId,
    /// `'$or'(A, B, Module, Cut)`
    pub(crate) disjunction: PredId,
    /// `'$if'(C, T, Module, Cut)`
    pub(crate) if_then: PredId,
    /// `'$if'(C, T, E, Module, Cut)`
    pub(crate) if_then_else: PredId,
    /// `'$soft'(C, T, Module, Cut)`
    pub(crate) soft_if_then: PredId,
    /// `'$soft'(C, T, E, Module, Cut)`
    pub(crate) soft_if_then_else: PredId,
    /// `'$table_unmet'(Consumer, Answer)`
    pub(crate) table_unmet: PredId,
    /// `user:exception(Kind, Context, Action)`, a hook of programs
    pub(crate) exception: PredId,
    /// `'$undefined_goal'(Goal)`
    pub(crate) undefined_goal: PredId,
    /// `'$undefined_variable'(Name, Predicate)`
    pub(crate) undefined_variable: PredId,
}

impl Default for SystemPredicates {
    fn default() -> SystemPredicates {
        let none = PredId(0);
        SystemPredicates {
            run_wakeups: none,
            from_prolog: none,
            within_scope: none,
            wake_within_scope: none,
            try_unify: none,
            run_cleanups: none,
            run_cleanups_silently: none,
            conjunction: none,
            disjunction: none,
            if_then: none,
            if_then_else: none,
            soft_if_then: none,
            soft_if_then_else: none,
            table_unmet: none,
            exception: none,
            undefined_goal: none,
            undefined_variable: none,
        }
    }
}

/// How a machine was asked to be.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Limits {
    /// Bytes of all areas together.
    pub(crate) memory: usize,
}

/// An engine's machine.
///
/// Registers carry the letter of the WAM literature in their doc comment. Inside the dispatch loop
/// P, H, S and E live in local variables (see `dispatch`); the fields are then out of date.
#[repr(C)]
pub(crate) struct Machine {
    /// A1, …, X1, …: argument and temporary registers.
    pub(crate) x: [Cell; REGISTERS],
    /// Heap, trail and their registers H, HB, TR.
    pub(crate) store: Store,
    /// E: the present environment.
    pub(crate) env: u64,
    /// CP: where the present goal continues.
    pub(crate) cont: u64,
    /// Two terms of the same tag that are still to be unified, and where to go on.
    pub(crate) unify_rest: (Cell, Cell, u64),
    /// A term and what is being written to be unified with it.
    pub(crate) written: (Cell, Cell),
    /// The list that the present instruction reads, for its slow function.
    pub(crate) list_at: u64,
    /// The registers while an instruction is done out of line.
    pub(crate) saved: Regs,
    /// The instruction that is to be done by this function.
    pub(crate) rare: (u64, super::dispatch::Slow),
    /// What trying a unification with its hooks came to, for the instruction that asked for it.
    pub(crate) tried: Option<bool>,
    /// How the run ended.
    pub(crate) outcome: Option<Outcome>,
    /// Dispatch by handlers that call each other.
    pub(crate) tail_calls: bool,
    /// Where the stack of the host was at the end of the last run.
    pub(crate) stack_mark: u64,
    /// B: the newest choice point.
    pub(crate) choice: u64,
    /// B0: the choice point at the present predicate's call.
    pub(crate) cut_choice: u64,
    /// The choice point that the present instruction cuts to, for its slow function.
    pub(crate) cut_to: u64,
    /// Environments below this address are kept by a choice point.
    pub(crate) env_floor: u64,
    /// The newest choice point of a pending cleanup, 0 for none.
    pub(crate) cleanup_choice: u64,
    /// Entry addresses of all predicates.
    pub(crate) entries: u64,
    /// Heap top at which the next collection is due.
    pub(crate) collect_at: u64,
    /// Bytes of the other areas that the last collection looked at.
    pub(crate) scanned_stacks: u64,
    /// Calls made before the last collection.
    pub(crate) collected_at: u64,
    /// Collect at every call: to test that collections change nothing.
    pub(crate) collect_always: bool,
    /// Are clauses selected by indexes? Without, all are tried in order: to test that selection
    /// changes nothing.
    pub(crate) indexing: bool,
    /// Where the heap ended after the last collection, if that ended in an error, and the calls
    /// made until then.
    pub(crate) full_at: Option<(u64, u64)>,
    /// Collections of the heap, and sweeps of symbols.
    pub(crate) collections: super::collection_log::Collections,
    /// Collections are put off while this is not zero: somebody holds cells that are no roots.
    pub(crate) collect_paused: u32,
    /// Evaluable functors that instructions of their own fall back to.
    pub(crate) evaluables: super::ops_arith::Evaluables,
    /// Counts calls; it overflows when a budget may be spent.
    pub(crate) calls: u64,
    /// What it was before the first: see [`Machine::inferences`].
    pub(crate) calls_base: u64,
    /// The exception under way.
    pub(crate) pending: Option<Throw>,
    /// The predicate that the pending error names.
    pub(crate) raise_context: Option<Functor>,
    /// The instruction that has raised it; 0 if none has.
    pub(crate) raised_at: Addr,
    /// From where exceptions were raised that were caught.
    pub(crate) traces: Traces,
    /// Predicates that the machine itself calls.
    pub(crate) system: SystemPredicates,
    /// Goals for which what stops the query waits, outer ones first.
    pub(super) shields: Vec<Shield>,
    /// Collections under way, innermost last.
    pub(crate) bags: Vec<Bag>,
    /// Memory of the clauses of all predicates.
    pub(crate) clauses_claim: Claim,
    /// Memory of that stack itself.
    pub(crate) bags_claim: Claim,
    /// Instructions that the machine itself jumps to.
    pub(crate) stubs: super::stubs::Stubs,
    /// Atoms and functors.
    pub(crate) symbols: Symbols,
    /// Flags.
    pub(crate) flags: Flags,
    /// How often something was done, or shown, that lasts from query to query.
    pub(crate) effects: u64,
    /// Character conversions (`char_conversion/2`).
    pub(crate) char_conversions: FastMap<char, char>,
    /// Predicates.
    pub(crate) predicates: Predicates,
    /// Modules.
    pub(crate) modules: Modules,
    /// What goals have assumed.
    pub(crate) contexts: super::contexts::Contexts,
    /// What notes what goals assume and use, while one is asked for.
    pub(crate) recorder: Option<Box<super::recorder::Recorder>>,
    /// The last one that has ended.
    pub(crate) recorded: Option<Box<super::recorder::Recorder>>,
    /// What is known of queries that are stopped and go on.
    pub(crate) pausing: super::pausing::Pausing,
    /// What is found out of the time that goals take.
    pub(crate) profiles: super::profile::Profiles,
    /// What the tracer was told.
    pub(crate) tracer: super::tracer::Tracer,
    /// The predicate that an instruction is about to call, and where that is, while calls are noted.
    pub(super) expected_call: Option<(PredId, Addr)>,
    /// Blocks of memory that builtins leave to the next.
    pub(crate) spare: super::spare::Spare,
    /// Loaded files.
    pub(crate) files: Files,
    /// Streams.
    pub(crate) streams: StreamTable,
    /// All builtins; `Kind::Builtin` and builtin instructions index it.
    pub(crate) builtins: Vec<&'static Builtin>,
    /// The names and arities of those that programs can call.
    pub(super) builtin_functors: Vec<Option<Functor>>,
    /// Global variables.
    pub(crate) globals: super::globals::Globals,
    /// Flags of programs: names that the engine itself gives no meaning to.
    pub(crate) user_flags: indexmap::IndexMap<Atom, UserFlag>,
    /// What the compiler does for the machine.
    pub(crate) hooks: Hooks,
    /// Limits.
    pub(crate) limits: Limits,
    /// What goals may use up.
    pub(crate) budgets: super::budget::Budgets,
    /// The system's own library is being loaded: its predicates may be defined.
    pub(crate) booting: bool,
    /// The module in which queries and loaded clauses stand.
    pub(crate) source_module: Atom,
    /// State that upper layers keep in the engine, by type.
    pub(crate) extensions: Extensions,
    /// What goals of call/N mean.
    pub(crate) call_cache: CallCache,
    /// The evaluable functors.
    pub(crate) evaluable_rows: EvaluableRows,
    /// Scratch clause of the compiler.
    pub(crate) clause: crate::ir::clause::Clause,
    /// Room for the parts of a clause.
    pub(crate) scratch: crate::program::clause::Scratch,
}

/// A flag that a program has made or set.
pub(crate) struct UserFlag {
    pub(crate) value: Stored,
    /// May programs set it?
    pub(crate) writable: bool,
    /// What it may be set to.
    pub(crate) kind: FlagType,
}

/// Values of upper layers, one for each type.
#[derive(Default)]
pub(crate) struct Extensions {
    values: Vec<(TypeId, Box<dyn Any + Send>)>,
    /// Where the value of a type was found last, by some bits of its number.
    places: [u8; 32],
}

/// Keeps what is hashed of a type: a number that is a hash already.
#[derive(Default)]
struct TypeNumber(u64);

impl Hasher for TypeNumber {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl Extensions {
    /// The value of this type, made if there is none.
    #[inline]
    pub(crate) fn get<T: Default + Send + 'static>(&mut self) -> &mut T {
        let id = TypeId::of::<T>();
        let mut number = TypeNumber::default();
        id.hash(&mut number);
        let bits = number.finish() as usize % self.places.len();
        let mut place = usize::from(self.places[bits]);
        if self.values.get(place).is_none_or(|(other, _)| *other != id) {
            place = self.find(id, || Box::<T>::default());
            self.places[bits] = u8::try_from(place).unwrap_or(u8::MAX);
        }
        match self.values[place].1.downcast_mut::<T>() {
            Some(value) => value,
            None => unreachable!("the key is the type"),
        }
    }

    /// The place of the value of a type.
    #[cold]
    fn find(&mut self, id: TypeId, new: impl FnOnce() -> Box<dyn Any + Send>) -> usize {
        let found = self.values.iter().position(|(other, _)| *other == id);
        found.unwrap_or_else(|| {
            self.values.put((id, new()));
            self.values.len() - 1
        })
    }
}

impl Machine {
    /// A machine that knows these builtins and no predicates.
    pub(crate) fn new(
        builtins: Vec<&'static Builtin>,
        hooks: Hooks,
        limits: Limits,
    ) -> Result<Box<Machine>, OutOfMemory> {
        let mut symbols = Symbols::new();
        let (modules, store) = (Modules::new(&mut symbols), Store::new(limits.memory)?);
        symbols.watch(store.watcher(Told::Names));
        let (env, choice) = (store.env.base, store.choice.base);
        let streams = StreamTable::watched(Permit::issue(), Permit::issue(), &store.events.watch);
        let mut machine = Box::new(Machine {
            x: [Cell::int(0); REGISTERS],
            store,
            saved: Regs::NONE,
            list_at: 0,
            written: (Cell::int(0), Cell::int(0)),
            unify_rest: (Cell::int(0), Cell::int(0), 0),
            rare: (0, |_, _| ()),
            tried: None,
            outcome: None,
            tail_calls: false,
            stack_mark: 0,
            env,
            cont: 0,
            choice,
            cut_choice: choice,
            cut_to: 0,
            env_floor: env,
            cleanup_choice: 0,
            entries: 0,
            collect_at: 0,
            scanned_stacks: 0,
            collect_always: false,
            indexing: true,
            collected_at: 0,
            full_at: None,
            collections: super::collection_log::Collections::default(),
            collect_paused: 0,
            evaluables: super::ops_arith::Evaluables::new(),
            calls: 0,
            calls_base: 0,
            pending: None,
            raise_context: None,
            raised_at: 0,
            traces: Traces::default(),
            system: SystemPredicates::default(),
            shields: Vec::new(),
            bags: Vec::new(),
            bags_claim: Claim::default(),
            clauses_claim: Claim::default(),
            stubs: super::stubs::Stubs::new(),
            evaluable_rows: EvaluableRows::new(&mut symbols),
            symbols,
            flags: Flags::of_programs(),
            effects: 0,
            char_conversions: FastMap::default(),
            predicates: Predicates::default(),
            modules,
            contexts: super::contexts::Contexts::default(),
            recorder: None,
            recorded: None,
            pausing: super::pausing::Pausing::default(),
            profiles: super::profile::Profiles::default(),
            tracer: super::tracer::Tracer::default(),
            expected_call: None,
            spare: super::spare::Spare::default(),
            files: Files::default(),
            streams,
            builtin_functors: Vec::new(),
            builtins,
            globals: super::globals::Globals::default(),
            user_flags: indexmap::IndexMap::new(),
            hooks,
            limits,
            budgets: super::budget::Budgets::default(),
            booting: false,
            source_module: atoms::USER,
            call_cache: CallCache::new(),
            extensions: Extensions::default(),
            clause: crate::ir::clause::Clause::default(),
            scratch: crate::program::clause::Scratch::default(),
        });
        machine.prepare();
        Ok(machine)
    }

    /// Makes it ready for text to be loaded.
    fn prepare(&mut self) {
        self.symbols.set_memory(self.store.area_bytes());
        self.define_system_predicates();
        self.reset_stacks();
        self.tail_calls = super::dispatch::tail_calls_hold(self);
        self.reset_stacks();
    }

    /// Unifies two terms (7.3.2); with the flag `occurs_check`, to acyclic terms only.
    #[inline]
    pub(crate) fn unify(&mut self, a: Cell, b: Cell) -> bool {
        if self.flags.occurs_check != OccursCheck::False {
            return self.store.unify_occurs_check(a, b);
        }
        self.store.unify(a, b)
    }
}
