//! The state of an engine besides its runs: its program, as far as it is not shared; the lasting changes that texts
//! and goals have made; and its host. No part of it refers to a stack, a register or the heap of a run. So a run can
//! be dropped, or another one begun, beside it.
#![forbid(unsafe_code)]

use super::builtin::Builtin;
use super::control::call_cache::CallCache;
use super::evaluable_rows::{EvaluableRows, Evaluables};
use super::state::Machine;
use super::tables::Tables;
use super::upper_layers::{Layers, Upper};
use crate::arith::random::RandomState;
use crate::base::atom_table::{Atom, FastMap, FastSet, Functor, Symbols, atoms};
use crate::base::flags::{FlagType, Flags};
use crate::base::needs::{Guarded, Needs, Permit, Random};
use crate::base::shared::Shared;
use crate::base::stop::Stop;
use crate::io::files::Directory;
use crate::io::policy::Policy;
use crate::io::stream_table::StreamTable;
use crate::program::files::Files;
use crate::program::module::Modules;
use crate::program::predicate::PredId;
use crate::program::predicates::Predicates;
use crate::program::records::Records;
use crate::store::claims::{Claim, Reported};
use crate::store::heap::Store;
use crate::store::stored::Stored;
use indexmap::IndexMap;
use std::sync::Arc;

/// The state of an engine while no goal runs.
pub(crate) struct World {
    /// The data that is fixed before the first text is loaded.
    pub(crate) foundation: Shared<Foundation>,
    /// Atoms and functors.
    pub(crate) symbols: Symbols,
    /// Predicates.
    pub(crate) predicates: Predicates,
    /// Memory of the clauses of all predicates.
    pub(crate) clauses_claim: Claim,
    /// The recorded database.
    pub(crate) records: Records,
    /// Modules.
    pub(crate) modules: Modules,
    /// Loaded files.
    pub(crate) files: Files,
    /// Flags.
    pub(crate) flags: Flags,
    /// Flags of programs: names without a meaning for the engine itself.
    pub(crate) user_flags: Shared<IndexMap<Atom, UserFlag>>,
    /// Character conversions (`char_conversion/2`).
    pub(crate) char_conversions: Shared<FastMap<char, char>>,
    /// The module of queries and loaded clauses.
    pub(crate) source_module: Atom,
    /// Whether the system's own library is being loaded, so that its predicates may be defined.
    pub(crate) booting: bool,
    /// Whether indexes select clauses. If not, all clauses are tried in order; tests compare the two.
    pub(crate) indexing: bool,
    /// Number of effects, and looks at effects, that last from query to query.
    pub(crate) effects: u64,
    /// The cache of goals of call/N.
    pub(crate) call_cache: CallCache,
    /// The surroundings.
    pub(crate) host: Host,
    /// The answers of tabled goals.
    pub(crate) tables: Tables,
    /// Predicates of Lolli that were already reported as undefined.
    pub(super) reported_undefined: FastSet<Functor>,
    /// The layers above, for the work that they do for the machine.
    pub(crate) upper: &'static dyn Upper<Machine>,
    /// The state of the layers above.
    pub(crate) layers: Layers,
}

/// The data that is fixed before the first text is loaded. It is equal in all engines.
#[derive(Clone)]
pub(crate) struct Foundation {
    /// The names and arities of the builtins that programs can call.
    pub(super) builtin_functors: Vec<Option<Functor>>,
    /// Evaluable functors that arithmetic instructions fall back to.
    pub(crate) evaluables: Evaluables,
    /// The evaluable functors.
    pub(crate) evaluable_rows: EvaluableRows,
    /// Predicates that the machine itself calls.
    pub(crate) system: SystemPredicates,
}

/// The surroundings that an engine works with.
pub(crate) struct Host {
    /// All builtins; `Kind::Builtin` and the instructions for builtins index it. A builtin that the policy does not
    /// grant is replaced by a record that refuses it.
    pub(crate) builtins: &'static [&'static Builtin],
    /// While builtins with effects are refused: the table of all builtins without these refusals.
    pub(crate) refusing: Option<&'static [&'static Builtin]>,
    /// The granted capabilities.
    pub(crate) policy: Arc<Policy>,
    /// Streams.
    pub(crate) streams: StreamTable,
    /// The working directory.
    pub(crate) directory: Directory,
    /// The random number generator.
    pub(crate) random: Guarded<RandomState, Random>,
}

/// The confinement of the goals of an engine.
#[derive(Clone)]
pub(crate) struct Confinement {
    /// The granted capabilities.
    pub(crate) policy: Arc<Policy>,
    /// The working directory.
    pub(crate) directory: Directory,
    /// The builtins, with others in place of those that the policy refuses.
    pub(crate) builtins: &'static [&'static Builtin],
}

impl Confinement {
    /// Returns a confinement that grants everything.
    pub(crate) fn none(builtins: &'static [&'static Builtin]) -> Confinement {
        Confinement {
            policy: Arc::new(Policy::FULL),
            directory: Directory::default(),
            builtins,
        }
    }
}

impl World {
    /// Creates the world of an engine that uses this store. It knows these builtins and no predicates.
    pub(crate) fn new(
        builtins: &'static [&'static Builtin],
        upper: &'static dyn Upper<Machine>,
        store: &Store,
    ) -> Result<Box<World>, Stop> {
        let mut symbols = Symbols::new()?;
        let modules = Modules::new(&mut symbols)?;
        symbols.watch(store.watcher(Reported::Names));
        Ok(Box::new(World {
            foundation: Shared::from(Foundation {
                builtin_functors: Vec::new(),
                evaluables: Evaluables::new(),
                evaluable_rows: EvaluableRows::new(&mut symbols)?,
                system: SystemPredicates::default(),
            }),
            symbols,
            predicates: Predicates::default(),
            clauses_claim: Claim::default(),
            records: Records::default(),
            modules,
            files: Files::default(),
            flags: Flags::of_programs(),
            user_flags: Shared::default(),
            char_conversions: Shared::default(),
            source_module: atoms::USER,
            booting: false,
            indexing: true,
            effects: 0,
            call_cache: CallCache::new(),
            host: Host::new(store, &Confinement::none(builtins)),
            tables: Tables::default(),
            reported_undefined: FastSet::default(),
            upper,
            layers: Layers::default(),
        }))
    }
}

impl Host {
    /// Creates the initial surroundings of an engine with this confinement: the standard streams,
    /// and random numbers of its own.
    pub(super) fn new(store: &Store, confinement: &Confinement) -> Host {
        let Confinement {
            policy,
            directory,
            builtins,
        } = confinement.clone();
        let stdin = policy.granted.any(Needs::STDIN).then(Permit::issue);
        let stdout = policy.granted.any(Needs::STDOUT).then(Permit::issue);
        let random = policy
            .seed
            .map_or_else(RandomState::unseeded, RandomState::new);
        Host {
            builtins,
            refusing: None,
            streams: StreamTable::new(stdin, stdout, &store.events.watch),
            policy,
            directory,
            random: Guarded::new(random),
        }
    }
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
    /// `'$run_cleanups_silently'(Goals)`: like `run_cleanups`, while an exception is in progress
    pub(crate) run_cleanups_silently: PredId,
    /// `'$body'(Goal, Module, Cut)`
    pub(crate) body: PredId,
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
    /// `clpz:monotonic`, a flag that programs assert
    pub(crate) clpz_monotonic: PredId,
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
            body: none,
            conjunction: none,
            disjunction: none,
            if_then: none,
            if_then_else: none,
            soft_if_then: none,
            soft_if_then_else: none,
            table_unmet: none,
            exception: none,
            clpz_monotonic: none,
            undefined_goal: none,
            undefined_variable: none,
        }
    }
}

/// A flag that a program has made or set.
#[derive(Clone)]
pub(crate) struct UserFlag {
    pub(crate) value: Arc<Stored>,
    /// Whether programs may set the flag.
    pub(crate) writable: bool,
    /// The type of the values of the flag.
    pub(crate) kind: FlagType,
}
