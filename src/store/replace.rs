//! Terms with something else in place of some of their parts: variables that each use of a clause has
//! of its own, names that a quantifier binds.

use super::cell::{Cell, WORD, tag};
use super::heap::{OutOfMemory, Store, View, deref};
use super::raw;
use crate::base::symbol::{Atom, functors};

/// After that many parts a term is examined for being cyclic: the tree of one has no end.
const CYCLE_CHECK: usize = 1 << 16;

impl Store {
    /// `term` with the variables `from` replaced by the terms `to`, one for each. Other variables are
    /// those of `term`.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) fn replace(
        &mut self,
        term: Cell,
        from: &[Cell],
        to: &[Cell],
    ) -> Result<Cell, OutOfMemory> {
        self.rebuild(term, |_, cell| {
            let place = from.iter().position(|&var| var == cell)?;
            Some(to[place])
        })
    }

    /// `term` with `to` in place of every `$bound(name)` that no inner quantifier of that name holds.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) fn replace_bound(
        &mut self,
        term: Cell,
        name: Atom,
        to: Cell,
    ) -> Result<Cell, OutOfMemory> {
        self.rebuild(term, |store, cell| match store.view(cell) {
            View::Struct(functors::BOUND, args) if store.arg(args, 0) == Cell::atom(name) => {
                Some(to)
            }
            View::Struct(functors::LAMBDA, args) if store.arg(args, 0) == Cell::atom(name) => {
                Some(cell)
            }
            _ => None,
        })
    }

    /// A copy of the compounds of `term`, but for parts for which `other` gives something else.
    fn rebuild(
        &mut self,
        term: Cell,
        other: impl Fn(&Store, Cell) -> Option<Cell>,
    ) -> Result<Cell, OutOfMemory> {
        self.reserve(1)?;
        let root = self.allocate(1);
        let mut todo = vec![(term, root)];
        let mut parts = 0usize;
        while let Some((given, place)) = todo.pop() {
            let part = deref(given);
            parts += 1;
            if parts == CYCLE_CHECK && !self.acyclic_term(term) {
                return Err(OutOfMemory);
            }
            let copy = match other(self, part) {
                Some(found) => found,
                None => match self.compound(part) {
                    None => unmarked(given),
                    Some((functor, args)) => {
                        let arity = functor.arity();
                        self.reserve(arity + 1)?;
                        let list = functor == functors::LIST;
                        let addr = self.allocate(arity + usize::from(!list));
                        let first = if list {
                            addr
                        } else {
                            raw::set_cell(addr, Cell::functor(functor));
                            addr + WORD
                        };
                        for index in (0..arity).rev() {
                            // Something is in every cell at all times.
                            let at = first + index as u64 * WORD;
                            raw::set_cell(at, Cell::int(0));
                            todo.push((Cell::reference(args + index as u64 * WORD), at));
                        }
                        if list {
                            Cell::list(addr)
                        } else {
                            Cell::structure(addr)
                        }
                    }
                },
            };
            raw::set_cell(place, copy);
        }
        Ok(raw::cell(root))
    }
}

/// What no compound is, dereferenced: a variable that carries a mark for the time being is itself,
/// not its mark.
fn unmarked(cell: Cell) -> Cell {
    let mut cell = cell;
    while let tag::REF | tag::ATT = cell.tag() {
        let next = raw::cell(cell.addr());
        if next == cell || next.is_forward() {
            break;
        }
        cell = next;
    }
    cell
}
