//! The results of a recorder: the failures worth reporting, and the events of a branch.
#![forbid(unsafe_code)]

use super::recorder::{
    ALIKE, Event, Failure, KEPT, LOOKED_THROUGH, MAX_REPORTED, PLACE_MASK, Purpose,
};
use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::growth::{Grow, GrowAt};
use crate::base::stop::Stop;
use crate::machine::contexts::assumption::{
    NONE, int_at, next_alternative, rec, representative, slot_of,
};
use crate::machine::contexts::slots::{HIDES, slot, word};
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;
use crate::store::refusals::Refusal;
use crate::store::stored::Attrs;

/// A flag in keys of failures: the number with it is that of a predicate, not of a slot.
const UNDEFINED: u32 = 1 << 31;
/// A mark in keys of failures, for an eigenvariable kept in its scope: the number after it holds two places.
const ESCAPED: u32 = u32::MAX - 1;
/// Maximum number of alternatives of an assumption that are searched.
const LOOKED_AT: usize = 64;

/// Returns whether a record or one of its first alternatives is about the predicate of `slot`.
fn offers(record: Cell, slot: u32) -> bool {
    let mut at = record;
    for _ in 0..LOOKED_AT {
        if slot_of(at) == slot {
            return true;
        }
        at = next_alternative(at);
        if at == record {
            break;
        }
    }
    false
}

impl Machine {
    // ---- failures -----------------------------------------------------------------------------

    /// Returns the events of the present branch, newest first, at most `most` of them.
    fn events(&self, most: usize) -> Result<Vec<Cell>, Stop> {
        let mut found = Vec::new();
        let mut rest = raw::cell(self.run.contexts.word(word::RECORD));
        while let View::List(pair) = self.store.view(rest) {
            if found.len() >= most {
                break;
            }
            found.put(raw::cell(pair))?;
            rest = raw::cell(pair + WORD);
        }
        Ok(found)
    }

    fn kind(&self, event: Cell) -> (Event, i64) {
        let packed = self.event_int(event, 0);
        (Event::of(packed & 0xff), packed >> 8 & PLACE_MASK)
    }

    /// Returns a record as a term `Kind(Module:Formula)-Place`. The place is the number of the clause that assumed
    /// it, or 0 for the query, or -1 for an assumption from before the recording. For a declaration it is `File:Line`.
    fn record_with_place(&mut self, record: Cell, events: &[Cell]) -> Result<Cell, Stop> {
        let whole = representative(record);
        let site = events
            .iter()
            .find_map(|&event| match self.kind(event) {
                (Event::Assumed, site) if self.event_arg(event, 1) == whole => Some(site),
                _ => None,
            })
            .unwrap_or(-1);
        let term = self.kind_and_formula(record)?;
        let place = match self.origin(record) {
            Some(origin) if site < 1 => self.place_term(origin)?,
            _ => Cell::int(site),
        };
        self.store.reserve(4)?;
        Ok(self.store.new_struct(functors::MINUS2, &[term, place]))
    }

    fn records_with_places(&mut self, records: &[Cell], events: &[Cell]) -> Result<Cell, Stop> {
        let mut items = Vec::new();
        for &record in records.iter().take(MAX_REPORTED) {
            items.put(self.record_with_place(record, events)?)?;
        }
        self.store.list_of(&items)
    }

    /// Returns the number of uses before a failure of this key, if the failure is worth keeping.
    fn rank_if_kept(&mut self, key: (u32, i64)) -> Option<i64> {
        self.rank_if_kept_after(self.uses(), key)
    }

    /// Returns `rank` if a failure of this key after that number of uses is worth keeping.
    fn rank_if_kept_after(&mut self, rank: i64, key: (u32, i64)) -> Option<i64> {
        let recorder = self.run.observers.recorder.as_mut()?;
        recorder.noted += 1;
        if !matches!(recorder.purpose, Purpose::Failures(_)) {
            return None;
        }
        let failures = &recorder.failures;
        let alike = failures
            .iter()
            .filter(|failure| failure.key == key && failure.rank >= rank);
        let full = failures.len() >= KEPT && failures.iter().all(|failure| failure.rank >= rank);
        (!full && alike.count() < ALIKE).then_some(rank)
    }

    fn keep(&mut self, rank: i64, key: (u32, i64), term: Cell) -> Result<(), Stop> {
        let term = self.store.keep_term(term, Attrs::Drop)?;
        if let Some(recorder) = &mut self.run.observers.recorder {
            let failures = &mut recorder.failures;
            let at = failures.partition_point(|failure| failure.rank >= rank);
            failures.put_at(at, Failure { rank, key, term })?;
            failures.truncate(KEPT);
        }
        Ok(())
    }

    /// Notes that nothing proved a goal: `missed(Goal, Place, Used, Hidden, Others)`.
    pub(in crate::machine) fn note_missed(
        &mut self,
        slot: u32,
        goal: Cell,
        site: i64,
    ) -> Result<(), Stop> {
        let key = (slot, site);
        let Some(rank) = self.rank_if_kept(key) else {
            return Ok(());
        };
        let events = self.events(LOOKED_THROUGH)?;
        let levels = self.run.contexts.levels();
        let (mut hidden, mut others) = (Vec::new(), Vec::new());
        let mut at = raw::cell(self.run.contexts.slot_word(slot, slot::NEWEST));
        // Records from this number on are already reported.
        let mut reported_from = i64::MAX;
        while at != NONE && others.len() < MAX_REPORTED && hidden.len() < MAX_REPORTED {
            let (mark, seq) = (int_at(at.addr() + rec::MARK), int_at(at.addr() + rec::SEQ));
            if seq >= reported_from {
                // It is another alternative of a previous assumption.
            } else if mark == 0 || (levels.lowest..=levels.highest).contains(&mark) {
                others.put(at)?;
            } else if mark != HIDES {
                hidden.put(at)?;
            }
            if seq < reported_from {
                reported_from = int_at(next_alternative(representative(at)).addr() + rec::SEQ);
            }
            at = raw::cell(at.addr() + rec::NEXT);
        }
        let mut used = Vec::new();
        for &event in &events {
            let (kind, site) = self.kind(event);
            if kind != Event::Used || used.len() >= MAX_REPORTED {
                continue;
            }
            let record = self.event_arg(event, 1);
            if int_at(record.addr() + rec::MARK) == 0 || !offers(record, slot) {
                continue;
            }
            let assumption = self.record_with_place(record, &events)?;
            let by = self.goal_of(self.event_arg(event, 2), &events);
            self.store.reserve(8)?;
            used.put(
                self.store
                    .new_struct(functors::USED3, &[assumption, by, Cell::int(site)]),
            )?;
        }
        let used = self.store.list_of(&used)?;
        let hidden = self.records_with_places(&hidden, &events)?;
        let others = self.records_with_places(&others, &events)?;
        self.store.reserve(8)?;
        let args = [goal, Cell::int(site), used, hidden, others];
        let term = self.store.new_struct(functors::MISSED5, &args);
        self.keep(rank, key, term)
    }

    /// Notes a goal whose predicate is neither defined nor assumed: `missed(Goal, Place, unknown, [], [])`. If the
    /// predicate is `known`, notes that no clause matches the goal: `missed(Goal, Place, [], [], [])`.
    pub(in crate::machine) fn note_unproved(
        &mut self,
        (predicate, known): (PredId, bool),
        goal: Cell,
        site: i64,
    ) -> Result<(), Stop> {
        let key = (UNDEFINED | predicate.0, site);
        let Some(rank) = self.rank_if_kept(key) else {
            return Ok(());
        };
        self.store.reserve(8)?;
        let nothing = Cell::atom(atoms::NIL);
        let used = if known {
            nothing
        } else {
            Cell::atom(atoms::UNKNOWN)
        };
        let args = [goal, Cell::int(site), used, nothing, nothing];
        let term = self.store.new_struct(functors::MISSED5, &args);
        self.keep(rank, key, term)
    }

    /// Notes that a binding by the last instruction would have moved an eigenvariable out of its scope:
    /// `escaped(Constant, Value, Kind, MadeAt, BoundAt)`.
    pub(in crate::machine) fn note_refusal(&mut self, refusal: &Refusal) -> Result<(), Stop> {
        let Some(recorder) = &mut self.run.observers.recorder else {
            return Ok(());
        };
        let (last, cont, uses) = recorder.last;
        let made = &recorder.made;
        let after = made.partition_point(|made| made.first <= refusal.number);
        let (kind, made_at) = match made.get(after.wrapping_sub(1)) {
            Some(made) if made.local => (atoms::LOCAL, made.place),
            Some(made) => (atoms::FORALL, made.place),
            None => (atoms::FORALL, -1),
        };
        // The instruction at the entry of a predicate unifies its assumptions.
        let called_at = recorder.site.place;
        let bound_at = match self.site_at(&last, cont).place {
            0 => called_at,
            place => place,
        };
        let key = (ESCAPED, made_at << 24 | bound_at);
        let Some(_) = self.rank_if_kept_after(uses, key) else {
            return Ok(());
        };
        let top = self.store.heap_top;
        let pair = self.store.load_term(&refusal.pair)?;
        let Some((_, pair)) = self.store.compound(pair) else {
            unreachable!("refusals are kept as pairs")
        };
        self.store.reserve(8)?;
        let args = [
            self.store.arg(pair, 0),
            self.store.arg(pair, 1),
            Cell::atom(kind),
            Cell::int(made_at),
            Cell::int(bound_at),
        ];
        let term = self.store.new_struct(functors::ESCAPED5, &args);
        let kept = self.keep(uses, key, term);
        self.store.heap_top = top;
        kept
    }

    /// Returns the goal of a step.
    fn goal_of(&self, step: Cell, events: &[Cell]) -> Cell {
        events
            .iter()
            .find_map(|&event| match self.kind(event).0 {
                Event::Called if self.event_arg(event, 1) == step => Some(self.event_arg(event, 2)),
                _ => None,
            })
            .unwrap_or(Cell::atom(atoms::NIL))
    }

    /// Notes that these records are left where none may be left: `left(Where, Resources, Number)`.
    pub(in crate::machine) fn note_left(&mut self, place: Atom, left: &[Cell]) -> Result<(), Stop> {
        if left.is_empty() {
            return Ok(());
        }
        self.trace(Event::Left, left, None)?;
        // The key holds the number of the first leftover, so other leftovers are another failure.
        let key = (
            u32::MAX,
            left.first()
                .map_or(0, |record| int_at(record.addr() + rec::SEQ)),
        );
        let Some(rank) = self.rank_if_kept(key) else {
            return Ok(());
        };
        let top = self.store.heap_top;
        let events = self.events(LOOKED_THROUGH)?;
        let records = self.records_with_places(left, &events)?;
        self.store.reserve(8)?;
        let args = [Cell::atom(place), records, Cell::int(left.len() as i64)];
        let term = self.store.new_struct(functors::LEFT3, &args);
        let kept = self.keep(rank, key, term);
        self.store.heap_top = top;
        kept
    }

    // ---- recorded events ----------------------------------------------------------------------

    /// Returns the events of the present branch, oldest first, as terms:
    /// `assumed(Number, Kind(Formula), Step, Place)`, `called(Step, Goal, In, Place)`,
    /// `used(Number, Step, Kind(Formula), Place)`, and for other events their name with a step and a place. A place
    /// is the number of a clause and the number of its use.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn recorded_events(&mut self) -> Result<Vec<Cell>, Stop> {
        let events = self.events(usize::MAX)?;
        let mut terms = Vec::with_capacity(events.len());
        for &event in events.iter().rev() {
            let (kind, site) = self.kind(event);
            let [a, b, c] = [1, 2, 3].map(|index| self.event_arg(event, index));
            let activation = self.event_int(event, 0) >> 32;
            self.store.reserve(32)?;
            let site = [Cell::int(site), Cell::int(activation)];
            let site = self.store.new_struct(functors::MINUS2, &site);
            let args: Vec<Cell> = match kind {
                Event::Assumed => {
                    let number = raw::cell(a.addr() + rec::SEQ);
                    vec![number, self.kind_and_formula(a)?, b, site]
                }
                Event::Used => {
                    let number = raw::cell(representative(a).addr() + rec::SEQ);
                    vec![number, b, self.kind_and_formula(a)?, site]
                }
                Event::Called => vec![a, b, c, site],
                _ => vec![a, site],
            };
            self.store.reserve(16)?;
            let name = self.world.symbols.intern(kind.name())?;
            let functor = self.world.symbols.functor(name, args.len())?;
            terms.put(self.store.new_struct(functor, &args))?;
        }
        Ok(terms)
    }
}
