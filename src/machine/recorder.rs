//! What is noted of goals that assume and use, when it is asked for: by programs that want to know
//! why a goal failed, which resources a solution used, or to see each use as it happens.
//!
//! While something is noted instructions are done one at a time, with a look at each before it is done
//! (`ops_record`), so goals that nobody asks about pay nothing. What happened on the present branch
//! is a list on the heap whose head is trailed, so that backtracking takes back what it undoes; failures
//! are kept off the heap, those of the branches that used most.

use super::assumption::{NONE, int_at, rec, stands_for_all};
use super::contexts::{HIDES, word};
use super::frame::env;
use super::regs::Regs;
use super::search_tree::Drawing;
use super::state::Machine;
use crate::base::grow::{Grow, GrowTable};
use crate::base::stop::Stop;
use crate::base::symbol::{FastMap, functors};
use crate::program::predicate::PredId;
use crate::store::cell::{Addr, Cell};
use crate::store::copy::Stored;
use crate::store::heap::View;
use crate::store::raw;

/// So many failures are kept.
pub(super) const KEPT: usize = 24;
/// So many of them are of one kind at one place.
pub(super) const ALIKE: usize = 2;
/// So many resources are told of in one failure.
pub(super) const TOLD: usize = 5;
/// So many events are looked through for one failure.
pub(super) const LOOKED_THROUGH: usize = 20_000;
/// So many frames are looked through for the clause of a program that a goal belongs to.
const FRAMES: usize = 64;

/// A goal that loops without calls is ended after so many instructions for each call it is allowed.
const INSTRUCTIONS_A_CALL: u64 = 100;

/// What happened: the first argument of an event in the list.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Something was assumed: the record, the step in which.
    Assumed,
    /// A goal was called that assumptions may prove: its number, the goal, the step in which.
    Called,
    /// A record was used: the record, the step.
    Used,
    /// A goal has succeeded: its number.
    Exited,
    /// A goal under `{}` begins.
    Banged,
    /// A goal under `{}` has succeeded.
    Unbanged,
    /// The first half of `&` begins.
    WithBegun,
    /// The second half of `&` begins.
    WithHalved,
    /// Both halves have succeeded.
    WithEnded,
    /// Something is left at the end of a scope: in traces only.
    Left,
    /// Nothing was found for a goal: in traces only.
    Missed,
    /// A goal is called: in search trees only.
    Goal,
    /// A clause is entered: in search trees only.
    Clause,
    /// What was assumed so far may be left: in search trees only.
    Erased,
    /// A solution of a goal is collected: in search trees only.
    Collected,
}

impl Event {
    /// The name by which Prolog knows it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Event::Assumed => "assumed",
            Event::Called => "called",
            Event::Used => "used",
            Event::Exited => "exited",
            Event::Banged => "banged",
            Event::Unbanged => "unbanged",
            Event::WithBegun => "with_begun",
            Event::WithHalved => "with_halved",
            Event::WithEnded => "with_ended",
            Event::Left => "left",
            Event::Missed => "missed",
            Event::Goal => "goal",
            Event::Clause => "clause",
            Event::Erased => "erased",
            Event::Collected => "collected",
        }
    }

    const ALL: [Event; 9] = [
        Event::Assumed,
        Event::Called,
        Event::Used,
        Event::Exited,
        Event::Banged,
        Event::Unbanged,
        Event::WithBegun,
        Event::WithHalved,
        Event::WithEnded,
    ];

    pub(super) fn of(number: i64) -> Event {
        Event::ALL
            .get(number as usize)
            .copied()
            .unwrap_or(Event::Missed)
    }
}

/// What a recorder is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To say why a goal fails: within so many calls, and without side effects.
    Failures(u64),
    /// To know what a solution used.
    Solution,
    /// To show what happens as it happens.
    Trace,
    /// To draw the search tree.
    Tree,
}

/// Why the run of a goal was ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoppedBy {
    /// It took too many calls.
    Calls,
    /// It was about to do something that cannot be undone: the number of a builtin.
    Effect(u32),
}

/// A clause of a program: the addresses of its block, its predicate, and where it stands.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Place {
    start: Addr,
    end: Addr,
    /// Its predicate.
    pub(crate) predicate: PredId,
    /// Its file.
    pub(crate) file: u32,
    /// Its line in that file.
    pub(crate) line: u32,
}

/// A failure that was noted.
pub(crate) struct Failure {
    /// Number of linear resources that were used before it.
    pub(crate) rank: i64,
    pub(super) key: (u32, i64),
    /// What is to be told of it.
    pub(crate) term: Stored,
}

/// Where a goal was called.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Site {
    /// The number of a place, from 1; 0 for the query.
    pub(super) place: i64,
    /// The number of the use of that clause.
    pub(super) activation: i64,
}

impl Site {
    fn packed(self, event: Event) -> Cell {
        let activation = self.activation & MAX_ACTIVATION;
        Cell::int(event as i64 | self.place << 8 | activation << 32)
    }
}

/// Greater numbers begin anew.
const MAX_ACTIVATION: i64 = (1 << 28) - 1;
/// Mask of the number of a place.
pub(super) const PLACE_MASK: i64 = (1 << 24) - 1;

/// Eigenvariables that were made together.
#[derive(Copy, Clone, Debug)]
pub(super) struct Made {
    /// The number of the first; the last one has that before the first of those made next.
    pub(super) first: i64,
    /// The clause that made them.
    pub(super) place: i64,
    /// Are they the local names of a module?
    pub(super) local: bool,
}

/// What notes what goals assume and use.
pub(crate) struct Recorder {
    /// What for.
    pub(crate) purpose: Purpose,
    /// False while the machine runs something of its own.
    pub(super) active: bool,
    /// The choice point at its beginning, 0 for none: without it the recorder has come to its end.
    pub(super) base: Addr,
    /// Where the present goal was called.
    pub(super) site: Site,
    /// Numbers of the clauses that are being done, by their environments.
    activations: FastMap<Addr, i64>,
    /// Number of environments made so far.
    started: i64,
    /// Was an environment made by the last instruction?
    pub(super) allocates: bool,
    /// The number of calls at which the goal is ended.
    pub(super) limit: u64,
    /// The number of instructions after which it is ended.
    pub(super) instructions: u64,
    /// Why the goal was ended.
    pub(crate) stopped: Option<StoppedBy>,
    /// The current output at its beginning.
    pub(super) output: crate::io::stream::StreamId,
    /// Clauses of programs by address.
    pub(crate) places: Vec<Place>,
    /// The last instruction: its registers, the continuation, and how many resources were used before it.
    pub(super) last: (Regs, Addr, i64),
    /// The eigenvariables that were made, oldest first.
    pub(super) made: Vec<Made>,
    /// For each goal of the present branch whether it has ever succeeded.
    pub(super) exited: Vec<bool>,
    /// Number of failures noted so far, kept or not.
    pub(super) noted: i64,
    /// Those kept, the ones of the branches that used most.
    pub(crate) failures: Vec<Failure>,
    /// What is known for a search tree, if one is drawn.
    pub(super) drawing: Option<Drawing>,
    /// The recorder that goes on after this one.
    outer: Option<Box<Recorder>>,
}

impl Recorder {
    /// This one and those that go on after it.
    pub(super) fn all(&self) -> impl Iterator<Item = &Recorder> {
        std::iter::successors(Some(self), |recorder| recorder.outer.as_deref())
    }
}

impl Machine {
    /// Is something to be noted?
    pub(crate) fn is_recording(&self) -> bool {
        self.run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| recorder.active)
    }

    /// Is an exception on its way that only the goal around the recorder may catch?
    pub(super) fn passes_catch(&self, choice: Addr) -> bool {
        self.run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| recorder.stopped.is_some() && choice > recorder.base)
    }

    /// Begins to note; `base` is the choice point at which it ends.
    pub(super) fn begin_recording(&mut self, purpose: Purpose, base: Addr) {
        let limit = match purpose {
            Purpose::Failures(calls) => self.inferences().saturating_add(calls),
            _ => u64::MAX,
        };
        let instructions = match purpose {
            Purpose::Failures(calls) => calls.saturating_mul(INSTRUCTIONS_A_CALL),
            _ => u64::MAX,
        };
        self.make_waiting_code();
        // Nobody asks for the places of a trace.
        let places = match purpose {
            Purpose::Trace | Purpose::Tree => Vec::new(),
            Purpose::Failures(_) | Purpose::Solution => self.places(),
        };
        let outer = self.run.observers.recorder.take();
        self.run.observers.recorder = Some(Box::new(Recorder {
            purpose,
            active: true,
            base,
            site: Site::default(),
            activations: FastMap::default(),
            started: 0,
            allocates: false,
            limit,
            instructions,
            stopped: None,
            output: self.world.host.streams.current_output(),
            places,
            last: (Regs::NONE, 0, 0),
            made: Vec::new(),
            exited: Vec::new(),
            noted: 0,
            failures: Vec::new(),
            drawing: (purpose == Purpose::Tree).then(Drawing::default),
            outer,
        }));
        self.store.refusals.take();
        self.store.refusals.wanted = matches!(purpose, Purpose::Failures(_));
        if purpose != Purpose::Trace {
            self.set_context(word::RECORD, Cell::atom(crate::base::symbol::atoms::NIL));
            self.set_context(word::STEP, Cell::int(-1));
        }
    }

    /// Ends noting; what was noted may still be asked for.
    pub(crate) fn end_recording(&mut self) {
        if let Some(mut recorder) = self.run.observers.recorder.take() {
            self.run.observers.recorder = recorder.outer.take();
            self.store.refusals.wanted = false;
            self.store.refusals.take();
            recorder.exited = Vec::new();
            self.run.observers.recorded = Some(recorder);
        }
    }

    /// Ends what was begun above this choice point.
    pub(super) fn end_recording_above(&mut self, choice: Addr) {
        while self
            .run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| recorder.base > choice)
        {
            self.end_recording();
        }
    }

    // ---- places -------------------------------------------------------------------------------

    /// Makes the code that clauses of images wait for: it would lie elsewhere than they do now.
    fn make_waiting_code(&mut self) {
        for id in (0..self.world.predicates.len() as u32).map(PredId) {
            let predicate = self.world.predicates.get(id);
            if predicate.traits.deferred && predicate.clauses.len() > 0 {
                // What is wrong with a clause is told when it is called.
                let _ = self.complete_predicate(id);
            }
        }
    }

    /// The clauses that files hold, by address.
    fn places(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for index in 0..self.world.predicates.len() {
            let id = PredId(index as u32);
            let predicate = self.world.predicates.get(id);
            for (_, clause) in predicate.clauses.iter() {
                if clause.file() != 0 {
                    let addresses = clause.addresses();
                    places.put(Place {
                        start: addresses.start,
                        end: addresses.end,
                        predicate: id,
                        file: clause.file(),
                        line: clause.line(),
                    });
                }
            }
        }
        places.sort_unstable_by_key(|place| place.start);
        places
    }

    fn place_at(&self, at: Addr) -> i64 {
        let Some(recorder) = &self.run.observers.recorder else {
            return 0;
        };
        let places = &recorder.places;
        let after = places.partition_point(|place| place.start <= at);
        match places.get(after.wrapping_sub(1)) {
            Some(place) if at < place.end => after as i64,
            _ => 0,
        }
    }

    /// The clause of a program that the instruction belongs to, or for which it is done.
    pub(super) fn site_of(&self, r: &Regs) -> Site {
        self.site_at(r, self.cont)
    }

    /// The same of an instruction done earlier, with the continuation at that time.
    pub(super) fn site_at(&self, r: &Regs, cont: Addr) -> Site {
        let mut e = r.e;
        let mut place = self.place_at(r.p);
        if place == 0 {
            place = self.place_at(cont);
        }
        for _ in 0..FRAMES {
            if place != 0 || e <= self.store.env.base {
                break;
            }
            place = self.place_at(raw::word(e + env::CP));
            e = raw::word(e + env::CE);
        }
        let activations = self
            .run
            .observers
            .recorder
            .as_ref()
            .map(|recorder| &recorder.activations);
        let activation = match (place, activations) {
            (1.., Some(activations)) => activations.get(&e).copied().unwrap_or(0),
            _ => 0,
        };
        Site { place, activation }
    }

    /// Gives the environment that was just made a number.
    pub(super) fn note_environment(&mut self, e: Addr) {
        if let Some(recorder) = &mut self.run.observers.recorder {
            recorder.allocates = false;
            recorder.started += 1;
            recorder.activations.make_room();
            recorder.activations.insert(e, recorder.started);
        }
    }

    // ---- events -------------------------------------------------------------------------------

    /// Number of linear resources used on the present branch.
    pub(super) fn uses(&self) -> i64 {
        match self
            .store
            .view(raw::cell(self.run.contexts.word(word::RECORD)))
        {
            View::List(pair) => self.event_int(raw::cell(pair), 4),
            _ => 0,
        }
    }

    pub(super) fn event_int(&self, event: Cell, index: usize) -> i64 {
        match self.store.view(self.event_arg(event, index)) {
            View::Int(value) => value,
            _ => 0,
        }
    }

    pub(super) fn event_arg(&self, event: Cell, index: usize) -> Cell {
        match self.store.compound(event) {
            Some((_, args)) => self.store.arg(args, index),
            None => Cell::int(0),
        }
    }

    /// The step that the present goal belongs to, -1 for none.
    pub(crate) fn present_step(&self) -> i64 {
        self.run.contexts.int(word::STEP)
    }

    pub(crate) fn set_step(&mut self, step: i64) {
        self.set_context(word::STEP, Cell::int(step));
    }

    pub(super) fn is_kept(&self) -> bool {
        self.run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| !matches!(recorder.purpose, Purpose::Trace | Purpose::Tree))
    }

    /// Notes an event of the present branch.
    pub(super) fn note(
        &mut self,
        event: Event,
        (a, b, c): (Cell, Cell, Cell),
        site: Site,
    ) -> Result<(), Stop> {
        if !self.is_kept() {
            // The others come by where they are traced.
            if self.draws() && !matches!(event, Event::Assumed | Event::Used) {
                self.draw(event, &[], None);
            }
            return Ok(());
        }
        self.store.reserve(16)?;
        let used = event == Event::Used && int_at(a.addr() + rec::MARK) != 0;
        let uses = self.uses() + i64::from(used);
        let packed = site.packed(event);
        let event = self
            .store
            .new_struct(functors::CONTEXT_EVENT, &[packed, a, b, c, Cell::int(uses)]);
        let log = raw::cell(self.run.contexts.word(word::RECORD));
        let log = self.store.new_list(event, log);
        self.set_context(word::RECORD, log);
        Ok(())
    }

    /// Notes what was assumed since the record of this number.
    pub(super) fn note_assumed(&mut self, since: i64, site: Site) -> Result<(), Stop> {
        let mut records = Vec::new();
        let mut at = raw::cell(self.run.contexts.word(word::NEWEST));
        while at != NONE && int_at(at.addr() + rec::SEQ) > since {
            if int_at(at.addr() + rec::MARK) != HIDES && stands_for_all(at) {
                records.put(at);
            }
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        let step = Cell::int(self.present_step());
        for &record in records.iter().rev() {
            self.note(Event::Assumed, (record, step, Cell::int(0)), site)?;
            self.trace(Event::Assumed, &[record], None);
        }
        Ok(())
    }

    /// Shows an event, if that is what is wanted.
    pub(super) fn trace(&mut self, event: Event, records: &[Cell], goal: Option<Cell>) {
        if self.is_kept() {
            return;
        }
        if self.draws() {
            return self.draw(event, records, goal);
        }
        let mut terms = Vec::new();
        for &record in records.iter().take(TOLD) {
            let Ok(term) = self.told(record) else {
                return;
            };
            terms.put(term);
        }
        terms.extend(goal);
        self.run.observers.tracer.origin = records.first().and_then(|&record| self.origin(record));
        self.world.upper.trace_context(self, event, &terms);
    }
}
