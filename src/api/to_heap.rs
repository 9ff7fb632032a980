//! Conversion of host terms to terms on the heap. The copy keeps the sharing of the host's term.

use super::term::{Compound, Term};
use crate::base::atom_table::{FastMap, Functor, MAX_ARITY, Symbols, functors};
use crate::base::growth::{Grow, GrowMap};
use crate::base::stop::Stop;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{Store, View};
use std::sync::Arc;

/// Variables by name.
pub(super) type Variables = FastMap<Arc<str>, Cell>;

/// The reason why a term cannot be built.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum BuildError {
    /// Not enough memory.
    Memory,
    /// The work must stop.
    Stopped,
    /// A compound with too many arguments.
    Arity,
}

impl From<Stop> for BuildError {
    fn from(_: Stop) -> BuildError {
        BuildError::Memory
    }
}

/// Builds `term` on the heap. Uses the variables in `variables`, and adds new ones. If `stops` is true, the work
/// can be stopped.
pub(super) fn build(
    store: &mut Store,
    symbols: &mut Symbols,
    term: &Term,
    variables: &mut Variables,
    stops: bool,
) -> Result<Cell, BuildError> {
    let mut builder = Builder {
        store,
        symbols,
        variables,
        shared: FastMap::default(),
    };
    let mut pending: Vec<Arguments<'_>> = Vec::new();
    let root = builder.start(term, &mut pending)?;
    let mut made = 0;
    while let Some(top) = pending.last_mut() {
        let Some((arg, rest)) = top.left.split_first() else {
            pending.pop();
            continue;
        };
        top.left = rest;
        if stops {
            let goes_on = builder.store.events.watch.go_on_at(made);
            goes_on.map_err(|_| BuildError::Stopped)?;
            made += 1;
        }
        let place = top.place;
        top.place += WORD;
        if rest.is_empty() {
            // A long list thus takes no stack.
            pending.pop();
        }
        let cell = builder.start(arg, &mut pending)?;
        // The cell at this place is a fresh variable without other references.
        builder.store.bind_plain(Cell::reference(place), cell);
    }
    Ok(root)
}

/// Arguments still to be built, and the place of the first one.
struct Arguments<'t> {
    left: &'t [Term],
    place: HeapAddr,
}

struct Builder<'a> {
    store: &'a mut Store,
    symbols: &'a mut Symbols,
    variables: &'a mut Variables,
    /// Compounds that occur in several places.
    shared: FastMap<usize, Cell>,
}

impl Builder<'_> {
    /// Builds the cell of a subterm. Its arguments follow later.
    fn start<'t>(
        &mut self,
        term: &'t Term,
        pending: &mut Vec<Arguments<'t>>,
    ) -> Result<Cell, BuildError> {
        self.store.reserve(2)?;
        Ok(match term {
            Term::Var(name) => match self.variables.get(name) {
                Some(&var) => var,
                None => {
                    let var = self.store.new_var();
                    self.variables.put_entry(Arc::clone(name), var)?;
                    var
                }
            },
            Term::Atom(name) => Cell::atom(self.symbols.intern_passing(name)?),
            Term::Integer(value) => self.store.new_int(*value),
            Term::BigInteger(value) => self.store.new_big(value.value())?,
            Term::Float(value) => self.store.new_float(*value),
            Term::String(text) => self.store.new_string(text)?,
            Term::Compound(compound) => self.compound(compound, pending)?,
        })
    }

    fn compound<'t>(
        &mut self,
        compound: &'t Compound,
        pending: &mut Vec<Arguments<'t>>,
    ) -> Result<Cell, BuildError> {
        let known = compound
            .is_shared()
            .then(|| self.shared.get(&compound.identity()));
        if let Some(&cell) = known.flatten() {
            return Ok(cell);
        }
        let cell = {
            let functor = self.functor(compound)?;
            self.store.new_general_struct(functor)?
        };
        if compound.is_shared() {
            self.shared.put_entry(compound.identity(), cell)?;
        }
        let (View::Struct(_, place) | View::List(place)) = self.store.view(cell) else {
            unreachable!("a compound was made");
        };
        pending.put(Arguments {
            left: compound.args(),
            place,
        })?;
        Ok(cell)
    }

    fn functor(&mut self, compound: &Compound) -> Result<Functor, BuildError> {
        if compound.as_cons().is_some() {
            return Ok(functors::LIST);
        }
        if compound.arity() > MAX_ARITY {
            return Err(BuildError::Arity);
        }
        let name = self.symbols.intern_passing(compound.name())?;
        Ok(self.symbols.functor_passing(name, compound.arity())?)
    }
}
