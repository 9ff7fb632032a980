//! Bags, which collect the solutions of a goal while the search runs. A bag holds copies of terms, their number, or a
//! result computed from the solutions found so far.
#![forbid(unsafe_code)]

use super::kept_solutions::Copies;
use super::memo::Memo;
use crate::arith::compare::compare;
use crate::arith::mixed;
use crate::base::atom_table::Symbols;
use crate::base::number::Number;
use crate::base::stop::Stop;
use crate::ir::clause::Collected;
use crate::store::cell::Cell;
use crate::store::heap::Store;
use std::cmp::Ordering;

/// The collection of the solutions of a goal.
#[derive(Debug)]
pub(crate) enum Bag {
    /// Copies of terms.
    Terms(Copies),
    /// The number of solutions found one by one, the number of the others, and the remembered counts.
    Count(u64, Number, Option<Box<Memo>>),
    /// The sum of values, and whether it replaces a list of the solutions.
    Sum(Number, bool),
    /// The largest or smallest term.
    Best(Best),
}

/// The largest or smallest of the terms that were added.
#[derive(Debug)]
pub(crate) struct Best {
    /// The result of comparing a better term to the present one.
    wanted: Ordering,
    /// Whether the terms are pairs, which are compared by their first parts.
    pairs: bool,
    /// The value of the term, if it is a number.
    value: Option<Number>,
    /// A copy of the term; empty before the first one.
    copy: Copies,
}

impl Bag {
    /// Returns an empty bag.
    pub(crate) fn new(what: Collected) -> Bag {
        let best = |wanted, pairs| {
            Bag::Best(Best {
                wanted,
                pairs,
                value: None,
                copy: Copies::default(),
            })
        };
        match what {
            Collected::List => Bag::Terms(Copies::default()),
            Collected::Count => Bag::Count(0, Number::Int(0), None),
            Collected::Sum => Bag::Sum(Number::Int(0), false),
            Collected::Max => best(Ordering::Greater, false),
            Collected::Min => best(Ordering::Less, false),
            Collected::MaxWith => best(Ordering::Greater, true),
            Collected::MinWith => best(Ordering::Less, true),
        }
    }

    /// Returns the copies of terms in this bag.
    pub(crate) fn copies(&self) -> Option<&Copies> {
        match self {
            Bag::Terms(copies) | Bag::Best(Best { copy: copies, .. }) => Some(copies),
            Bag::Count(..) | Bag::Sum(..) => None,
        }
    }

    /// Returns the remembered counts of a bag that counts.
    pub(crate) fn memo(&mut self) -> Option<&mut Memo> {
        match self {
            Bag::Count(_, _, memo) => memo.as_deref_mut(),
            _ => None,
        }
    }
}

impl Best {
    /// Adds a term.
    pub(crate) fn add(
        &mut self,
        store: &mut Store,
        symbols: &Symbols,
        term: Cell,
    ) -> Result<(), Stop> {
        let key = self.key(store, term);
        let value = store.number(key)?;
        if !self.is_better(store, symbols, (key, &value))? {
            return Ok(());
        }
        self.value = value;
        self.copy.clear();
        self.copy.add(store, term)
    }

    /// Returns the part of a term that is compared.
    fn key(&self, store: &Store, term: Cell) -> Cell {
        match store.compound(term) {
            Some((functor, args)) if self.pairs && functor.arity() > 0 => store.arg(args, 0),
            _ => term,
        }
    }

    fn is_better(
        &self,
        store: &mut Store,
        symbols: &Symbols,
        (key, value): (Cell, &Option<Number>),
    ) -> Result<bool, Stop> {
        if let (Some(new), Some(old)) = (value, &self.value) {
            let order = compare(new, old);
            return Ok(match order {
                // Of equal values, choose as `max/2` and `min/2` do.
                Some(Ordering::Equal) | None if !self.pairs => {
                    let chosen = match self.wanted {
                        Ordering::Greater => mixed::max(old, new),
                        _ => mixed::min(old, new),
                    };
                    chosen.is_ok_and(|chosen| chosen != *old)
                }
                order => order == Some(self.wanted),
            });
        }
        let top = store.heap_top;
        let Some(old) = self.copy.first(store)? else {
            return Ok(true);
        };
        let old = self.key(store, old);
        let order = store.compare(key, old, symbols);
        store.heap_top = top;
        Ok(order? == self.wanted)
    }

    /// Returns a list of the term, or an empty list if there is none.
    pub(crate) fn list(&self, store: &mut Store) -> Result<Cell, Stop> {
        self.copy.list(store)
    }
}
