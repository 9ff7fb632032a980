//! The changes of the records of a predicate between the existing choice points. A new index of assumptions must
//! follow when backtracking undoes them.
//!
//! The trail holds the changes of a record since it became older than a choice point. Earlier changes are not on the
//! trail, because they are undone only with the record itself. So the trail gives the state at the time of each
//! choice point, from the newest to the oldest. The differences between these states are the changes.
#![forbid(unsafe_code)]

use super::assumption::{int_at, is_linked, rec, slot_of};
use super::index::{Past, Present};
use super::slots::{HIDES, word};
use crate::base::atom_table::{FastMap, FastSet, functors};
use crate::base::growth::{Grow, GrowMap, GrowSet, GrowTable};
use crate::base::stop::Stop;
use crate::machine::frames::layout::cp;
use crate::machine::state::Machine;
use crate::store::address::{HeapAddr, TrailAddr};
use crate::store::cell::{Cell, WORD, tag};
use crate::store::{links, raw};
use std::collections::hash_map::Entry;

/// The value that an entry of the trail restores.
#[derive(Copy, Clone)]
enum Restored {
    /// The number of the newest record.
    Seq(i64),
    /// The number of records that were put back.
    Back(i64),
    /// A record, and whether the entry puts it into its chains or removes it.
    Record(Cell, bool),
}

fn seq_of(record: Cell) -> i64 {
    int_at(record.addr() + rec::SEQ)
}

impl Machine {
    /// Returns the changes of the records of a predicate that backtracking may undo, oldest first. Adds the records
    /// that may come back to `records` and sorts `records` by age.
    pub(in crate::machine) fn past(
        &self,
        slot: u32,
        records: &mut Vec<Cell>,
    ) -> Result<Vec<Past>, Stop> {
        let entries = self.restored_entries(slot, records)?;
        records.sort_unstable_by_key(|&record| seq_of(record));
        records.dedup();
        let mut past = Vec::new();
        // The states when the choice point examined last was pushed, if the trail shows them.
        let mut linked: FastMap<HeapAddr, bool> = FastMap::default();
        // The states at the end of the time after that choice point.
        let mut linked_then: FastMap<HeapAddr, bool> = FastMap::default();
        let [mut seq, mut back] = [word::SEQ, word::BACK].map(|at| self.run.contexts.int(at));
        let mut entries = entries.into_iter().rev().peekable();
        let mut choice = self.choice;
        loop {
            let older = choice.get(cp::PREV);
            let from = match older == choice {
                true => self.store.trail.base,
                false => choice.get(cp::TRAIL),
            };
            let end = Present { seq, back };
            let mut touched = Vec::new();
            while let Some((_, restored)) = entries.next_if(|&(at, _)| at >= from) {
                match restored {
                    Restored::Seq(old) => seq = old,
                    Restored::Back(old) => back = old,
                    Restored::Record(record, old) => {
                        linked.make_room()?;
                        linked_then.make_room()?;
                        let then = linked.put_entry(record.addr(), old)?;
                        let then = then.unwrap_or_else(|| is_linked(record));
                        if let Entry::Vacant(first) = linked_then.entry(record.addr()) {
                            first.insert(then);
                            touched.put(record)?;
                        }
                    }
                }
            }
            for &record in &touched {
                let (addr, is_old) = (record.addr(), seq_of(record) <= seq);
                let linked_now = linked_then.get(&addr).copied().unwrap_or(true);
                if is_old && linked.get(&addr) != Some(&linked_now) {
                    past.put(Past {
                        record,
                        linked: linked_now,
                        end,
                    })?;
                }
            }
            let number = |seq: i64| records.partition_point(|&record| seq_of(record) <= seq);
            let new = if seq < end.seq {
                number(seq)..number(end.seq)
            } else {
                0..0
            };
            for &record in &records[new] {
                let tables = [&linked_then, &linked];
                let was_linked = tables.iter().find_map(|table| table.get(&record.addr()));
                if !was_linked.copied().unwrap_or_else(|| is_linked(record)) {
                    past.put(Past {
                        record,
                        linked: false,
                        end,
                    })?;
                }
            }
            linked_then.clear();
            if older == choice {
                past.reverse();
                return Ok(past);
            }
            choice = older;
        }
    }

    /// Returns the entries of the trail for records of a predicate, with their places. Adds all records that may come
    /// back.
    fn restored_entries(
        &self,
        slot: u32,
        records: &mut Vec<Cell>,
    ) -> Result<Vec<(TrailAddr, Restored)>, Stop> {
        let [newest, put_back, log] =
            [word::SEQ, word::BACK, word::LOG].map(|at| self.run.contexts.word(at));
        let mut seen = FastSet::default();
        self.logged(raw::cell(log), slot, &mut seen, records)?;
        let mut entries = Vec::new();
        for (at, word, old) in self.old_values() {
            let addr = Cell::of_word(word).addr();
            let restored = if word & links::TAKEN_OUT != 0 {
                self.record_at(addr, slot)
                    .map(|it| Restored::Record(it, true))
            } else if addr == newest {
                Some(Restored::Seq(old.int_value()))
            } else if addr == put_back {
                Some(Restored::Back(old.int_value()))
            } else if addr == log {
                self.logged(old, slot, &mut seen, records)?;
                None
            } else if old.tag() == tag::INT && old.int_value() < 0 {
                let record = self.record_at(addr - rec::MARK, slot);
                record.map(|it| Restored::Record(it, false))
            } else {
                None
            };
            if let Some(restored) = restored {
                if let Restored::Record(record, _) = restored {
                    records.put(record)?;
                }
                entries.put((at, restored))?;
            }
        }
        Ok(entries)
    }

    /// Returns the record of a predicate at this address of the heap, if there is one that may be used.
    fn record_at(&self, addr: HeapAddr, slot: u32) -> Option<Cell> {
        let kinds = [functors::RESOURCE, functors::EXTENDED_RESOURCE];
        let is_record = self.store.on_heap(addr)
            && kinds
                .map(|kind| Cell::functor(kind).word())
                .contains(&raw::word(addr));
        let record = Cell::structure(addr);
        (is_record && slot_of(record) == slot && int_at(addr + rec::MARK) != HIDES)
            .then_some(record)
    }

    /// Adds the records of a predicate in a list of consumed records that were not seen before.
    fn logged(
        &self,
        mut log: Cell,
        slot: u32,
        seen: &mut FastSet<HeapAddr>,
        records: &mut Vec<Cell>,
    ) -> Result<(), Stop> {
        while log.tag() == tag::LST {
            seen.try_reserve(1)?;
            if !seen.put_new(log.addr())? {
                return Ok(());
            }
            let record = raw::cell(log.addr());
            if slot_of(record) == slot {
                records.put(record)?;
            }
            log = raw::cell(log.addr() + WORD);
        }
        Ok(())
    }

    /// Returns the entries of the trail with old values, from its base: place, address with marks, value.
    fn old_values(&self) -> impl Iterator<Item = (TrailAddr, u64, Cell)> {
        let mut at = self.store.trail.base;
        let top = self.store.trail_top;
        std::iter::from_fn(move || {
            while at < top && raw::word(at) & 1 == 0 {
                at += WORD;
            }
            (at < top).then(|| {
                let entry = (at, raw::word(at), raw::cell(at + WORD));
                at += 3 * WORD;
                entry
            })
        })
    }
}
