//! The sweep of unused atoms and functors (see [`crate::base::atom_table`]).
//!
//! Every word of the areas that could be an atom or a functor cell marks it. So garbage may keep some names for a
//! while, but no reference can be missed, whatever its form. The sweep also looks at all words of clauses, indexes
//! and stored terms. The tables whose keys are symbols list them one by one. Symbols that the system names are always
//! kept, so the sweep skips the clauses of the system's predicates.
//!
//! A sweep moves nothing. It happens only when no builtin is running: at calls, before a builtin finds its next
//! solution, and before the host passes a text or a term.
#![forbid(unsafe_code)]

use super::collection_log::processor_time;
use crate::base::atom_table::Atom;
use crate::base::stop::Stop;
use crate::base::symbol_marks::Marks;
use crate::base::watch::{STEPS, Watch};
use crate::machine::control::throw::{Ball, Throw};
use crate::machine::events::recorder::Recorder;
use crate::machine::events::trace::{Caught, Trace};
use crate::machine::frames::layout::{NO_FRAME, cp};
use crate::machine::search::bags::Bag;
use crate::machine::search::memo::Memo;
use crate::machine::state::Machine;
use crate::machine::upper_layers::Held;
use crate::program::clauses::clause_list::Clause;
use crate::program::predicate::{Kind, MetaArg, PredId, Predicate};
use crate::store::address::EnvAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::stored::Stored;
use std::sync::Arc;

/// Marks the symbols in the words that it is given.
struct Marker {
    marks: Marks,
    /// Number of words looked at so far.
    words: usize,
    /// The watch that says whether the query must stop, if the query may stop now.
    watch: Option<Arc<Watch>>,
    /// Words left until the watch is checked.
    until_look: usize,
    /// Whether the query must stop: then nothing more is looked at, and nothing is removed.
    stopped: bool,
}

impl Marker {
    #[inline(always)]
    fn word(&mut self, word: u64) {
        let cell = Cell::of_word(word);
        if cell.is_atom() {
            self.marks.atom(cell.as_atom());
        } else if cell.is_functor() {
            self.marks.functor(cell.as_functor());
        }
    }

    fn words(&mut self, words: &[u64]) {
        for words in words.chunks(STEPS) {
            if self.until_look < words.len() {
                self.until_look = STEPS;
                let watch = self.watch.as_ref();
                self.stopped |= watch.is_some_and(|watch| watch.stop_wanted());
            }
            if self.stopped {
                return;
            }
            self.until_look -= words.len();
            self.words += words.len();
            for &word in words {
                self.word(word);
            }
        }
    }

    fn atom(&mut self, atom: Atom) {
        self.marks.atom(atom);
    }

    fn stored(&mut self, stored: &Stored) {
        self.words(&stored.cells);
        self.word(stored.root);
    }

    fn throw(&mut self, Throw(thrown): &Throw) {
        if let Ball::Term(stored) | Ball::Error(stored, _) = &thrown.ball {
            self.stored(stored);
        }
        self.trace(thrown.trace.as_deref());
    }

    fn trace(&mut self, trace: Option<&Trace>) {
        if let Some(culprit) = trace.and_then(|trace| trace.culprit) {
            self.marks.functor(culprit);
        }
    }

    fn caught(&mut self, caught: Option<&Caught>) {
        let Some(caught) = caught else { return };
        self.words(caught.words());
        if let Some(culprit) = caught.culprit() {
            self.marks.functor(culprit);
        }
    }

    fn clause(&mut self, clause: &Clause) {
        for words in clause.words() {
            self.words(words);
        }
        for symbol in clause.packed_symbols() {
            self.word(symbol.word());
        }
    }

    fn predicate(&mut self, predicate: &Predicate) {
        self.atom(predicate.module);
        self.marks.functor(predicate.functor);
        for mode in predicate.meta.iter().flat_map(|modes| modes.iter()) {
            if let MetaArg::Plain(mode) = *mode {
                self.atom(mode);
            }
        }
        // No text adds clauses to the predicates of the system.
        let traits = predicate.traits;
        if traits.system && !traits.multifile && predicate.kind != Kind::Dynamic {
            return;
        }
        for clause in predicate.clauses.all_own() {
            self.clause(clause);
        }
        for code in &predicate.index {
            self.words(code);
        }
    }

    fn recorder(&mut self, recorder: &Recorder) {
        for failure in &recorder.failures {
            self.stored(&failure.term);
        }
    }
}

impl Machine {
    /// Sweeps symbols if many were made since the last sweep. The environment is `e`; the other registers are up to
    /// date in the machine. `called` is about to be entered.
    pub(in crate::machine) fn sweep_if_due(
        &mut self,
        e: EnvAddr,
        called: Option<PredId>,
    ) -> Result<(), Stop> {
        if self.world.symbols.sweep_is_due() && self.run.collector.paused == 0 {
            self.sweep(e, called)?;
        }
        Ok(())
    }

    /// Sweeps symbols before the host makes more of them. It does so if a sweep is due, or if the symbols made since
    /// the last sweep take more memory than is left. If no text can be read for lack of memory, no call would start a
    /// sweep. No builtin is running.
    pub(crate) fn sweep_between_queries(&mut self) -> Result<(), Stop> {
        let passing = self.world.symbols.passing_bytes();
        let short = passing > 0 && passing >= self.store.room_left();
        if (short || self.world.symbols.sweep_is_due()) && self.run.collector.paused == 0 {
            self.sweep(self.env, None)?;
        }
        Ok(())
    }

    /// Removes unused atoms and functors. Returns false if the sweep was abandoned because the query must stop.
    pub(in crate::machine) fn sweep(
        &mut self,
        e: EnvAddr,
        called: Option<PredId>,
    ) -> Result<bool, Stop> {
        let (start, atoms) = (processor_time(), self.world.symbols.atom_count());
        self.purge_undefined()?;
        if self.world.predicates.retired.words > 0 {
            self.free_retired(e)?;
        }
        let mut held = Held::default();
        self.world.upper.hold_symbols(self, &mut held)?;
        self.forget_unreferenced(e, called, &held)?;
        let mut marker = Marker {
            marks: self.world.symbols.marks()?,
            words: 0,
            watch: Some(Arc::clone(&self.store.events.watch)),
            until_look: 0,
            stopped: false,
        };
        held.atoms.iter().for_each(|&atom| marker.atom(atom));
        held.functors
            .iter()
            .for_each(|&functor| marker.marks.functor(functor));
        self.mark_areas(&mut marker, e);
        self.mark_kept_terms(&mut marker);
        self.mark_tables(&mut marker);
        let Marker {
            marks,
            words,
            stopped,
            ..
        } = marker;
        if stopped {
            return Ok(false);
        }
        if self.world.symbols.sweep_was_requested() {
            // Only requested sweeps count as steps. The program does not control when other sweeps happen.
            self.store.watch.did_many(words + atoms);
        }
        self.world.symbols.sweep(marks, words)?;
        self.world.call_cache.clear();
        let left = self.world.symbols.atom_count();
        let counts = (atoms.saturating_sub(left), left);
        let streams = &mut self.world.host.streams;
        self.run.collector.sweep_ends(start, counts, streams);
        Ok(true)
    }

    /// Returns the words of the areas that are in use.
    pub(in crate::machine) fn used_words(&self, e: EnvAddr) -> [&[u64]; 4] {
        let store = &self.store;
        let choice_args = self.choice_args(self.choice) as u64;
        let choice_top = self.choice + cp::ARGS + choice_args * WORD;
        let env_top = self.env_floor.max(self.env_top(e, NO_FRAME));
        [
            store.words(store.heap.base, store.heap_top),
            store.words(store.env.base, env_top + WORD),
            store.words(store.choice.base, choice_top),
            store.words(store.trail.base, store.trail_top),
        ]
    }

    fn mark_areas(&self, marker: &mut Marker, e: EnvAddr) {
        for words in self.used_words(e) {
            marker.words(words);
        }
        for cell in self.x {
            marker.word(cell.word());
        }
        marker.word(self.store.wakeups.word());
        for words in self.run.contexts.all_words() {
            marker.words(words);
        }
    }

    /// Marks terms outside the areas.
    fn mark_kept_terms(&mut self, marker: &mut Marker) {
        for throw in self.run.raising.pending.iter().chain(self.suspended()) {
            marker.throw(throw);
        }
        marker.trace(self.run.raising.traces.last.as_deref());
        marker.caught(self.run.raising.traces.caught.as_ref());
        let memos = self.run.bags.iter_mut().filter_map(Bag::memo);
        memos.for_each(Memo::forget);
        let bags = self.run.bags.iter().filter_map(Bag::copies);
        for copies in bags.chain(self.run.kept_solutions.copies()) {
            for words in copies.all_words() {
                marker.words(words);
            }
        }
        for stored in self.run.kept_solutions.different() {
            marker.stored(stored);
        }
        self.run.globals.names().for_each(|name| marker.atom(name));
        for value in self.run.globals.values() {
            match value {
                Ok(constant) => marker.word(constant.word()),
                Err(stored) => marker.stored(stored),
            }
        }
        for (&name, flag) in &*self.world.user_flags {
            marker.atom(name);
            marker.stored(&flag.value);
        }
        for declared in &self.run.contexts.declared {
            marker.atom(declared.module);
            marker.stored(&declared.formula);
        }
        for recorder in [&self.run.observers.recorder, &self.run.observers.recorded]
            .into_iter()
            .flatten()
        {
            for recorder in recorder.all() {
                marker.recorder(recorder);
            }
        }
        for words in self.world.records.words() {
            marker.words(words);
        }
        for symbol in self.world.records.symbols() {
            marker.word(symbol.word());
        }
        for stored in self.world.tables.stored() {
            marker.stored(stored);
        }
        if let Some(goal) = &self.run.observers.last_query.failed {
            marker.stored(goal);
        }
    }

    /// Marks the symbols in tables whose keys are symbols, and in the clauses of programs.
    fn mark_tables(&self, marker: &mut Marker) {
        if let Some(functor) = self.run.raising.context {
            marker.marks.functor(functor);
        }
        marker.atom(self.world.source_module);
        for predicate in self.world.predicates.iter() {
            marker.predicate(predicate);
        }
        for clause in &self.world.predicates.retired.clauses {
            marker.clause(clause);
        }
        for code in &self.world.predicates.retired.indexes {
            marker.words(code);
        }
        for (name, module) in self.world.modules.iter() {
            marker.atom(name);
            for &functor in &module.export_order {
                marker.marks.functor(functor);
            }
            let bases = module.bases.iter().flatten();
            for &name in module.reserved.iter().chain(bases).chain(&module.class) {
                marker.atom(name);
            }
        }
        for (_, file) in self.world.files.iter() {
            for &module in file.module.iter().chain(&file.context) {
                marker.atom(module);
            }
        }
        for name in self.world.modules.op_names() {
            marker.atom(name);
        }
        for alias in self.world.host.streams.aliases() {
            marker.atom(alias);
        }
    }
}
