//! Assumptions on the heap: creates records, links them into the chains of
//! [`slots`](crate::machine::contexts::slots), and consumes them.
#![forbid(unsafe_code)]

use super::assumption::{
    Assumed, NONE, assumed_of, int_at, new_record, next_alternative, node_of, rec, slot_of,
};
use super::index::NO_NODE;
use super::slots::{HIDES, Slot, head_as_node, slot, word};
use crate::base::atom_table::atoms;
use crate::base::stop::Stop;
use crate::ir::manner::Manner;
use crate::machine::control::definitions::closed_to_assumptions;
use crate::machine::control::throw::Throw;
use crate::machine::frames::layout::cp;
use crate::machine::state::Machine;
use crate::program::predicate::{Kind, PredId};
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::claims::Reported;
use crate::store::links::link;
use crate::store::raw;

impl Machine {
    /// Makes a predicate assumable and returns its slot.
    pub(crate) fn assumable(&mut self, predicate: PredId) -> Result<u32, Stop> {
        let slot = self
            .run
            .contexts
            .assumable(&mut self.world.predicates, predicate)?;
        self.entries = self.world.predicates.entries();
        self.store
            .report_table_size(Reported::Assumptions, self.run.contexts.bytes());
        Ok(slot)
    }

    pub(in crate::machine) fn set_context(&mut self, index: usize, value: Cell) {
        self.set_root(self.run.contexts.word(index), value);
    }

    /// Sets a word of the contexts; backtracking restores it. The old value is trailed once per choice point. The
    /// word after it is a hint: the place on the trail where the value was put last. The hint is checked before use.
    pub(in crate::machine) fn set_root(&mut self, at: HeapAddr, value: Cell) {
        let old = raw::cell(at);
        if old == value {
            return;
        }
        self.assign_once(at, value, at + WORD);
    }

    /// Changes a word; backtracking restores it. The word at `hint` contains the place on the trail where the value
    /// was put last. If that entry is for this word and newer than the last choice point, it already holds the value
    /// to restore.
    fn assign_once(&mut self, at: HeapAddr, value: Cell, hint: HeapAddr) {
        let place = raw::word(hint);
        let oldest = self.choice.get(cp::TRAIL);
        let trail_top = self.store.trail_top;
        let trailed = (oldest.bits()..trail_top.bits()).contains(&place)
            && raw::word(trail_top - (trail_top.bits() - place)) == at.bits() | 1;
        if trailed {
            raw::set_cell(at, value);
            return;
        }
        let top = self.store.trail_top;
        self.store.assign_few(at, value);
        if self.store.trail_top != top {
            raw::set_word(hint, top.bits());
        }
    }

    /// Makes `newer` the newer neighbour of a record in the chain of that head. When records come and go at the head,
    /// the newest of the older ones is changed each time.
    pub(in crate::machine) fn set_newer(
        &mut self,
        head: HeapAddr,
        record: Cell,
        newer: Cell,
        next: u64,
    ) {
        let at = record.addr() + next + WORD;
        self.assign_once(at, newer, head + 2 * WORD);
    }

    // ---- assuming -----------------------------------------------------------------------------

    /// Checks that a goal may assume the predicate. In a module that the host has closed, the module's own clauses
    /// may assume predicates that it does not export.
    ///
    /// # Errors
    /// `permission_error(modify, static_procedure, PI)`
    pub(crate) fn check_assuming(&mut self, id: PredId, own: bool) -> Result<(), Throw> {
        if self.may_assume(id, own) {
            return Ok(());
        }
        let indicator = self.indicator(self.world.predicates.get(id).functor);
        Err(self.permission_error(atoms::MODIFY, atoms::STATIC_PROCEDURE, indicator))
    }

    fn may_assume(&self, id: PredId, own: bool) -> bool {
        let (module, functor) = self.world.predicates.home(id);
        let (predicates, modules) = (&self.world.predicates, &self.world.modules);
        let kept_within = || {
            own && self.is_protected_module(module)
                && self.protected_predicate(module, functor).is_none()
        };
        self.world.booting
            || !closed_to_assumptions(predicates, modules, module, functor)
            || kept_within()
    }

    /// Checks this for the predicate of a slot. Notes the result if all goals may assume it.
    #[cold]
    fn check_slot(&mut self, slot: u32, own: bool) -> Result<(), Throw> {
        let id = self.run.contexts.slots[slot as usize].predicate;
        self.check_assuming(id, own)?;
        let free = !self.world.booting && self.may_assume(id, false);
        self.run.contexts.slots[slot as usize].free = free;
        Ok(())
    }

    /// Adds an assumption to the predicate of `slot` and returns its record. `first` is the first argument of its
    /// head, if it has one.
    pub(crate) fn assume(
        &mut self,
        slot: u32,
        manner: Manner,
        first: Option<Cell>,
        assumed: Assumed,
    ) -> Result<Cell, Throw> {
        self.assume_at(slot, manner, first, assumed, false)
    }

    /// Adds an alternative to a group in which one use consumes all alternatives. `group` is another member, or
    /// `None` for the first.
    pub(crate) fn assume_with(
        &mut self,
        slot: u32,
        manner: Manner,
        first: Option<Cell>,
        assumed: Assumed,
        group: Option<Cell>,
    ) -> Result<Cell, Throw> {
        let record = self.assume_at(slot, manner, first, assumed, true)?;
        if let Some(group) = group {
            let others = next_alternative(group);
            self.store.assign(record.addr() + rec::GROUP, others)?;
            self.store.assign(group.addr() + rec::GROUP, record)?;
        }
        Ok(record)
    }

    /// Returns the number of the next record.
    fn next_number(&mut self) -> i64 {
        let last = self.run.contexts.int(word::SEQ);
        if last != self.run.contexts.assumed_last {
            // Backtracking has undone assumptions, whose numbers are used again.
            self.run.contexts.catch_up_all();
        }
        let seq = last + 1;
        self.run.contexts.assumed_last = seq;
        self.set_context(word::SEQ, Cell::int(seq));
        seq
    }

    /// Adds an assumption. All assumptions of goals and modules are made here.
    fn assume_at(
        &mut self,
        slot: u32,
        Manner { linear, own }: Manner,
        first: Option<Cell>,
        assumed: Assumed,
        extended: bool,
    ) -> Result<Cell, Throw> {
        if !self.run.contexts.slots[slot as usize].free {
            self.check_slot(slot, own)?;
        }
        let seq = self.next_number();
        let mut first = first.unwrap_or(NONE);
        let mut extended = extended || !matches!(assumed, Assumed::Fact(_));
        if self.run.contexts.slots[slot as usize].scoped
            && self.store.is_application(&self.world.symbols, first)
        {
            // The application may still become any term.
            first = self.store.new_var();
            extended = true;
        }
        if !self.is_assumed_slot(slot) {
            self.make_own(slot, seq, linear)?;
        }
        let mark = if linear {
            self.run.contexts.levels().highest
        } else {
            0
        };
        let record = new_record(
            &mut self.store,
            (mark, seq),
            slot,
            assumed,
            extended.then_some(first),
        );
        self.link(record)?;
        Ok(record)
    }

    /// Returns whether the predicate of a slot has clauses, which are tried after its assumptions.
    #[inline(always)]
    pub(in crate::machine) fn has_clauses(&self, slot: u32) -> bool {
        raw::word(self.run.contexts.slot_word(slot, slot::CLAUSES)) != 0
    }

    /// Returns whether these clauses might succeed. A dynamic predicate may have none now.
    pub(in crate::machine) fn has_living_clauses(&self, slot: u32) -> bool {
        let predicate = self.run.contexts.slots[slot as usize].predicate;
        let predicate = self.world.predicates.get(predicate);
        self.has_clauses(slot) && (predicate.kind != Kind::Dynamic || predicate.clauses.len() > 0)
    }

    /// Resets the entries of predicates that are no longer assumed, so the next call resolves them again. No goal
    /// runs.
    pub(in crate::machine) fn forget_own_entries(&mut self) {
        for slot in 0..self.run.contexts.slots.len() as u32 {
            let contexts = &self.run.contexts;
            let own = contexts.slot_word(slot, slot::STATIC);
            let within = [slot::FAIL, slot::UNKNOWN].map(|word| contexts.slot_code(slot, word));
            let predicate = contexts.slots[slot as usize].predicate;
            if within.contains(&raw::code_at(own)) {
                let stub = self.world.predicates.get(predicate).stub();
                raw::set_word(own, stub.bits());
            }
        }
    }

    /// Makes a predicate without assumptions the program's own while it is assumed, and until the end of that scope.
    /// Meanwhile a definition of the system or a library is hidden. If there is no definition, goals of the predicate
    /// fail. To hide a definition, an unused record is put at the end of the chain.
    fn make_own(&mut self, slot: u32, seq: i64, linear: bool) -> Result<(), Stop> {
        let own = self.run.contexts.slot_word(slot, slot::STATIC);
        let fails = self.run.contexts.slot_code(slot, slot::FAIL);
        let unknown = self.run.contexts.slot_code(slot, slot::UNKNOWN);
        if raw::code_at(own) == fails || self.has_clauses(slot) {
            return Ok(());
        }
        let Slot {
            predicate, scoped, ..
        } = self.run.contexts.slots[slot as usize];
        // An error is reported to the caller of the predicate.
        if raw::code_at(own) != unknown && !matches!(self.find_definition(predicate), Ok(true)) {
            // Undefined goals of Lolli fail anyway.
            raw::set_word(own, if scoped { fails } else { unknown }.bits());
        }
        let target = raw::code_at(own);
        if target == unknown {
            // An intuitionistic record stays in place until the end of its scope.
            if linear {
                let before = raw::cell(self.run.contexts.word(word::OWN));
                self.set_root(self.run.contexts.slot_word(slot, slot::OWN), Cell::int(seq));
                self.set_root(self.run.contexts.slot_word(slot, slot::OWN_BEFORE), before);
                self.set_context(word::OWN, Cell::int(i64::from(slot) + 1));
            }
        } else if target != fails && !self.has_clauses(slot) {
            let nothing = Assumed::Fact(Cell::atom(atoms::TRUE));
            let record = new_record(&mut self.store, (HIDES, seq), slot, nothing, None);
            self.link(record)?;
        }
        Ok(())
    }

    /// Ends the scope that began after record `base`. Predicates that became the program's own in this scope lose
    /// that property.
    pub(in crate::machine) fn end_own(&mut self, base: i64) {
        loop {
            let newest = raw::cell(self.run.contexts.word(word::OWN));
            if newest == NONE {
                return;
            }
            let slot = (newest.int_value() - 1) as u32;
            let own = self.run.contexts.slot_word(slot, slot::OWN);
            if int_at(own) <= base {
                return;
            }
            let before = raw::cell(self.run.contexts.slot_word(slot, slot::OWN_BEFORE));
            self.set_root(own, NONE);
            self.set_context(word::OWN, before);
        }
    }

    /// Returns whether the predicate of a slot is assumed, or was assumed in a scope that has not ended.
    #[inline(always)]
    pub(in crate::machine) fn is_assumed_slot(&self, slot: u32) -> bool {
        let is = |index| raw::cell(self.run.contexts.slot_word(slot, index)) != NONE;
        is(slot::NEWEST) || is(slot::OWN)
    }

    /// Returns whether a predicate is assumed, or was assumed in a scope that has not ended.
    pub(crate) fn is_assumed(&self, predicate: PredId) -> bool {
        let slot = self.run.contexts.slot_of(predicate);
        slot.is_some_and(|slot| self.is_assumed_slot(slot))
    }

    /// Puts a new record at the heads of its chains.
    pub(super) fn link(&mut self, record: Cell) -> Result<(), Stop> {
        let slot = slot_of(record);
        self.push(self.run.contexts.word(word::NEWEST), record, rec::ALL_NEXT)?;
        self.push(
            self.run.contexts.slot_word(slot, slot::NEWEST),
            record,
            rec::NEXT,
        )?;
        if !self.run.contexts.slots[slot as usize].indexes.is_empty() {
            self.add_to_indexes(slot, record)?;
        }
        self.note_direct(slot);
        Ok(())
    }

    /// Notes whether calls of a predicate can jump directly to its assumed clause.
    pub(in crate::machine) fn note_direct(&mut self, slot: u32) {
        let only = raw::cell(self.run.contexts.slot_word(slot, slot::NEWEST));
        let mut direct = NONE;
        if only != NONE
            && raw::cell(only.addr() + rec::NEXT) == NONE
            && int_at(only.addr() + rec::MARK) == 0
            && let Assumed::Closure(predicate, captured) = assumed_of(only)
            && self.store.compound(captured).is_none()
        {
            direct = Cell::int(i64::from(predicate.0) + 1);
        }
        self.set_root(self.run.contexts.slot_word(slot, slot::DIRECT), direct);
    }

    /// Puts a record at the head of a chain. The links of the chain are at `next` and in the word after it.
    fn push(&mut self, head: HeapAddr, record: Cell, next: u64) -> Result<(), Stop> {
        let old = raw::cell(head);
        self.store.assign(record.addr() + next, old)?;
        let newer = head_as_node(head, next);
        self.store.assign(record.addr() + next + WORD, newer)?;
        if old != NONE {
            self.set_newer(head, old, record, next);
        }
        self.set_root(head, record);
        Ok(())
    }

    // ---- consuming ----------------------------------------------------------------------------

    /// Removes a record from a chain. The record must be younger than the newest choice point.
    fn remove(&mut self, head: HeapAddr, record: Cell, chain: u32) {
        let next = link(chain);
        let (older, newer) = (
            raw::cell(record.addr() + next),
            raw::cell(record.addr() + next + WORD),
        );
        if raw::cell(head) == record {
            self.set_root(head, older);
        } else {
            raw::set_cell(newer.addr() + next, older);
        }
        if older != NONE {
            self.set_newer(head, older, newer, next);
        }
    }

    /// Removes a record from all chains, and sets its mark.
    pub(in crate::machine) fn unlink(&mut self, record: Cell, mark: i64) -> Result<(), Stop> {
        let was_linear = int_at(record.addr() + rec::MARK) != 0;
        let (node, lasts) = (node_of(record), self.store.outlives_choice(record));
        if node != NO_NODE {
            self.before_use(slot_of(record))?;
        }
        if lasts {
            let chains = 1 << rec::PREDICATE | 1 << rec::ALL;
            self.store.take_out(record, chains, mark)?;
        } else {
            let slot = slot_of(record);
            self.remove(self.run.contexts.word(word::NEWEST), record, rec::ALL);
            let newest = self.run.contexts.slot_word(slot, slot::NEWEST);
            self.remove(newest, record, rec::PREDICATE);
            raw::set_cell(record.addr() + rec::MARK, Cell::int(mark));
        }
        if node != NO_NODE {
            self.take_out_of_indexes(record, lasts);
        }
        // With a linear record in the chain, calls never jump directly to a clause.
        if !was_linear {
            self.note_direct(slot_of(record));
        }
        Ok(())
    }

    /// Consumes a linear record and its alternatives.
    pub(in crate::machine) fn consume(&mut self, record: Cell) -> Result<(), Stop> {
        let used = self.run.contexts.int(word::USED);
        let mut at = record;
        loop {
            self.take_and_log(at, used)?;
            at = next_alternative(at);
            if at == record {
                return Ok(());
            }
        }
    }

    /// Removes a record from its chains, and logs it if a `&` needs it later.
    pub(in crate::machine) fn take_and_log(&mut self, record: Cell, used: i64) -> Result<(), Stop> {
        if used < -1 {
            self.store.reserve(2)?;
        }
        self.unlink(record, used)?;
        if used < -1 {
            let log = raw::cell(self.run.contexts.word(word::LOG));
            let log = self.store.new_list(record, log);
            self.set_context(word::LOG, log);
        }
        Ok(())
    }
}
