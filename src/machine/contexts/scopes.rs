//! Scopes: the end of assumptions, the hiding of linear ones, and the sharing of assumptions by two goals.
#![forbid(unsafe_code)]

use super::assumption::{
    Assumed, NONE, assumed_of, int_at, node_of, rec, represents_group, slot_of,
};
use super::index::NO_NODE;
use super::slots::{HIDES, Levels, MAX_LEVEL, head_as_node, pack, slot, word};
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::links::link;
use crate::store::raw;

/// Number of assumptions that are examined to find a scope done before its end.
const LOOKED_AT: usize = 32;

impl Machine {
    /// Returns the state that a scope of assumptions saves at its beginning: the number of the newest record.
    pub(crate) fn scope_base(&self) -> Cell {
        Cell::int(self.run.contexts.int(word::SEQ))
    }

    /// Ends the scope of the assumptions made since `base`. Returns false if a linear assumption that must be used is
    /// left.
    pub(crate) fn end_scope(&mut self, base: Cell) -> Result<bool, Stop> {
        let base = base.int_value();
        let watermark = self.run.contexts.int(word::WATERMARK);
        let newest = raw::cell(self.run.contexts.word(word::NEWEST));
        let mut at = newest;
        while at != NONE {
            let seq = int_at(at.addr() + rec::SEQ);
            if seq <= base {
                break;
            }
            if int_at(at.addr() + rec::MARK) > 0 && seq > watermark && !self.leave(at)? {
                return Ok(false);
            }
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        at = newest;
        while at != NONE && int_at(at.addr() + rec::SEQ) > base {
            self.unlink(at, int_at(at.addr() + rec::MARK))?;
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        self.end_own(base);
        Ok(true)
    }

    /// Returns whether no linear assumption is left of those made since `base` that existed before a goal under `{}`
    /// began. The end of that goal restores `levels`. Returns false if too many records would have to be examined.
    pub(in crate::machine) fn is_scope_done(&self, base: Cell, levels: Cell) -> bool {
        let outer = levels.int_value() & MAX_LEVEL;
        let mut at = raw::cell(self.run.contexts.word(word::NEWEST));
        for _ in 0..LOOKED_AT {
            if at == NONE || int_at(at.addr() + rec::SEQ) <= base.int_value() {
                return true;
            }
            let mark = int_at(at.addr() + rec::MARK);
            if mark > 0 && mark <= outer {
                return false;
            }
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        false
    }

    /// Notes that a record that must be used was not used. Returns false if scopes must not leave such records.
    #[cold]
    fn leave(&mut self, record: Cell) -> Result<bool, Stop> {
        let left = raw::cell(self.run.contexts.word(word::LEFT));
        if !self.is_affine() {
            return Ok(false);
        }
        self.store.reserve(2)?;
        let left = self.store.new_list(record, left);
        self.set_context(word::LEFT, left);
        Ok(true)
    }

    /// Returns whether scopes may leave assumptions that elsewhere must be used.
    pub(in crate::machine) fn is_affine(&self) -> bool {
        raw::cell(self.run.contexts.word(word::LEFT)) != NONE
    }

    /// Allows scopes to leave assumptions that elsewhere must be used, until [`Machine::end_affine`]. A mark in the
    /// list of leftover records shows where this began.
    pub(crate) fn begin_affine(&mut self) {
        let outer = raw::cell(self.run.contexts.word(word::LEFT));
        let left = self.store.new_list(NONE, outer);
        self.set_context(word::LEFT, left);
    }

    /// Ends this permission. Returns the records that were left since, newest first.
    pub(crate) fn end_affine(&mut self) -> Result<Vec<Cell>, Stop> {
        let mut records = Vec::new();
        let mut rest = raw::cell(self.run.contexts.word(word::LEFT));
        while let View::List(pair) = self.store.view(rest) {
            let record = raw::cell(pair);
            rest = raw::cell(pair + WORD);
            if record == NONE {
                break;
            }
            if represents_group(record) {
                records.put(record)?;
            }
        }
        self.set_context(word::LEFT, rest);
        records.sort_by_key(|record| -int_at(record.addr() + rec::SEQ));
        Ok(records)
    }

    /// Returns whether all linear assumptions that can be used now may be left. Called at the end of a query.
    pub(crate) fn all_used(&self) -> bool {
        let watermark = self.run.contexts.int(word::WATERMARK);
        let levels = self.run.contexts.levels();
        let mut at = raw::cell(self.run.contexts.word(word::NEWEST));
        while at != NONE {
            let mark = int_at(at.addr() + rec::MARK);
            let usable = (levels.lowest..=levels.highest).contains(&mark);
            if usable && int_at(at.addr() + rec::SEQ) > watermark {
                return false;
            }
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        true
    }

    /// Returns the assumptions that may be used any number of times, or that hide a definition. Each term
    /// distinguishes its assumption from all others.
    pub(crate) fn unbounded_assumptions(&mut self) -> Result<Vec<Cell>, Stop> {
        let mut found = Vec::new();
        let mut at = raw::cell(self.run.contexts.word(word::NEWEST));
        while at != NONE {
            let mark = int_at(at.addr() + rec::MARK);
            if mark == 0 || mark == HIDES {
                let (kind, body, more) = match assumed_of(at) {
                    Assumed::Fact(fact) => (0, fact, Cell::atom(atoms::NIL)),
                    Assumed::Closure(predicate, captured) => {
                        (1, Cell::int(i64::from(predicate.0)), captured)
                    }
                    Assumed::Clause(clause, module) => (2, clause, module),
                };
                let kind = if mark == 0 { kind } else { 3 };
                self.store.reserve(8)?;
                let slot = Cell::int(i64::from(slot_of(at)));
                let parts = [Cell::int(kind), slot, body, more];
                let functor = self
                    .world
                    .symbols
                    .functor_passing(atoms::VARS, parts.len())?;
                found.put(self.store.new_struct(functor, &parts))?;
            }
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        Ok(found)
    }

    /// Returns a new constant for a quantifier over `name`.
    pub(crate) fn new_eigenvariable(&mut self, name: Cell) -> Result<Cell, Stop> {
        // The constants are numbered.
        self.note_effect();
        self.run.contexts.eigenvariables += 1;
        self.store
            .new_eigenvariable(name, self.run.contexts.eigenvariables)
    }

    /// Implements `erase`: the present assumptions may be left unused.
    pub(crate) fn erase_context(&mut self) {
        let seq = Cell::int(self.run.contexts.int(word::SEQ));
        self.set_context(word::WATERMARK, seq);
    }

    /// Ends the permission that `erase` has given, because a new query begins.
    pub(crate) fn forget_erasing(&mut self) {
        self.set_context(word::WATERMARK, NONE);
        self.store
            .settle_eigenvariables(self.run.contexts.eigenvariables);
    }

    /// Begins `{G}`: hides every linear record. Returns levels and watermark for its end, or `None` if there are too
    /// many levels.
    pub(crate) fn begin_bang(&mut self) -> Option<(Cell, Cell)> {
        let levels = self.run.contexts.levels();
        if levels.highest == MAX_LEVEL {
            return None;
        }
        let watermark = Cell::int(self.run.contexts.int(word::WATERMARK));
        let inner = levels.highest + 1;
        self.set_context(
            word::LEVELS,
            pack(Levels {
                lowest: inner,
                highest: inner,
            }),
        );
        self.set_context(word::WATERMARK, NONE);
        Some((pack(levels), watermark))
    }

    /// Ends `{G}`.
    pub(crate) fn end_bang(&mut self, levels: Cell, watermark: Cell) {
        self.set_context(word::LEVELS, levels);
        self.set_context(word::WATERMARK, watermark);
    }

    /// Begins `A & B`. Returns the state that its middle and its end need.
    pub(crate) fn begin_with(&mut self) -> Cell {
        let [used, watermark, seq] = [word::USED, word::WATERMARK, word::SEQ]
            .map(|index| Cell::int(self.run.contexts.int(index)));
        let log = raw::cell(self.run.contexts.word(word::LOG));
        self.set_context(word::USED, Cell::int(used.int_value() - 1));
        self.set_context(word::WATERMARK, NONE);
        self.store
            .new_struct(functors::WITH_BEGIN, &[used, watermark, seq, log])
    }

    /// Switches to the second half of `A & B`. The second half sees exactly the records that the first half has
    /// consumed; if the first half has erased, it sees all records. Returns `None` if there are too many levels.
    pub(crate) fn middle_with(&mut self, begin: Cell) -> Result<Option<Cell>, Stop> {
        let parts = begin.addr();
        let (used, seq) = (raw::cell(parts + WORD), int_at(parts + 3 * WORD));
        let log = raw::cell(parts + 4 * WORD);
        let levels = self.run.contexts.levels();
        if levels.highest == MAX_LEVEL {
            return Ok(None);
        }
        let erased = self.run.contexts.int(word::WATERMARK) > 0;
        let sees_all = erased || self.is_affine();
        let level = Cell::int(levels.highest + 1);
        let half = self.run.contexts.int(word::USED);
        let mut taken = Cell::atom(atoms::NIL);
        let mut at = raw::cell(self.run.contexts.word(word::LOG));
        let mut done = 0;
        while at != log {
            done += 1;
            self.store.events.watch.go_on_counted(done)?;
            let record = raw::cell(at.addr());
            at = raw::cell(at.addr() + WORD);
            let mark = int_at(record.addr() + rec::MARK);
            if mark == half && int_at(record.addr() + rec::SEQ) <= seq {
                self.store.reserve(2)?;
                self.count_back();
                self.store.assign(record.addr() + rec::MARK, level)?;
                self.put_back(record, seq)?;
                taken = self.store.new_list(record, taken);
            }
        }
        self.set_context(word::USED, used);
        self.set_context(word::LOG, log);
        self.set_context(word::WATERMARK, NONE);
        let inner = Levels {
            lowest: if sees_all {
                levels.lowest
            } else {
                level.int_value()
            },
            highest: level.int_value(),
        };
        self.set_context(word::LEVELS, pack(inner));
        let erased = Cell::int(i64::from(erased));
        Ok(Some(self.store.new_struct(
            functors::WITH_MIDDLE,
            &[erased, pack(levels), taken],
        )))
    }

    /// Counts a record that is about to be put back. By this number, indexes find the changes to undo. So no index
    /// may have a number from another branch.
    fn count_back(&mut self) {
        self.run.contexts.catch_up_all();
        let back = self.run.contexts.int(word::BACK) + 1;
        self.set_context(word::BACK, Cell::int(back));
    }

    /// Ends `A & B`. Returns false if the second half has left a record that the first half has consumed.
    pub(crate) fn end_with(&mut self, begin: Cell, middle: Cell) -> Result<bool, Stop> {
        let first_erased = int_at(middle.addr() + WORD) != 0;
        let levels = raw::cell(middle.addr() + 2 * WORD);
        let erased = self.run.contexts.int(word::WATERMARK) > 0;
        let level = self.run.contexts.levels().highest;
        let mut rest = raw::cell(middle.addr() + 3 * WORD);
        let mut done = 0;
        while let View::List(pair) = self.store.view(rest) {
            done += 1;
            self.store.events.watch.go_on_counted(done)?;
            let record = raw::cell(pair);
            rest = raw::cell(pair + WORD);
            if int_at(record.addr() + rec::MARK) != level {
                continue;
            }
            if !erased && !self.is_affine() {
                return Ok(false);
            }
            // Each alternative of a group is in the list itself.
            self.take_and_log(record, int_at(begin.addr() + WORD))?;
        }
        self.set_context(word::LEVELS, levels);
        let watermark = if first_erased && erased {
            Cell::int(self.run.contexts.int(word::SEQ))
        } else {
            raw::cell(begin.addr() + 2 * WORD)
        };
        self.set_context(word::WATERMARK, watermark);
        Ok(true)
    }

    /// Puts a consumed record back into its chains, by its age. `began` is the number of the newest record at the
    /// beginning of the goal that consumed it. Newer records are gone.
    fn put_back(&mut self, record: Cell, began: i64) -> Result<(), Stop> {
        let slot = slot_of(record);
        if node_of(record) != NO_NODE {
            self.before_use(slot)?;
        }
        let heads = [
            self.run.contexts.word(word::NEWEST),
            self.run.contexts.slot_word(slot, slot::NEWEST),
        ];
        self.insert(heads[0], record, rec::ALL, began)?;
        self.insert(heads[1], record, rec::PREDICATE, began)?;
        if node_of(record) != NO_NODE {
            self.put_back_into_indexes(record);
        }
        self.note_direct(slot);
        Ok(())
    }

    fn insert(&mut self, head: HeapAddr, record: Cell, chain: u32, began: i64) -> Result<(), Stop> {
        let next = link(chain);
        let (older, newer) = self
            .former_place(record, next, began)
            .unwrap_or_else(|| place_of_age(head, record, next));
        debug_assert!((older, newer) == place_of_age(head, record, next));
        self.store.assign(record.addr() + next, older)?;
        if older != NONE {
            self.set_newer(head, older, record, next);
        }
        // The hint of the head may be a place on the trail from before the record was removed.
        self.store.assign(record.addr() + next + WORD, newer)?;
        if raw::cell(head) == older {
            self.set_root(head, record);
        } else {
            self.store.assign(newer.addr() + next, record)?;
        }
        Ok(())
    }

    /// Returns the former neighbours of a record in a chain, if they are neighbours now. They are if records are put
    /// back in reverse order of removal, as in "Dancing links".
    fn former_place(&self, record: Cell, next: u64, began: i64) -> Option<(Cell, Cell)> {
        let seq = int_at(record.addr() + rec::SEQ);
        let is_there = |other: Cell| {
            let mark = int_at(other.addr() + rec::MARK);
            mark >= 0 || mark == HIDES
        };
        let older = raw::cell(record.addr() + next);
        if older != NONE {
            let newer = raw::cell(older.addr() + next + WORD);
            let is_between = is_there(older)
                && (!self.store.on_heap(newer.addr()) || int_at(newer.addr() + rec::SEQ) > seq);
            return is_between.then_some((older, newer));
        }
        // The record was the oldest. If it was also the newest, its newer neighbour is the head.
        let newer = raw::cell(record.addr() + next + WORD);
        let is_oldest = self.store.on_heap(newer.addr())
            && is_there(newer)
            && int_at(newer.addr() + rec::SEQ) <= began
            && raw::cell(newer.addr() + next) == NONE;
        is_oldest.then_some((older, newer))
    }
}

/// Returns the neighbours between which a record belongs in a chain by its age.
fn place_of_age(head: HeapAddr, record: Cell, next: u64) -> (Cell, Cell) {
    let seq = int_at(record.addr() + rec::SEQ);
    let mut newer = head_as_node(head, next);
    let mut older = raw::cell(head);
    while older != NONE && int_at(older.addr() + rec::SEQ) > seq {
        newer = older;
        older = raw::cell(older.addr() + next);
    }
    (older, newer)
}
