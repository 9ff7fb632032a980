//! Which subterms of a cyclic term must be named so that the rest is a finite tree.

use crate::base::atom_table::FastMap;
use crate::base::growth::{Grow, GrowMap, GrowTable};
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{Store, View};

/// The subterms that close cycles, with the number of each, from 0.
pub(crate) type CycleLabels = FastMap<Cell, usize>;

/// The subterms to be named so that writing `term` ends; `None` if it is not cyclic.
pub(crate) fn cycle_labels(store: &Store, term: Cell) -> Result<Option<CycleLabels>, Stop> {
    if !store.deref(term).is_compound() || store.acyclic_term(term)? {
        return Ok(None);
    }
    Ok(Some(back_edges(store, term)?))
}

/// First argument and number of arguments of a compound.
fn arguments(store: &Store, cell: Cell) -> Option<(HeapAddr, usize)> {
    match store.view(cell) {
        View::List(addr) => Some((addr, 2)),
        View::Struct(functor, addr) => Some((addr, functor.arity())),
        _ => None,
    }
}

/// The subterms met again below themselves.
fn back_edges(store: &Store, term: Cell) -> Result<CycleLabels, Stop> {
    // Whether each subterm met is still open, that is, above the current one.
    let mut open: FastMap<Cell, bool> = FastMap::default();
    let mut labels = CycleLabels::default();
    // Open subterms: the cell, the next argument's address and how many are left.
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
