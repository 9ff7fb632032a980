//! What an engine owns besides its runs: its program as far as programs share nothing yet, what texts and
//! goals have changed for good, and its host. No part of it refers to a stack, a register or the heap of a
//! run, so a run can be dropped, or another one begun, beside it.

use super::builtin::Builtin;
use super::call_cache::CallCache;
use super::evaluables::EvaluableRows;
use super::recorder::Event;
use super::state::Machine;
use super::throw::Throw;
use crate::base::flags::{FlagType, Flags};
use crate::base::grow::Grow;
use crate::base::symbol::{Atom, FastMap, Functor, Symbols, atoms};
use crate::io::stream_table::StreamTable;
use crate::program::files::Files;
use crate::program::module::Modules;
use crate::program::predicate::{PredId, Predicates};
use crate::store::cell::{Addr, Cell};
use crate::store::copy::Stored;
use crate::store::heap::{OutOfMemory, Store};
use crate::store::limit::{Claim, Told};
use indexmap::IndexMap;
use std::any::{Any, TypeId};
use std::hash::{Hash, Hasher};

/// What an engine owns while no goal runs.
pub(crate) struct World {
    /// What is fixed before the first text is loaded.
    pub(crate) program: Program,
    /// Atoms and functors.
    pub(crate) symbols: Symbols,
    /// Predicates.
    pub(crate) predicates: Predicates,
    /// Memory of the clauses of all predicates.
    pub(crate) clauses_claim: Claim,
    /// Modules.
    pub(crate) modules: Modules,
    /// Loaded files.
    pub(crate) files: Files,
    /// Flags.
    pub(crate) flags: Flags,
    /// Flags of programs: names that the engine itself gives no meaning to.
    pub(crate) user_flags: IndexMap<Atom, UserFlag>,
    /// Character conversions (`char_conversion/2`).
    pub(crate) char_conversions: FastMap<char, char>,
    /// Global variables.
    pub(crate) globals: super::globals::Globals,
    /// The module in which queries and loaded clauses stand.
    pub(crate) source_module: Atom,
    /// The system's own library is being loaded: its predicates may be defined.
    pub(crate) booting: bool,
    /// Are clauses selected by indexes? Without, all are tried in order: to test that selection
    /// changes nothing.
    pub(crate) indexing: bool,
    /// How often something was done, or shown, that lasts from query to query.
    pub(crate) effects: u64,
    /// What goals of call/N mean.
    pub(crate) call_cache: CallCache,
    /// The outside.
    pub(crate) host: Host,
    /// What the layers above do for the machine.
    pub(crate) hooks: Hooks,
    /// State that upper layers keep in the engine, by type.
    pub(crate) extensions: Extensions,
}

/// What is fixed before the first text is loaded, and the same in all engines.
pub(crate) struct Program {
    /// All builtins; `Kind::Builtin` and builtin instructions index it.
    pub(crate) builtins: Vec<&'static Builtin>,
    /// The names and arities of those that programs can call.
    pub(super) builtin_functors: Vec<Option<Functor>>,
    /// Evaluable functors that instructions of their own fall back to.
    pub(crate) evaluables: super::evaluables::Evaluables,
    /// The evaluable functors.
    pub(crate) evaluable_rows: EvaluableRows,
    /// Predicates that the machine itself calls.
    pub(crate) system: SystemPredicates,
}

/// What of its surroundings an engine works with.
pub(crate) struct Host {
    /// Streams.
    pub(crate) streams: StreamTable,
}

impl World {
    /// The world of an engine whose runs have areas like these: it knows these builtins and no predicates.
    pub(crate) fn new(builtins: Vec<&'static Builtin>, hooks: Hooks, store: &Store) -> Box<World> {
        let mut symbols = Symbols::new();
        let modules = Modules::new(&mut symbols);
        symbols.watch(store.watcher(Told::Names));
        Box::new(World {
            program: Program {
                builtins,
                builtin_functors: Vec::new(),
                evaluables: super::evaluables::Evaluables::new(),
                evaluable_rows: EvaluableRows::new(&mut symbols),
                system: SystemPredicates::default(),
            },
            symbols,
            predicates: Predicates::default(),
            clauses_claim: Claim::default(),
            modules,
            files: Files::default(),
            flags: Flags::of_programs(),
            user_flags: IndexMap::new(),
            char_conversions: FastMap::default(),
            globals: super::globals::Globals::default(),
            source_module: atoms::USER,
            booting: false,
            indexing: true,
            effects: 0,
            call_cache: CallCache::new(),
            host: Host {
                streams: StreamTable::watched(&store.events.watch),
            },
            hooks,
            extensions: Extensions::default(),
        })
    }
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
    pub(crate) draw: Draw,
    /// Shows a port that a traced goal comes by: what is to be done then.
    pub(crate) trace_port: fn(&mut Machine, &super::tracer::Event) -> super::tracer::Command,
    /// Tells that a goal of Lolli fails because nothing defines its predicate.
    pub(crate) undefined: fn(&mut Machine, Functor, &super::trace::Trace),
    /// What is known of the clause of the user's that an address lies in.
    pub(crate) user_clause: fn(&Machine, Addr) -> Option<super::tracer::InClause>,
    /// Tells which symbols and predicates the layers above hold.
    pub(crate) held: fn(&mut Machine, &mut Held),
    /// Is told which predicates were forgotten, in order.
    pub(crate) forgotten: fn(&mut Machine, &[PredId]),
    /// The texts of arguments of a goal, abbreviated so that they fit into a line together.
    pub(crate) abbreviated: fn(&Machine, &[Cell]) -> Box<[String]>,
    /// The text of a term of Lolli, for a message.
    pub(crate) lolli_text: fn(&Machine, Cell) -> String,
}

/// What tells of an event: the terms of the assumptions in it, or of its goal, and the file and line where what it
/// tells of stands.
pub(crate) type Draw = fn(&mut Machine, Event, &[Cell], Option<(u32, u32)>);

/// What the layers above hold while goals run.
#[derive(Default)]
pub(crate) struct Held {
    pub(crate) atoms: Vec<Atom>,
    pub(crate) functors: Vec<Functor>,
    pub(crate) predicates: Vec<PredId>,
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
