//! The names that a writer uses for variables, looked up by variable. Code that writes many terms with the
//! same names creates the table once.

use crate::base::atom_table::FastSet;
use crate::base::growth::{Grow, GrowSet};
use crate::base::split_map::SplitMap;
use crate::base::stop::Stop;
use crate::store::cell::Cell;
use crate::store::heap::Store;
use std::cell::RefCell;

/// Names of variables.
pub(crate) struct NameTable<'n> {
    by_variable: SplitMap<&'n str>,
    taken: FastSet<&'n str>,
    /// The name of all other variables, if they have one.
    others: Option<&'n str>,
    /// The variables without a name that were written, if they are requested.
    met: Option<RefCell<Met>>,
}

/// Variables in order of their first occurrence.
#[derive(Default)]
struct Met {
    known: SplitMap<()>,
    order: Vec<Cell>,
}

impl<'n> NameTable<'n> {
    /// Creates the table of these names. If a variable has two names, the first is used.
    pub(crate) fn new(store: &Store, names: &'n [(Cell, String)]) -> Result<NameTable<'n>, Stop> {
        let mut table = NameTable {
            by_variable: SplitMap::default(),
            taken: FastSet::default(),
            others: None,
            met: None,
        };
        for (nth, (var, name)) in names.iter().enumerate() {
            store.events.watch.go_on_counted(nth)?;
            let var = store.deref(*var).word();
            if !table.by_variable.holds(var) {
                table.by_variable.insert(var, name.as_str())?;
            }
            table.taken.put_new(name.as_str())?;
        }
        Ok(table)
    }

    /// Sets a name for all other variables.
    pub(crate) fn with_others(mut self, name: &'n str) -> NameTable<'n> {
        self.others = Some(name);
        self
    }

    /// Makes the table record the variables without a name that are written.
    pub(crate) fn recording_unnamed(mut self) -> NameTable<'n> {
        self.met = Some(RefCell::default());
        self
    }

    /// Returns the variables without a name that were written, each once, in order.
    pub(crate) fn into_unnamed(self) -> Vec<Cell> {
        self.met
            .map(|met| met.into_inner().order)
            .unwrap_or_default()
    }

    /// Returns the name of a variable.
    #[inline]
    pub(super) fn of(&self, var: Cell) -> Option<&'n str> {
        self.by_variable.get(var.word()).copied().or(self.others)
    }

    /// Returns whether a text is the name of some variable.
    pub(super) fn has(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// Records that a variable without a name is written.
    #[inline]
    pub(super) fn note(&self, var: Cell) -> Result<(), Stop> {
        let Some(met) = &self.met else {
            return Ok(());
        };
        let mut met = met.borrow_mut();
        if met.known.insert(var.word(), ())?.is_none() {
            met.order.put(var)?;
        }
        Ok(())
    }
}
