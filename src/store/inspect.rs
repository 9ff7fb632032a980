//! Questions about whole terms: ground, variables (ISO 8.5.5, `term_variables/2`), acyclic
//! (8.3.11), occurrence, subsumption (8.2.4), hash and size; attributed variables and destructive assignment.
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

/// Nodes that go into a hash: a larger term is hashed by its beginning, so cyclic terms end too.
const HASHED_NODES: usize = 1 << 16;

/// What is put into a variable while it is marked. No term holds it.
const MARK: Cell = Cell::forward(0);

impl Store {
    /// Whether `addr` lies on the heap; other terms lie in literal pools, are ground and never
    /// written.
    #[inline(always)]
    pub(crate) fn on_heap(&self, addr: HeapAddr) -> bool {
        addr.distance(self.heap.base) < self.heap.end - self.heap.base
    }

    /// Whether `term` holds no variable.
    pub(crate) fn ground(&self, term: Cell) -> Result<bool, Stop> {
        walk_variables(term, self, |_| Ok(Step::Stop))
    }

    /// Whether the unbound variable `var` (dereferenced) occurs in `term`.
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

    /// Whether a compound (dereferenced) is a part of itself.
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

    /// Has every occurrence of a variable in `term` looked at; in a term that shares much of itself, and so
    /// is walked in part only, at least twice each that occurs repeatedly.
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

    /// Whether `term` has at most so many subterms and words of texts and numbers, told as a tree.
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

    /// The variables of `term`, each once, in order of first occurrence.
    pub(crate) fn variables_of(&mut self, term: Cell) -> Result<Vec<Cell>, Stop> {
        let mut variables = Vec::new();
        self.collect_variables(&[term], &mut variables)?;
        Ok(variables)
    }

    /// The list of the variables of `term` in order of first occurrence, ending in `tail`.
    pub(crate) fn term_variables(&mut self, term: Cell, tail: Cell) -> Result<Cell, Stop> {
        let variables = self.variables_of(term)?;
        self.list_with_tail(&variables, tail)
    }

    /// The attributed variables of `term` and of their attributes, in order of first occurrence.
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

    /// Whether `term` is a finite tree.
    pub(crate) fn acyclic_term(&self, term: Cell) -> Result<bool, Stop> {
        self.acyclic_terms(&[term])
    }

    /// Whether all of `terms` are finite trees.
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

    /// Whether `specific` is an instance of `general` (`subsumes_term/2`). Nothing is bound.
    pub(crate) fn subsumes_term(&mut self, general: Cell, specific: Cell) -> Result<bool, Stop> {
        let variables = self.variables_of(specific)?;
        let mut marked = Marked(with_room(variables.len())?);
        let trial = self.begin_trial();
        // A binding that makes a cycle binds a variable of `specific`, and that is refused below.
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

    /// A hash of a ground term, the same for equal terms; `None` if it is not ground.
    pub(crate) fn term_hash(&self, term: Cell) -> Result<Option<u64>, Stop> {
        match self.ground(term)? {
            true => Ok(Some(self.variant_hash(term)?)),
            false => Ok(None),
        }
    }

    /// A hash that is the same for variants.
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

    /// Words that a copy of `term` takes.
    pub(crate) fn term_size(&mut self, term: Cell) -> Result<usize, Stop> {
        let start = self.heap_top;
        self.duplicate_term(term, Attrs::Keep)?;
        let words = (self.heap_top - start) / WORD;
        self.heap_top = start;
        Ok(words as usize)
    }

    /// A fresh attributed variable with these attributes.
    #[cfg(test)]
    pub(crate) fn new_attributed(&mut self, attributes: Cell) -> Cell {
        let addr = self.allocate(2);
        raw::set_cell(addr, Cell::attributed(addr));
        raw::set_cell(addr + WORD, attributes);
        Cell::attributed(addr)
    }

    /// Terms on the heap become again what they were when nothing was bound or assigned; what else is on
    /// the trail stays as it is, for it is forgotten next.
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

    /// Replaces the argument at `place` by `value`; if `trailed`, backtracking restores it. False
    /// if the argument belongs to a literal, which must not change.
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

/// Variables that are marked, and unbound again as this is dropped.
struct Marked(Vec<Cell>);

impl Marked {
    #[inline(always)]
    fn mark(&mut self, var: Cell) -> Result<(), Stop> {
        self.0.put(var)?;
        raw::set_cell(var.addr(), MARK);
        Ok(())
    }

    /// Makes the variables unbound again, and gives them.
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

/// Whether `term` is a finite tree. The frames are ranges of arguments, and, with a count of
/// [`LEAVE`], nodes whose visit ends there.
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
