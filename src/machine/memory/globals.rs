//! Global variables. A value set for good lies on the heap, shared by all who ask for it, so that
//! asking takes no time and assignments to its arguments last. One set until backtracking lies in a
//! heap cell of the variable's own, which hides the former while it is set.
//!
//! Backtracking must leave the values where they are: the choice points that are there are told of a new
//! heap top. Where they are many that is done for a stretch of the heap at once, the pool, into which the
//! next values go. Between queries the heap is emptied down to the floor, below which the values lie.
//!
//! While there are eigenvariables of Lolli, whose ages tell what may hold them, values stay off the
//! heap: backtracking must take the heap back then.
#![forbid(unsafe_code)]

use crate::base::atom_table::{Atom, FastMap};
use crate::store::address::HeapAddr;
use crate::store::cell::Cell;
use crate::store::claims::Claim;
use crate::store::raw;
use crate::store::stored::Stored;
use std::ops::Range;
use std::sync::Arc;

/// A value set for good.
#[derive(Default)]
pub(in crate::machine) enum Value {
    /// There is none.
    #[default]
    None,
    /// A constant.
    Simple(Cell),
    /// A term off the heap.
    Stored(Arc<Stored>),
    /// The reference to a heap cell that holds a term.
    Kept(Cell),
}

/// A value as a program has it, for its engines.
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
    /// The reference to the heap cell of what is set until backtracking; if it is not set any more,
    /// [`Cell::ABSENT`] lies there.
    pub(in crate::machine) local: Option<Cell>,
    pub(in crate::machine) _claim: Claim,
}

impl Variable {
    /// What is set until backtracking, if something is.
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
    /// Have variables had heap cells since there was none?
    pub(in crate::machine) on_heap: bool,
    /// May what lies below the floor refer to what lies above it?
    pub(in crate::machine) changed: bool,
    /// What lies below this belongs to values; 0 if there are none.
    pub(in crate::machine) floor: HeapAddr,
    /// Where the next value goes, and the end of the room for it: all choice points are told.
    pub(in crate::machine) pool: Range<HeapAddr>,
    /// How many choice points were told last.
    pub(in crate::machine) told: u64,
    /// Bytes that went into values since the last collection.
    pub(in crate::machine) grown: u64,
    /// Bytes of the heap that were alive when it was collected between queries.
    pub(in crate::machine) alive: u64,
    /// Have values been replaced since then?
    pub(in crate::machine) replaced: bool,
    /// The variable without a value that the present builtin has asked for, if the program is to be told.
    pub(crate) missing: Option<Atom>,
}

impl Globals {
    /// The references to heap cells. They may be changed.
    pub(in crate::machine) fn cells(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.table.values_mut().flat_map(|variable| {
            let kept = match &mut variable.value {
                Value::Kept(cell) => Some(cell),
                _ => None,
            };
            kept.into_iter().chain(&mut variable.local)
        })
    }

    /// The names of all variables.
    pub(in crate::machine) fn names(&self) -> impl Iterator<Item = Atom> {
        self.table.keys().copied()
    }

    /// The values off the heap: constants, and terms.
    pub(in crate::machine) fn values(&self) -> impl Iterator<Item = Result<Cell, &Stored>> {
        let values = self.table.values().map(|variable| &variable.value);
        values.filter_map(|value| match value {
            Value::Simple(cell) => Some(Ok(*cell)),
            Value::Stored(stored) => Some(Err(&**stored)),
            Value::None | Value::Kept(_) => None,
        })
    }
}
