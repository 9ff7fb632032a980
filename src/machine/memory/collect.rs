//! Garbage collection of the heap: marks live cells, then slides them towards the base of the heap in order.
//!
//! Order and segments are preserved exactly. So the address of a variable still gives its age, and backtracking still
//! frees memory at once. The source is Appleby et al., "Garbage collection for Prolog based on WAM", CACM 1988; a bitmap
//! and ranks replace the reversal of pointers. Collections happen at calls, and between queries.
//!
//! The roots are the argument registers, the slots of the environments that are alive by their call sites, the choice
//! points, the trail, pending wake-ups and global variables. A trail entry is dropped in three cases: nothing reaches
//! its cell any more; the cell is younger than the choice point that would restore it; or an older entry restores the
//! same cell there.
//!
//! Long because marking and sliding share the state of one collection.
#![forbid(unsafe_code)]

use super::bitmap::Bitmap;
use super::collection_log::Before;
use crate::base::atom_table::FastMap;
use crate::base::growth::{Gather, Grow, GrowMap};
use crate::base::stop::Stop;
use crate::base::watch::STEPS;
use crate::code::frame_map::{MASKED_SLOTS, live_slots};
use crate::code::instruction::{NO_OWN_FRAME, Op, decode};
use crate::machine::frames::layout::{SUSPENDED, cp, env};
use crate::machine::frames::stubs;
use crate::machine::search::bags::Bag;
use crate::machine::search::memo::Memo;
use crate::machine::state::Machine;
use crate::store::address::kind::Kind;
use crate::store::address::{Addr, ChoiceAddr, CodeAddr, EnvAddr, HeapAddr, TrailAddr};
use crate::store::cell::{Cell, WORD, tag};
use crate::store::claims::Reported;
use crate::store::heap::ADDRESS;
use crate::store::{links, raw};
use std::ops::Range;

/// Number of words outside the heap that are always remembered, whatever the length of the trail.
const FEW_OTHERS: usize = 1 << 12;

struct Collector<'a> {
    m: &'a mut Machine,
    heap: Bitmap,
    /// Live slots of environments, and the first words of frames already seen.
    frames: Bitmap,
    stack: Vec<Cell>,
    /// Choice points, newest first. After the first word is changed, nothing is allocated.
    choices: Vec<ChoiceAddr>,
    /// The words of the contexts that may refer to the heap.
    context_roots: Vec<HeapAddr>,
    /// Steps of marking until the next check whether the query must stop.
    until_look: usize,
    /// Whether the query must stop: then nothing more is marked, and nothing moves.
    stopped: bool,
    /// Whether the collector must stop because memory ran out.
    refused: bool,
}

impl Machine {
    /// Collects garbage before a predicate of `arity` arguments is entered. The environment is `e`. All registers are
    /// up to date in the machine and in memory. Returns false if the collection was abandoned because the query must
    /// stop.
    ///
    /// # Errors
    /// Returns an error if memory for the collection runs out. Nothing has moved.
    pub(crate) fn collect(&mut self, e: EnvAddr, arity: usize) -> Result<bool, Stop> {
        let before = Before::new(&self.store);
        self.forget_pool();
        let memos = self.run.bags.iter_mut().filter_map(Bag::memo);
        memos.for_each(Memo::heap_moves);
        let heap = Bitmap::new(self.store.heap.base, self.store.heap_top)?;
        let env_end = self
            .env_floor
            .max(self.env_top(e, crate::machine::frames::layout::NO_FRAME));
        let frames = Bitmap::new(self.store.env.base, env_end + WORD)?;
        let mut collector = Collector {
            m: self,
            heap,
            frames,
            stack: Vec::new(),
            choices: Vec::new(),
            context_roots: Vec::new(),
            until_look: 0,
            stopped: false,
            refused: false,
        };
        collector.choices = collector.all_choices()?;
        collector.drop_young_entries()?;
        collector.m.run.contexts.catch_up_all();
        collector.context_roots = collector.m.run.contexts.roots()?;
        collector.mark_roots(e, arity)?;
        if collector.refused {
            return Err(Stop);
        }
        if collector.stopped {
            return Ok(false);
        }
        collector.heap.rank_all()?;
        collector.forget_assumptions();
        collector.rewrite_trail();
        collector.update_roots(arity);
        collector.slide();
        self.run.collector.scanned_stacks = (env_end - self.store.env.base)
            + (self.choice - self.store.choice.base)
            + (self.store.trail_top - self.store.trail.base);
        let streams = &mut self.world.host.streams;
        self.run.collector.ends(&before, &self.store, streams);
        Ok(true)
    }
}

impl Collector<'_> {
    fn all_choices(&self) -> Result<Vec<ChoiceAddr>, Stop> {
        let mut found = Vec::new();
        let mut b = self.m.choice;
        loop {
            found.put(b)?;
            let older = b.get(cp::PREV);
            if older == b {
                return Ok(found);
            }
            b = older;
        }
    }

    // ---- marking ------------------------------------------------------------------------------

    fn mark_roots(&mut self, e: EnvAddr, arity: usize) -> Result<(), Stop> {
        for index in 0..arity {
            self.mark(self.m.x[index]);
        }
        self.mark(self.m.store.wakeups);
        let globals = self.m.run.globals.cells().map(|cell| *cell).gather()?;
        for cell in globals {
            self.mark(cell);
        }
        for cell in self.m.store.escaped_eigenvariables()? {
            self.mark(cell);
        }
        for at in 0..self.context_roots.len() {
            self.mark(raw::cell(self.context_roots[at]));
        }
        let cont = self.m.cont;
        self.mark_frames(e, cont);
        for at in 0..self.choices.len() {
            let b = self.choices[at];
            if b.get(cp::ALT) == stubs::pop_fail() {
                // After a soft cut, the choice point restores nothing.
                continue;
            }
            for index in 0..self.m.choice_args(b) {
                self.mark(self.m.choice_arg(b, index));
            }
            self.mark_choice_frames(b);
        }
        let mut at = self.m.store.trail.base;
        while at < self.m.store.trail_top {
            if raw::word(at) & 1 == 0 {
                at += WORD;
            } else {
                if raw::word(at) & links::TAKEN_OUT != 0 {
                    self.mark(Cell::structure(raw::cell(at).addr()));
                }
                self.mark(raw::cell(at + WORD));
                at += 3 * WORD;
            }
        }
        Ok(())
    }

    /// Marks the environments of a choice point. The alternative of a choice point inside a clause gives the slots
    /// that it needs of that clause's environment. For other choice points, the call site does.
    fn mark_choice_frames(&mut self, b: ChoiceAddr) {
        let (e, cont) = (b.get(cp::ENV), b.get(cp::CONT));
        match self.m.alternative_frame(self.m.alternative(b)) {
            Some(own) if own != NO_OWN_FRAME => self.mark_own_frame(e, own),
            _ => self.mark_frames(e, cont),
        }
    }

    fn mark_own_frame(&mut self, e: EnvAddr, own: u64) {
        self.mark_slots(e, own);
        if e > self.m.store.env.base && self.frames.mark(e) {
            self.mark_frames(e.get(env::CE), e.get(env::CP));
        }
    }

    fn mark_frames(&mut self, mut e: EnvAddr, mut cont: CodeAddr) {
        loop {
            let mut own = NO_OWN_FRAME;
            if stubs::resumes(cont) {
                let registers = raw::cell(e.slot(2)).int_value() as u64;
                own = raw::word(e.slot(3));
                for index in 0..registers {
                    self.mark_slot(e.slot(SUSPENDED + index));
                }
            } else {
                self.mark_slots(e, raw::word(cont - WORD));
            }
            if e <= self.m.store.env.base || !self.frames.mark(e) {
                return;
            }
            cont = e.get(env::CP);
            e = e.get(env::CE);
            if own != NO_OWN_FRAME {
                // The environment of the suspended clause; its continuation follows.
                self.mark_slots(e, own);
                if e <= self.m.store.env.base || !self.frames.mark(e) {
                    return;
                }
                cont = e.get(env::CP);
                e = e.get(env::CE);
            }
        }
    }

    /// Marks the slots of an environment that are alive by the frame map of a call site.
    fn mark_slots(&mut self, e: EnvAddr, site: u64) {
        let size = site & 0xffff;
        let mut mask = live_slots(site);
        while mask != 0 {
            let slot = u64::from(mask.trailing_zeros());
            self.mark_slot(e.slot(slot));
            mask &= mask - 1;
        }
        for slot in MASKED_SLOTS as u64..size {
            self.mark_slot(e.slot(slot));
        }
    }

    fn mark_slot(&mut self, at: HeapAddr) {
        if self.frames.contains(at) && self.frames.mark(at) {
            self.mark(raw::cell(at));
        }
    }

    /// Marks everything that a cell reaches.
    fn mark(&mut self, cell: Cell) {
        self.later(cell);
        while !self.stopped
            && let Some(cell) = self.stack.pop()
        {
            self.mark_chain(cell);
        }
    }

    /// Checks from time to time whether the query must stop.
    #[cold]
    #[inline(never)]
    fn look(&mut self) -> bool {
        self.until_look = STEPS;
        self.stopped = self.refused || self.m.store.watch.stop_wanted();
        self.stopped
    }

    /// Puts a cell that is to be followed onto the stack.
    #[inline(always)]
    fn later(&mut self, cell: Cell) {
        if self.stack.put(cell).is_err() {
            (self.stopped, self.refused) = (true, true);
        }
    }

    /// Follows a cell and the last part of its term; other parts go onto the stack.
    fn mark_chain(&mut self, mut cell: Cell) {
        loop {
            if cell.is_simple() || !self.heap.contains(cell.addr()) {
                return;
            }
            if self.until_look == 0 && self.look() {
                return;
            }
            self.until_look -= 1;
            let addr = cell.addr();
            match cell.tag() {
                tag::REF => {
                    if !self.heap.mark(addr) {
                        return;
                    }
                    let next = raw::cell(addr);
                    if next == cell {
                        return;
                    }
                    cell = next;
                }
                tag::LST | tag::ATT => {
                    let new = self.heap.mark_words(addr, 2);
                    if new & 1 != 0 {
                        self.push_content(addr);
                    }
                    if new & 2 == 0 {
                        return;
                    }
                    cell = raw::cell(addr + WORD);
                    if cell == Cell::reference(addr + WORD) {
                        return;
                    }
                }
                tag::STR => {
                    if !self.heap.mark(addr) {
                        return;
                    }
                    let arity = raw::cell(addr).as_functor().arity() as u64;
                    let mut first = 1;
                    while first <= arity {
                        let count = (arity + 1 - first).min(63);
                        let mut new = self.heap.mark_words(addr + first * WORD, count);
                        while new != 0 {
                            let index = first + u64::from(new.trailing_zeros());
                            new &= new - 1;
                            self.push_content(addr + index * WORD);
                        }
                        first += count;
                    }
                    match self.stack.pop() {
                        Some(last) => cell = last,
                        None => return,
                    }
                }
                tag::BOX => {
                    if self.heap.mark(addr) {
                        let words = raw::cell(addr).box_words() as u64;
                        for index in 1..=words {
                            self.heap.mark(addr + index * WORD);
                        }
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    fn push_content(&mut self, addr: HeapAddr) {
        let cell = raw::cell(addr);
        // Records of a chain refer to their neighbours several times. For them, the stack must stay small.
        let own = cell.addr() == addr;
        if !cell.is_simple() && !own && !self.is_done(cell) && self.stack.last() != Some(&cell) {
            self.later(cell);
        }
    }

    /// Returns whether nothing is left to mark for a cell.
    #[inline(always)]
    fn is_done(&self, cell: Cell) -> bool {
        let marked = matches!(cell.tag(), tag::REF | tag::STR);
        !self.heap.contains(cell.addr()) || marked && self.heap.is_marked(cell.addr())
    }

    /// Removes unreachable assumptions from their indexes.
    fn forget_assumptions(&mut self) {
        let heap = &self.heap;
        let is_alive = |addr| heap.contains(addr) && heap.is_marked(addr);
        self.m
            .run
            .contexts
            .each_index(|index| index.forget_dead(is_alive));
        let bytes = self.m.run.contexts.bytes();
        self.m.store.report_table_size(Reported::Assumptions, bytes);
    }

    // ---- updating -----------------------------------------------------------------------------

    fn forward(&self, cell: Cell) -> Cell {
        if cell.is_simple() || !self.heap.moves(cell.addr()) {
            return cell;
        }
        cell.moved_to(self.heap.forward(cell.addr()))
    }

    fn update<K: Kind>(&self, at: Addr<K>) {
        raw::set_cell(at, self.forward(raw::cell(at)));
    }

    fn update_roots(&mut self, arity: usize) {
        for index in 0..arity {
            self.m.x[index] = self.forward(self.m.x[index]);
        }
        self.m.store.wakeups = self.forward(self.m.store.wakeups);
        let mut globals = std::mem::take(&mut self.m.run.globals);
        for cell in globals.cells() {
            *cell = self.forward(*cell);
        }
        self.m.run.globals = globals;
        for &at in &self.context_roots {
            self.update(at);
        }
        let mut contexts = std::mem::take(&mut self.m.run.contexts.slots);
        for slot in &mut contexts {
            for index in &mut slot.indexes {
                index.forward(|cell| self.forward(cell));
            }
        }
        self.m.run.contexts.slots = contexts;
        for at in 0..self.choices.len() {
            let b = self.choices[at];
            for index in 0..self.m.choice_args(b) as u64 {
                self.update(b.argument(index));
            }
            let top = b.get(cp::HEAP);
            b.set(cp::HEAP, self.heap.forward(top));
        }
        let mut eigenvariables = std::mem::take(&mut self.m.store.eigenvariables);
        eigenvariables.retain_mut(|(addr, _)| {
            let kept = self.heap.contains(*addr) && self.heap.is_marked(*addr);
            if kept {
                *addr = self.heap.forward(*addr);
            }
            kept
        });
        self.m.store.eigenvariables = eigenvariables;
        self.m.store.heap_backtrack = self.m.choice.get(cp::HEAP);
        self.update_frames();
    }

    /// Updates every live slot, no matter which choice point or continuation keeps it. The first words of frames are
    /// marked too; they are addresses outside the heap and do not change.
    fn update_frames(&mut self) {
        for e in self.frames.marked(self.m.store.env.base) {
            self.update(e);
        }
    }

    /// Filters the trail from its base on. `keep` takes an entry and returns the address to write, or `None` to drop
    /// the entry. `value` converts old values.
    fn filter_trail(
        &mut self,
        mut keep: impl FnMut(&Self, TrailEntry) -> Option<HeapAddr>,
        value: impl Fn(&Self, Cell) -> Cell,
    ) {
        let all = std::mem::take(&mut self.choices);
        let mut choices = all.iter().rev().copied().peekable();
        let (mut at, end) = (self.m.store.trail.base, self.m.store.trail_top);
        let mut to = at;
        let mut heap_top = self.m.store.heap.base;
        let mut segment = to;
        let mut next_choice = TrailAddr::NONE;
        loop {
            if at >= next_choice {
                while let Some(b) = choices.next_if(|&b| b.get(cp::TRAIL) <= at) {
                    b.set(cp::TRAIL, to);
                    heap_top = b.get(cp::HEAP);
                    segment = to;
                }
                next_choice = choices.peek().map_or(TrailAddr::MAX, |&b| b.get(cp::TRAIL));
            }
            if at >= end {
                break;
            }
            let word = raw::word(at);
            let entry = TrailEntry {
                word,
                on_heap: self.heap.contains(Cell::of_word(word).addr()),
                heap_top,
                segment,
                to,
            };
            let kept = keep(self, entry);
            if word & 1 == 0 {
                at += WORD;
                if let Some(addr) = kept {
                    raw::set_word(to, addr.bits());
                    to += WORD;
                }
            } else {
                let old = raw::cell(at + WORD);
                at += 3 * WORD;
                if let Some(addr) = kept {
                    let old = value(self, old);
                    let addr = addr.bits() | word & !ADDRESS;
                    raw::set_word(to, addr);
                    raw::set_cell(to + WORD, old);
                    raw::set_word(to + 2 * WORD, addr);
                    to += 3 * WORD;
                }
            }
        }
        self.m.store.trail_top = to;
        self.choices = all;
    }

    /// Drops the entries of cells that are younger than the choice point left to restore them: the choice points that
    /// needed these entries have been cut. If several entries restore the same word, the oldest for each choice point
    /// stays, because backtracking restores its value last. A node that was removed from a chain is put back between
    /// its former neighbours. So entries of the heap are dropped only if no entry of such a node lies between them.
    fn drop_young_entries(&mut self) -> Result<(), Stop> {
        // For words outside the heap: the last segment that restored them. A fraction of the trail limits the number
        // of remembered words. If an entry stays because a word was forgotten, that does no harm.
        let mut others_met: FastMap<HeapAddr, TrailAddr> = FastMap::default();
        let trail_words = (self.m.store.trail_top - self.m.store.trail.base) / WORD;
        let most_others = FEW_OTHERS.max(trail_words as usize / 64);
        // Words on the heap that entries from `stretch` on restore.
        let mut on_heap_met = Bitmap::new(self.m.store.heap.base, self.m.store.heap_top)?;
        let mut stretch = self.m.store.trail.base;
        let mut taken_out = stretch;
        self.filter_trail(
            |_, entry| {
                let addr = Cell::of_word(entry.word).addr();
                if entry.on_heap && addr >= entry.heap_top {
                    return None;
                }
                if entry.word & 1 == 0 {
                    return Some(addr);
                }
                if entry.word & links::TAKEN_OUT != 0 {
                    taken_out = entry.to;
                    return Some(addr);
                }
                if !entry.on_heap {
                    if others_met.len() >= most_others {
                        others_met.clear();
                    }
                    let known =
                        others_met.put_entry(addr, entry.segment) == Ok(Some(entry.segment));
                    return (!known).then_some(addr);
                }
                let begins = taken_out.max(entry.segment);
                if begins > stretch {
                    for addr in restored(stretch, begins) {
                        if on_heap_met.contains(addr) {
                            on_heap_met.clear(addr);
                        }
                    }
                    stretch = begins;
                }
                on_heap_met.mark(addr).then_some(addr)
            },
            |_, old| old,
        );
        Ok(())
    }

    /// Drops the entries of cells that nothing reaches, and moves the others with their cells.
    fn rewrite_trail(&mut self) {
        self.filter_trail(
            |collector, entry| match (Cell::of_word(entry.word).addr(), entry.on_heap) {
                (addr, true) if collector.heap.is_marked(addr) => {
                    Some(collector.heap.forward(addr))
                }
                (_, true) => None,
                (addr, false) => Some(addr),
            },
            |collector, old| collector.forward(old),
        );
    }

    /// Moves the marked words down, in order.
    fn slide(&mut self) {
        if self.heap.is_full() {
            // There is no garbage.
            return;
        }
        let unmoved = self.heap.unmoved(self.m.store.heap.base);
        let mut to = unmoved.end;
        self.update_in_place(unmoved);
        let mut raw_until = HeapAddr::NONE;
        for at in self.heap.marked(to) {
            let cell = raw::cell(at);
            let moved = if at < raw_until {
                cell
            } else {
                if cell.is_box_header() {
                    raw_until = at + (cell.box_words() as u64 + 1) * WORD;
                }
                self.forward(cell)
            };
            raw::set_cell(to, moved);
            to += WORD;
        }
        #[cfg(feature = "extra-checks")]
        self.m.store.give_up(to, self.m.store.heap_top);
        self.m.store.heap_top = to;
    }

    /// Updates the words before the first gap. They stay in place but may refer to words that move. Usually there are
    /// many such words, but few refer to moving words.
    fn update_in_place(&self, unmoved: Range<HeapAddr>) {
        let mut at = unmoved.start;
        while at < unmoved.end {
            let cell = raw::cell(at);
            if cell.is_simple() {
                if cell.is_box_header() {
                    at += cell.box_words() as u64 * WORD;
                }
            } else if cell.addr() >= unmoved.end {
                self.update(at);
            }
            at += WORD;
        }
    }
}

/// An entry of the trail.
struct TrailEntry {
    /// The first word of the entry.
    word: u64,
    /// Whether its cell is on the heap.
    on_heap: bool,
    /// The top of the heap at the choice point that needs the entry.
    heap_top: HeapAddr,
    /// The beginning of the entries for that choice point, among those that stay.
    segment: TrailAddr,
    /// The new place of the entry, if it stays.
    to: TrailAddr,
}

/// Returns the words that the entries of a part of the trail restore.
fn restored(from: TrailAddr, to: TrailAddr) -> impl Iterator<Item = HeapAddr> {
    let mut at = from;
    std::iter::from_fn(move || {
        while at < to {
            let word = raw::word(at);
            if word & 1 != 0 {
                at += 3 * WORD;
                return Some(Cell::of_word(word).addr());
            }
            at += WORD;
        }
        None
    })
}

impl Machine {
    /// Returns the word of live slots for the alternative of a choice point inside a clause.
    pub(in crate::machine) fn alternative_frame(&self, alternative: CodeAddr) -> Option<u64> {
        let word = raw::word(alternative);
        match decode(word)? {
            Op::RetryElse => Some(raw::word(alternative + 2 * WORD)),
            Op::TrustElse | Op::CollectEnd => Some(raw::word(alternative + WORD)),
            _ => None,
        }
    }
}
