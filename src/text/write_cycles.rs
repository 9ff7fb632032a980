//! The search for the subterms of a cyclic term that must be named so that the rest is a finite
//! tree.

use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowMap, GrowTable};
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{Store, View};

/// The subterms that close cycles, with the number of each, from 0.
pub(crate) type CycleLabels = FastMap<Cell, usize>;

/// Returns the subterms to name so that writing `term` ends; `None` if it is not cyclic.
pub(crate) fn cycle_labels(store: &Store, term: Cell) -> Result<Option<CycleLabels>, Stop> {
    if !store.deref(term).is_compound() || store.acyclic_term(term)? {
        return Ok(None);
    }
    Ok(Some(back_edges(store, term)?))
}

/// Returns the first argument and the number of arguments of a compound term.
fn arguments(store: &Store, cell: Cell) -> Option<(HeapAddr, usize)> {
    match store.view(cell) {
        View::List(addr) => Some((addr, 2)),
        View::Struct(functor, addr) => Some((addr, functor.arity())),
        _ => None,
    }
}

/// Returns the subterms that occur below themselves.
fn back_edges(store: &Store, term: Cell) -> Result<CycleLabels, Stop> {
    // For each subterm reached: whether it is still open, that is, above the current one.
    let mut open: FastMap<Cell, bool> = FastMap::default();
    let mut labels = CycleLabels::default();
    // The open subterms: the cell, the address of the next argument, and the number of remaining
    // arguments.
    let mut path: Vec<(Cell, HeapAddr, usize)> = Vec::new();
    let mut current = Some(term);
    loop {
        if let Some(cell) = current.take() {
            let cell = store.deref(cell);
            if let Some((addr, count)) = arguments(store, cell) {
                match open.get(&cell) {
                    Some(true) => {
                        let next = labels.len();
                        labels.make_room()?;
                        labels.entry(cell).or_insert(next);
                    }
                    Some(false) => {}
                    None => {
                        open.put_entry(cell, true)?;
                        path.put((cell, addr, count))?;
                    }
                }
            }
        }
        let Some((cell, addr, count)) = path.last_mut() else {
            return Ok(labels);
        };
        if *count == 0 {
            open.put_entry(*cell, false)?;
            path.pop();
            continue;
        }
        current = Some(store.at(*addr));
        *addr += WORD;
        *count -= 1;
    }
}
