//! Applications of Lolli, in the form that other parts of the program see.
//!
//! `X a` is `$app(X, a)` from the time it is built, even once X is a name: unification treats it as the same term as
//! `f(a)` then. A term that leaves Lolli is reduced first, in place: the new cells are the same terms as the old
//! ones.
#![forbid(unsafe_code)]

use super::address::HeapAddr;
use super::cell::{Cell, WORD, tag};
use super::heap::{Store, View, deref};
use super::raw;
use crate::base::atom_table::{FastSet, Symbols, atoms, functors};
use crate::base::growth::{Grow, GrowSet, GrowTable};
use crate::base::stop::Stop;

impl Store {
    /// Returns the term after reducing the applications in it whose functions are names by now. Backtracking undoes
    /// this.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    pub(crate) fn put_together(&mut self, symbols: &mut Symbols, term: Cell) -> Result<Cell, Stop> {
        let term = deref(term);
        if !term.is_compound() {
            return Ok(term);
        }
        let whole = match self.is_reducible(symbols, term) {
            true => self.applied(symbols, term)?,
            false => term,
        };
        let mut seen: FastSet<u64> = FastSet::default();
        let mut todo = vec![whole];
        while let Some(part) = todo.pop() {
            // Terms outside of the heap are ground, so they have no variables to apply.
            let Some((functor, args)) = self.compound(part) else {
                continue;
            };
            seen.make_room()?;
            self.events.watch.go_on_at(seen.len() + 1)?;
            if !self.heap_holds(args) || !seen.put_new(part.0)? {
                continue;
            }
            for index in 0..functor.arity() as u64 {
                let (place, cell) = end_of_chain(args + index * WORD);
                if !cell.is_compound() {
                    continue;
                }
                let mut inner = cell;
                if self.is_reducible(symbols, cell) {
                    inner = self.applied(symbols, cell)?;
                    self.assign(place, inner)?;
                }
                todo.put(inner)?;
            }
        }
        Ok(whole)
    }

    fn heap_holds(&self, addr: HeapAddr) -> bool {
        (self.heap.base..self.heap_top).contains(&addr)
    }

    /// Returns whether the cell is an application that can be written without `$app`, or with fewer applications.
    fn is_reducible(&self, symbols: &Symbols, cell: Cell) -> bool {
        if !self.is_application(symbols, cell) {
            return false;
        }
        let Some((_, args)) = self.compound(cell) else {
            return false;
        };
        match self.view(deref(raw::cell(args))) {
            View::Atom(_) => true,
            View::List(_) => true,
            View::Struct(functor, _) => {
                functor != functors::EIGENVARIABLE && symbols.name(functor) != atoms::BOUND
            }
            _ => false,
        }
    }
}

/// Returns the last cell of the chain that begins at `place`, and its address: the own cell of a variable holds its
/// value.
fn end_of_chain(mut place: HeapAddr) -> (HeapAddr, Cell) {
    loop {
        let cell = raw::cell(place);
        match cell.tag() {
            tag::REF | tag::ATT if cell.addr() != place => place = cell.addr(),
            _ => return (place, cell),
        }
    }
}
