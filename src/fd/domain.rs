//! The domain of a variable: a record on the heap that its first attribute holds.
//!
//! `'$fd'(Low, High, Set, Subscribers)`. Low and High are the least and the greatest member, integers or `inf` and
//! `sup`. They differ, because a variable with one value left is bound to it. Set describes the members between them
//! (see [`set`](super::set)). A record at or above HB belongs to this choice segment and is changed in place. An
//! older one is copied to the top of the heap, and the one pointer to it is trailed.

use super::change::{DOM, INST, MAX, MIN};
use super::number::Num;
use super::set::{INTERVAL, ranges_of_bits};
use super::work::{Fd, Halt, R};
use crate::base::atom_table::{atoms, functors};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// Words of a record.
pub(super) const WORDS: usize = 5;
/// Offsets of the parts of a domain, in bytes.
const LOW: u64 = WORD;
const HIGH: u64 = 2 * WORD;
const SET: u64 = 3 * WORD;
const SUBSCRIBERS: u64 = 4 * WORD;

/// The record of a variable.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Record {
    /// Address of the variable's attribute that refers to the record.
    pub(super) slot: HeapAddr,
    /// Address of the record.
    pub(super) at: HeapAddr,
}

impl Record {
    /// Returns the cell of the least member.
    #[inline(always)]
    pub(crate) fn low(self) -> Cell {
        raw::cell(self.at + LOW)
    }
    /// Returns the cell of the greatest member.
    #[inline(always)]
    pub(crate) fn high(self) -> Cell {
        raw::cell(self.at + HIGH)
    }
    /// Returns the bounds, if they are small integers.
    #[inline(always)]
    pub(super) fn small_bounds(self) -> Option<(i64, i64)> {
        let (low, high) = (self.low(), self.high());
        (low.is_int() && high.is_int()).then(|| (low.int_value(), high.int_value()))
    }
    /// Returns the cell that describes the members between the bounds.
    #[inline(always)]
    pub(super) fn set(self) -> Cell {
        raw::cell(self.at + SET)
    }
    /// Returns whether some integers between the bounds are not members.
    #[inline(always)]
    pub(crate) fn has_gaps(self) -> bool {
        self.set() != INTERVAL
    }
    /// Returns the propagators that wait for changes.
    #[inline(always)]
    pub(super) fn subscribers(self) -> Cell {
        raw::cell(self.at + SUBSCRIBERS)
    }
}

/// Returns the record of a dereferenced variable, if it has one.
#[inline(always)]
pub(crate) fn record(var: Cell) -> Option<Record> {
    if var.tag() != tag::ATT {
        return None;
    }
    record_in(deref(raw::cell(var.addr() + WORD)))
}

/// Returns the record in a chain of attributes, if it has one.
#[inline(always)]
pub(crate) fn record_in(chain: Cell) -> Option<Record> {
    if chain.tag() != tag::STR || raw::cell(chain.addr()) != Cell::functor(functors::ATT) {
        return None;
    }
    let slot = chain.addr() + 2 * WORD;
    let value = raw::cell(slot);
    if value.tag() != tag::STR || raw::cell(value.addr()) != Cell::functor(functors::FD) {
        return None;
    }
    let at = value.addr();
    Some(Record { slot, at })
}

impl Fd<'_> {
    /// Returns the least and the greatest value of a term. Both are the integer itself if the term is an integer.
    #[inline(always)]
    pub(crate) fn bounds<N: Num>(&self, x: Cell) -> R<(N, N)> {
        let x = deref(x);
        if !N::LARGE && x.is_int() {
            let value = N::of(x.int_value());
            return Ok((value.clone(), value));
        }
        match record(x) {
            Some(record) if !N::LARGE => self.bounds_of(record),
            _ => self.bounds_apart(x),
        }
    }

    #[inline(never)]
    fn bounds_apart<N: Num>(&self, x: Cell) -> R<(N, N)> {
        match record(x) {
            Some(record) => self.bounds_of(record),
            None if x.is_var() => Ok((N::INF, N::SUP)),
            None => {
                let value = self.integer::<N>(x)?;
                Ok((value.clone(), value))
            }
        }
    }

    /// Returns the bounds in a record.
    #[inline(always)]
    pub(crate) fn bounds_of<N: Num>(&self, record: Record) -> R<(N, N)> {
        Ok((
            N::of_cell(self.store, record.low())?,
            N::of_cell(self.store, record.high())?,
        ))
    }

    /// Returns the value of a dereferenced integer; fails for other terms.
    #[inline]
    pub(crate) fn integer<N: Num>(&self, x: Cell) -> R<N> {
        let value = N::of_cell(self.store, x)?;
        match value.is_finite() {
            true => Ok(value),
            false => Err(Halt::Fail),
        }
    }

    /// Returns the value of a term if it is an integer now.
    #[inline]
    pub(crate) fn value<N: Num>(&self, x: Cell) -> R<Option<N>> {
        let x = deref(x);
        match x.is_var() {
            true => Ok(None),
            false => Ok(Some(self.integer(x)?)),
        }
    }

    /// Returns the least value.
    #[inline]
    pub(crate) fn min<N: Num>(&self, x: Cell) -> R<N> {
        let x = deref(x);
        match record(x) {
            Some(record) => N::of_cell(self.store, record.low()),
            None => Ok(self.bounds(x)?.0),
        }
    }

    /// Returns the greatest value.
    #[inline]
    pub(crate) fn max<N: Num>(&self, x: Cell) -> R<N> {
        let x = deref(x);
        match record(x) {
            Some(record) => N::of_cell(self.store, record.high()),
            None => Ok(self.bounds(x)?.1),
        }
    }

    /// Returns whether the term may have this value.
    #[inline]
    pub(crate) fn contains<N: Num>(&self, x: Cell, value: &N) -> R<bool> {
        let x = deref(x);
        let Some(record) = record(x) else {
            let (low, high) = self.bounds::<N>(x)?;
            return Ok(low <= *value && *value <= high);
        };
        let low = N::of_cell(self.store, record.low())?;
        if *value < low || *value > N::of_cell(self.store, record.high())? {
            return Ok(false);
        }
        match record.set() {
            INTERVAL => Ok(true),
            set => self.is_member(set, &low, value),
        }
    }

    /// Returns the address of a record that may be changed: the same record, or a copy.
    #[inline(always)]
    pub(super) fn own(&mut self, record: Record) -> R<HeapAddr> {
        if record.at >= self.store.heap_backtrack {
            return Ok(record.at);
        }
        let at = self.allocate(WORDS)?;
        for word in 0..WORDS as u64 {
            raw::set_word(at + word * WORD, raw::word(record.at + word * WORD));
        }
        self.store.assign(record.slot, Cell::structure(at))?;
        Ok(at)
    }

    /// Removes the values less than `value`.
    #[inline]
    pub(crate) fn set_min<N: Num>(&mut self, x: Cell, value: &N) -> R {
        let x = deref(x);
        let Some(record) = record(x) else {
            return self.bare_between(x, value, &N::SUP);
        };
        let low = N::of_cell(self.store, record.low())?;
        if *value <= low {
            return Ok(());
        }
        self.raise_min(x, record, low, value)
    }

    /// Does the work of [`Fd::set_min`] for a dereferenced variable with this record, whose least value, `low`, is
    /// less than `value`.
    #[inline(never)]
    pub(super) fn raise_min<N: Num>(&mut self, x: Cell, record: Record, low: N, value: &N) -> R {
        let high = N::of_cell(self.store, record.high())?;
        if *value > high {
            return Err(Halt::Fail);
        }
        let (low, set) = match record.set() {
            INTERVAL => (value.clone(), INTERVAL),
            set => self.members_from(set, low, &high, value)?,
        };
        if low == high {
            return self.instantiate(x, record, record.high(), INST | MIN | DOM);
        }
        let low = low.cell(self.store)?;
        let at = self.own(record)?;
        raw::set_cell(at + LOW, low);
        raw::set_cell(at + SET, set);
        self.notify(raw::cell(at + SUBSCRIBERS), MIN | DOM)
    }

    /// Removes the values greater than `value`.
    #[inline]
    pub(crate) fn set_max<N: Num>(&mut self, x: Cell, value: &N) -> R {
        let x = deref(x);
        let Some(record) = record(x) else {
            return self.bare_between(x, &N::INF, value);
        };
        let high = N::of_cell(self.store, record.high())?;
        if *value >= high {
            return Ok(());
        }
        self.lower_max(x, record, high, value)
    }

    /// Does the work of [`Fd::set_max`] for a dereferenced variable with this record, whose greatest value, `high`,
    /// is greater than `value`.
    #[inline(never)]
    pub(super) fn lower_max<N: Num>(&mut self, x: Cell, record: Record, high: N, value: &N) -> R {
        let low = N::of_cell(self.store, record.low())?;
        if *value < low {
            return Err(Halt::Fail);
        }
        let (high, set) = match record.set() {
            INTERVAL => (value.clone(), INTERVAL),
            set => self.members_to(set, &low, high, value)?,
        };
        if low == high {
            return self.instantiate(x, record, record.low(), INST | MAX | DOM);
        }
        let high = high.cell(self.store)?;
        let at = self.own(record)?;
        raw::set_cell(at + HIGH, high);
        raw::set_cell(at + SET, set);
        self.notify(raw::cell(at + SUBSCRIBERS), MAX | DOM)
    }

    /// Removes the values outside of these bounds.
    #[inline]
    pub(crate) fn set_between<N: Num>(&mut self, x: Cell, low: &N, high: &N) -> R {
        self.set_min(x, low)?;
        self.set_max(x, high)
    }

    /// Removes this value.
    #[inline]
    pub(crate) fn remove<N: Num>(&mut self, x: Cell, value: &N) -> R {
        let x = deref(x);
        let Some(record) = record(x) else {
            return self.bare_remove(x, value);
        };
        let low = N::of_cell(self.store, record.low())?;
        let high = N::of_cell(self.store, record.high())?;
        if *value < low || *value > high {
            return Ok(());
        }
        self.remove_member(x, record, low, high, value)
    }

    /// Does the work of [`Fd::remove`] for a value between the bounds of a dereferenced variable with this record.
    #[inline(never)]
    pub(super) fn remove_member<N: Num>(
        &mut self,
        x: Cell,
        record: Record,
        low: N,
        high: N,
        value: &N,
    ) -> R {
        if *value == low {
            return self.raise_min(x, record, low, &value.next()?);
        }
        if *value == high {
            return self.lower_max(x, record, high, &value.before()?);
        }
        let Some(set) = self.without(record.set(), &low, &high, value)? else {
            return Ok(());
        };
        let at = self.own(record)?;
        raw::set_cell(at + SET, set);
        self.notify(raw::cell(at + SUBSCRIBERS), DOM)
    }

    /// Gives the term this value.
    #[inline]
    pub(crate) fn assign<N: Num>(&mut self, x: Cell, value: &N) -> R {
        let x = deref(x);
        let Some(record) = record(x) else {
            return self.bare_between(x, value, value);
        };
        if !self.contains(x, value)? {
            return Err(Halt::Fail);
        }
        let cell = value.cell(self.store)?;
        let mut events = INST | DOM;
        if *value != N::of_cell(self.store, record.low())? {
            events |= MIN;
        }
        if *value != N::of_cell(self.store, record.high())? {
            events |= MAX;
        }
        self.instantiate(x, record, cell, events)
    }

    /// Binds a variable to an integer. Goals that wait for it through other attributes are woken after the
    /// constraints.
    #[inline(always)]
    pub(super) fn instantiate(&mut self, x: Cell, record: Record, value: Cell, events: u32) -> R {
        let rest = raw::cell(record.slot + WORD);
        if rest != Cell::atom(atoms::NIL) {
            self.store.reserve(8)?;
            self.store.schedule(rest, value);
        }
        self.store.assign(x.addr(), value)?;
        self.notify(record.subscribers(), events)
    }

    /// Removes the values outside of these intervals, which are in ascending order. If no value goes, nothing
    /// changes.
    pub(crate) fn restrict<N: Num>(&mut self, x: Cell, ranges: &[(N, N)]) -> R {
        let x = deref(x);
        let ([(first, _), ..], [.., (_, last)]) = (ranges, ranges) else {
            return Err(Halt::Fail);
        };
        let Some(record) = record(x) else {
            if x.is_var() {
                self.constrain(x)?;
                return self.restrict(deref(x), ranges);
            }
            let value = self.integer::<N>(x)?;
            return match ranges
                .iter()
                .any(|(low, high)| *low <= value && value <= *high)
            {
                true => Ok(()),
                false => Err(Halt::Fail),
            };
        };
        if let [(low, high)] = ranges {
            return self.set_between(x, low, high);
        }
        let own = self.ranges::<N>(x)?;
        let common = super::set::intersection(&own, ranges)?;
        if common == own {
            return Ok(());
        }
        let ([(low, _), ..], [.., (_, high)]) = (&common[..], &common[..]) else {
            return Err(Halt::Fail);
        };
        debug_assert!(first <= low && high <= last);
        let low_cell = low.cell(self.store)?;
        let mut events = DOM;
        if *low != own[0].0 {
            events |= MIN;
        }
        if *high != own[own.len() - 1].1 {
            events |= MAX;
        }
        if low == high {
            return self.instantiate(x, record, low_cell, events | INST);
        }
        let high_cell = high.cell(self.store)?;
        let set = self.new_set(&common)?;
        let at = self.own(record)?;
        raw::set_cell(at + LOW, low_cell);
        raw::set_cell(at + HIGH, high_cell);
        raw::set_cell(at + SET, set);
        self.notify(raw::cell(at + SUBSCRIBERS), events)
    }

    /// Returns the values of a term as intervals in ascending order.
    pub(crate) fn ranges<N: Num>(&self, x: Cell) -> R<Vec<(N, N)>> {
        let x = deref(x);
        let (low, high) = self.bounds::<N>(x)?;
        match record(x) {
            Some(record) if record.set() != INTERVAL => self.ranges_of(record.set(), low, high),
            _ => Ok(vec![(low, high)]),
        }
    }

    /// Returns the values as bits, if they are close together: the least value and a word whose lowest bit stands for
    /// it.
    #[inline(always)]
    pub(crate) fn bits(&self, x: Cell) -> Option<(i64, u64)> {
        let x = deref(x);
        match x.is_int() {
            true => Some((x.int_value(), 1)),
            false => self.bits_of_record(record(x)?),
        }
    }

    #[inline(always)]
    fn bits_of_record(&self, record: Record) -> Option<(i64, u64)> {
        let (low, high) = record.small_bounds()?;
        if high - low >= 64 {
            return None;
        }
        match record.set() {
            INTERVAL => Some((low, u64::MAX >> (63 - (high - low)))),
            set => Some((low, self.bits_of(set, low, high))),
        }
    }

    /// Removes the values whose bits are not set. The lowest bit stands for `base`.
    pub(crate) fn restrict_bits(&mut self, x: Cell, base: i64, bits: u64) -> R {
        let x = deref(x);
        if let Some(record) = record(x)
            && let Some((low, own)) = self.bits_of_record(record)
        {
            let aligned = match low - base {
                distance @ 0..64 => bits >> distance,
                distance @ -63..0 => bits << -distance,
                _ => 0,
            };
            return self.keep_bits(x, record, low, own, own & aligned);
        }
        self.restrict(x, &ranges_of_bits(base, bits)?)
    }

    /// Keeps the values `left` of the values `own` of a variable. Both are bits whose lowest stands for `low`.
    fn keep_bits(&mut self, x: Cell, record: Record, low: i64, own: u64, left: u64) -> R {
        if left == own {
            return Ok(());
        }
        if left == 0 {
            return Err(Halt::Fail);
        }
        let (first, last) = (left.trailing_zeros(), 63 - left.leading_zeros());
        let mut events = DOM;
        if first > 0 {
            events |= MIN;
        }
        if last < 63 - own.leading_zeros() {
            events |= MAX;
        }
        let least = Cell::int(low + i64::from(first));
        if first == last {
            return self.instantiate(x, record, least, events | INST);
        }
        let set = self.bits_set(low + i64::from(first), left >> first)?;
        let at = self.own(record)?;
        raw::set_cell(at + LOW, least);
        raw::set_cell(at + HIGH, Cell::int(low + i64::from(last)));
        raw::set_cell(at + SET, set);
        self.notify(raw::cell(at + SUBSCRIBERS), events)
    }

    /// Returns the next value after `value`, if there is one.
    pub(crate) fn next_value<N: Num>(&self, x: Cell, value: &N) -> R<Option<N>> {
        let x = deref(x);
        let (low, high) = self.bounds::<N>(x)?;
        let next = value.next()?.max(low.clone());
        if next > high {
            return Ok(None);
        }
        match record(x) {
            Some(record) if record.set() != INTERVAL => {
                Ok(Some(self.first_member(record.set(), &low, &high, &next)?))
            }
            _ => Ok(Some(next)),
        }
    }

    /// Returns the number of values; `sup` if it is infinite.
    pub(crate) fn size<N: Num>(&self, x: Cell) -> R<N> {
        let x = deref(x);
        let (low, high) = self.bounds::<N>(x)?;
        if !low.is_finite() || !high.is_finite() {
            return Ok(N::SUP);
        }
        match record(x) {
            Some(record) if record.set() != INTERVAL => self.size_of(record.set(), &low, &high),
            _ => high.sub(&low)?.next(),
        }
    }

    #[cold]
    #[inline(never)]
    fn bare_between<N: Num>(&mut self, x: Cell, low: &N, high: &N) -> R {
        if x.is_var() {
            self.constrain(x)?;
            return self.set_between(deref(x), low, high);
        }
        let value = self.integer::<N>(x)?;
        match *low <= value && value <= *high {
            true => Ok(()),
            false => Err(Halt::Fail),
        }
    }

    #[cold]
    #[inline(never)]
    fn bare_remove<N: Num>(&mut self, x: Cell, value: &N) -> R {
        if x.is_var() {
            self.constrain(x)?;
            return self.remove(deref(x), value);
        }
        match self.integer::<N>(x)? == *value {
            true => Err(Halt::Fail),
            false => Ok(()),
        }
    }
}
