//! Predicates of programs that are undefined and no longer referenced. A sweep of symbols removes them before it
//! looks for names, and new predicates reuse their numbers.
//!
//! Four things refer to a predicate by its number: an instruction, an import, an integer in a choice point or a frame,
//! and an entry of a table that is searched here. A continuation may be an address in the stub of a
//! predicate. The search is conservative: every word that might be a reference counts as one. So a predicate may stay
//! longer than necessary, but is never removed too early.
#![forbid(unsafe_code)]

use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::base::watch::STEPS;
use crate::code::instruction::wide;
use crate::machine::events::tracer::Mode;
use crate::machine::state::Machine;
use crate::machine::upper_layers::Held;
use crate::program::predicate::{Kind, PredId};
use crate::program::predicates::Predicates;
use crate::store::address::EnvAddr;
use crate::store::cell::{Cell, WORD};

/// Least number of such predicates, above twice the number left the last time, at which the search begins.
const FEW: usize = 64;

/// Finds the predicates to which words may refer.
struct Finder {
    /// For each number, whether the predicate is undefined and no reference was found so far.
    unreferenced: Vec<bool>,
    /// Addresses of the stubs of the undefined predicates, in order, with their numbers.
    stubs: Vec<(u64, u32)>,
}

impl Finder {
    fn new(predicates: &Predicates, unknown: &[PredId]) -> Result<Finder, Stop> {
        let mut unreferenced = crate::base::growth::filled(false, predicates.len())?;
        let mut stubs = Vec::new();
        for &id in unknown {
            unreferenced[id.0 as usize] = true;
            stubs.put((predicates.get(id).stub().bits(), id.0))?;
        }
        stubs.sort_unstable();
        Ok(Finder {
            unreferenced,
            stubs,
        })
    }

    #[inline(always)]
    fn number(&mut self, number: u64) {
        if let Some(unreferenced) = self.unreferenced.get_mut(number as usize) {
            *unreferenced = false;
        }
    }

    fn predicate(&mut self, id: PredId) {
        self.number(u64::from(id.0));
    }

    /// Checks a word of a stack: an integer, or an address.
    fn word(&mut self, word: u64) {
        let cell = Cell::of_word(word);
        if cell.is_int() {
            self.number(cell.int_value() as u64);
            return;
        }
        let after = self.stubs.partition_point(|&(start, _)| start <= word);
        if let Some(&(start, number)) = after.checked_sub(1).and_then(|at| self.stubs.get(at))
            && word < start + 4 * WORD
        {
            self.number(u64::from(number));
        }
    }

    /// Checks instructions.
    fn code(&mut self, words: &[u64]) {
        for &word in words {
            self.number(u64::from(wide(word)));
        }
    }
}

impl Machine {
    /// Removes predicates that are undefined and no longer referenced, if there are many. `called` is about to be
    /// entered.
    pub(in crate::machine) fn forget_unreferenced(
        &mut self,
        e: EnvAddr,
        called: Option<PredId>,
        held: &Held,
    ) -> Result<(), Stop> {
        let unknown = self.world.predicates.unknown()?;
        let many = match self.world.predicates.wastes_numbers {
            true => 1,
            false => FEW + 2 * self.world.predicates.referenced,
        };
        if unknown.len() < many || self.observes_predicates() {
            return Ok(());
        }
        let mut finder = Finder::new(&self.world.predicates, &unknown)?;
        for words in self.used_words(e) {
            for words in words.chunks(STEPS) {
                words.iter().for_each(|&word| finder.word(word));
                if self.store.events.stop_wanted() {
                    return Ok(());
                }
            }
        }
        for continuation in self.world.tables.continuations() {
            continuation
                .cells
                .iter()
                .for_each(|&word| finder.word(word));
        }
        self.x.iter().for_each(|cell| finder.word(cell.word()));
        finder.word(self.cont.bits());
        for predicate in self.world.predicates.iter() {
            if let Kind::Imported(target) = predicate.kind {
                finder.predicate(target);
            }
            for clause in predicate.clauses.all_own() {
                finder.code(clause.code());
            }
        }
        let retired = &self.world.predicates.retired;
        retired
            .clauses
            .iter()
            .for_each(|clause| finder.code(clause.code()));
        retired.indexes.iter().for_each(|code| finder.code(code));
        let in_files = self
            .world
            .files
            .iter()
            .flat_map(|(_, file)| file.defines.iter().chain(&file.declares));
        let others = called
            .iter()
            .chain(&held.predicates)
            .chain(self.run.observers.tracer.spied.keys());
        in_files.chain(others).for_each(|&id| finder.predicate(id));
        let gone = unknown
            .iter()
            .filter(|id| finder.unreferenced[id.0 as usize])
            .copied()
            .gather()?;
        self.world.call_cache.clear();
        self.world.predicates.forget_all(&gone)?;
        self.world.predicates.referenced = unknown.len() - gone.len();
        self.world.upper.on_forgotten(self, &gone);
        Ok(())
    }

    /// Returns whether an observer refers to predicates by their numbers.
    fn observes_predicates(&self) -> bool {
        let traced = self.world.flags.debug || self.run.observers.tracer.mode != Mode::Off;
        self.run.observers.observing.has_any()
            || traced
            || self.run.observers.recorder.is_some()
            || self.run.observers.recorded.is_some()
    }
}
