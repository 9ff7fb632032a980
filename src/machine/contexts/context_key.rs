//! Keys of contexts: the assumptions that goals may use, as numbers. Two contexts have the same numbers only if every
//! goal has the same solutions in both.
#![forbid(unsafe_code)]

use super::assumption::{Assumed, NONE, assumed_of, int_at, next_alternative, rec, slot_of};
use super::slots::{HIDES, slot, word};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::interned::{Interned, PAIR_BITS, Part};
use crate::store::raw;

/// Maximum number of levels of a context that has numbers.
const MOST_LEVELS: i64 = 1 << 16;
/// Bits of the place of an assumption among the scopes.
const PLACE_BITS: u32 = 8;

impl Machine {
    /// Adds the context to a row. `scopes` are the records after which the scopes began that end before the count.
    /// Returns false if the context has no numbers.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(in crate::machine) fn add_context(
        &self,
        terms: &mut Interned,
        scopes: &[i64],
    ) -> Result<bool, Stop> {
        let contexts = &self.run.contexts;
        let watermark = contexts.int(word::WATERMARK);
        terms.add(raw::cell(contexts.word(word::LEVELS)).word())?;
        let mut at = raw::cell(contexts.word(word::NEWEST));
        while at != NONE {
            let Some(what) = self.assumed_part(terms, at)? else {
                return Ok(false);
            };
            let seq = int_at(at.addr() + rec::SEQ);
            // The age of a record matters only for the end of its scope, and for whether it may be left unused.
            let older = scopes.iter().filter(|&&base| seq <= base).count() as i64;
            let place = older << 1 | i64::from(seq > watermark);
            let mark = match int_at(at.addr() + rec::MARK) {
                HIDES => MOST_LEVELS,
                mark if mark < MOST_LEVELS => mark,
                _ => return Ok(false),
            };
            terms.add(what | ((mark << PLACE_BITS | place) as u64) << PAIR_BITS)?;
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        terms.add(Cell::ABSENT.word())?;
        let mut own = raw::cell(contexts.word(word::OWN));
        while own != NONE {
            let number = own.int_value() - 1;
            let at = contexts.slot_word(number as u32, slot::OWN);
            let older = scopes.iter().filter(|&&base| int_at(at) <= base).count();
            terms.add(Cell::int(number << 8 | older as i64).word())?;
            own = raw::cell(contexts.slot_word(number as u32, slot::OWN_BEFORE));
        }
        Ok(true)
    }

    /// Returns the number of the assumed formula, or `None` if it has none.
    fn assumed_part(&self, terms: &mut Interned, record: Cell) -> Result<Option<Part>, Stop> {
        if let Some(known) = terms.known(record.addr()) {
            return Ok(Some(known));
        }
        // An alternative belongs to a group, which has no number.
        if next_alternative(record) != record {
            return Ok(None);
        }
        let (what, more) = match assumed_of(record) {
            Assumed::Fact(fact) => (fact, NONE),
            Assumed::Closure(predicate, captured) => (Cell::int(i64::from(predicate.0)), captured),
            Assumed::Clause(clause, module) => (clause, module),
        };
        let Some(what) = terms.term(&self.store, what)? else {
            return Ok(None);
        };
        let Some(more) = terms.term(&self.store, more)? else {
            return Ok(None);
        };
        let predicate = Cell::int(i64::from(slot_of(record))).word();
        let Some(rest) = terms.pair(what, more)? else {
            return Ok(None);
        };
        let part = terms.pair(predicate, rest)?;
        if let Some(part) = part {
            terms.note(record.addr(), part)?;
        }
        Ok(part)
    }

    /// Returns whether nothing is assumed and nothing was consumed.
    pub(in crate::machine) fn is_context_new(&self) -> bool {
        let contexts = &self.run.contexts;
        [word::NEWEST, word::OWN, word::WATERMARK, word::LEFT]
            .iter()
            .all(|&index| raw::cell(contexts.word(index)) == NONE)
    }
}
