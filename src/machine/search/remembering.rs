//! Calls of predicates whose counts are remembered: see [`memo`](super::memo).
#![forbid(unsafe_code)]

use super::bags::Bag;
use super::memo::{Memo, NotRemembered, Open, Remembered, Seen};
use crate::arith::mixed;
use crate::base::growth::{Grow, GrowMap};
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::code::instruction::{Op, decode};
use crate::machine::dispatch::regs::Regs;
use crate::machine::frames::layout::{ChoiceKind, NO_FRAME, env};
use crate::machine::frames::stubs;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::WORD;
use crate::store::interned::Part;
use crate::store::raw;

/// Maximum number of scopes that may end between a goal and the count that is remembered.
const MOST_SCOPES: usize = 16;

impl Machine {
    /// Notes that a goal sees state outside its arguments, or changes such state until backtracking.
    #[inline]
    pub(crate) fn note_unseen(&mut self) {
        self.run.unseen += 1;
    }

    /// Remembers the counts of a predicate from now on.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn remember_counts(&mut self, id: PredId) -> Result<(), Stop> {
        let slot = self.assumable(id)?;
        self.world.predicates.get_mut(id).traits.count_memo = true;
        self.run.contexts.remember_counts(slot);
        Ok(())
    }

    fn seen(&self) -> Seen {
        Seen {
            effects: self.world.effects,
            unseen: self.run.unseen,
        }
    }

    /// Handles a call of the predicate of a slot whose counts are to be remembered.
    pub(in crate::machine) fn remember_call(&mut self, r: &Regs, slot: u32) -> Remembered {
        let Some(Bag::Count(..)) = self.run.bags.last() else {
            return Remembered::No(None);
        };
        let predicate = self.run.contexts.slots[slot as usize].predicate;
        let wanted = self.world.predicates.get(predicate).traits.count_memo;
        if !wanted || self.is_watched() {
            return Remembered::No(None);
        }
        let mut scopes = [0; MOST_SCOPES];
        let Some(scopes) = self.scopes_before_count(r, &mut scopes) else {
            return Remembered::No(Some(NotRemembered::Goals));
        };
        let Some(Bag::Count(counted, others, memo)) = self.run.bags.last_mut() else {
            return Remembered::No(None);
        };
        let before = (*counted, others.clone());
        let mut memo = memo.take().unwrap_or_default();
        while memo
            .open
            .last()
            .is_some_and(|open| open.choice > self.choice)
        {
            memo.close();
        }
        let (open, places) = (memo.open.len(), memo.terms.places());
        let remembered = self.remember_in(&mut memo, (r, slot, before), scopes);
        if memo.open.len() == open {
            // The known places of the heap may change from here on.
            memo.terms.forget_places(places);
        }
        if let Some(Bag::Count(_, _, place)) = self.run.bags.last_mut() {
            *place = Some(memo);
        }
        remembered.unwrap_or(Remembered::No(None))
    }

    /// Returns whether each single call matters, so that no count may be reused. It is also true if the machine only
    /// follows the path to its part of a search.
    fn is_watched(&self) -> bool {
        let branches = self.run.branches.as_ref();
        self.store.wake_pending
            || self.is_observed()
            || self.run.budgets.depths.is_counting()
            || branches.is_some_and(|branches| !branches.is_at_part())
    }

    /// Returns the scopes that end between the present goal and the count, by the records at which they began.
    /// Returns `None` if anything else comes between.
    fn scopes_before_count<'a>(
        &self,
        r: &Regs,
        scopes: &'a mut [i64; MOST_SCOPES],
    ) -> Option<&'a [i64]> {
        let (mut cont, mut e) = (self.cont, r.e);
        let mut number = 0;
        while cont == stubs::scope_return() && number < MOST_SCOPES {
            scopes[number] = raw::cell(e.slot(0)).int_value();
            number += 1;
            (cont, e) = (e.get(env::CP), e.get(env::CE));
        }
        let counts = decode(raw::word(cont)) == Some(Op::CollectCount);
        counts.then_some(&scopes[..number])
    }

    fn remember_in(
        &mut self,
        memo: &mut Memo,
        (r, slot, before): (&Regs, u32, (u64, Number)),
        scopes: &[i64],
    ) -> Result<Remembered, Stop> {
        let seen = self.seen();
        if memo.seen.effects != seen.effects {
            memo.forget();
        }
        if memo.seen != seen {
            memo.heap_moves();
        }
        memo.seen = seen;
        let places = memo.terms.places();
        let part = match self.key_of_call(memo, slot, scopes)? {
            Ok(part) => part,
            Err(why) => return Ok(Remembered::No(Some(why))),
        };
        if let Some(number) = memo.counts.get(&(slot, part)) {
            let number = number.clone();
            return Ok(match self.count_at_once(|_| Some(number)) {
                true => Remembered::Counted,
                false => Remembered::No(None),
            });
        }
        if !memo.terms.is_ground() {
            memo.terms.forget_places(places);
        }
        if !memo.has_room(&mut self.store) {
            return Ok(Remembered::No(Some(NotRemembered::Memory)));
        }
        let end = stubs::count_memo_end();
        if !self.push_choice(r, 0, NO_FRAME, end, ChoiceKind::Plain) {
            return Ok(Remembered::No(Some(NotRemembered::Memory)));
        }
        let opened = memo.open.put(Open {
            choice: self.choice,
            slot,
            key: Some(part),
            before,
            seen,
            places,
        });
        match opened {
            // A cut in the predicate cuts its clauses but not this choice point.
            Ok(()) => self.cut_choice = self.choice,
            Err(Stop) => self.pop_choice(),
        }
        Ok(Remembered::No(None))
    }

    /// Returns the key of the call in the registers.
    fn key_of_call(
        &mut self,
        memo: &mut Memo,
        slot: u32,
        scopes: &[i64],
    ) -> Result<Result<Part, NotRemembered>, Stop> {
        memo.terms.begin();
        let arity = self.run.contexts.slots[slot as usize].arity;
        for index in 0..arity {
            let argument = memo
                .terms
                .term(&self.store, raw::register(&self.x, index))?;
            match argument {
                Some(argument) => memo.terms.add(argument)?,
                None => return Ok(Err(NotRemembered::Argument)),
            }
        }
        if !self.is_context_new() || !scopes.is_empty() {
            let plain = !self.is_affine() && !self.store.has_eigenvariables();
            if !plain || !self.add_context(&mut memo.terms, scopes)? {
                return Ok(Err(NotRemembered::Context));
            }
        }
        Ok(Ok(memo.terms.row()?))
    }

    /// Reports, once for each predicate, why its counts are not remembered.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    #[cold]
    pub(in crate::machine) fn report_not_remembered(
        &mut self,
        slot: u32,
        why: NotRemembered,
    ) -> Result<(), Stop> {
        let own = &mut self.run.contexts.slots[slot as usize];
        // Other machines of the search would report the same.
        if self.run.branches.is_some() || std::mem::replace(&mut own.reported, true) {
            return Ok(());
        }
        let (predicate, caller) = (own.predicate, self.cont - WORD);
        self.world
            .upper
            .not_remembered(self, predicate, why, caller)
    }

    /// Ends a remembered call that has no more solutions. Returns the slot of its predicate if goals have had
    /// effects, or have seen state that does not belong to the call.
    pub(in crate::machine) fn end_of_remembered(&mut self) -> Option<u32> {
        let (choice, seen) = (self.choice, self.seen());
        let Some(Bag::Count(counted, others, Some(memo))) = self.run.bags.last_mut() else {
            debug_assert!(false, "a count is under way");
            return None;
        };
        while memo.open.last().is_some_and(|open| open.choice > choice) {
            memo.close();
        }
        let open = memo.close()?;
        debug_assert!(open.choice == choice, "it is the newest");
        if open.seen != seen {
            return Some(open.slot);
        }
        if let Some(part) = open.key
            && let Some(number) = difference((*counted, others), &open.before)
        {
            // Without room, the call is counted again.
            let _ = memo.counts.put_entry((open.slot, part), number);
        }
        None
    }
}

/// Returns the number of solutions counted since `before`.
fn difference(now: (u64, &Number), before: &(u64, Number)) -> Option<Number> {
    let own = Number::from_big((now.0 - before.0).into());
    let others = mixed::sub(now.1, &before.1).ok()?;
    mixed::add(&own, &others).ok()
}
