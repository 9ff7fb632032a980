//! The transfer of a context to another machine of the same program. The context becomes a term, from which that
//! machine builds an equivalent context. Consumed records are not transferred, and neither are words that only the
//! goals around a search read.
#![forbid(unsafe_code)]

use super::assumption::{
    Assumed, NONE, assumed_of, first_of, int_at, new_record, next_alternative, rec, slot_of,
};
use super::slots::{slot, word};
use crate::base::atom_table::{FastMap, atoms};
use crate::base::growth::{Grow, GrowMap};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::store::cell::Cell;
use crate::store::raw;

/// Words of the contexts that are transferred unchanged.
const NUMBERS: [usize; 5] = [
    word::LEVELS,
    word::USED,
    word::WATERMARK,
    word::SEQ,
    word::BACK,
];

impl Machine {
    /// Returns the context as a term, for [`Machine::take_context`]. It shares variables with goals.
    ///
    /// # Errors
    /// Returns an error if memory runs out.
    pub(crate) fn context_term(&mut self) -> Result<Cell, Stop> {
        let contexts = &self.run.contexts;
        let mut words = Vec::new();
        words.put_all(NUMBERS.map(|index| raw::cell(contexts.word(index))))?;
        words.put(Cell::int(i64::from(self.is_affine())))?;
        words.put(Cell::int(contexts.eigenvariables()))?;
        let mut own = Vec::new();
        let mut newest = contexts.int(word::OWN);
        while newest != 0 {
            let number = (newest - 1) as u32;
            own.put(Cell::int(i64::from(number)))?;
            own.put(raw::cell(contexts.slot_word(number, slot::OWN)))?;
            newest = int_at(contexts.slot_word(number, slot::OWN_BEFORE));
        }
        let mut records = Vec::new();
        let mut at = raw::cell(contexts.word(word::NEWEST));
        while at != NONE {
            records.put(at)?;
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        for record in &mut records {
            *record = self.record_term(*record)?;
        }
        let [words, own, records] = [words, own, records].map(|items| self.store.list_of(&items));
        self.store.list_of(&[words?, own?, records?])
    }

    /// Returns a record as a term.
    fn record_term(&mut self, record: Cell) -> Result<Cell, Stop> {
        let (kind, what, more) = match assumed_of(record) {
            Assumed::Fact(fact) => (0, fact, NONE),
            Assumed::Closure(predicate, captured) => {
                (1, Cell::int(i64::from(predicate.0)), captured)
            }
            Assumed::Clause(clause, module) => (2, clause, module),
        };
        let first = first_of(record);
        let extended = Cell::int(i64::from(first.is_some()));
        let parts = [
            raw::cell(record.addr() + rec::MARK),
            raw::cell(record.addr() + rec::SEQ),
            Cell::int(i64::from(slot_of(record))),
            Cell::int(kind),
            what,
            more,
            extended,
            first.unwrap_or(NONE),
            raw::cell(next_alternative(record).addr() + rec::SEQ),
        ];
        let symbols = &mut self.world.symbols;
        let functor = symbols.functor_passing(atoms::VARS, parts.len())?;
        self.store.reserve(parts.len() + 1)?;
        Ok(self.store.new_struct(functor, &parts))
    }

    /// Builds the context from such a term, in a machine without assumptions.
    ///
    /// # Errors
    /// Returns an error if memory runs out; the machine is then unusable.
    pub(crate) fn take_context(&mut self, term: Cell) -> Result<(), Stop> {
        let parts = self.items(term)?;
        let [words, own, records] = [0, 1, 2].map(|index| self.items(parts[index]));
        let (words, own, records) = (words?, own?, records?);
        let mut alternatives = FastMap::default();
        for &record in records.iter().rev() {
            self.take_record(record, &mut alternatives)?;
        }
        for &(record, next) in alternatives.values() {
            if let Some(&(next, _)) = alternatives.get(&next) {
                self.store.assign(record.addr() + rec::GROUP, next)?;
            }
        }
        for pair in own.rchunks_exact(2) {
            let number = pair[0].int_value() as u32;
            let before = raw::cell(self.run.contexts.word(word::OWN));
            self.set_root(self.run.contexts.slot_word(number, slot::OWN), pair[1]);
            self.set_root(
                self.run.contexts.slot_word(number, slot::OWN_BEFORE),
                before,
            );
            self.set_context(word::OWN, Cell::int(i64::from(number) + 1));
        }
        let (numbers, rest) = words.split_at(NUMBERS.len());
        for (&index, &number) in NUMBERS.iter().zip(numbers) {
            self.set_context(index, number);
        }
        if rest[0] != NONE {
            self.begin_affine();
        }
        let contexts = &mut self.run.contexts;
        contexts.assumed_last = contexts.int(word::SEQ);
        contexts.eigenvariables = rest[1].int_value();
        self.store.settle_eigenvariables(rest[1].int_value());
        Ok(())
    }

    /// Builds a record from its term. If it has alternatives, notes it by its number, with the number of the next
    /// alternative.
    fn take_record(
        &mut self,
        term: Cell,
        alternatives: &mut FastMap<i64, (Cell, i64)>,
    ) -> Result<(), Stop> {
        let Some((_, args)) = self.store.compound(term) else {
            return Ok(());
        };
        let part = |index| self.store.arg(args, index);
        let number = |index| part(index).int_value();
        let assumed = match number(3) {
            0 => Assumed::Fact(part(4)),
            1 => Assumed::Closure(PredId(number(4) as u32), part(5)),
            _ => Assumed::Clause(part(4), part(5)),
        };
        let first = (number(6) != 0).then(|| part(7));
        let (mark, seq, slot, next) = (number(0), number(1), number(2) as u32, number(8));
        self.store.reserve(16)?;
        let record = new_record(&mut self.store, (mark, seq), slot, assumed, first);
        if next != seq {
            alternatives.put_entry(seq, (record, next))?;
        }
        self.link(record)
    }

    /// Returns the elements of a list that was built here.
    fn items(&self, list: Cell) -> Result<Vec<Cell>, Stop> {
        let mut items = Vec::new();
        self.store.list_items(list, &mut items)?;
        Ok(items)
    }
}
