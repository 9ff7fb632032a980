//! Calls of predicates that may be assumed: the search for a record that fits, and its use.
//!
//! The order is that of Lolli: the newest assumption first, whether linear or not, then the clauses
//! of the predicate. A choice point is made only if something is left to be tried.
#![forbid(unsafe_code)]

use super::assumption::{Assumed, NONE, assumed_of, first_of, int_at, rec, slot_of};
use super::contexts::{Slot, key_of, slot};
use super::control::{fail, out_of_memory, raise};
use super::layout::{ChoiceKind, NO_FRAME};
use super::regs::Regs;
use super::state::Machine;
use super::throw::Throw;
use crate::base::stop::Stop;
use crate::store::address::CodeAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::deref;
use crate::store::raw;

/// Where the search among the records of a predicate stands: the next of the two chains.
#[derive(Copy, Clone)]
struct Cursor {
    main: Cell,
    open: Cell,
    keyed: bool,
}

impl Cursor {
    /// Which links the chains go by.
    #[inline(always)]
    fn next(self) -> u64 {
        if self.keyed { rec::KEY_NEXT } else { rec::NEXT }
    }

    /// The newest record that it stands at.
    #[inline(always)]
    fn newest(self) -> Option<Cell> {
        if self.open == NONE {
            return (self.main != NONE).then_some(self.main);
        }
        let newer = self.main != NONE
            && int_at(self.main.addr() + rec::SEQ) > int_at(self.open.addr() + rec::SEQ);
        Some(if newer { self.main } else { self.open })
    }

    /// Goes past the newest record.
    #[inline(always)]
    fn pass(&mut self, record: Cell, next: u64) {
        let older = raw::cell(record.addr() + next);
        if record == self.main {
            self.main = older;
        } else {
            self.open = older;
        }
    }
}

/// So many levels of terms, and so many arguments of a term, are looked at to tell them apart.
const LOOKED_INTO: u64 = 12;

/// What a goal is to be proved by.
pub(super) enum Found {
    /// This record.
    Record(Cell),
    /// The clauses of the predicate: P is there.
    Clauses,
    /// There is no room.
    Full,
}

impl Machine {
    /// The first argument as far as it selects among records: none if it may still become anything.
    #[inline(always)]
    fn selecting_argument(&mut self, slot: u32) -> Result<Option<Cell>, Stop> {
        let Slot { arity, scoped, .. } = self.run.contexts.slots[slot as usize];
        if arity == 0 {
            return Ok(None);
        }
        let mut first = deref(self.x[0]);
        if scoped && self.store.may_be_application(first) {
            first = self.store.applied(&mut self.world.symbols, first)?;
            self.x[0] = first;
            if self.store.is_application(&self.world.symbols, first) {
                return Ok(None);
            }
        }
        Ok((!first.is_var()).then_some(first))
    }

    #[inline(always)]
    fn cursor(&self, slot: u32, first: Option<Cell>) -> Cursor {
        let words = |index| raw::cell(self.run.contexts.slot_word(slot, index));
        let record = &self.run.contexts.slots[slot as usize];
        if words(slot::KEYED) != NONE
            && let Some(first) = first
            && let Some(key) = key_of(first)
        {
            let head = record.keys.get(&key);
            let head = head.map(|&number| self.run.contexts.head(number));
            return Cursor {
                main: head.map_or(NONE, raw::cell),
                open: words(slot::OPEN),
                keyed: true,
            };
        }
        Cursor {
            main: words(slot::NEWEST),
            open: NONE,
            keyed: false,
        }
    }

    /// Moves the cursor to the next record that may be used and may match the first argument: it is
    /// the one given, and the cursor still stands at it.
    #[inline]
    fn seek(&self, cursor: &mut Cursor, first: Option<Cell>) -> Option<Cell> {
        let levels = self.run.contexts.levels();
        let next = cursor.next();
        loop {
            let record = cursor.newest()?;
            let mark = int_at(record.addr() + rec::MARK);
            let usable = mark == 0 || (levels.lowest <= mark && mark <= levels.highest);
            if usable {
                let Some(first) = first else {
                    return Some(record);
                };
                if !self.differ(first, first_of(&self.store, record)) {
                    return Some(record);
                }
            }
            cursor.pass(record, next);
        }
    }

    /// Is it plain that two terms do not unify: from the functors along their last arguments, and from
    /// what stands beside those? They are looked at so far that most facts that do not match are never
    /// tried.
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

    /// The same of two different dereferenced terms, from their functors alone.
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

    /// An application of a variable may be anything once that is known.
    #[inline(always)]
    fn may_become_other(&self, cell: Cell) -> bool {
        self.world.symbols.applications && self.store.is_application(&self.world.symbols, cell)
    }

    /// Enters the predicate of `slot` at the first record that fits.
    pub(super) fn enter_assumed(&mut self, mut r: Regs, slot: u32) -> Regs {
        match self.first_record(&mut r, slot) {
            Found::Record(record) => {
                let arity = self.run.contexts.slots[slot as usize].arity;
                self.use_record(r, record, arity)
            }
            Found::Clauses => r,
            Found::Full => out_of_memory(self, r),
        }
    }

    /// The first record that fits the registers, with a choice point for what else there is; without
    /// one the clauses are next.
    #[inline(always)]
    pub(super) fn first_record(&mut self, r: &mut Regs, slot: u32) -> Found {
        let arity = self.run.contexts.slots[slot as usize].arity;
        let Ok(first) = self.selecting_argument(slot) else {
            return Found::Full;
        };
        r.h = self.store.heap_top;
        let mut cursor = self.cursor(slot, first);
        let Some(record) = self.seek(&mut cursor, first) else {
            r.go(self.after_records(slot));
            return Found::Clauses;
        };
        cursor.pass(record, cursor.next());
        let more = self.seek(&mut cursor, first).is_some();
        if more || self.has_living_clauses(slot) {
            self.x[arity] = Cell::int(i64::from(slot) << 1 | i64::from(cursor.keyed));
            self.x[arity + 1] = cursor.main;
            self.x[arity + 2] = cursor.open;
            let retry = self.run.contexts.slot_code(slot, slot::RETRY);
            if !self.push_choice(r, arity + 3, NO_FRAME, retry, ChoiceKind::Plain) {
                return Found::Full;
            }
        }
        Found::Record(record)
    }

    /// Enters the predicate again at the next record, or at its clauses.
    pub(super) fn retry_assumed(&mut self, mut r: Regs) -> Regs {
        let (found, arity) = self.next_record(&mut r);
        match found {
            Found::Record(record) => self.use_record(r, record, arity),
            Found::Clauses => r,
            Found::Full => out_of_memory(self, r),
        }
    }

    /// Where a call goes that no record fits, or no further one. Only a predicate that is assumed is
    /// known to have no other definition.
    fn after_records(&self, slot: u32) -> CodeAddr {
        if self.has_clauses(slot) || !self.is_assumed_slot(slot) {
            raw::code_at(self.run.contexts.slot_word(slot, slot::STATIC))
        } else {
            self.run.contexts.slot_code(slot, slot::FAIL)
        }
    }

    /// The next record for the goal in the choice point, and its number of arguments.
    #[inline(always)]
    pub(super) fn next_record(&mut self, r: &mut Regs) -> (Found, usize) {
        self.restore(r);
        self.store.heap_top = r.h;
        let b = self.choice;
        let arity = self.choice_args(b) - 3;
        let packed = self.choice_arg(b, arity).int_value();
        let slot = (packed >> 1) as u32;
        let mut cursor = Cursor {
            main: self.choice_arg(b, arity + 1),
            open: self.choice_arg(b, arity + 2),
            keyed: packed & 1 != 0,
        };
        let Some(record) = cursor.newest() else {
            self.pop_choice();
            r.go(self.after_records(slot));
            return (Found::Clauses, arity);
        };
        // The cursor was left at a record that fits, and all is as it was then.
        let Ok(first) = self.selecting_argument(slot) else {
            return (Found::Full, arity);
        };
        cursor.pass(record, cursor.next());
        let more = self.seek(&mut cursor, first).is_some();
        if more || self.has_living_clauses(slot) {
            raw::set_cell(b.argument(arity as u64 + 1), cursor.main);
            raw::set_cell(b.argument(arity as u64 + 2), cursor.open);
        } else {
            self.pop_choice();
        }
        (Found::Record(record), arity)
    }

    /// Proves the goal in the registers by a record.
    pub(super) fn use_record(&mut self, mut r: Regs, record: Cell, arity: usize) -> Regs {
        if int_at(record.addr() + rec::MARK) != 0
            && let Err(Stop) = self.consume(record)
        {
            return out_of_memory(self, r);
        }
        let slot = slot_of(record) as usize;
        // Elsewhere too what older variables of assumptions become must fit.
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
