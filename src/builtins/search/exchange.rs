//! A search by several machines, which take its parts from a [`Pool`].
//!
//! At first, one part is the whole search, or the parts are those of a unit ([`division`](super::division)). If another
//! machine requests a part, a machine gives away its oldest branches at its next call.

use super::effects::allow_effects;
use super::helpers::have_done;
use super::pool::{Halt, Pool, Worker};
use super::within::{Around, Within};
use crate::base::atom_table::{Atom, Functor};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::machine::budget::ends::{Amount, Usage};
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::events::trace::CarriedTrace;
use crate::machine::search::carried::Carried;
use crate::machine::search::gauge::Gauge;
use crate::machine::search::path::{Exchange, Step, Work};
use crate::machine::state::Machine;
use crate::machine::template::Template;
use crate::machine::upper_layers::LayerState;
use crate::machine::world::Confinement;
use crate::store::address::EnvAddr;
use crate::store::cell::Cell;
use crate::store::stored::Stored;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// The time after which the first thread requests help with a search.
const ALONE: Duration = Duration::from_millis(1);
/// The term of the solutions of a part, or an exception with its trace.
pub(super) struct Outcome {
    pub(super) term: Carried,
    pub(super) trace: Option<CarriedTrace>,
}

/// The result of a part, which is an error if it raised an exception.
pub(super) type Found = Result<Outcome, Outcome>;

/// The place where a part begins.
pub(super) struct Place {
    path: Vec<Step>,
    /// The share of the part in the whole search, for reports of progress.
    weight: f64,
}

impl Worker for Arc<Watch> {
    fn ask(&self) {
        self.look_at_next_call();
    }

    fn interrupt(&self) {
        Watch::interrupt(self);
        self.look_at_next_call();
    }

    fn is_stopped(&self) -> bool {
        self.stop_wanted()
    }
}

/// A search by several machines.
pub(crate) struct Search {
    /// The maximum number of machines.
    pub(super) threads: usize,
    /// The goal of each machine, as [`surroundings`] returns it. The symbols of the first machine are valid in all.
    goal: Stored,
    /// The module of the goal.
    module: Atom,
    /// The number of calls of the first machine before the search.
    opened: u64,
    /// The number of calls for the finished parts.
    calls: AtomicU64,
    /// The number of steps of builtins in the other machines for these parts.
    steps: AtomicU64,
    pub(super) pool: Pool<Place, Outcome, Arc<Watch>>,
    /// Whether it is time to start the helpers.
    late: AtomicBool,
    /// Whether the helpers were started. Also true if the search needs none.
    begun: AtomicBool,
    pub(super) how: How,
    /// The outer search, if this search is nested.
    within: Option<Within>,
    /// The gauge to which the machines report their progress, if progress is measured.
    gauge: Option<Arc<Gauge>>,
}

/// The way in which a search is divided into parts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// A machine gives a part away only if another machine is idle.
    Needed,
    /// A machine gives away at once all that it can.
    Always,
    /// There are as many parts as helping machines, and each part has its own goal. The first exception ends the
    /// search. The machine that began the search waits.
    Race,
}

/// The search that a machine takes part in.
#[derive(Default)]
pub(super) struct Doing {
    pub(super) search: Option<Arc<Search>>,
    /// The number of the machine in the search.
    worker: usize,
    /// The part that the machine searches, and the path to its beginning.
    pub(super) part: usize,
    pub(super) path: Vec<Step>,
    /// Whether the machine has a part.
    pub(super) busy: bool,
    /// The budget of the part. Spending it abandons the part.
    budget: Option<i64>,
    /// The states of the outer searches, if this search is nested.
    pub(super) around: Vec<Around>,
}

impl LayerState for Doing {}

/// The work of all machines for the goal of the last search. Other work for the parts does not count, such as the calls
/// on the way to their beginnings.
#[derive(Copy, Clone, Debug)]
pub(super) struct Made {
    /// The number of calls of the first machine before the search.
    pub(super) opened: u64,
    /// The number of calls for the search.
    pub(super) calls: u64,
    /// The number of steps of builtins in the other machines.
    pub(super) steps: u64,
}

impl Search {
    /// Returns a search by at most `threads` machines. Each machine runs `goal` in `module`. The paths in `parts` lead to
    /// the first parts, in the order of their solutions.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(super) fn new(
        m: &mut Machine,
        (goal, module): (Cell, Atom),
        threads: usize,
        (how, parts): (How, Vec<Vec<Step>>),
        outer: Option<Arc<Search>>,
    ) -> Result<Arc<Search>, Stop> {
        let goal = surroundings(m, goal)?;
        let goal = m.store.store_ball(goal)?;
        let weight = 1.0 / parts.len() as f64;
        let places = parts.into_iter().map(|path| Place { path, weight });
        let first = Arc::clone(&m.store.events.watch);
        let measured = how != How::Race && outer.is_none();
        let gauge = m.own_gauge().filter(|_| measured);
        if let Some(gauge) = &gauge {
            gauge.begin(true);
        }
        let search = Arc::new(Search {
            threads,
            goal,
            module,
            opened: m.inferences(),
            calls: AtomicU64::new(0),
            steps: AtomicU64::new(0),
            pool: Pool::new(first, places, how == How::Race)?,
            late: AtomicBool::new(false),
            begun: AtomicBool::new(threads == 1),
            how,
            within: outer.map(Within::new),
            gauge,
        });
        if threads > 1 && how != How::Race && search.within.is_none() {
            let own = Arc::clone(&search);
            // If the system has no thread, one machine does the whole search.
            have_done(Box::new(move || own.wait_for_begin()));
        }
        Ok(search)
    }

    /// Waits for [`ALONE`]. If the search is not over then, makes the first machine start the helpers.
    fn wait_for_begin(&self) {
        if !self.pool.is_over_within(ALONE) {
            self.late.store(true, Ordering::Release);
            self.pool.ask_first();
        }
    }

    /// Takes a part for a machine that has none, and starts its budget. Returns the number of the budget, or `None` once
    /// all parts are done.
    ///
    /// # Errors
    /// Returns the exception that stops the machine while it waits.
    pub(super) fn next(&self, m: &mut Machine) -> Result<Option<i64>, Throw> {
        let worker = m.world.layers.of::<Doing>().worker;
        let (part, place) = match self.pool.next(worker) {
            Ok(Some(taken)) => taken,
            Ok(None) => return Ok(None),
            Err(halt) => return halted(m, halt).map(|_| None),
        };
        let doing = m.world.layers.of::<Doing>();
        (doing.part, doing.path, doing.busy) = (part, place.path, true);
        if self.gauge.is_some() {
            m.begin_measured_part(place.weight);
        }
        let budget = m.open_budget(Amount::Inferences(u64::MAX / 2))?;
        m.world.layers.of::<Doing>().budget = Some(budget);
        m.start_budget(budget)?;
        Ok(Some(budget))
    }

    /// Returns whether it is time to start the helpers.
    fn is_late(&self) -> bool {
        match &self.within {
            Some(within) => within.is_late(),
            None => self.late.load(Ordering::Acquire),
        }
    }

    /// Stores the result of the part of a machine, and counts the work for it.
    pub(super) fn done(&self, m: &mut Machine, found: Found, work: Work) {
        let doing = m.world.layers.of::<Doing>();
        doing.busy = false;
        let part = doing.part;
        // The first machine has already counted its own steps.
        if doing.worker > 0 {
            self.steps.fetch_add(work.steps, Ordering::Relaxed);
        }
        m.undid_calls(work.on_the_way);
        m.store.watch.undid(work.steps_on_the_way);
        self.calls.fetch_add(work.calls, Ordering::Relaxed);
        self.pool.done(part, found);
    }

    /// Ends the search even if parts are left, and waits until no machine works on it.
    pub(super) fn end(&self) {
        if let Some(gauge) = &self.gauge {
            gauge.end_shared();
        }
        self.pool.end();
    }

    /// Returns the results of all parts in order, up to the first exception.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(super) fn take_found(&self, m: &mut Machine) -> Result<Vec<Found>, Stop> {
        let all = self.pool.take_found()?;
        *m.world.layers.of::<Option<Made>>() = Some(Made {
            opened: self.opened,
            calls: self.calls.load(Ordering::Relaxed),
            steps: self.steps.load(Ordering::Relaxed),
        });
        Ok(all)
    }

    /// Returns whether the machines report their progress.
    pub(super) fn is_measured(&self) -> bool {
        self.gauge.is_some()
    }

    /// Starts the helper threads. Each gets a machine that is made from the present state of this one.
    fn begin(self: &Arc<Self>, m: &mut Machine) -> Result<(), Stop> {
        if m.world.tables.evaluating() {
            return Ok(());
        }
        let whole = m.world.host.refusing.unwrap_or(m.world.host.builtins);
        if m.unnoticed(Machine::compile_own).is_err() {
            return Err(Stop);
        }
        m.publish()?;
        let template = Arc::new(m.template()?);
        let memory = m.store.area_bytes();
        let confinement = Confinement {
            builtins: whole,
            ..m.confinement()
        };
        let always = m.run.collector.always;
        let allowance = m.allowance();
        let reported: Arc<[_]> = m.reported_undefined()?.into();
        let helpers = match (self.how, &self.within) {
            (How::Race, _) => self.threads,
            (_, Some(within)) => within.idle().min(self.threads - 1),
            _ => self.threads - 1,
        };
        for _ in 0..helpers {
            let search = Arc::clone(self);
            let template = Arc::clone(&template);
            let confinement = confinement.clone();
            let reported = Arc::clone(&reported);
            let job = move || {
                let given = (always, allowance, &*reported);
                search.work(&template, memory, &confinement, given);
                search.pool.drop_helper();
            };
            self.pool.add_helper();
            if !have_done(Box::new(job)) {
                self.pool.drop_helper();
                break;
            }
        }
        Ok(())
    }

    /// Starts the helpers of a race and waits for its end. Returns `false` if the helpers ended before the race was over.
    ///
    /// # Errors
    /// Returns the exception that stops the machine while it waits.
    pub(super) fn race(self: &Arc<Self>, m: &mut Machine) -> Result<bool, Throw> {
        self.begin(m)?;
        match self.pool.wait_for_helpers() {
            Ok(over) => Ok(over),
            Err(halt) => halted(m, halt),
        }
    }

    /// Searches parts until none are left.
    fn take_part(&self, m: &mut Machine, allowance: Usage) -> Result<(), Throw> {
        let term = m.store.load_term(&self.goal)?;
        let goal = surround(m, term)?;
        let begun = m.begin_host_budget(allowance, Usage::NONE)?;
        let outcome = m.call_own(goal, self.module);
        m.end_host_budget(begun);
        outcome.map(drop)
    }

    /// Does the work of a helper thread for the search.
    fn work(
        self: &Arc<Self>,
        template: &Template,
        memory: usize,
        to: &Confinement,
        (always, allowance, reported): (bool, Usage, &[Functor]),
    ) {
        if self.pool.is_over() {
            return;
        }
        let Ok(mut machine) = template.machine(memory, to) else {
            return;
        };
        let _guard = ReportsPanics(self);
        let m = &mut *machine;
        m.run.collector.always = always;
        if m.wake().is_err() || m.note_reported_undefined(reported).is_err() {
            return;
        }
        let Ok(worker) = self.pool.join(Arc::clone(&m.store.events.watch)) else {
            return;
        };
        let doing = m.world.layers.of::<Doing>();
        (doing.search, doing.worker) = (Some(Arc::clone(self)), worker);
        if let Some(gauge) = &self.gauge
            && m.join_gauge(gauge).is_err()
        {
            return;
        }
        let outcome = self.take_part(m, allowance);
        if let Err(throw) = outcome
            && !self.pool.is_over()
        {
            match throw.0.ball {
                Ball::Spent(..) => self.pool.spend(),
                Ball::OutOfMemory => self.pool.broke("a thread of a search has no memory"),
                _ => self.pool.broke("a thread of a search was stopped"),
            }
        }
        m.end_branches();
        if m.world.layers.of::<Doing>().busy {
            self.pool.leave();
        }
    }
}

/// Ends the work of a machine for its part: closes the budget, and forbids no effects any more. Returns the work, or `None`
/// if the machine has not reached the beginning of the part.
pub(super) fn leave_part(m: &mut Machine) -> Option<Work> {
    allow_effects(m);
    let begun = m.run.branches.is_some();
    let work = m.end_branches();
    if let Some(budget) = m.world.layers.of::<Doing>().budget.take() {
        m.close_budget(budget);
    }
    work.or((!begun).then_some(Work::default()))
}

/// Returns the exception that stops a waiting machine, or `false` if the machine knows of none.
fn halted(m: &mut Machine, halt: Halt) -> Result<bool, Throw> {
    if halt == Halt::Spent {
        m.did_calls(u64::MAX);
    }
    m.stop_reason().map_or(Ok(false), Err)
}

/// Returns a term with the goal and its context: the assumptions, and the global variables that are set until
/// backtracking. The goal and the context share variables.
fn surroundings(m: &mut Machine, goal: Cell) -> Result<Cell, Stop> {
    let mut parts = Vec::new();
    parts.put(goal)?;
    parts.put(m.context_term()?)?;
    for (name, value) in m.local_globals()? {
        parts.put(Cell::atom(name))?;
        parts.put(value)?;
    }
    m.store.list_of(&parts)
}

/// Gives the context from [`surroundings`] to a new machine, and returns the goal.
fn surround(m: &mut Machine, term: Cell) -> Result<Cell, Stop> {
    let mut parts = Vec::new();
    m.store.list_items(term, &mut parts)?;
    m.take_context(parts[1])?;
    for variable in parts[2..].chunks_exact(2) {
        m.set_local_global(variable[0].as_atom(), variable[1])?;
    }
    Ok(parts[0])
}

/// A guard that ends the search if the thread panics.
struct ReportsPanics<'a>(&'a Search);

impl Drop for ReportsPanics<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.pool.broke("a thread of a search has panicked");
        }
    }
}

/// The search of a machine, as the exchange of its branches.
pub(super) struct Own(pub(super) Arc<Search>);

impl Exchange<Machine> for Own {
    fn is_due(&self) -> bool {
        // A nested search does not set `late`: the idle machines of the outer search make this machine look.
        self.0.late.load(Ordering::Relaxed) && !self.0.begun.load(Ordering::Relaxed)
    }

    fn best(&self) -> Option<&AtomicI64> {
        self.0.within.as_ref().map(|within| &within.best)
    }

    fn look(&self, m: &mut Machine, e: EnvAddr) -> Result<(), Stop> {
        let search = &self.0;
        if !search.begun.load(Ordering::Acquire)
            && search.is_late()
            && !search.begun.swap(true, Ordering::AcqRel)
        {
            search.begin(m)?;
        }
        if search.how == How::Race {
            return Ok(());
        }
        let doing = m.world.layers.of::<Doing>();
        let (part, budget) = (doing.part, doing.budget);
        if let Some(budget) = budget
            && search.pool.is_in_vain(part)
        {
            m.spend_budget(budget);
            return Ok(());
        }
        if search.how == How::Always {
            m.store.watch.look_at_next_call();
        } else if !search.pool.wanted() {
            return Ok(());
        }
        let Some(path) = m.split_branches(e)? else {
            return Ok(());
        };
        let weight = m.take_given_weight();
        search.pool.give(part, Place { path, weight });
        Ok(())
    }
}
