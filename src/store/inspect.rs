//! Properties of whole terms: ground, variables (ISO 8.5.5, `term_variables/2`), acyclic (8.3.11), occurrence,
//! subsumption (8.2.4), hash and size. Also attributed variables and destructive assignment.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD, tag};
use super::heap::{Store, deref};
use super::stored::Attrs;
use super::walk::{Ahead, Frames, Node, Step, Visited, arguments_of, walk_variables};
use super::{links, raw};
use crate::base::atom_table::FastHasher;
use crate::base::growth::{Grow, with_room};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use std::hash::Hasher;

/// Number of nodes that go into a hash. A larger term is hashed by its beginning, so hashing of cyclic terms ends
/// too.
const HASHED_NODES: usize = 1 << 16;

/// The value of a variable while it is marked. No term holds this value.
const MARK: Cell = Cell::forward(0);

impl Store {
    /// Returns whether `addr` is on the heap. Other terms are in literal pools, are ground and are never written.
    #[inline(always)]
    pub(crate) fn on_heap(&self, addr: HeapAddr) -> bool {
        addr.distance(self.heap.base) < self.heap.end - self.heap.base
    }

    /// Returns whether `term` holds no variable.
    pub(crate) fn ground(&self, term: Cell) -> Result<bool, Stop> {
        walk_variables(term, self, |_| Ok(Step::Stop))
    }

    /// Returns whether the unbound variable `var` (dereferenced) occurs in `term`.
    pub(crate) fn occurs(&self, var: Cell, term: Cell) -> Result<bool, Stop> {
        let addr = var.addr();
        let differs = |other: Cell| {
            Ok(if other.addr() == addr {
                Step::Stop
            } else {
                Step::Next
            })
        };
        Ok(!walk_variables(term, self, differs)?)
    }

    /// Returns whether a compound (dereferenced) is a part of itself.
    pub(crate) fn is_within_itself(&self, term: Cell) -> Result<bool, Stop> {
        let mut visited = Visited::new();
        let mut ahead = Ahead::none();
        ahead.enter(arguments_of(term))?;
        while let Some(cell) = ahead.next() {
            if cell == term {
                return Ok(true);
            }
            if cell.is_compound() {
                let inner = arguments_of(cell);
                if !visited.again(cell.0, 0, inner.1, &self.events.watch)? {
                    ahead.enter(inner)?;
                }
            }
        }
        Ok(false)
    }

    /// Calls `look_at` for every occurrence of a variable in `term`. A term that shares many of its parts is walked
    /// only partly: there a variable that occurs repeatedly is looked at twice at least.
    pub(crate) fn each_variable(
        &self,
        term: Cell,
        mut look_at: impl FnMut(Cell) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        walk_variables(term, self, |var| {
            look_at(var)?;
            Ok(Step::Next)
        })?;
        Ok(())
    }

    /// Returns whether `term` as a tree has at most `most` subterms and words of texts and numbers.
    pub(crate) fn is_small(&self, term: Cell, most: usize) -> Result<bool, Stop> {
        let mut ahead = Ahead::none();
        let mut cell = deref(term);
        let mut left = most;
        while left > 0 {
            left -= 1;
            if cell.tag() == tag::BOX {
                left = left.saturating_sub(raw::cell(cell.addr()).box_words());
            }
            if cell.is_compound() {
                ahead.enter(arguments_of(cell))?;
            }
            cell = match ahead.next() {
                Some(next) => next,
                None => return Ok(true),
            };
        }
        Ok(false)
    }

    /// Adds the variables of `terms` to `variables`, each once, in order of first occurrence.
    pub(crate) fn collect_variables(
        &mut self,
        terms: &[Cell],
        variables: &mut Vec<Cell>,
    ) -> Result<(), Stop> {
        let mut marked = Marked(Vec::new());
        for &term in terms {
            walk_variables(term, self, |var| {
                marked.mark(var)?;
                Ok(Step::Next)
            })?;
        }
        variables.put_all(marked.release())?;
        Ok(())
    }

    /// Returns the variables of `term`, each once, in order of first occurrence.
    pub(crate) fn variables_of(&mut self, term: Cell) -> Result<Vec<Cell>, Stop> {
        let mut variables = Vec::new();
        self.collect_variables(&[term], &mut variables)?;
        Ok(variables)
    }

    /// Returns the list of the variables of `term` in order of first occurrence, ending in `tail`.
    pub(crate) fn term_variables(&mut self, term: Cell, tail: Cell) -> Result<Cell, Stop> {
        let variables = self.variables_of(term)?;
        self.list_with_tail(&variables, tail)
    }

    /// Returns the attributed variables of `term` and of their attributes, in order of first occurrence.
    pub(crate) fn attributed_variables(&mut self, term: Cell) -> Result<Vec<Cell>, Stop> {
        let mut marked = Marked(Vec::new());
        walk_variables(term, self, |var| {
            if var.tag() != tag::ATT {
                return Ok(Step::Next);
            }
            marked.mark(var)?;
            Ok(Step::Into(var.addr() + WORD, 1))
        })?;
        Ok(marked.release())
    }

    /// Returns whether `term` is a finite tree.
    pub(crate) fn acyclic_term(&self, term: Cell) -> Result<bool, Stop> {
        self.acyclic_terms(&[term])
    }

    /// Returns whether all of `terms` are finite trees.
    pub(crate) fn acyclic_terms(&self, terms: &[Cell]) -> Result<bool, Stop> {
        let mut visited = Visited::new();
        let watch = &self.events.watch;
        for &term in terms {
            if !acyclic(deref(term), &mut visited, watch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether `specific` is an instance of `general` (`subsumes_term/2`). Binds nothing.
    pub(crate) fn subsumes_term(&mut self, general: Cell, specific: Cell) -> Result<bool, Stop> {
        let variables = self.variables_of(specific)?;
        let mut marked = Marked(with_room(variables.len())?);
        let trial = self.begin_trial();
        // A binding that makes a cycle binds a variable of `specific`; the test below refuses it.
        let unified = self.unify(general, specific);
        let mut free = Ok(true);
        if unified == Ok(true) {
            for &var in &variables {
                let value = deref(var);
                if !value.is_var() {
                    free = Ok(false);
                    break;
                }
                if let Err(stop) = marked.mark(value) {
                    free = Err(stop);
                    break;
                }
            }
        }
        marked.release();
        self.end_trial(&trial);
        Ok(unified? && free?)
    }

    /// Returns a hash of a ground term, equal for equal terms, or `None` if the term is not ground.
    pub(crate) fn term_hash(&self, term: Cell) -> Result<Option<u64>, Stop> {
        match self.ground(term)? {
            true => Ok(Some(self.variant_hash(term)?)),
            false => Ok(None),
        }
    }

    /// Returns a hash that is equal for variants.
    pub(crate) fn variant_hash(&self, term: Cell) -> Result<u64, Stop> {
        let mut hasher = FastHasher::default();
        let mut ahead = Ahead::none();
        let mut cell = deref(term);
        for _ in 0..HASHED_NODES {
            if cell.is_compound() {
                let list = cell.tag() == tag::LST;
                hasher.write_u64(if list {
                    tag::LST
                } else {
                    raw::word(cell.addr())
                });
                ahead.enter(arguments_of(cell))?;
            } else if cell.is_var() {
                hasher.write_u8(0);
            } else {
                hash_atomic(cell, &mut hasher);
            }
            cell = match ahead.next() {
                Some(next) => next,
                None => break,
            };
        }
        Ok(hasher.finish())
    }

    /// Returns the number of words that a copy of `term` takes.
    pub(crate) fn term_size(&mut self, term: Cell) -> Result<usize, Stop> {
        let start = self.heap_top;
        self.duplicate_term(term, Attrs::Keep)?;
        let words = (self.heap_top - start) / WORD;
        self.heap_top = start;
        Ok(words as usize)
    }

    /// Makes a fresh attributed variable with these attributes.
    #[cfg(test)]
    pub(crate) fn new_attributed(&mut self, attributes: Cell) -> Cell {
        let addr = self.allocate(2);
        raw::set_cell(addr, Cell::attributed(addr));
        raw::set_cell(addr + WORD, attributes);
        Cell::attributed(addr)
    }

    /// Undoes all bindings and assignments of terms on the heap. Drops other entries of the trail without undoing
    /// them, because their data are dropped next.
    pub(crate) fn undo_terms(&mut self) {
        let mut top = self.trail_top;
        while top > self.trail.base {
            top -= WORD;
            let entry = raw::word(top);
            let (place, kept) = if entry & 1 == 0 {
                (Cell(entry).addr(), entry)
            } else {
                top -= 2 * WORD;
                (Cell(entry).addr(), raw::word(top + WORD))
            };
            if entry & links::TAKEN_OUT == 0 && self.on_heap(place) {
                raw::set_word(place, kept);
            }
        }
        self.trail_top = self.trail.base;
    }

    /// Replaces the argument at `place` by `value`; if `trailed`, backtracking restores it. Returns false if the
    /// argument belongs to a literal, which must not change.
    pub(crate) fn set_arg(
        &mut self,
        place: HeapAddr,
        value: Cell,
        trailed: bool,
    ) -> Result<bool, Stop> {
        if !self.on_heap(place) {
            return Ok(false);
        }
        let value = deref(value);
        if trailed {
            self.assign(place, value)?;
        } else {
            raw::set_cell(place, value);
        }
        Ok(true)
    }
}

/// Marked variables; dropping this value makes them unbound again.
struct Marked(Vec<Cell>);

impl Marked {
    #[inline(always)]
    fn mark(&mut self, var: Cell) -> Result<(), Stop> {
        self.0.put(var)?;
        raw::set_cell(var.addr(), MARK);
        Ok(())
    }

    /// Makes the variables unbound again and returns them.
    fn release(&mut self) -> Vec<Cell> {
        for &var in &self.0 {
            raw::set_cell(var.addr(), var);
        }
        std::mem::take(&mut self.0)
    }
}

impl Drop for Marked {
    fn drop(&mut self) {
        self.release();
    }
}

fn hash_atomic(cell: Cell, hasher: &mut FastHasher) {
    if cell.tag() != tag::BOX {
        hasher.write_u64(cell.0);
        return;
    }
    let header = raw::cell(cell.addr());
    hasher.write_u8(header.box_kind() as u8);
    for &word in raw::payload(&cell, cell.addr()) {
        hasher.write_u64(word);
    }
}

/// Returns whether `term` is a finite tree. The frames are ranges of arguments or, with a count of [`LEAVE`], nodes
/// whose visit ends there.
fn acyclic(term: Cell, visited: &mut Visited, watch: &Watch) -> Result<bool, Stop> {
    const LEAVE: u64 = u64::MAX;
    let mut frames: Frames<(HeapAddr, u64)> = Frames::new();
    let mut cell = term;
    let (mut at, mut count) = (HeapAddr::NONE, 0);
    loop {
        if cell.is_compound() {
            let inner = arguments_of(cell);
            let node = visited.enter(cell.0, inner.1, watch)?;
            if node == Node::Open {
                return Ok(false);
            }
            if node != Node::Done {
                if count > 0 {
                    frames.push((at, count))?;
                }
                if node == Node::Sampled {
                    frames.push((cell.addr() + cell.tag(), LEAVE))?;
                }
                (at, count) = inner;
            }
        }
        while count == 0 {
            match frames.pop() {
                Some((node, LEAVE)) => visited.leave(node.bits()),
                Some(rest) => (at, count) = rest,
                None => return Ok(true),
            }
        }
        cell = deref(raw::cell(at));
        at += WORD;
        count -= 1;
    }
}
