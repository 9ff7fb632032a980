//! Calls of predicates that may be assumed: searches for a matching record, and uses it.
//!
//! The order is that of Lolli: the newest assumption first, whether linear or not, then the clauses of the predicate.
//! A choice point is pushed only if an alternative is left.
#![forbid(unsafe_code)]

use super::assumption::{Assumed, NONE, assumed_of, head_arg, int_at, rec, slot_of};
use super::slots::{Slot, slot};
use crate::base::atom_table::functors;
use crate::base::stop::Stop;
use crate::ir::apart::are_apart;
use crate::machine::control::throw::Throw;
use crate::machine::dispatch::endings::{fail, out_of_memory, raise};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::layout::{ChoiceKind, NO_FRAME};
use crate::machine::state::Machine;
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// The position of a search among the records of a predicate. Without an index, it is a record of the chain; with an
/// index, it is a node in each of two chains.
#[derive(Copy, Clone)]
struct Cursor {
    main: Cell,
    open: Cell,
    /// The number of the index plus 1; 0 without an index.
    index: usize,
}

impl Cursor {
    /// Returns the newest record at the cursor.
    #[inline(always)]
    fn newest(self, own: &Slot) -> Option<Cell> {
        if self.index == 0 {
            return (self.main != NONE).then_some(self.main);
        }
        let index = &own.indexes[self.index - 1];
        let at = match (self.main, self.open) {
            (NONE, NONE) => return None,
            (main, NONE) => main,
            (NONE, open) => open,
            (main, open) if index.seq(number(main)) > index.seq(number(open)) => main,
            (_, open) => open,
        };
        Some(index.record(number(at)))
    }

    /// Moves past the newest record.
    #[inline(always)]
    fn pass(&mut self, record: Cell, own: &Slot) {
        if self.index == 0 {
            self.main = raw::cell(record.addr() + rec::NEXT);
            return;
        }
        let index = &own.indexes[self.index - 1];
        let is_main = self.main != NONE && index.record(number(self.main)) == record;
        let at = if is_main {
            &mut self.main
        } else {
            &mut self.open
        };
        *at = Cell::int(i64::from(index.older(number(*at))));
    }
}

/// Returns the number of the node at a position.
#[inline(always)]
fn number(at: Cell) -> u32 {
    at.int_value() as u32
}

/// Bits for the number of an index beside the number of a slot.
const INDEX_BITS: u32 = 3;

/// Number of levels of terms, and of arguments of a term, that are compared.
const LOOKED_INTO: u64 = 12;

/// The means by which a goal is proved.
pub(in crate::machine) enum Found {
    /// The assumption of this record proves the goal.
    Record(Cell),
    /// The clauses of the predicate: P is already set.
    Clauses,
    /// There is no room.
    Full,
}

impl Machine {
    /// Builds the term of the first argument if it is an application of a variable that is bound now.
    #[inline(always)]
    fn apply_first(&mut self, slot: u32) -> Result<(), Stop> {
        let Slot { arity, scoped, .. } = self.run.contexts.slots[slot as usize];
        if arity > 0 && scoped {
            let first = deref(self.x[0]);
            if self.store.may_be_application(first) {
                self.x[0] = self.store.applied(&mut self.world.symbols, first)?;
            }
        }
        Ok(())
    }

    /// Returns the position where the search for the goal in the registers begins.
    #[inline(always)]
    fn cursor(&mut self, slot: u32) -> Cursor {
        let main = raw::cell(self.run.contexts.slot_word(slot, slot::NEWEST));
        let mut cursor = Cursor {
            main,
            open: NONE,
            index: 0,
        };
        if self.run.contexts.slots[slot as usize].indexes.is_empty() {
            return cursor;
        }
        self.run.contexts.heed(slot);
        let mut fewest = u32::MAX;
        let indexes = &self.run.contexts.slots[slot as usize].indexes;
        for (place, index) in indexes.iter().enumerate() {
            if let Some(key) = self.goal_key(&index.places) {
                let (newest, open, count) = index.newest(key);
                if count < fewest {
                    fewest = count;
                    let node = |number: u32| Cell::int(i64::from(number));
                    (cursor.main, cursor.open) = (node(newest), node(open));
                    cursor.index = place + 1;
                }
            }
        }
        cursor
    }

    /// Moves the cursor to the next record that may be used and may match the goal in the registers. Returns this
    /// record; the cursor stays at it.
    #[inline]
    fn seek(&mut self, cursor: &mut Cursor, slot: u32) -> Option<Cell> {
        let whole = self.run.branches.is_some();
        let levels = self.run.contexts.levels();
        let own = &self.run.contexts.slots[slot as usize];
        let mut in_vain = 0;
        let found = loop {
            let Some(record) = cursor.newest(own) else {
                break None;
            };
            let mark = int_at(record.addr() + rec::MARK);
            let usable = mark == 0 || (levels.lowest <= mark && mark <= levels.highest);
            if usable
                && self.may_match(record, own.arity)
                && !(whole && self.is_apart(record, own.arity))
            {
                break Some(record);
            }
            in_vain += usize::from(usable);
            cursor.pass(record, own);
        };
        self.run.contexts.slots[slot as usize].walked += in_vain;
        found
    }

    /// Returns whether a record may match the goal in the registers, by a quick test.
    #[inline(always)]
    fn may_match(&self, record: Cell, arity: usize) -> bool {
        for index in 0..arity {
            let argument = deref(raw::register(&self.x, index));
            if argument.is_var() {
                continue;
            }
            match head_arg(&self.store, record, index) {
                Some(own) if self.differ(argument, own) => return false,
                Some(_) => {}
                None => return true,
            }
        }
        true
    }

    /// Returns whether the head of a record differs from the goal in the registers at any place. Machines that search
    /// together must push the same choice points, although their indexes differ.
    #[cold]
    #[inline(never)]
    fn is_apart(&self, record: Cell, arity: usize) -> bool {
        let open = |cell: Cell| {
            let functor = self.store.compound(cell).map(|(functor, _)| functor);
            functor == Some(functors::LAMBDA) || self.may_become_other(cell)
        };
        (0..arity).any(|index| {
            let own = head_arg(&self.store, record, index);
            own.is_some_and(|own| are_apart(raw::register(&self.x, index), own, open))
        })
    }

    /// Returns whether a quick test shows that two terms do not unify. It compares the functors along the last
    /// arguments, and the terms beside these. It looks deep enough that most facts that do not match are never tried.
    #[inline]
    fn differ(&self, a: Cell, b: Cell) -> bool {
        let (mut a, mut b) = (deref(a), deref(b));
        for _ in 0..LOOKED_INTO {
            if a == b {
                return false;
            }
            let (mut from, mut with, mut last) = (a.addr(), b.addr(), 1);
            if a.tag() == tag::STR && b.tag() == tag::STR {
                let functor = raw::cell(from);
                if functor != raw::cell(with) || self.may_become_other(a) {
                    return !self.may_become_other(a) && !self.may_become_other(b);
                }
                last = functor.as_functor().arity() as u64 - 1;
                (from, with) = (from + WORD, with + WORD);
            } else if a.tag() != tag::LST || b.tag() != tag::LST {
                return self.differ_outside(a, b);
            }
            let beside = |index: u64| {
                let a = deref(raw::cell(from + index * WORD));
                let b = deref(raw::cell(with + index * WORD));
                a != b && self.differ_outside(a, b)
            };
            if (0..last.min(LOOKED_INTO)).any(beside) {
                return true;
            }
            a = deref(raw::cell(from + last * WORD));
            b = deref(raw::cell(with + last * WORD));
        }
        false
    }

    /// Compares only the functors of two different dereferenced terms in this way.
    #[inline(always)]
    fn differ_outside(&self, a: Cell, b: Cell) -> bool {
        if a.is_var() || b.is_var() {
            return false;
        }
        if a.tag() == b.tag()
            && !a.is_simple()
            && (a.tag() != tag::STR || raw::word(a.addr()) == raw::word(b.addr()))
        {
            return false;
        }
        !self.may_become_other(a) && !self.may_become_other(b)
    }

    /// Returns whether this is an application of a variable, which may become any term when the variable is bound.
    #[inline(always)]
    fn may_become_other(&self, cell: Cell) -> bool {
        self.world.symbols.applications && self.store.is_application(&self.world.symbols, cell)
    }

    /// Enters the predicate of `slot` at the first matching record.
    pub(in crate::machine) fn enter_assumed(&mut self, mut r: Regs, slot: u32) -> Regs {
        match self.first_record(&mut r, slot) {
            Found::Record(record) => {
                let arity = self.run.contexts.slots[slot as usize].arity;
                self.use_record(r, record, arity)
            }
            Found::Clauses => r,
            Found::Full => out_of_memory(self, r),
        }
    }

    /// Returns the first record that matches the registers, and pushes a choice point if there are further
    /// alternatives. Without a record, the clauses follow.
    #[inline(always)]
    pub(in crate::machine) fn first_record(&mut self, r: &mut Regs, slot: u32) -> Found {
        let arity = self.run.contexts.slots[slot as usize].arity;
        let own = &self.run.contexts.slots[slot as usize];
        let thinks = own.walked > own.patience || (own.walked > 0 && self.run.collector.always);
        if self.apply_first(slot).is_err() || (thinks && self.consider_index(slot, arity).is_err())
        {
            return Found::Full;
        }
        r.h = self.store.heap_top;
        let mut cursor = self.cursor(slot);
        let Some(record) = self.seek(&mut cursor, slot) else {
            r.go(self.after_records(slot));
            return Found::Clauses;
        };
        cursor.pass(record, &self.run.contexts.slots[slot as usize]);
        let more = self.seek(&mut cursor, slot).is_some();
        if more || self.has_living_clauses(slot) {
            let packed = i64::from(slot) << INDEX_BITS | cursor.index as i64;
            self.x[arity] = Cell::int(packed);
            self.x[arity + 1] = cursor.main;
            self.x[arity + 2] = cursor.open;
            let retry = self.run.contexts.slot_code(slot, slot::RETRY);
            if !self.push_choice(r, arity + 3, NO_FRAME, retry, ChoiceKind::Plain) {
                return Found::Full;
            }
            if self.store.inspects_choices() && self.note_choice() {
                fail(self, r);
                return Found::Clauses;
            }
        }
        Found::Record(record)
    }

    /// Enters the predicate again at the next record, or at its clauses.
    pub(in crate::machine) fn retry_assumed(&mut self, mut r: Regs) -> Regs {
        let (found, arity) = self.next_record(&mut r);
        match found {
            Found::Record(record) => self.use_record(r, record, arity),
            Found::Clauses => r,
            Found::Full => out_of_memory(self, r),
        }
    }

    /// Returns the address for a call that matches no record, or no further one. Only an assumed predicate is known
    /// to have no other definition.
    fn after_records(&self, slot: u32) -> CodeAddr {
        if self.has_clauses(slot) || !self.is_assumed_slot(slot) {
            raw::code_at(self.run.contexts.slot_word(slot, slot::STATIC))
        } else {
            self.run.contexts.slot_code(slot, slot::FAIL)
        }
    }

    /// Returns the slot of the predicate whose records the newest choice point enumerates.
    pub(in crate::machine) fn chosen_slot(&self) -> u32 {
        let packed = self.choice_arg(self.choice, self.choice_args(self.choice) - 3);
        (packed.int_value() >> INDEX_BITS) as u32
    }

    /// Returns the next record for the goal in the choice point, and its number of arguments.
    #[inline(always)]
    pub(in crate::machine) fn next_record(&mut self, r: &mut Regs) -> (Found, usize) {
        self.restore(r);
        self.store.heap_top = r.h;
        let b = self.choice;
        let arity = self.choice_args(b) - 3;
        let packed = self.choice_arg(b, arity).int_value();
        let slot = (packed >> INDEX_BITS) as u32;
        self.run.contexts.heed(slot);
        let mut cursor = Cursor {
            main: self.choice_arg(b, arity + 1),
            open: self.choice_arg(b, arity + 2),
            index: packed as usize & ((1 << INDEX_BITS) - 1),
        };
        let Some(record) = cursor.newest(&self.run.contexts.slots[slot as usize]) else {
            self.pop_choice();
            r.go(self.after_records(slot));
            return (Found::Clauses, arity);
        };
        // The cursor is at a matching record, and the state is as it was then.
        if self.apply_first(slot).is_err() {
            return (Found::Full, arity);
        }
        cursor.pass(record, &self.run.contexts.slots[slot as usize]);
        let more = self.seek(&mut cursor, slot).is_some();
        if more || self.has_living_clauses(slot) {
            raw::set_cell(b.argument(arity as u64 + 1), cursor.main);
            raw::set_cell(b.argument(arity as u64 + 2), cursor.open);
        } else {
            self.pop_choice();
        }
        (Found::Record(record), arity)
    }

    /// Proves the goal in the registers by a record.
    pub(in crate::machine) fn use_record(
        &mut self,
        mut r: Regs,
        record: Cell,
        arity: usize,
    ) -> Regs {
        if int_at(record.addr() + rec::MARK) != 0
            && let Err(Stop) = self.consume(record)
        {
            return out_of_memory(self, r);
        }
        let slot = slot_of(record) as usize;
        // In other modules, too, the new values of older variables of assumptions must respect the scopes.
        let scoped = self.run.contexts.slots[slot].scoped || !self.store.eigenvariables.is_empty();
        match assumed_of(record) {
            Assumed::Fact(fact) => {
                let holds = self.unify_arguments(fact, arity, scoped);
                r.h = self.store.heap_top;
                match holds {
                    Ok(true) => r.go(self.cont),
                    Ok(false) => fail(self, &mut r),
                    Err(throw) => return raise(self, r, throw, None),
                }
                r
            }
            Assumed::Closure(predicate, captured) => {
                if let Some((functor, args)) = self.store.compound(captured) {
                    for index in 0..functor.arity() {
                        self.x[arity + index] = raw::cell(args + index as u64 * WORD);
                    }
                }
                r.go(self.world.predicates.entry(predicate));
                r.h = self.store.heap_top;
                r
            }
            Assumed::Clause(clause, module) => self.use_clause(r, clause, module, (arity, scoped)),
        }
    }

    /// Unifies the arguments of a head with the registers.
    fn unify_arguments(&mut self, head: Cell, arity: usize, scoped: bool) -> Result<bool, Throw> {
        if arity == 0 {
            return Ok(true);
        }
        let Some((_, args)) = self.store.compound(head) else {
            return Ok(false);
        };
        for index in 0..arity {
            let (register, argument) = (self.x[index], raw::cell(args + index as u64 * WORD));
            let unified = if scoped {
                self.unify_scoped(register, argument)?
            } else {
                self.unify(register, argument)?
            };
            if !unified {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
