//! Copying terms: out of the heap to blocks that outlive backtracking, back in, and within the heap.
//!
//! A block is a run of words in which pointer cells hold byte offsets into the block instead of addresses. A box is
//! in the block as a whole, header first, so a linear scan can distinguish raw words from cells.
//!
//! The copy is made breadth first (Cheney): the copied part is scanned for pointers into the source, and the objects
//! found are copied behind it. A mark replaces the first word of a copied object and gives the place of the copy, so
//! sharing and cycles are kept. A log restores the words. If the first word is a constant, the copy has it
//! unchanged. Such objects often follow one another, as those of a list do; then the log has only the first and the
//! last address of the run. Literal pools are outside of the heap, shared and never written: their terms are copied
//! as trees, after many steps with the help of a table. Long because all copies share one walk and its marks.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD, tag};
use super::claims::Life;
use super::copy_target::{BlockTarget, HeapTarget, Target};
use super::heap::{Store, deref};
use super::raw;
use super::stored::{Attrs, Stored};
use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowMap, Within};
use crate::base::stop::Stop;
use crate::base::watch::{self, Watch};
use std::ops::Range;

/// Adds `base` to the pointers in a block, so that its terms can be used in place.
///
/// # Errors
/// Returns an error if the work must stop.
pub(crate) fn relocate(words: &mut [u64], base: u64, watch: &Watch) -> Result<(), Stop> {
    let (mut at, mut look_at) = (0, watch::STEPS);
    while at < words.len() {
        if at >= look_at {
            look_at = at + watch::STEPS;
            watch.go_on()?;
        }
        let cell = Cell(words[at]);
        words[at] = relocated(cell, base).0;
        at += 1 + if cell.is_box_header() {
            cell.box_words()
        } else {
            0
        };
    }
    Ok(())
}

/// Returns `cell` with `delta` added to its address, if it holds one.
#[inline(always)]
pub(crate) fn relocated(cell: Cell, delta: u64) -> Cell {
    if cell.is_simple() {
        cell
    } else {
        Cell(cell.0.wrapping_add(delta))
    }
}

/// Writes the words of a block from `at` on, with `delta` added to their pointers.
fn copy_relocated(words: &[u64], mut at: HeapAddr, delta: u64, watch: &Watch) -> Result<(), Stop> {
    let between = watch::STEPS as u64 * WORD;
    let mut look_at = at + between;
    let mut rest = words.iter();
    while let Some(&word) = rest.next() {
        if at >= look_at {
            look_at = at + between;
            watch.go_on_after(watch::STEPS)?;
        }
        let cell = Cell(word);
        raw::set_cell(at, relocated(cell, delta));
        at += WORD;
        if cell.is_box_header() {
            for &word in rest.by_ref().take(cell.box_words()) {
                raw::set_word(at, word);
                at += WORD;
            }
        }
    }
    Ok(())
}

/// Returns the mark of a variable whose copy is at `place`.
#[inline(always)]
fn variable_mark(place: HeapAddr) -> Cell {
    Cell::forward(place.bits() >> 2)
}

/// Returns the mark of an object whose copy begins at `place`. A variable in the first cell of a list may have been
/// copied before the list, so the two marks differ.
#[inline(always)]
fn object_mark(place: HeapAddr) -> Cell {
    Cell::forward(place.bits() >> 2 | 1)
}

#[inline(always)]
fn is_object_mark(mark: Cell) -> bool {
    mark.is_forward() && mark.forward_index() & 1 == 1
}

/// Returns the place of the copy that a mark gives.
#[inline(always)]
fn marked_place(mark: Cell) -> HeapAddr {
    Cell((mark.forward_index() & !1) << 2).addr()
}

/// Number of objects of pools that are copied before a table records them.
const FREE_POOL_OBJECTS: u32 = 256;

/// Number of words of a log up to which it does not count against the limit.
const SHORT_LOG: usize = 1 << 14;

/// Marked objects of the same size that follow one another, and whose copies have their first words.
#[derive(Default)]
struct Run {
    start: HeapAddr,
    /// The address at which the next object would begin.
    end: HeapAddr,
    /// Words of each object.
    words: u64,
}

/// Mark of an entry of a log that is a run and not a word. The second word of the entry holds the number of objects
/// and their size in words.
const RUN: u64 = 1;
/// Bits for the words of an object.
const WORDS_BITS: u32 = 24;

struct Copier<'a, T: Target> {
    target: T,
    /// Addresses and old contents of the words that hold marks, and runs.
    log: &'a mut Vec<u64>,
    /// The run that the next object may continue.
    run: Run,
    heap_base: HeapAddr,
    heap_bytes: u64,
    attrs: Attrs,
    /// Whether terms in pools are shared instead of copied.
    share_pools: bool,
    pool_objects: u32,
    pool_places: Option<Box<FastMap<HeapAddr, HeapAddr>>>,
}

impl<T: Target> Copier<'_, T> {
    #[inline(always)]
    fn on_heap(&self, addr: HeapAddr) -> bool {
        addr.distance(self.heap_base) < self.heap_bytes
    }

    #[inline(always)]
    fn mark(&mut self, addr: HeapAddr, mark: Cell) -> Result<(), Stop> {
        self.note(addr, raw::word(addr))?;
        raw::set_cell(addr, mark);
        Ok(())
    }

    #[inline(always)]
    fn note(&mut self, addr: HeapAddr, word: u64) -> Result<(), Stop> {
        if self.log.capacity() - self.log.len() < 2 {
            self.grow_log()?;
        }
        self.log.put(addr.bits())?;
        self.log.put(word)?;
        Ok(())
    }

    /// Marks an object whose copy begins at `place`, and whose first word was `first`.
    #[inline(always)]
    fn mark_object(
        &mut self,
        addr: HeapAddr,
        (first, words): (Cell, u64),
        place: HeapAddr,
    ) -> Result<(), Stop> {
        let mark = object_mark(place);
        if !first.is_simple() || first.is_forward() || words >> WORDS_BITS != 0 {
            return self.mark(addr, mark);
        }
        if addr != self.run.end || words != self.run.words {
            let Run {
                start,
                end,
                words: of,
            } = self.run;
            if start != end {
                let count = (end - start) / WORD / of;
                self.note(start + RUN, count << WORDS_BITS | of)?;
            }
            self.run = Run {
                start: addr,
                end: addr,
                words,
            };
        }
        self.run.end += words * WORD;
        raw::set_cell(addr, mark);
        Ok(())
    }

    /// Doubles the room of the log, or adds a part of it where there is room for no more.
    #[cold]
    fn grow_log(&mut self) -> Result<(), Stop> {
        let len = self.log.len();
        for more in [len, len / 8] {
            let more = more.max(64);
            // A short log uses memory that is always free.
            let fits = len < SHORT_LOG || self.target.has_room_beside(len + more);
            if fits && self.log.try_reserve_exact(more).is_ok() {
                return Ok(());
            }
        }
        Err(Stop)
    }

    fn undo_marks(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.undo_run(run);
        // Backwards: a word may have been marked twice.
        while let (Some(word), Some(addr)) = (self.log.pop(), self.log.pop()) {
            if addr & RUN == 0 {
                raw::set_word(Cell(addr).addr(), word);
                continue;
            }
            let (start, words) = (Cell(addr).addr(), word & ((1 << WORDS_BITS) - 1));
            let end = start + (word >> WORDS_BITS) * words * WORD;
            self.undo_run(Run { start, end, words });
        }
    }

    #[inline]
    fn undo_run(&self, run: Run) {
        let mut addr = run.start;
        while addr != run.end {
            raw::set_word(addr, self.target.get(marked_place(raw::cell(addr))));
            addr += run.words * WORD;
        }
    }

    /// Copies `root` (dereferenced, not a constant) to the end of the target. Returns the cell that refers to the
    /// copy.
    fn copy(&mut self, root: Cell) -> Result<Cell, Stop> {
        let start = self.target.top();
        let copy = if root.is_var() {
            self.target.reserve(1)?;
            self.target.push(root.0);
            Cell::reference(start)
        } else {
            self.pointer(root, start)?
        };
        self.scan(start)?;
        Ok(copy)
    }

    /// Replaces the words that still point into the source, from `at` on to the end of the target.
    fn scan(&mut self, mut at: HeapAddr) -> Result<(), Stop> {
        while at < self.target.top() {
            let cell = Cell(self.target.get(at));
            if !cell.is_simple() {
                let copy = self.pointer(cell, at)?;
                self.target.set(at, copy.0);
            } else if cell.is_box_header() {
                at += cell.box_words() as u64 * WORD;
            } else if cell.is_forward() {
                self.target.set(at, Cell::reference(marked_place(cell)).0);
            }
            at += WORD;
        }
        Ok(())
    }

    /// Returns the word of the copy, at `slot`, for the pointer cell `cell` of the source.
    #[inline(always)]
    fn pointer(&mut self, mut cell: Cell, slot: HeapAddr) -> Result<Cell, Stop> {
        loop {
            let addr = cell.addr();
            match cell.tag() {
                tag::REF => {
                    let next = raw::cell(addr);
                    if next == cell {
                        self.mark(addr, variable_mark(slot))?;
                        return Ok(Cell::reference(slot));
                    }
                    if next.is_forward() {
                        return Ok(Cell::reference(marked_place(next)));
                    }
                    if next.is_simple() {
                        return Ok(next);
                    }
                    cell = next;
                }
                tag::ATT => {
                    let next = raw::cell(addr);
                    if next == cell {
                        return self.attributed(cell, slot);
                    }
                    if next.is_forward() {
                        let place = marked_place(next);
                        let own = place == slot && self.attrs == Attrs::Keep;
                        return Ok(if own {
                            Cell::attributed(place)
                        } else {
                            Cell::reference(place)
                        });
                    }
                    if next.is_simple() {
                        return Ok(next);
                    }
                    cell = next;
                }
                _ => return self.object(cell),
            }
        }
    }

    /// Copies an unbound attributed variable.
    fn attributed(&mut self, var: Cell, slot: HeapAddr) -> Result<Cell, Stop> {
        let addr = var.addr();
        if self.attrs == Attrs::Drop {
            self.mark(addr, variable_mark(slot))?;
            return Ok(Cell::reference(slot));
        }
        let place = self.target.top();
        self.target.reserve(2)?;
        self.target.push(var.0);
        self.target.push(raw::word(addr + WORD));
        self.mark(addr, variable_mark(place))?;
        // If the scan is at the end of the target, the cell it scans is the variable's own cell.
        Ok(Cell::reference(place))
    }

    /// Copies the list, compound or box that `cell` points to, unless it was copied before.
    #[inline(always)]
    fn object(&mut self, cell: Cell) -> Result<Cell, Stop> {
        let addr = cell.addr();
        if !self.on_heap(addr) {
            return self.pool_object(cell);
        }
        let first = raw::cell(addr);
        if is_object_mark(first) {
            return Ok(cell.moved_to(marked_place(first)));
        }
        let (place, words) = self.append(cell, first)?;
        self.mark_object(addr, (first, words), place)?;
        Ok(cell.moved_to(place))
    }

    /// Appends the words of an object; `first` is the first of them. Returns their place and their number.
    #[inline(always)]
    fn append(&mut self, cell: Cell, first: Cell) -> Result<(HeapAddr, u64), Stop> {
        let addr = cell.addr();
        let words = match cell.tag() {
            tag::LST => 2,
            tag::STR => first.as_functor().arity() + 1,
            _ => first.box_words() + 1,
        };
        let place = self.target.top();
        self.target.reserve(words)?;
        self.target.push(first.0);
        for index in 1..words as u64 {
            self.target.push(raw::word(addr + index * WORD));
        }
        Ok((place, words as u64))
    }

    #[cold]
    fn pool_object(&mut self, cell: Cell) -> Result<Cell, Stop> {
        if self.share_pools {
            return Ok(cell);
        }
        let addr = cell.addr();
        if self.pool_objects < FREE_POOL_OBJECTS {
            self.pool_objects += 1;
        } else {
            let places = self.pool_places.get_or_insert_default();
            if let Some(place) = places.get(&addr) {
                return Ok(cell.moved_to(*place));
            }
            places.try_reserve(1)?;
            places.put_entry(addr, self.target.top())?;
        }
        let (place, _) = self.append(cell, raw::cell(addr))?;
        Ok(cell.moved_to(place))
    }
}

/// Copies a small compound of constants, if `term` is one and there is room: the usual case.
#[inline(always)]
fn copy_flat(term: Cell, out: &mut Vec<u64>) -> Option<u64> {
    const FLAT_ARITY: usize = 6;
    if term.tag() != tag::STR {
        return None;
    }
    let functor = raw::cell(term.addr());
    let arity = functor.as_functor().arity();
    let start = out.len();
    if arity > FLAT_ARITY || out.capacity() - start <= arity {
        return None;
    }
    out.put_within(functor.0);
    for index in 1..=arity as u64 {
        let arg = deref(raw::cell(term.addr() + index * WORD));
        if !arg.is_simple() {
            out.truncate(start);
            return None;
        }
        out.put_within(arg.0);
    }
    Some((start as u64 * WORD) | tag::STR)
}

impl Store {
    fn copier<'a, T: Target>(
        &self,
        target: T,
        log: &'a mut Vec<u64>,
        attrs: Attrs,
    ) -> Copier<'a, T> {
        log.clear();
        Copier {
            target,
            log,
            run: Run::default(),
            heap_base: self.heap.base,
            heap_bytes: self.heap.end - self.heap.base,
            attrs,
            share_pools: false,
            pool_objects: 0,
            pool_places: None,
        }
    }

    /// Appends a copy of `term` to the block `out` and returns its root. A block may hold several terms: they share
    /// no variables. On failure `out` is as it was.
    pub(crate) fn copy_out(
        &mut self,
        term: Cell,
        out: &mut Vec<u64>,
        attrs: Attrs,
    ) -> Result<u64, Stop> {
        let term = deref(term);
        if term.is_simple() {
            return Ok(term.0);
        }
        let start = out.len();
        if let Some(root) = copy_flat(term, out) {
            self.note_escaped(&out[start..])
                .inspect_err(|_| out.truncate(start))?;
            return Ok(root);
        }
        let mut log = std::mem::take(&mut self.work);
        let target = BlockTarget::new(out, self);
        let mut copier = self.copier(target, &mut log, attrs);
        let root = copier.copy(term);
        copier.undo_marks();
        self.return_scratch(log);
        let root = root.and_then(|root| {
            self.note_escaped(&out[start..])?;
            Ok(root.0)
        });
        if root.is_err() {
            out.truncate(start);
        }
        root
    }

    /// Appends a copy of a clause to the block `out` and returns its root. `places` receives the roots of `parts`,
    /// which are ground: parts that the clause contains are copied only once.
    pub(crate) fn copy_clause_out(
        &mut self,
        clause: Cell,
        parts: &[Cell],
        out: &mut Vec<u64>,
        places: &mut Vec<u64>,
    ) -> Result<u64, Stop> {
        if parts.is_empty() {
            return self.copy_out(clause, out, Attrs::Drop);
        }
        let start = out.len();
        let mut log = std::mem::take(&mut self.work);
        let target = BlockTarget::new(out, self);
        let mut copier = self.copier(target, &mut log, Attrs::Drop);
        let root = copier.copy(deref(clause)).and_then(|root| {
            for &part in parts {
                places.put(copier.copy(deref(part))?.0)?;
            }
            Ok(root.0)
        });
        copier.undo_marks();
        self.return_scratch(log);
        self.note_escaped(&out[start..])?;
        root
    }

    /// Makes the term of a block on the heap, with fresh variables. The pointers in the block are addresses.
    pub(crate) fn load_block(&mut self, words: &[u64], root: Cell) -> Result<Cell, Stop> {
        if root.is_simple() {
            return Ok(root);
        }
        self.reserve(words.len())?;
        let addr = self.allocate(words.len());
        let delta = addr.bits().wrapping_sub(words.as_ptr() as u64);
        copy_relocated(words, addr, delta, &self.events.watch)?;
        Ok(relocated(root, delta))
    }

    /// Moves the part of the heap from `from` up to its top to `to`, where there must be room for it. Pointers in
    /// the part must point into the part. Returns the cell that `root` becomes.
    ///
    /// # Errors
    /// Returns an error if the work must stop.
    pub(crate) fn move_top(
        &mut self,
        from: HeapAddr,
        to: HeapAddr,
        root: Cell,
    ) -> Result<Cell, Stop> {
        let words = self.words(from, self.heap_top);
        let delta = to.distance(from);
        copy_relocated(words, to, delta, &self.events.watch)?;
        self.heap_top = from;
        Ok(relocated(root, delta))
    }

    /// Returns a copy on the heap of a ground term outside of it. The size of the term is bounded by a constant, so
    /// its room is always free. Boxes are shared.
    pub(crate) fn copy_ground(&mut self, term: Cell) -> Cell {
        let object = |store: &mut Store, cell: Cell| {
            let words = match cell.tag() {
                tag::LST => 2,
                tag::STR => raw::cell(cell.addr()).as_functor().arity() + 1,
                _ => return cell,
            };
            let addr = store.allocate(words);
            for index in 0..words as u64 {
                raw::set_word(addr + index * WORD, raw::word(cell.addr() + index * WORD));
            }
            cell.moved_to(addr)
        };
        let mut at = self.heap_top;
        let copy = object(self, term);
        while at < self.heap_top {
            let inner = object(self, raw::cell(at));
            raw::set_cell(at, inner);
            at += WORD;
        }
        copy
    }

    /// Copies a block to the heap. Returns the term that `root` becomes there.
    pub(crate) fn copy_in(&mut self, block: &[u64], root: u64) -> Result<Cell, Stop> {
        self.copy_in_range(block, 0..block.len(), root)
    }

    /// Copies the words `range` of a block, which contain all of `root`, to the heap. Returns the term that `root`
    /// becomes there.
    pub(crate) fn copy_in_range(
        &mut self,
        block: &[u64],
        range: Range<usize>,
        root: u64,
    ) -> Result<Cell, Stop> {
        let root = Cell(root);
        if root.is_simple() {
            return Ok(root);
        }
        let delta = self.copy_words(block, range)?;
        Ok(relocated(root, delta))
    }

    /// Copies a block that holds the terms `roots` to the heap and returns the terms there.
    pub(crate) fn copy_in_all(
        &mut self,
        block: &[u64],
        roots: &[u64],
        terms: &mut Vec<Cell>,
    ) -> Result<(), Stop> {
        terms.try_reserve(roots.len())?;
        let delta = self.copy_words(block, 0..block.len())?;
        terms.put_all(roots.iter().map(|&root| relocated(Cell(root), delta)))?;
        Ok(())
    }

    /// Copies words of a block to the heap. Returns the number to add to its offsets.
    fn copy_words(&mut self, block: &[u64], range: Range<usize>) -> Result<u64, Stop> {
        let words = &block[range.clone()];
        self.reserve(words.len())?;
        let addr = self.allocate(words.len());
        let delta = addr.bits().wrapping_sub(range.start as u64 * WORD);
        copy_relocated(words, addr, delta, &self.events.watch)?;
        Ok(delta)
    }

    /// Returns a short-lived copy of a term outside of the heap, without attributes.
    pub(crate) fn store_term(&mut self, term: Cell) -> Result<Stored, Stop> {
        self.stored(term, Attrs::Drop, Life::Passing, 0)
    }

    /// Returns a short-lived copy of a term outside of the heap, with attributes.
    pub(crate) fn store_ball(&mut self, term: Cell) -> Result<Stored, Stop> {
        self.stored(term, Attrs::Keep, Life::Passing, 0)
    }

    /// Returns a copy of a term outside of the heap that stays until the program drops it.
    pub(crate) fn keep_term(&mut self, term: Cell, attrs: Attrs) -> Result<Stored, Stop> {
        self.stored(term, attrs, Life::Kept, 0)
    }

    /// Returns a copy of a term as [`Store::keep_term`] does. `besides` bytes that are kept with the term count too.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn keep_term_with(
        &mut self,
        term: Cell,
        attrs: Attrs,
        besides: usize,
    ) -> Result<Stored, Stop> {
        self.stored(term, attrs, Life::Kept, besides)
    }

    fn stored(
        &mut self,
        term: Cell,
        attrs: Attrs,
        life: Life,
        besides: usize,
    ) -> Result<Stored, Stop> {
        let mut block = Vec::new();
        let root = self.copy_out(term, &mut block, attrs)?;
        let bytes = block.len() * WORD as usize + Stored::OVERHEAD + besides;
        Ok(Stored {
            claim: self.claim(bytes as u64, life)?,
            cells: block.into_boxed_slice(),
            root,
        })
    }

    /// Makes a stored term on the heap, with fresh variables.
    pub(crate) fn load_term(&mut self, stored: &Stored) -> Result<Cell, Stop> {
        self.copy_in(&stored.cells, stored.root)
    }

    /// Returns a copy with fresh variables (ISO 8.5.4). The copy may share ground parts with the term.
    pub(crate) fn copy_term(&mut self, term: Cell, attrs: Attrs) -> Result<Cell, Stop> {
        let term = deref(term);
        if term.is_simple() || self.ground(term)? {
            return Ok(term);
        }
        self.copy_on_heap(attrs, true, |copier| copier.copy(term))
    }

    /// Returns a copy with fresh variables that shares nothing with the term.
    pub(crate) fn duplicate_term(&mut self, term: Cell, attrs: Attrs) -> Result<Cell, Stop> {
        let term = deref(term);
        if term.is_simple() {
            return Ok(term);
        }
        self.copy_on_heap(attrs, false, |copier| copier.copy(term))
    }

    /// Returns copies of several terms: variables that the terms share are shared by the copies.
    #[cfg(test)]
    pub(crate) fn copy_terms_shared(
        &mut self,
        terms: &[Cell],
        attrs: Attrs,
    ) -> Result<Vec<Cell>, Stop> {
        let mut copies = Vec::new();
        let start = self.copy_on_heap(attrs, true, |copier| {
            let start = copier.target.top();
            copier.target.reserve(terms.len())?;
            for &term in terms {
                copier.target.push(deref(term).0);
            }
            copier.scan(start)?;
            Ok(Cell::reference(start))
        })?;
        copies.put_all((0..terms.len()).map(|index| self.arg(start.addr(), index)))?;
        Ok(copies)
    }

    fn copy_on_heap(
        &mut self,
        attrs: Attrs,
        share_pools: bool,
        copy: impl FnOnce(&mut Copier<'_, HeapTarget<'_>>) -> Result<Cell, Stop>,
    ) -> Result<Cell, Stop> {
        self.reserve(0)?;
        let mut log = std::mem::take(&mut self.work);
        let target = HeapTarget::new(self);
        let mut copier = self.copier(target, &mut log, attrs);
        copier.share_pools = share_pools;
        let result = copy(&mut copier);
        copier.undo_marks();
        let top = copier.target.top;
        self.return_scratch(log);
        if result.is_ok() {
            self.heap_top = top;
        }
        result
    }

    /// Takes the scratch stack back; memory that a huge term needed is freed.
    pub(super) fn return_scratch(&mut self, mut work: Vec<u64>) {
        if work.capacity() <= 1 << 20 {
            work.clear();
            self.work = work;
        }
    }
}
