//! Creation, keys and updates of the indexes of assumptions: see [`index`](crate::machine::contexts::index).
#![forbid(unsafe_code)]

use super::assumption::{NONE, head_arg, head_cell, int_at, node_of, rec, set_node, slot_of};
use super::index::{Index, OPEN, Places, Present};
use super::slots::{Contexts, HIDES, slot, word};
use crate::base::atom_table::FastSet;
use crate::base::growth::{Gather, Grow, GrowBy, GrowSet};
use crate::base::stop::Stop;
use crate::ir::key::{CallKeys, Key};
use crate::machine::state::Machine;
use crate::program::indexes::places::{Path, Tally, bound_places};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::claims::Reported;
use crate::store::{links, raw};
use std::cmp::Reverse;

/// Number of records up to which they are searched one by one.
const FEW: usize = 8;
/// Maximum number of indexes of a predicate. Each adds to the time of an assumption.
const INDEXES: usize = 4;
/// Maximum number of places of an index.
const PLACES: usize = 4;
/// Number of records that are sampled to choose the places of an index.
const SAMPLE: usize = 1 << 12;
/// Number of parts of an argument that are searched for applications of variables.
const PARTS: usize = 64;

impl Contexts {
    /// Calls `look_at` for all indexes.
    pub(in crate::machine) fn each_index(&mut self, mut look_at: impl FnMut(&mut Index)) {
        for &slot in &self.indexed {
            self.slots[slot as usize]
                .indexes
                .iter_mut()
                .for_each(&mut look_at);
        }
    }

    /// Undoes in all indexes the changes that backtracking has undone.
    pub(in crate::machine) fn catch_up_all(&mut self) {
        let present = self.present();
        self.each_index(|index| index.catch_up(present));
    }

    #[inline(always)]
    fn present(&self) -> Present {
        Present {
            seq: self.int(word::SEQ),
            back: self.int(word::BACK),
        }
    }

    /// Undoes these changes in the indexes of one predicate.
    #[inline(always)]
    pub(in crate::machine) fn heed(&mut self, slot: u32) {
        let present = self.present();
        for index in &mut self.slots[slot as usize].indexes {
            index.catch_up(present);
        }
    }
}

impl Machine {
    // ---- keys ---------------------------------------------------------------------------------

    /// Returns whether a term may become another one when variables that are applied in it are bound.
    fn may_change(&self, term: Cell) -> bool {
        if !self.world.symbols.applications {
            return false;
        }
        let mut todo = vec![term];
        let mut left = PARTS;
        while let Some(cell) = todo.pop() {
            if left == 0 || self.store.is_application(&self.world.symbols, cell) {
                return true;
            }
            left -= 1;
            let count = match cell.tag() {
                tag::LST => 2,
                tag::STR => raw::cell(cell.addr()).as_functor().arity(),
                _ => 0,
            };
            let parts = (0..count).filter_map(|index| crate::ir::key::part(cell, index));
            if todo.put_all(parts).is_err() {
                return true;
            }
        }
        false
    }

    fn functor_key(&self, cell: Cell) -> Key {
        match cell.tag() {
            tag::STR if Key::of(cell) != Key::EIGENVARIABLE => Key::of(cell),
            tag::LST => Key::LIST,
            _ => Key::whole(cell),
        }
    }

    /// Returns the key of arguments at the places of an index; [`OPEN`] if they have none.
    #[inline(always)]
    fn key_at(&self, places: &Places, argument: impl Fn(usize) -> Option<Cell>) -> u64 {
        let known = |arg: usize| argument(arg).filter(|&cell| !self.may_change(cell));
        let key = match places {
            Places::Functor(arg) => known(*arg).map_or(Key::ANY, |cell| self.functor_key(cell)),
            Places::Whole(paths) => Key::joined(paths.iter().map(|path| path.key(known))),
        };
        if key.is_selective() { key.word() } else { OPEN }
    }

    fn record_key(&self, places: &Places, record: Cell) -> u64 {
        self.key_at(places, |arg| head_arg(&self.store, record, arg))
    }

    /// Returns the key of the goal in the registers.
    #[inline(always)]
    pub(in crate::machine) fn goal_key(&self, places: &Places) -> Option<u64> {
        let key = self.key_at(places, |arg| {
            Some(crate::store::heap::deref(raw::register(&self.x, arg)))
        });
        (key != OPEN).then_some(key)
    }

    // ---- changes ------------------------------------------------------------------------------

    /// Adds the newest record to the indexes of its predicate.
    pub(in crate::machine) fn add_to_indexes(
        &mut self,
        slot: u32,
        record: Cell,
    ) -> Result<(), Stop> {
        if int_at(record.addr() + rec::MARK) == HIDES {
            // Nothing uses it.
            return Ok(());
        }
        self.run.contexts.heed(slot);
        let mut indexes = std::mem::take(&mut self.run.contexts.slots[slot as usize].indexes);
        let before: u64 = indexes.iter().map(Index::bytes).sum();
        let room = indexes.iter_mut().try_for_each(Index::room_to_assume);
        let after: u64 = indexes.iter().map(Index::bytes).sum();
        if room.is_ok() {
            let mut node = 0;
            for index in &mut indexes {
                let key = self.record_key(&index.places, record);
                node = index.assume(record, key, node);
            }
            set_node(record, node);
        }
        self.run.contexts.slots[slot as usize].indexes = indexes;
        if after != before {
            self.store
                .report_table_size(Reported::Assumptions, self.run.contexts.bytes());
        }
        room
    }

    /// Brings the indexes of a predicate up to date, with room for a change.
    pub(in crate::machine) fn before_use(&mut self, slot: u32) -> Result<(), Stop> {
        self.run.contexts.heed(slot);
        let indexes = &mut self.run.contexts.slots[slot as usize].indexes;
        indexes.iter_mut().try_for_each(Index::room_to_use)
    }

    /// Calls `change` for each index of a record, with its node there.
    fn each_node(&mut self, record: Cell, mut change: impl FnMut(&mut Index, u32)) {
        let slot = slot_of(record) as usize;
        let mut node = node_of(record);
        for index in self.run.contexts.slots[slot].indexes.iter_mut().rev() {
            let more = index.more(node);
            change(index, node);
            node = more;
        }
    }

    /// Removes a record from its indexes, which have room for the change. It may come back if it `lasts`.
    pub(in crate::machine) fn take_out_of_indexes(&mut self, record: Cell, lasts: bool) {
        // A record that the first half of a `&` consumes comes back for the second half.
        let stays = lasts || self.run.contexts.int(word::USED) < -1;
        let back = self.run.contexts.int(word::BACK);
        self.each_node(record, |index, node| index.used(node, stays, back));
        if !stays {
            set_node(record, 0);
        }
    }

    /// Puts a removed record back into its indexes, which have room for the change.
    pub(in crate::machine) fn put_back_into_indexes(&mut self, record: Cell) {
        let back = self.run.contexts.int(word::BACK);
        self.each_node(record, |index, node| index.put_back(node, back));
    }

    // ---- building -----------------------------------------------------------------------------

    /// Builds an index for goals like the one in the registers. It does so if calls have looked at enough records in
    /// vain and the index distinguishes them.
    #[cold]
    #[inline(never)]
    pub(in crate::machine) fn consider_index(
        &mut self,
        slot: u32,
        arity: usize,
    ) -> Result<(), Stop> {
        self.run.contexts.heed(slot);
        let mut records = self.linked_records(slot)?;
        let count = records.len();
        let own = &mut self.run.contexts.slots[slot as usize];
        // If garbage is collected at every call, for tests, build indexes as early as possible.
        let always = self.run.collector.always;
        let few = if always { 1 } else { FEW };
        if own.walked < count && !always {
            own.patience = count;
            return Ok(());
        }
        own.walked = 0;
        own.patience = own.patience.saturating_mul(2).max(2 * count);
        if count <= few || own.indexes.len() >= INDEXES {
            return Ok(());
        }
        let Some(places) = self.best_places(arity, &records)? else {
            return Ok(());
        };
        let own = &self.run.contexts.slots[slot as usize];
        if own.indexes.iter().any(|index| index.places == places) {
            return Ok(());
        }
        let past = self.past(slot, &mut records)?;
        let mut index = Index::new(places)?;
        let places = index.places.clone();
        let bound = self.bound_since_choices()?;
        index.fill(&records, &past, |record| {
            let lasts =
                bound.is_empty() || self.is_unbound_since(record, arity, &bound) == Ok(true);
            let key = if lasts {
                self.record_key(&places, record)
            } else {
                OPEN
            };
            (key, node_of(record))
        })?;
        let contexts = &mut self.run.contexts;
        contexts.slots[slot as usize].indexes.put(index)?;
        if !contexts.indexed.contains(&slot) {
            contexts.indexed.put(slot)?;
        }
        for (node, &record) in (1..).zip(&records) {
            set_node(record, node);
        }
        self.store
            .report_table_size(Reported::Assumptions, self.run.contexts.bytes());
        Ok(())
    }

    /// Returns the variables whose bindings backtracking may undo.
    fn bound_since_choices(&self) -> Result<FastSet<HeapAddr>, Stop> {
        let mut bound = FastSet::default();
        let mut at = self.store.trail.base;
        while at < self.store.trail_top {
            let word = raw::word(at);
            if word & links::TAKEN_OUT == 0 || word & 1 == 0 {
                bound.put_new(Cell::of_word(word).addr())?;
            }
            at += if word & 1 == 0 { WORD } else { 3 * WORD };
        }
        Ok(bound)
    }

    /// Returns whether a record contains none of these variables. A binding of such a variable would change the key.
    /// Only a limited number of parts is searched.
    fn is_unbound_since(
        &self,
        record: Cell,
        arity: usize,
        bound: &FastSet<HeapAddr>,
    ) -> Result<bool, Stop> {
        let mut todo: Vec<Cell> = (0..arity)
            .filter_map(|index| head_cell(&self.store, record, index))
            .gather()?;
        for _ in 0..PARTS {
            let Some(mut cell) = todo.pop() else {
                return Ok(true);
            };
            while matches!(cell.tag(), tag::REF | tag::ATT) {
                if bound.contains(&cell.addr()) {
                    return Ok(false);
                }
                let next = raw::cell(cell.addr());
                if cell.tag() == tag::ATT || next == cell {
                    break;
                }
                cell = next;
            }
            let (first, count) = match cell.tag() {
                tag::LST => (cell.addr(), 2),
                tag::STR => {
                    let arity = raw::cell(cell.addr()).as_functor().arity();
                    (cell.addr() + WORD, arity as u64)
                }
                _ => continue,
            };
            for index in 0..count {
                // The part itself may be a variable that was bound in place.
                let part = first + index * WORD;
                if bound.contains(&part) {
                    return Ok(false);
                }
                let inner = raw::cell(part);
                if inner != Cell::reference(part) {
                    todo.put(inner)?;
                }
            }
        }
        Ok(false)
    }

    /// Returns the records of a predicate that may be used or are hidden now.
    fn linked_records(&self, slot: u32) -> Result<Vec<Cell>, Stop> {
        let mut records = Vec::new();
        let mut at = raw::cell(self.run.contexts.slot_word(slot, slot::NEWEST));
        while at != NONE {
            if int_at(at.addr() + rec::MARK) != HIDES {
                records.put(at)?;
            }
            at = raw::cell(at.addr() + rec::NEXT);
        }
        Ok(records)
    }

    /// Returns the places of the goal in the registers that distinguish records best, if any do.
    fn best_places(&self, arity: usize, records: &[Cell]) -> Result<Option<Places>, Stop> {
        let call = CallKeys::new(arity, HeapAddr::of_table(&self.x));
        let whole = bound_places(&call)?
            .into_iter()
            .map(|path| Places::Whole(vec![path]));
        let args = 0..call.keys().len();
        let compound = args.filter(|&arg| {
            call.argument(arg)
                .is_some_and(|cell| cell.is_compound() && !Key::whole(cell).is_selective())
        });
        let candidates = whole.chain(compound.map(Places::Functor));
        let stride = records.len().div_ceil(SAMPLE);
        let mut found: Vec<(Places, u32)> = Vec::new();
        for places in candidates {
            if self.goal_key(&places).is_none() {
                continue;
            }
            let (mut tally, mut sample) = (Tally::default(), 0);
            for &record in records.iter().step_by(stride) {
                tally.add(match self.record_key(&places, record) {
                    OPEN => Key::ANY,
                    key => Key::from_word(key),
                });
                sample += 1;
            }
            if tally.separates(sample) {
                found.put((places, tally.keys()))?;
            }
        }
        found.sort_by_key(|&(_, keys)| Reverse(keys));
        let Some((best, keys)) = found.first() else {
            return Ok(None);
        };
        let sample = records.len().div_ceil(stride);
        let mut paths: Vec<Path> = match best {
            Places::Whole(paths) if !Tally::is_full(*keys, sample) => paths.clone(),
            best => return Ok(Some(best.clone())),
        };
        for (places, _) in &found[1..] {
            if let Places::Whole(more) = places
                && paths.len() < PLACES
            {
                paths.put_slice(more)?;
            }
        }
        paths.sort_unstable();
        Ok(Some(Places::Whole(paths)))
    }
}
