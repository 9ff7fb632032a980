//! The parts of cyclic terms that an abbreviated answer shows. An answer therefore takes time and memory
//! for the shown parts only, however large the terms are.

use super::engine::{Ended, Engine};
use crate::base::atom_table::FastMap;
use crate::base::growth::{Gather, Grow, GrowMap};
use crate::base::stop::Stop;
use crate::machine::control::throw::Throw;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD, tag};
use crate::store::heap::Store;
use crate::store::raw;
use crate::text::write_cycles::cycle_labels;
use std::collections::{HashSet, VecDeque};

/// Maximum number of rounds that search for cyclic subterms reachable from other cyclic subterms. A longer
/// chain of cyclic subterms is not abbreviated: the whole terms are converted.
const ROUNDS: usize = 32;
/// The atom that replaces a subterm too deep to be shown.
const ELISION: &str = "...";

/// The parts of terms that an abbreviated answer shows.
pub(super) struct AbbreviatedParts {
    /// Copies of the terms down to the shown depth, with their cycles. The copies share the variables of
    /// the terms.
    pub(super) terms: Vec<Cell>,
    /// The copies of cyclic terms whose cycles close only below the shown depth.
    pub(super) closed: Vec<Cell>,
}

/// Copies of the parts of terms that are near their tops.
struct Tops {
    /// The copies of compounds, by the compounds.
    copies: FastMap<Cell, Cell>,
    /// The compounds, by their copies.
    originals: FastMap<Cell, Cell>,
}

impl Engine {
    /// Returns the parts of the terms that an abbreviated answer shows. Returns `None` if many cycles lead
    /// to one another.
    pub(super) fn abbreviated_parts(
        &mut self,
        terms: &[Cell],
    ) -> Result<Option<AbbreviatedParts>, Ended> {
        let elision = Cell::atom(self.machine.world.symbols.intern(ELISION)?);
        let levels = self.answer_depth.saturating_add(1);
        let store = &mut self.machine.store;
        let top = store.heap_top;
        // Cyclic subterms become roots, which are shown by themselves.
        let terms: Vec<Cell> = terms.iter().map(|&term| store.deref(term)).gather()?;
        let mut roots = terms.clone();
        for _ in 0..ROUNDS {
            store.heap_top = top;
            match with_new_roots(store, &mut roots, terms.len(), levels, elision) {
                Ok(None) => {}
                Ok(Some(shown)) => {
                    let closed = closed(store, &terms, &shown)?;
                    return Ok(Some(AbbreviatedParts {
                        terms: shown,
                        closed,
                    }));
                }
                Err(full) => return Err(self.error(Throw::from(full)).into()),
            }
        }
        self.machine.store.heap_top = top;
        Ok(None)
    }
}

/// Returns the copies of cyclic terms that do not show a whole cycle.
fn closed(store: &Store, terms: &[Cell], shown: &[Cell]) -> Result<Vec<Cell>, Stop> {
    let mut closed = Vec::new();
    for (&term, &copy) in terms.iter().zip(shown) {
        if copy.is_compound() && !store.is_within_itself(copy)? && store.is_within_itself(term)? {
            closed.put(copy)?;
        }
    }
    Ok(closed)
}

/// Returns the copies of the first `count` roots if each cyclic subterm in them is a root. Otherwise makes
/// the other cyclic subterms roots and returns `None`.
fn with_new_roots(
    store: &mut Store,
    roots: &mut Vec<Cell>,
    count: usize,
    levels: u32,
    elision: Cell,
) -> Result<Option<Vec<Cell>>, Stop> {
    let tops = tops(store, roots, levels, elision)?;
    let copy = |root: &Cell| tops.copies.get(root).copied().unwrap_or(*root);
    let shown: Vec<Cell> = roots[..count].iter().map(copy).gather()?;
    let all = store.list_of(&shown)?;
    let known: HashSet<Cell> = roots.iter().copied().gather_set()?;
    let labels = cycle_labels(store, all)?.unwrap_or_default();
    let originals = labels.keys().filter_map(|label| tops.originals.get(label));
    let before = roots.len();
    roots.put_all(
        originals
            .filter(|original| !known.contains(original))
            .copied(),
    )?;
    Ok((roots.len() == before).then_some(shown))
}

/// Copies the parts of the roots that are at most `levels` levels deep.
fn tops(store: &mut Store, roots: &[Cell], levels: u32, elision: Cell) -> Result<Tops, Stop> {
    let mut tops = Tops {
        copies: FastMap::default(),
        originals: FastMap::default(),
    };
    let mut todo: VecDeque<(Cell, u32)> = VecDeque::new();
    for &root in roots {
        tops.begin(store, root, 0, &mut todo)?;
    }
    while let Some((term, level)) = todo.pop_front() {
        let Some((functor, from)) = store.compound(term) else {
            continue;
        };
        let to = arguments(tops.copies[&term]);
        for index in 0..functor.arity() as u64 {
            let part = store.deref(store.at(from + index * WORD));
            let copy = if !part.is_compound() {
                part
            } else if level == levels {
                tops.copies.get(&part).copied().unwrap_or(elision)
            } else {
                tops.begin(store, part, level + 1, &mut todo)?
            };
            raw::set_cell(to + index * WORD, copy);
        }
    }
    Ok(tops)
}

/// Returns the address of the first argument of a compound.
fn arguments(compound: Cell) -> HeapAddr {
    let header = if compound.tag() == tag::LST { 0 } else { WORD };
    compound.addr() + header
}

impl Tops {
    /// Returns the copy of a term. Its arguments are filled in later.
    fn begin(
        &mut self,
        store: &mut Store,
        term: Cell,
        level: u32,
        todo: &mut VecDeque<(Cell, u32)>,
    ) -> Result<Cell, Stop> {
        if let Some(&copy) = self.copies.get(&term) {
            return Ok(copy);
        }
        let Some((functor, _)) = store.compound(term) else {
            return Ok(term);
        };
        let copy = store.new_general_struct(functor)?;
        self.copies.put_entry(term, copy)?;
        self.originals.put_entry(copy, term)?;
        todo.put((term, level))?;
        Ok(copy)
    }
}
