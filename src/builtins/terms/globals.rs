//! Global variables (see [`crate::machine::memory::globals`]).

use crate::base::growth::Gather;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;

fn value(m: &mut Machine, name: Cell) -> Result<Cell, Throw> {
    let atom = m.atom_arg(name)?;
    match m.global(atom)? {
        Some(value) => Ok(value),
        None => {
            m.run.globals.missing = m.handles_undefined().then_some(atom);
            Err(m.existence_error("variable", name))
        }
    }
}

builtins! { GLOBALS =
    /// Sets the global variable `atom` to a copy of `term`. Backtracking does not restore the old value. All
    /// callers that get the value share it, so they all see assignments to its arguments.
    ///
    /// ?- nb_setval(counter, 1), nb_getval(counter, X).
    /// X = 1.
    ///
    /// ?- nb_setval(array, a(0, 0)), ( nb_getval(array, A), nb_setarg(1, A, 5), fail ; nb_getval(array, B) ).
    /// B = a(5, 0).
    library "nb_setval"("+atom", "?term") needs effect = always |m, [name, value]| {
        let atom = m.atom_arg(name)?;
        m.set_global(atom, value)?;
    };

    /// Unifies `term` with the value of the global variable `atom`.
    ///
    /// ?- nb_getval(no_such_key, X).
    /// error: nb_getval/2: variable `no_such_key' does not exist [existence_error(variable, no_such_key)]
    library "nb_getval"("+atom", "-term") = |m, [name, result]| {
        m.note_unseen();
        let value = value(m, name)?;
        Ok(m.unify(result, value)?)
    };

    /// Sets the global variable `atom` to `term`; backtracking restores the old value.
    ///
    /// ?- b_setval(depth, 1), ( b_setval(depth, 2), fail ; b_getval(depth, X) ).
    /// X = 1.
    library "b_setval"("+atom", "?term") = always |m, [name, value]| {
        m.note_unseen();
        let atom = m.atom_arg(name)?;
        m.set_local_global(atom, value)?;
    };

    /// Unifies `term` with the value of the global variable `atom`.
    ///
    /// ?- b_setval(level, 3), b_getval(level, X).
    /// X = 3.
    library "b_getval"("+atom", "-term") = |m, [name, result]| {
        m.note_unseen();
        let value = value(m, name)?;
        Ok(m.unify(result, value)?)
    };

    /// Returns the value of the global variable `Name`, if it has one.
    library "$global_value"("+atom", "-term") = |m, [name, result]| {
        m.note_unseen();
        let atom = m.atom_arg(name)?;
        match m.local_global(atom) {
            Some(value) => Ok(m.unify(result, value)?),
            None => Ok(false),
        }
    };

    /// Succeeds if a global variable has this name.
    library "$is_global_variable"("?term") = |m, [name]| {
        Ok(match m.store.view(name) {
            View::Atom(atom) => m.has_global(atom),
            _ => false,
        })
    };

    /// Returns the names of the global variables.
    library "$global_variables"("-list") needs history = |m, [names]| {
        let names_found = m.global_names()?.into_iter().map(Cell::atom).gather()?;
        m.unify_items(names, &names_found)
    };
}
