//! Global variables. A value set for good is kept off the heap; one set until backtracking lies in
//! a heap cell of the variable's own, which hides the former while it is set.

use super::assign::keep_heap;
use crate::base::grow::{Gather, Grow, GrowTable};
use crate::base::symbol::Atom;
use crate::machine::builtin::builtins;
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::store::cell::{Addr, Cell};
use crate::store::copy::Attrs;
use crate::store::heap::View;
use crate::store::raw;

/// The address of the heap cell of a variable, if it has one.
fn local_place(m: &Machine, name: Atom) -> Option<Addr> {
    m.local_globals.get(&name).map(|cell| cell.addr())
}

/// The value set until backtracking, if there is one.
fn local_value(m: &Machine, name: Atom) -> Option<Cell> {
    let value = raw::cell(local_place(m, name)?);
    (value != Cell::ABSENT).then_some(value)
}

/// The heap cell of a variable, made if it has none. It outlives backtracking.
fn make_local_place(m: &mut Machine, name: Atom) -> Addr {
    if let Some(place) = local_place(m, name) {
        return place;
    }
    m.local_globals.make_room();
    let place = m.store.allocate(1);
    raw::set_cell(place, Cell::ABSENT);
    // All choice points are older than the cell, and it must outlive them all.
    keep_heap(m, 0);
    m.local_globals.insert(name, Cell::reference(place));
    place
}

fn value(m: &mut Machine, name: Cell) -> Result<Cell, Throw> {
    let atom = m.atom_arg(name)?;
    if let Some(value) = local_value(m, atom) {
        return Ok(value);
    }
    match m.globals.get(&atom) {
        Some(stored) => Ok(m.store.load_term(stored)?),
        None => {
            let kind = m.symbols.intern("variable");
            Err(m.existence_error(kind, name))
        }
    }
}

builtins! { GLOBALS =
    /// Sets the global variable `Name` to a copy of `Value`, for good.
    ///
    /// ?- nb_setval(counter, 1), nb_getval(counter, X).
    /// X = 1.
    library "nb_setval"("+atom", "?term") does Effect = |m, [name, value]| {
        let atom = m.atom_arg(name)?;
        let stored = m.store.keep_term(value, Attrs::Keep)?;
        m.globals.make_room();
        if let Some(place) = local_place(m, atom) {
            raw::set_cell(place, Cell::ABSENT);
        }
        m.globals.insert(atom, stored);
        Ok(true)
    };

    /// `Value` is the value of the global variable `Name`.
    ///
    /// ?- nb_getval(no_such_key, X).
    /// error: nb_getval/2: variable `no_such_key' does not exist [existence_error(variable, no_such_key)]
    library "nb_getval"("+atom", "-term") = |m, [name, result]| {
        let value = value(m, name)?;
        Ok(m.unify(result, value))
    };

    /// Sets the global variable `Name` to `Value` until backtracking.
    ///
    /// ?- b_setval(depth, 1), ( b_setval(depth, 2), fail ; b_getval(depth, X) ).
    /// X = 1.
    library "b_setval"("+atom", "?term") = |m, [name, value]| {
        let atom = m.atom_arg(name)?;
        let place = make_local_place(m, atom);
        m.store.assign(place, value);
        Ok(true)
    };

    /// `Value` is the value of the global variable `Name`.
    ///
    /// ?- b_setval(level, 3), b_getval(level, X).
    /// X = 3.
    library "b_getval"("+atom", "-term") = |m, [name, result]| {
        let value = value(m, name)?;
        Ok(m.unify(result, value))
    };

    /// `Value` is the value of the global variable `Name`, if it has one.
    library "$global_value"("+atom", "-term") = |m, [name, result]| {
        let atom = m.atom_arg(name)?;
        match local_value(m, atom) {
            Some(value) => Ok(m.unify(result, value)),
            None => Ok(false),
        }
    };

    /// True if there is a global variable of this name.
    library "$is_global_variable"("?term") = |m, [name]| {
        Ok(match m.store.view(name) {
            View::Atom(atom) => local_value(m, atom).is_some() || m.globals.contains_key(&atom),
            _ => false,
        })
    };

    /// `Names` are the names of the global variables.
    library "$global_variables"("-list") does History = |m, [names]| {
        let mut atoms = m.globals.keys().copied().gather();
        let local = m.local_globals.keys().copied().gather();
        atoms.put_all(local.into_iter().filter(|&name| local_value(m, name).is_some()));
        atoms.sort_unstable();
        atoms.dedup();
        let names_found = atoms.into_iter().map(Cell::atom).gather();
        m.unify_items(names, &names_found)
    };
}
