//! A search that several machines have together, by a [`Pool`] of its parts.
//!
//! At first there is one part, which is all of it, or there are those of a unit ([`division`](super::division)). A machine
//! that is asked for a part looks at its next call, and gives away the oldest branches that it has.

use super::helpers::have_done;
use super::pool::{Halt, Pool, Worker};
use super::within::{Around, Within};
use crate::base::atom_table::{Atom, Functor};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::machine::budget::ends::Usage;
use crate::machine::control::throw::{Ball, Throw};
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

/// So long a search is one thread's, before others are asked.
const ALONE: Duration = Duration::from_millis(1);
/// The result of a part: the term that its solutions came to, or what it raised.
pub(super) type Found = Result<Carried, Carried>;

/// Where a part begins.
pub(super) struct Place {
    path: Vec<Step>,
    /// Its share of the whole search, for who wants to know how far that is.
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

/// A search.
pub(crate) struct Search {
    /// The most machines that search.
    pub(super) threads: usize,
    /// What each of them does and where, as [`surroundings`] gives it, in which module. The symbols of the first are
    /// those of all.
    goal: Stored,
    module: Atom,
    /// Calls that the first machine had made before.
    opened: u64,
    /// Calls for the parts that are done.
    calls: AtomicU64,
    /// Steps of builtins that other machines did for these parts.
    steps: AtomicU64,
    pub(super) pool: Pool<Place, Carried, Arc<Watch>>,
    /// Is it time to ask others?
    late: AtomicBool,
    /// Were others asked?
    begun: AtomicBool,
    pub(super) how: How,
    /// If it is within another search.
    within: Option<Within>,
    /// Where the machines tell how far they are, if anybody wants to know.
    gauge: Option<Arc<Gauge>>,
}

/// How the parts of a search are made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Who has nothing to do gets a part of what others do.
    Needed,
    /// Whatever can be given away is given away at once.
    Always,
    /// As many parts as there are machines to help, each a goal of its own. The first that raises something ends all;
    /// the machine that has begun the search waits.
    Race,
}

/// The search that a machine takes part in.
#[derive(Default)]
pub(super) struct Doing {
    pub(super) search: Option<Arc<Search>>,
    /// Its number among the machines of the search.
    worker: usize,
    /// The part that it searches, and where that begins.
    pub(super) part: usize,
    pub(super) path: Vec<Step>,
    /// Has it one?
    pub(super) busy: bool,
    /// What it does apart from that, if this search is within another one.
    pub(super) around: Vec<Around>,
}

impl LayerState for Doing {}

/// The work for the last search, in all machines. Other work for its parts does not count.
#[derive(Copy, Clone, Debug)]
pub(super) struct Made {
    /// Calls of the first machine before the search.
    pub(super) opened: u64,
    /// Calls for the search.
    pub(super) calls: u64,
    /// Steps of builtins in the other machines.
    pub(super) steps: u64,
}

impl Search {
    /// A search by so many machines, each of which does `goal` in `module`: of the parts that begin at these paths, in
    /// their order.
    ///
    /// # Errors
    /// There is no memory.
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
            // Without a thread one machine does it all.
            have_done(Box::new(move || own.wait_for_begin()));
        }
        Ok(search)
    }

    /// After a while has the first machine ask others.
    fn wait_for_begin(&self) {
        if !self.pool.is_over_within(ALONE) {
            self.late.store(true, Ordering::Release);
            self.pool.ask_first();
        }
    }

    /// Takes a part for a machine that has none; false once all are done.
    ///
    /// # Errors
    /// What stops the machine that waits.
    pub(super) fn next(&self, m: &mut Machine) -> Result<bool, Throw> {
        let worker = m.world.layers.of::<Doing>().worker;
        let (part, place) = match self.pool.next(worker) {
            Ok(Some(taken)) => taken,
            Ok(None) => return Ok(false),
            Err(halt) => return halted(m, halt),
        };
        if self.gauge.is_some() {
            m.begin_measured_part(place.weight);
        }
        let doing = m.world.layers.of::<Doing>();
        (doing.part, doing.path, doing.busy) = (part, place.path, true);
        Ok(true)
    }

    /// Is it time to ask others?
    fn is_late(&self) -> bool {
        match &self.within {
            Some(within) => within.is_late(),
            None => self.late.load(Ordering::Acquire),
        }
    }

    /// Notes the result of the part of a machine, and the work for it.
    pub(super) fn done(&self, m: &mut Machine, found: Found, work: Work) {
        let doing = m.world.layers.of::<Doing>();
        doing.busy = false;
        let part = doing.part;
        // The first machine has counted its own steps.
        if doing.worker > 0 {
            self.steps.fetch_add(work.steps, Ordering::Relaxed);
        }
        m.undid_calls(work.on_the_way);
        m.store.watch.undid(work.steps_on_the_way);
        self.calls.fetch_add(work.calls, Ordering::Relaxed);
        self.pool.done(part, found);
    }

    /// Ends it, whatever is left to do, and waits until nobody works on it.
    pub(super) fn end(&self) {
        if let Some(gauge) = &self.gauge {
            gauge.end_shared();
        }
        self.pool.end();
    }

    /// What came of all parts, in order, up to the first that raised something.
    pub(super) fn take_found(&self, m: &mut Machine) -> Result<Vec<Found>, Stop> {
        let all = self.pool.take_found()?;
        *m.world.layers.of::<Option<Made>>() = Some(Made {
            opened: self.opened,
            calls: self.calls.load(Ordering::Relaxed),
            steps: self.steps.load(Ordering::Relaxed),
        });
        Ok(all)
    }

    /// Do its machines tell how far they are?
    pub(super) fn is_measured(&self) -> bool {
        self.gauge.is_some()
    }

    /// Makes the machines of the others, from what this one is now.
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
        let told: Arc<[_]> = m.undefined_told()?.into();
        let helpers = match (self.how, &self.within) {
            (How::Race, _) => self.threads,
            (_, Some(within)) => within.idle().min(self.threads - 1),
            _ => self.threads - 1,
        };
        for _ in 0..helpers {
            let search = Arc::clone(self);
            let template = Arc::clone(&template);
            let confinement = confinement.clone();
            let told = Arc::clone(&told);
            let job = move || {
                let given = (always, allowance, &*told);
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

    /// Has others do the parts of a race and waits for what ends it; false if they have not done all.
    ///
    /// # Errors
    /// What stops the machine that waits.
    pub(super) fn race(self: &Arc<Self>, m: &mut Machine) -> Result<bool, Throw> {
        self.begin(m)?;
        match self.pool.wait_for_helpers() {
            Ok(over) => Ok(over),
            Err(halt) => halted(m, halt),
        }
    }

    /// Searches parts until there are none.
    fn take_part(&self, m: &mut Machine, allowance: Usage) -> Result<(), Throw> {
        let term = m.store.load_term(&self.goal)?;
        let goal = surround(m, term)?;
        let begun = m.begin_host_budget(allowance, Usage::NONE)?;
        let outcome = m.call_own(goal, self.module);
        m.end_host_budget(begun);
        outcome.map(drop)
    }

    /// What a thread does for the search.
    fn work(
        self: &Arc<Self>,
        template: &Template,
        memory: usize,
        to: &Confinement,
        (always, allowance, told): (bool, Usage, &[Functor]),
    ) {
        if self.pool.is_over() {
            return;
        }
        let Ok(mut machine) = template.machine(memory, to) else {
            return;
        };
        let _told = TellsOfPanics(self);
        let m = &mut *machine;
        m.run.collector.always = always;
        if m.wake().is_err() || m.note_undefined_told(told).is_err() {
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

/// What stops a machine that waits; false if that is nothing that it knows of.
fn halted(m: &mut Machine, halt: Halt) -> Result<bool, Throw> {
    if halt == Halt::Spent {
        m.did_calls(u64::MAX);
    }
    m.stop_reason().map_or(Ok(false), Err)
}

/// A goal with all that it may look at: what is assumed, and the global variables that are set until backtracking. They
/// share variables.
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

/// Gives all that to a new machine. Gives the goal.
fn surround(m: &mut Machine, term: Cell) -> Result<Cell, Stop> {
    let mut parts = Vec::new();
    m.store.list_items(term, &mut parts)?;
    m.take_context(parts[1])?;
    for variable in parts[2..].chunks_exact(2) {
        m.set_local_global(variable[0].as_atom(), variable[1])?;
    }
    Ok(parts[0])
}

/// Ends the search if the thread panics.
struct TellsOfPanics<'a>(&'a Search);

impl Drop for TellsOfPanics<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.pool.broke("a thread of a search has panicked");
        }
    }
}

/// The search of a machine, as its branches know it.
pub(super) struct Own(pub(super) Arc<Search>);

impl Exchange<Machine> for Own {
    fn is_due(&self) -> bool {
        // The machines of the search around one within it ring by themselves.
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
        if search.how == How::Always {
            m.store.watch.look_at_next_call();
        } else if !search.pool.wanted() {
            return Ok(());
        }
        let Some(path) = m.split_branches(e)? else {
            return Ok(());
        };
        let weight = m.take_given_weight();
        let giver = m.world.layers.of::<Doing>().part;
        search.pool.give(giver, Place { path, weight });
        Ok(())
    }
}
