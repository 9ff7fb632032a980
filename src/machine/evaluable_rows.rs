//! The evaluable functors of an engine: the row of each in the table of [`evaluable`].
#![forbid(unsafe_code)]

use crate::arith::evaluable::{self, EvalId, lookup};
use crate::base::atom_table::{Functor, Symbols};
use crate::base::growth::GrowAt;
use crate::base::stop::Stop;
use crate::store::integers::Division;

/// The evaluable functors that arithmetic instructions fall back to.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Evaluables {
    pub(super) add: EvalId,
    pub(super) subtract: EvalId,
    pub(super) multiply: EvalId,
    pub(super) divide: EvalId,
    quotient: EvalId,
    remainder: EvalId,
    modulo: EvalId,
}

impl Evaluables {
    /// Looks up the names of the evaluables.
    pub(crate) fn new() -> Evaluables {
        let find = |name: &str| match lookup(name, 2) {
            Some(id) => id,
            None => unreachable!("the table of evaluable functors has this one"),
        };
        Evaluables {
            add: find("+"),
            subtract: find("-"),
            multiply: find("*"),
            divide: find("/"),
            quotient: find("//"),
            remainder: find("rem"),
            modulo: find("mod"),
        }
    }

    pub(super) fn division(&self, id: EvalId) -> Option<Division> {
        match id {
            _ if id == self.quotient => Some(Division::Quotient),
            _ if id == self.remainder => Some(Division::Remainder),
            _ if id == self.modulo => Some(Division::Modulo),
            _ => None,
        }
    }
}

/// The rows of evaluable functors.
#[derive(Clone, Default)]
pub(crate) struct EvaluableRows {
    /// The row plus one, by the number of the functor; 0 if the functor is not evaluable.
    by_functor: Vec<u16>,
}

impl EvaluableRows {
    /// Returns the table for these symbols. They are never collected.
    pub(crate) fn new(symbols: &mut Symbols) -> Result<EvaluableRows, Stop> {
        let mut by_functor = Vec::new();
        for (id, row) in evaluable::all() {
            let name = symbols.intern(row.name)?;
            let index = symbols.functor(name, row.arity())?.index();
            if index >= by_functor.len() {
                by_functor.fill_to(index + 1, 0)?;
            }
            by_functor[index] = id.0 + 1;
        }
        Ok(EvaluableRows { by_functor })
    }

    #[inline]
    pub(super) fn find(&self, functor: Functor) -> Option<EvalId> {
        let number = *self.by_functor.get(functor.index())?;
        number.checked_sub(1).map(EvalId)
    }
}
