//! Recording of assumptions and their uses: start, end, and the events of the present branch.
#![forbid(unsafe_code)]

use super::recorder::{Drawing, Event, MAX_REPORTED, Place, Purpose, Recorder, Site};
use crate::base::atom_table::{FastMap, functors};
use crate::base::growth::{Grow, GrowMap};
use crate::base::stop::Stop;
use crate::machine::contexts::assumption::{NONE, int_at, rec, represents_group};
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
    /// Returns whether a recorder is active.
    #[inline]
    pub(crate) fn is_recording(&self) -> bool {
        self.run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| recorder.active)
    }

    /// Returns whether the exception in progress passes the catch/3 of this choice point. It does after the recorder
    /// has stopped its goal: only code around the recorder may catch the exception then.
    pub(in crate::machine) fn passes_catch(&self, choice: ChoiceAddr) -> bool {
        self.run
            .observers
            .recorder
            .as_ref()
            .is_some_and(|recorder| recorder.stopped.is_some() && choice > recorder.base)
    }

    /// Starts recording. It ends at the choice point `base`.
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
        // Traces do not use places.
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

    /// Ends the recording. Its results stay available.
    pub(crate) fn end_recording(&mut self) {
        if let Some(mut recorder) = self.run.observers.recorder.take() {
            self.run.observers.recorder = recorder.outer.take();
            self.store.refusals.wanted = false;
            self.store.refusals.take();
            recorder.exited = Vec::new();
            self.run.observers.recorded = Some(recorder);
        }
    }

    /// Ends the recordings that began above this choice point.
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

    /// Compiles the deferred clauses of images, because compilation would move them later.
    fn make_waiting_code(&mut self) {
        for id in (0..self.world.predicates.len() as u32).map(PredId) {
            let predicate = self.world.predicates.get(id);
            if predicate.traits.deferred && predicate.clauses.len() > 0 {
                // An error in a clause is reported when the clause is called.
                let _ = self.complete_predicate(id);
            }
        }
    }

    /// Returns the clauses from files, by address.
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

    /// Returns the program clause of an instruction, or the one that it runs for.
    pub(in crate::machine) fn site_of(&self, r: &Regs) -> Site {
        self.site_at(r, self.cont)
    }

    /// Returns the program clause of an earlier instruction, given the continuation at that time.
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

    /// Numbers a new environment.
    pub(in crate::machine) fn note_environment(&mut self, e: EnvAddr) -> Result<(), Stop> {
        if let Some(recorder) = &mut self.run.observers.recorder {
            recorder.allocates = false;
            recorder.started += 1;
            recorder.activations.put_entry(e, recorder.started)?;
        }
        Ok(())
    }

    // ---- events -------------------------------------------------------------------------------

    /// Returns the number of linear resources used on the present branch.
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

    /// Returns the step of the present goal, -1 for none.
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
            // Other events are drawn where they are traced.
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

    /// Notes the assumptions made since the record with this number.
    pub(in crate::machine) fn note_assumed(&mut self, since: i64, site: Site) -> Result<(), Stop> {
        let mut records = Vec::new();
        let mut at = raw::cell(self.run.contexts.word(word::NEWEST));
        while at != NONE && int_at(at.addr() + rec::SEQ) > since {
            if int_at(at.addr() + rec::MARK) != HIDES && represents_group(at) {
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

    /// Returns the terms that show some records; `None` if there is no room for them.
    pub(in crate::machine) fn terms_of_records(
        &mut self,
        records: &[Cell],
    ) -> Result<Option<Vec<Cell>>, Stop> {
        let mut terms = Vec::new();
        for &record in records.iter().take(MAX_REPORTED) {
            let Ok(term) = self.kind_and_formula(record) else {
                return Ok(None);
            };
            terms.put(term)?;
        }
        Ok(Some(terms))
    }

    /// Shows an event, if the recorder has that purpose.
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
        let Some(mut terms) = self.terms_of_records(records)? else {
            return Ok(());
        };
        terms.put_all(goal)?;
        self.run.observers.tracer.origin = records.first().and_then(|&record| self.origin(record));
        self.world.upper.trace_context(self, event, &terms)?;
        Ok(())
    }
}

/// Maximum number of frames searched for the program clause of a goal.
const FRAMES: usize = 64;

/// Number of instructions that a goal may run for each call it may make. It ends a goal that loops without calls.
const INSTRUCTIONS_A_CALL: u64 = 100;
