//! Constrained variables: their domains, the propagators that wait for their changes, and their bindings.

use super::change::{BOUNDS, DOM, INST, MAX, MIN, PENDING, interest};
use super::domain::{self, Record, WORDS, record, record_in};
use super::number::{Large, Num, Small};
use super::set::INTERVAL;
use super::work::{Fd, Halt, R};
use crate::base::atom_table::{atoms, functors};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// The event that the propagators in a list wait for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Wait {
    /// The variable is an integer.
    Inst = 0,
    /// The least value of the variable has become greater.
    Min,
    /// The greatest value of the variable has become less.
    Max,
    /// One of both bounds has changed.
    Bounds,
    /// The domain of the variable has changed.
    Dom,
}

/// Every list, with the events that it is for.
pub(super) const LISTS: [(u32, u64); 5] = [
    (INST, Wait::Inst as u64),
    (MIN, Wait::Min as u64),
    (MAX, Wait::Max as u64),
    (BOUNDS, Wait::Bounds as u64),
    (DOM, Wait::Dom as u64),
];

/// Offset of the lists in `'$fd_subscribers'(Pending, Inst, Min, Max, Bounds, Dom)`, in bytes.
pub(super) const FIRST_LIST: u64 = 2 * WORD;
/// Words of that compound.
const SUBSCRIBERS_WORDS: usize = 7;

/// The binding of a variable with a domain.
pub(crate) enum Bound {
    /// An integer or another variable: the constraints were notified.
    Heard,
    /// A term that is no integer.
    NoInteger,
}

impl Fd<'_> {
    /// Makes a variable one over the integers: gives it a domain if it has none.
    pub(crate) fn constrain(&mut self, x: Cell) -> R {
        let x = deref(x);
        if !x.is_var() || record(x).is_some() {
            return Ok(());
        }
        self.new_record(x, Cell::atom(atoms::INF), Cell::atom(atoms::SUP), INTERVAL)?;
        Ok(())
    }

    /// Returns a fresh variable over the integers.
    pub(crate) fn new_variable(&mut self) -> R<Cell> {
        self.new_variable_between(Cell::atom(atoms::INF), Cell::atom(atoms::SUP))
    }

    /// Returns a fresh variable between bounds that differ.
    pub(super) fn new_variable_between(&mut self, low: Cell, high: Cell) -> R<Cell> {
        let var = self.store.new_var();
        self.new_record(var, low, high, INTERVAL)?;
        Ok(deref(var))
    }

    /// Gives a dereferenced variable a domain.
    fn new_record(&mut self, x: Cell, low: Cell, high: Cell, set: Cell) -> R<Record> {
        let at = self.allocate(WORDS + 4 + 2)?;
        raw::set_cell(at, Cell::functor(functors::FD));
        for (nth, cell) in [low, high, set, Cell::int(0)].into_iter().enumerate() {
            raw::set_cell(at + (nth as u64 + 1) * WORD, cell);
        }
        let attribute = at + WORDS as u64 * WORD;
        raw::set_cell(attribute, Cell::functor(functors::ATT));
        raw::set_cell(attribute + WORD, Cell::atom(atoms::CLPFD));
        raw::set_cell(attribute + 2 * WORD, Cell::structure(at));
        let var = attribute + 4 * WORD;
        let attributed = Cell::attributed(var);
        match x.tag() == tag::ATT {
            true => {
                raw::set_cell(attribute + 3 * WORD, raw::cell(x.addr() + WORD));
                raw::set_cell(var, Cell::int(0));
                raw::set_cell(var + WORD, Cell::int(0));
                self.store
                    .assign(x.addr() + WORD, Cell::structure(attribute))?;
            }
            false => {
                raw::set_cell(attribute + 3 * WORD, Cell::atom(atoms::NIL));
                raw::set_cell(var, attributed);
                raw::set_cell(var + WORD, Cell::structure(attribute));
                self.store.bind(x, attributed)?;
            }
        }
        let slot = attribute + 2 * WORD;
        Ok(Record { slot, at })
    }

    /// Makes a propagator wait for changes of a variable. Does nothing for an integer, which does not change.
    pub(crate) fn subscribe(&mut self, x: Cell, propagator: Cell, wait: Wait) -> R {
        let x = deref(x);
        if !x.is_var() {
            return Ok(());
        }
        self.constrain(x)?;
        let Some(record) = record(deref(x)) else {
            return Err(Halt::Fail);
        };
        let subscribers = self.subscribers(record)?;
        interest(subscribers, LISTS[wait as usize].0);
        let list = subscribers + FIRST_LIST + wait as u64 * WORD;
        let pair = self.allocate(2)?;
        raw::set_cell(pair, propagator);
        raw::set_cell(pair + WORD, raw::cell(list));
        self.store.assign(list, Cell::list(pair))?;
        Ok(())
    }

    /// Returns the address of the lists of a variable.
    fn subscribers(&mut self, record: Record) -> R<HeapAddr> {
        if let Some(at) = subscribers_at(record.subscribers()) {
            return Ok(at);
        }
        let at = self.allocate(SUBSCRIBERS_WORDS)?;
        raw::set_cell(at, Cell::functor(functors::FD_SUBSCRIBERS));
        raw::set_cell(at + PENDING, Cell::int(0));
        for (_, list) in LISTS {
            raw::set_cell(at + FIRST_LIST + list * WORD, Cell::atom(atoms::NIL));
        }
        let place = self.own(record)? + 4 * WORD;
        // Backtracking frees a record of this choice segment, so its contents need no trail entry.
        raw::set_cell(place, Cell::structure(at));
        Ok(at)
    }

    /// Notifies the constraints that the variable with these attributes was bound to `value`. Returns the kind of
    /// binding, and the attributes that do not belong to constraints.
    pub(crate) fn was_bound(&mut self, attributes: Cell, value: Cell) -> R<(Bound, Cell)> {
        let Some(own) = record_in(deref(attributes)) else {
            return Ok((Bound::Heard, attributes));
        };
        let rest = deref(raw::cell(own.slot + WORD));
        let value = deref(value);
        if value.is_var() {
            self.join(own, value)?;
            return Ok((Bound::Heard, rest));
        }
        let integer = match Large::of_cell(self.store, value) {
            Ok(integer) if integer.is_finite() => integer,
            Err(Halt::Stop) => return Err(Halt::Stop),
            _ => return Ok((Bound::NoInteger, rest)),
        };
        let events = match integer.small() {
            Some(small) => match self.events_of_binding(own, &Small(small)) {
                Err(Halt::Wide) => self.events_of_binding(own, &integer),
                events => events,
            },
            None => self.events_of_binding(own, &integer),
        }?;
        self.notify(own.subscribers(), events)?;
        Ok((Bound::Heard, rest))
    }

    /// Returns the events of the binding of a variable to this value; fails if the value is not in its domain.
    fn events_of_binding<N: Num>(&mut self, record: Record, value: &N) -> R<u32> {
        let low = N::of_cell(self.store, record.low())?;
        let high = N::of_cell(self.store, record.high())?;
        if *value < low || *value > high {
            return Err(Halt::Fail);
        }
        if record.set() != INTERVAL && !self.is_member(record.set(), &low, value)? {
            return Err(Halt::Fail);
        }
        let mut events = INST | DOM;
        if *value != low {
            events |= MIN;
        }
        if *value != high {
            events |= MAX;
        }
        Ok(events)
    }

    /// Moves domain and propagators of a variable to another variable that it was bound to.
    pub(super) fn join(&mut self, own: Record, other: Cell) -> R {
        let Some(record) = domain::record(other) else {
            let (low, high, set) = (own.low(), own.high(), own.set());
            let record = self.new_record(other, low, high, set)?;
            raw::set_cell(record.at + 4 * WORD, own.subscribers());
            return Ok(());
        };
        // Move the subscribers first, so that they are notified of the changes of the domains.
        if let Some(from) = subscribers_at(own.subscribers()) {
            let to = self.subscribers(record)?;
            interest(to, INST | MIN | MAX | DOM);
            for (_, list) in LISTS {
                let place = FIRST_LIST + list * WORD;
                self.append(raw::cell(from + place), to + place)?;
            }
            self.notify(Cell::structure(to), INST | MIN | MAX | DOM)?;
        } else {
            self.notify(record.subscribers(), INST | MIN | MAX | DOM)?;
        }
        let mut small = Vec::new();
        match self.ranges_of_record::<Small>(own, &mut small) {
            Ok(()) => match self.restrict(other, &small) {
                Err(Halt::Wide) => {}
                done => return done,
            },
            Err(Halt::Wide) => {}
            Err(halt) => return Err(halt),
        }
        let mut large = Vec::new();
        self.ranges_of_record::<Large>(own, &mut large)?;
        self.restrict(other, &large)
    }

    fn ranges_of_record<N: Num>(&self, record: Record, ranges: &mut Vec<(N, N)>) -> R {
        let low = N::of_cell(self.store, record.low())?;
        let high = N::of_cell(self.store, record.high())?;
        *ranges = match record.set() {
            INTERVAL => vec![(low, high)],
            set => self.ranges_of(set, low, high)?,
        };
        Ok(())
    }

    /// Puts the propagators of a list before those of the list at `place`.
    fn append(&mut self, list: Cell, place: HeapAddr) -> R {
        let mut items = Vec::new();
        self.store.list_items(list, &mut items)?;
        if items.is_empty() {
            return Ok(());
        }
        let joined = self.store.list_with_tail(&items, raw::cell(place))?;
        self.store.assign(place, joined)?;
        Ok(())
    }
}

/// Returns the address of the lists of a variable, if it has some.
#[inline(always)]
pub(super) fn subscribers_at(subscribers: Cell) -> Option<HeapAddr> {
    let has = subscribers.tag() == tag::STR
        && raw::cell(subscribers.addr()) == Cell::functor(functors::FD_SUBSCRIBERS);
    has.then(|| subscribers.addr())
}
