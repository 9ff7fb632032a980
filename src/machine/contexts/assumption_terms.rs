//! Assumptions in the form in which they are reported to users. The alternatives of `A & B`, which one use consumes
//! together, have separate records but are one assumption. The youngest represents all.
#![forbid(unsafe_code)]

use super::assumption::{
    Assumed, NONE, alternatives, assumed_of, int_at, rec, represents_group, slot_of,
};
use super::slots::{HIDES, word};
use crate::base::atom_table::functors;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::raw;

/// An assumption that was not consumed.
#[derive(Copy, Clone, Debug)]
pub(crate) struct LiveRecord {
    /// The record of the assumption.
    pub(crate) record: Cell,
    /// Whether the assumption is linear and must be used.
    pub(crate) linear: bool,
    /// Whether the assumption is hidden from the present goal.
    pub(crate) hidden: bool,
    /// The file and the line of its declaration, if a file declares it.
    pub(crate) origin: Option<(u32, u32)>,
}

impl Machine {
    /// Returns an assumption as a term: `Module:Formula`.
    pub(crate) fn formula_of(&mut self, record: Cell) -> Result<Cell, Stop> {
        let parts = alternatives(record)?;
        let module = |m: &Machine, part| {
            let slot = slot_of(part) as usize;
            m.world
                .predicates
                .get(m.run.contexts.slots[slot].predicate)
                .module
        };
        let home = module(self, parts[0]);
        let upper = self.world.upper;
        let mut formula = None;
        for &part in parts.iter().rev() {
            let predicate = self.run.contexts.slots[slot_of(part) as usize].predicate;
            let mut own = upper.formula(self, predicate, assumed_of(part))?;
            let other = module(self, part);
            self.store.reserve(8)?;
            if other != home {
                let other = Cell::atom(other);
                own = self.store.new_struct(functors::COLON, &[other, own]);
            }
            formula = Some(match formula {
                Some(rest) => self.store.new_struct(functors::WITH, &[own, rest]),
                None => own,
            });
        }
        self.store.reserve(8)?;
        let formula = formula.unwrap_or(NONE);
        Ok(self
            .store
            .new_struct(functors::COLON, &[Cell::atom(home), formula]))
    }

    /// Returns an assumption as a term: `Kind(Module:Formula)`.
    pub(crate) fn kind_and_formula(&mut self, record: Cell) -> Result<Cell, Stop> {
        let linear = int_at(record.addr() + rec::MARK) != 0;
        let formula = self.formula_of(record)?;
        self.store.reserve(4)?;
        let functor = if linear {
            functors::LINEAR1
        } else {
            functors::INTUITIONISTIC1
        };
        Ok(self.store.new_struct(functor, &[formula]))
    }

    /// Returns the file and the line of the assumed clause or of its declaration.
    pub(in crate::machine) fn origin(&self, record: Cell) -> Option<(u32, u32)> {
        if let Assumed::Closure(compiled, _) = assumed_of(record) {
            let clauses = &self.world.predicates.get(compiled).clauses;
            let (_, clause) = clauses.iter().next()?;
            return (clause.file() != 0).then(|| (clause.file(), clause.line()));
        }
        self.run
            .contexts
            .declared_at(int_at(record.addr() + rec::SEQ))
    }

    /// Returns the term `File:Line`.
    pub(crate) fn place_term(&mut self, (file, line): (u32, u32)) -> Result<Cell, Stop> {
        let name = self.world.files.get(file).name.to_string();
        let name = Cell::atom(self.world.symbols.intern_passing(&name)?);
        self.store.reserve(4)?;
        let line = Cell::int(i64::from(line));
        Ok(self.store.new_struct(functors::COLON, &[name, line]))
    }

    /// Returns the newest `most` assumptions up to number `up_to`, oldest first, and the number of all of them.
    pub(crate) fn live_records(
        &self,
        up_to: i64,
        most: usize,
    ) -> Result<(Vec<LiveRecord>, usize), Stop> {
        let levels = self.run.contexts.levels();
        let mut found = Vec::new();
        let mut count = 0;
        let mut at = raw::cell(self.run.contexts.word(word::NEWEST));
        while at != NONE {
            let mark = int_at(at.addr() + rec::MARK);
            if int_at(at.addr() + rec::SEQ) <= up_to && mark != HIDES && represents_group(at) {
                count += 1;
                if found.len() < most {
                    found.put(LiveRecord {
                        record: at,
                        linear: mark != 0,
                        hidden: mark != 0 && !(levels.lowest..=levels.highest).contains(&mark),
                        origin: self.origin(at),
                    })?;
                }
            }
            at = raw::cell(at.addr() + rec::ALL_NEXT);
        }
        found.reverse();
        Ok((found, count))
    }
}
