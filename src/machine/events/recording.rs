//! Notes what goals assume and use: beginning and ending it, and the events of the present branch.
#![forbid(unsafe_code)]

use super::recorder::{Drawing, Event, Place, Purpose, Recorder, Site, TOLD};
use crate::base::atom_table::{FastMap, functors};
use crate::base::growth::{Grow, GrowMap};
use crate::base::stop::Stop;
use crate::machine::contexts::assumption::{NONE, int_at, rec, stands_for_all};
use crate::machine::contexts::slots::{HIDES, word};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::layout::env;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::address::{ChoiceAddr, CodeAddr, EnvAddr};
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::store::raw;

impl Machine {
    /// Is something to be noted?
    #[inline]
    pub(crate) fn is_recording(&self) -> bool {
        self.run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| recorder.active)
    }

    /// Is an exception on its way that only the goal around the recorder may catch?
    pub(in crate::machine) fn passes_catch(&self, choice: ChoiceAddr) -> bool {
        self.run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| recorder.stopped.is_some() && choice > recorder.base)
    }

    /// Begins to note; `base` is the choice point at which it ends.
    pub(in crate::machine) fn begin_recording(
        &mut self,
        purpose: Purpose,
        base: ChoiceAddr,
    ) -> Result<(), Stop> {
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
            Purpose::Failures(_) | Purpose::Solution => self.places()?,
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
            last: (Regs::NONE, CodeAddr::NONE, 0),
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
            self.set_context(
                word::RECORD,
                Cell::atom(crate::base::atom_table::atoms::NIL),
            );
            self.set_context(word::STEP, Cell::int(-1));
        }
        Ok(())
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
    pub(in crate::machine) fn end_recording_above(&mut self, choice: ChoiceAddr) {
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
    fn places(&self) -> Result<Vec<Place>, Stop> {
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
                    })?;
                }
            }
        }
        places.sort_unstable_by_key(|place| place.start);
        Ok(places)
    }

    fn place_at(&self, at: CodeAddr) -> i64 {
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
    pub(in crate::machine) fn site_of(&self, r: &Regs) -> Site {
        self.site_at(r, self.cont)
    }

    /// The same of an instruction done earlier, with the continuation at that time.
    pub(in crate::machine) fn site_at(&self, r: &Regs, cont: CodeAddr) -> Site {
        let mut e = r.e;
        let mut place = self.place_at(r.p());
        if place == 0 {
            place = self.place_at(cont);
        }
        for _ in 0..FRAMES {
            if place != 0 || e <= self.store.env.base {
                break;
            }
            place = self.place_at(e.get(env::CP));
            e = e.get(env::CE);
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
    pub(in crate::machine) fn note_environment(&mut self, e: EnvAddr) -> Result<(), Stop> {
        if let Some(recorder) = &mut self.run.observers.recorder {
            recorder.allocates = false;
            recorder.started += 1;
            recorder.activations.put_entry(e, recorder.started)?;
        }
        Ok(())
    }

    // ---- events -------------------------------------------------------------------------------

    /// Number of linear resources used on the present branch.
    pub(in crate::machine) fn uses(&self) -> i64 {
        match self
            .store
            .view(raw::cell(self.run.contexts.word(word::RECORD)))
        {
            View::List(pair) => self.event_int(raw::cell(pair), 4),
            _ => 0,
        }
    }

    pub(in crate::machine) fn event_int(&self, event: Cell, index: usize) -> i64 {
        match self.store.view(self.event_arg(event, index)) {
            View::Int(value) => value,
            _ => 0,
        }
    }

    pub(in crate::machine) fn event_arg(&self, event: Cell, index: usize) -> Cell {
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

    pub(in crate::machine) fn is_kept(&self) -> bool {
        self.run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| !matches!(recorder.purpose, Purpose::Trace | Purpose::Tree))
    }

    /// Notes an event of the present branch.
    pub(in crate::machine) fn note(
        &mut self,
        event: Event,
        (a, b, c): (Cell, Cell, Cell),
        site: Site,
    ) -> Result<(), Stop> {
        if !self.is_kept() {
            // The others come by where they are traced.
            if self.draws() && !matches!(event, Event::Assumed | Event::Used) {
                self.draw(event, &[], None)?;
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
    pub(in crate::machine) fn note_assumed(&mut self, since: i64, site: Site) -> Result<(), Stop> {
        let mut records = Vec::new();
        let mut at = raw::cell(self.run.contexts.word(word::NEWEST));
        while at != NONE && int_at(at.addr() + rec::SEQ) > since {
            if int_at(at.addr() + rec::MARK) != HIDES && stands_for_all(at) {
                records.put(at)?;
            }
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        let step = Cell::int(self.present_step());
        for &record in records.iter().rev() {
            self.note(Event::Assumed, (record, step, Cell::int(0)), site)?;
            self.trace(Event::Assumed, &[record], None)?;
        }
        Ok(())
    }

    /// The terms that show some records; nothing if there is no room for them.
    pub(in crate::machine) fn told_all(
        &mut self,
        records: &[Cell],
    ) -> Result<Option<Vec<Cell>>, Stop> {
        let mut terms = Vec::new();
        for &record in records.iter().take(TOLD) {
            let Ok(term) = self.told(record) else {
                return Ok(None);
            };
            terms.put(term)?;
        }
        Ok(Some(terms))
    }

    /// Shows an event, if that is what is wanted.
    pub(in crate::machine) fn trace(
        &mut self,
        event: Event,
        records: &[Cell],
        goal: Option<Cell>,
    ) -> Result<(), Stop> {
        if self.is_kept() {
            return Ok(());
        }
        if self.draws() {
            return self.draw(event, records, goal);
        }
        let Some(mut terms) = self.told_all(records)? else {
            return Ok(());
        };
        terms.put_all(goal)?;
        self.run.observers.tracer.origin = records.first().and_then(|&record| self.origin(record));
        self.world.upper.trace_context(self, event, &terms)?;
        Ok(())
    }
}

/// So many frames are looked through for the clause of a program that a goal belongs to.
const FRAMES: usize = 64;

/// A goal that loops without calls is ended after so many instructions for each call it is allowed.
const INSTRUCTIONS_A_CALL: u64 = 100;
