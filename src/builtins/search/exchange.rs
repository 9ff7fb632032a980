//! A search that several machines have together: its parts, who searches them, and what came of them.
//!
//! At first there is one part, which is all of it, or there are those of a unit ([`division`](super::division)). A machine that has nothing to do asks the others, which look at their next call: each
//! gives away the oldest branches that it has. What is given away comes right after what is left, so the parts have an
//! order, which is that of the solutions.

use super::helpers::have_done;
use super::within::{Around, Within};
use crate::base::atom_table::{Atom, Functor};
use crate::base::growth::Grow;
use crate::base::locks::{lock, wait};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use crate::machine::budget::ends::Usage;
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::search::carried::Carried;
use crate::machine::search::gauge::Gauge;
use crate::machine::search::path::{Exchange, Step};
use crate::machine::state::Machine;
use crate::machine::template::Template;
use crate::machine::upper_layers::LayerState;
use crate::machine::world::Confinement;
use crate::store::address::EnvAddr;
use crate::store::cell::Cell;
use crate::store::stored::Stored;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// So long a search is one thread's, before others are asked.
const ALONE: Duration = Duration::from_millis(1);
/// Between two looks of a machine that waits whether it is to be stopped.
const MOMENT: Duration = Duration::from_millis(2);

/// The result of a part: the term that its solutions came to, or what it raised.
pub(super) type Found = Result<Carried, Carried>;

/// A part of a search.
struct Piece {
    /// The one that comes next in order.
    next: Option<usize>,
    found: Option<Found>,
}

/// A part that nobody searches so far.
struct Waiting {
    piece: usize,
    /// Where it begins.
    path: Vec<Step>,
    /// Its share of the whole search, for who wants to know how far that is.
    weight: f64,
}

struct State {
    /// Parts that nobody searches so far.
    waiting: VecDeque<Waiting>,
    /// By their numbers. The first of them comes first.
    pieces: Vec<Piece>,
    /// Machines that search a part.
    working: usize,
    /// Machines that wait for one.
    hungry: usize,
    /// Those of all machines.
    watches: Vec<Arc<Watch>>,
    /// Calls that were made for the parts that are done.
    calls: u64,
    /// Has one of them made all that it may make?
    spent: bool,
    /// A fault that no goal can report.
    broken: Option<&'static str>,
    /// Threads that others were asked for, and that have not ended.
    helping: usize,
    /// The part whose result is that of a race.
    winner: Option<usize>,
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
    state: Mutex<State>,
    news: Condvar,
    /// Is it time to ask others?
    late: AtomicBool,
    /// Were others asked?
    begun: AtomicBool,
    /// As [`State::hungry`].
    pub(super) hungry: AtomicUsize,
    /// Nothing is left to do.
    over: AtomicBool,
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
    /// The part that it searches, and where that begins.
    pub(super) piece: usize,
    pub(super) path: Vec<Step>,
    /// Has it one?
    pub(super) busy: bool,
    /// What it does apart from that, if this search is within another one.
    pub(super) around: Vec<Around>,
}

impl LayerState for Doing {}

/// The calls that were made before the last search, and for it: what else was done for its parts does not count.
pub(super) type Made = Option<(u64, u64)>;

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
        let mut state = State {
            waiting: VecDeque::new(),
            pieces: Vec::new(),
            working: 0,
            hungry: 0,
            watches: Vec::new(),
            calls: 0,
            spent: false,
            broken: None,
            helping: 0,
            winner: None,
        };
        state.watches.put(Arc::clone(&m.store.events.watch))?;
        let count = parts.len();
        for (number, path) in parts.into_iter().enumerate() {
            state.pieces.put(Piece {
                next: Some(number + 1).filter(|&next| next < count),
                found: None,
            })?;
            let weight = 1.0 / count as f64;
            state.waiting.put(Waiting {
                piece: number,
                path,
                weight,
            })?;
        }
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
            state: Mutex::new(state),
            news: Condvar::new(),
            late: AtomicBool::new(false),
            begun: AtomicBool::new(threads == 1),
            hungry: AtomicUsize::new(0),
            over: AtomicBool::new(false),
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
        let state = lock(&self.state);
        let state = wait(&self.news, (&self.state, state), Some(ALONE));
        if !self.over.load(Ordering::Acquire) {
            self.late.store(true, Ordering::Release);
            state.watches[0].look_at_next_call();
        }
    }

    /// Takes a part for a machine that has none: its number and its path; nothing once all are done.
    ///
    /// # Errors
    /// What stops the machine that waits.
    pub(super) fn next(&self, m: &mut Machine) -> Result<Option<(usize, Vec<Step>)>, Throw> {
        let mut state = lock(&self.state);
        loop {
            if state.spent && self.is_first(m, &state) {
                drop(state);
                m.did_calls(u64::MAX);
                return m.stop_reason().map_or(Ok(None), Err);
            }
            if self.over.load(Ordering::Acquire) {
                return Ok(None);
            }
            if let Some(part) = state.waiting.pop_front() {
                if self.is_in_vain(&state, part.piece) {
                    continue;
                }
                state.working += 1;
                if self.gauge.is_some() {
                    m.begin_measured_part(part.weight);
                }
                return Ok(Some((part.piece, part.path)));
            }
            if state.working == 0 {
                self.over.store(true, Ordering::Release);
                self.news.notify_all();
                return Ok(None);
            }
            state.hungry += 1;
            self.hungry.store(state.hungry, Ordering::Release);
            state
                .watches
                .iter()
                .for_each(|watch| watch.look_at_next_call());
            state = wait(&self.news, (&self.state, state), Some(MOMENT));
            state.hungry -= 1;
            self.hungry.store(state.hungry, Ordering::Release);
            if m.store.watch.stop_wanted() {
                drop(state);
                return match m.stop_reason() {
                    Some(throw) => Err(throw),
                    None => Ok(None),
                };
            }
        }
    }

    /// Is it time to ask others?
    fn is_late(&self) -> bool {
        match &self.within {
            Some(within) => within.is_late(),
            None => self.late.load(Ordering::Acquire),
        }
    }

    fn is_first(&self, m: &Machine, state: &State) -> bool {
        Arc::ptr_eq(&state.watches[0], &m.store.events.watch)
    }

    /// Has a part that comes before this one raised something?
    fn is_in_vain(&self, state: &State, piece: usize) -> bool {
        let mut at = Some(0).filter(|_| !state.pieces.is_empty());
        while let Some(number) = at {
            if number == piece {
                return false;
            }
            let Piece { next, found } = &state.pieces[number];
            if let Some(Err(_)) = found {
                return true;
            }
            at = *next;
        }
        false
    }

    /// A part is done: what came of it, and how many calls were made for it and on the way there.
    pub(super) fn done(
        &self,
        m: &mut Machine,
        piece: usize,
        found: Found,
        (calls, on_the_way): (u64, u64),
    ) {
        let mut state = lock(&self.state);
        if self.is_first(m, &state) {
            m.undid_calls(on_the_way);
        }
        state.calls += calls;
        state.working -= 1;
        if self.how == How::Race && found.is_err() && !self.over.swap(true, Ordering::AcqRel) {
            state.winner = Some(piece);
            self.news.notify_all();
        }
        state.pieces[piece].found = Some(found);
        if state.working == 0 || state.hungry > 0 {
            self.news.notify_all();
        }
    }

    /// A machine ends that searches a part.
    fn broke(&self, why: &'static str) {
        let mut state = lock(&self.state);
        state.broken.get_or_insert(why);
        self.over.store(true, Ordering::Release);
        self.news.notify_all();
    }

    /// Ends it, whatever is left to do, and waits until nobody works on it.
    pub(super) fn end(&self) {
        self.over.store(true, Ordering::Release);
        if let Some(gauge) = &self.gauge {
            gauge.end_shared();
        }
        let mut state = lock(&self.state);
        self.news.notify_all();
        while state.working > 0 && state.broken.is_none() {
            for watch in state.watches.iter().skip(1) {
                watch.interrupt();
                watch.look_at_next_call();
            }
            state = wait(&self.news, (&self.state, state), Some(MOMENT));
        }
    }

    /// What came of all parts, in order, up to the first that raised something.
    pub(super) fn take_found(&self, m: &mut Machine) -> Result<Vec<Found>, Stop> {
        let mut state = lock(&self.state);
        let mut all = Vec::new();
        let first = Some(0).filter(|_| !state.pieces.is_empty());
        let mut at = state.winner.or(first);
        while let Some(number) = at {
            let piece = &mut state.pieces[number];
            at = piece.next;
            let Some(found) = piece.found.take() else {
                break;
            };
            let raised = found.is_err();
            all.put(found)?;
            if raised {
                break;
            }
        }
        *m.world.layers.of::<Made>() = Some((self.opened, state.calls));
        Ok(all)
    }

    /// Do its machines tell how far they are?
    pub(super) fn is_measured(&self) -> bool {
        self.gauge.is_some()
    }

    /// The fault that no goal can report, if there is one.
    pub(super) fn broken(&self) -> Option<&'static str> {
        lock(&self.state).broken
    }

    /// A machine gives up on its part.
    pub(super) fn leave(&self) {
        let mut state = lock(&self.state);
        state.working -= 1;
        self.news.notify_all();
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
                lock(&search.state).helping -= 1;
                search.news.notify_all();
            };
            lock(&self.state).helping += 1;
            if !have_done(Box::new(job)) {
                lock(&self.state).helping -= 1;
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
        let mut state = lock(&self.state);
        while !self.over.load(Ordering::Acquire) && state.helping > 0 {
            state = wait(&self.news, (&self.state, state), Some(MOMENT));
            let spent = state.spent;
            if spent || m.store.watch.stop_wanted() {
                drop(state);
                if spent {
                    m.did_calls(u64::MAX);
                }
                return m.stop_reason().map_or(Ok(false), Err);
            }
        }
        Ok(self.over.load(Ordering::Acquire))
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
        if self.over.load(Ordering::Acquire) {
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
        {
            let mut state = lock(&self.state);
            if state
                .watches
                .put(Arc::clone(&m.store.events.watch))
                .is_err()
            {
                return;
            }
        }
        m.world.layers.of::<Doing>().search = Some(Arc::clone(self));
        if let Some(gauge) = &self.gauge
            && m.join_gauge(gauge).is_err()
        {
            return;
        }
        let outcome = self.take_part(m, allowance);
        if let Err(throw) = outcome
            && !self.over.load(Ordering::Acquire)
        {
            match throw.0.ball {
                Ball::Spent(..) => lock(&self.state).spent = true,
                Ball::OutOfMemory => self.broke("a thread of a search has no memory"),
                _ => self.broke("a thread of a search was stopped"),
            }
        }
        m.end_branches();
        if m.world.layers.of::<Doing>().busy {
            self.leave();
        }
    }
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
            self.0.broke("a thread of a search has panicked");
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
        let hungry = search.hungry.load(Ordering::Acquire);
        if search.how == How::Race {
            return Ok(());
        }
        if search.how == How::Always {
            m.store.watch.look_at_next_call();
        } else if hungry == 0
            || search.over.load(Ordering::Acquire)
            || lock(&search.state).waiting.len() >= hungry
        {
            return Ok(());
        }
        let Some(path) = m.split_branches(e)? else {
            return Ok(());
        };
        let piece = m.world.layers.of::<Doing>().piece;
        let mut state = lock(&search.state);
        let number = state.pieces.len();
        let next = state.pieces[piece].next;
        let kept = state.pieces.put(Piece { next, found: None });
        let part = Waiting {
            piece: number,
            path,
            weight: m.take_given_weight(),
        };
        if kept.and_then(|()| state.waiting.put(part)).is_ok() {
            state.pieces[piece].next = Some(number);
        } else {
            // What was taken away would be searched by nobody.
            state
                .broken
                .get_or_insert("there is no memory for the parts of a search");
            search.over.store(true, Ordering::Release);
        }
        search.news.notify_one();
        Ok(())
    }
}
