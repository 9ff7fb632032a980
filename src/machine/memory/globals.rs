//! Global variables. A permanent value lies on the heap and is shared, so reading it takes no time and assignments to
//! its arguments last. A value set until backtracking lies in a heap cell of the variable and hides the permanent
//! value while it is set.
//!
//! Backtracking must not remove these values. So the machine raises the heap top that existing choice points restore.
//! If there are many choice points, it does that once for a stretch of the heap, the pool, which takes the next
//! values. Between queries the heap is emptied down to the floor, and the values lie below the floor.
//!
//! While there are eigenvariables of Lolli, values are stored outside the heap. The age of an eigenvariable
//! determines which terms may contain it, so backtracking must free the heap then.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, FastMap};
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::claims::Claim;
use crate::store::raw;
use crate::store::stored::Stored;
use std::ops::Range;
use std::sync::Arc;

/// A permanent value.
#[derive(Default)]
pub(in crate::machine) enum Value {
    /// No value.
    #[default]
    None,
    /// A constant.
    Simple(Cell),
    /// A term outside the heap.
    Stored(Arc<Stored>),
    /// The reference to a heap cell that holds a term.
    Kept(Cell),
}

/// A value that a program passes to its engines.
#[derive(Clone)]
pub(in crate::machine) enum Given {
    /// A constant.
    Simple(Cell),
    /// A term.
    Stored(Arc<Stored>),
}

/// A global variable.
#[derive(Default)]
pub(in crate::machine) struct Variable {
    pub(in crate::machine) value: Value,
    /// The reference to the heap cell for a value set until backtracking. If no such value is set any more, the cell
    /// is [`Cell::ABSENT`].
    pub(in crate::machine) local: Option<Cell>,
    pub(in crate::machine) _claim: Claim,
}

impl Variable {
    /// Returns the value set until backtracking, if there is one.
    pub(in crate::machine) fn local_value(&self) -> Option<Cell> {
        let value = raw::cell(self.local?.addr());
        (value != Cell::ABSENT).then_some(value)
    }

    pub(in crate::machine) fn has_value(&self) -> bool {
        !matches!(self.value, Value::None) || self.local_value().is_some()
    }
}

/// The global variables of an engine.
#[derive(Default)]
pub(crate) struct Globals {
    pub(in crate::machine) table: FastMap<Atom, Variable>,
    /// Whether variables have had heap cells since the heap was last emptied completely.
    pub(in crate::machine) on_heap: bool,
    /// Whether terms below the floor may refer to terms above it.
    pub(in crate::machine) changed: bool,
    /// The floor: the heap below it belongs to values. 0 if there are none.
    pub(in crate::machine) floor: HeapAddr,
    /// The place of the next value, and the end of the room for it. All choice points keep this room.
    pub(in crate::machine) pool: Range<HeapAddr>,
    /// The number of choice points that were updated last.
    pub(in crate::machine) choices_updated: u64,
    /// Bytes added to values since the last collection.
    pub(in crate::machine) grown: u64,
    /// Live bytes of the heap at the last collection between queries.
    pub(in crate::machine) alive: u64,
    /// Whether values have been replaced since then.
    pub(in crate::machine) replaced: bool,
    /// The variable without a value that the present builtin has read, if the program must be notified.
    pub(crate) missing: Option<Atom>,
}

impl Globals {
    /// Returns the references to heap cells, which the caller may change.
    pub(in crate::machine) fn cells(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.table.values_mut().flat_map(|variable| {
            let kept = match &mut variable.value {
                Value::Kept(cell) => Some(cell),
                _ => None,
            };
            kept.into_iter().chain(&mut variable.local)
        })
    }

    /// Returns the names of all variables.
    pub(in crate::machine) fn names(&self) -> impl Iterator<Item = Atom> {
        self.table.keys().copied()
    }

    /// Returns the values outside the heap: constants, and terms.
    pub(in crate::machine) fn values(&self) -> impl Iterator<Item = Result<Cell, &Stored>> {
        let values = self.table.values().map(|variable| &variable.value);
        values.filter_map(|value| match value {
            Value::Simple(cell) => Some(Ok(*cell)),
            Value::Stored(stored) => Some(Err(&**stored)),
            Value::None | Value::Kept(_) => None,
        })
    }
}
