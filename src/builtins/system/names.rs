//! Enumeration of atoms and functors.

use crate::base::atom_table::atoms;
use crate::base::growth::Gather;
use crate::machine::builtin::{Step, builtins};
use crate::store::cell::Cell;
use crate::store::heap::View;

builtins! { NAMES =
    /// True if `atom` is an atom. Enumerates all atoms on backtracking, including those of the system.
    library nondet "current_atom"("?atom") needs history = |m, [atom], state| {
        if !atom.is_var() {
            return match m.store.view(atom) {
                View::Atom(_) => Ok(Step::Last),
                _ => Err(m.type_error(atoms::ATOM, atom)),
            };
        }
        let from = state.and_then(|at| usize::try_from(at).ok()).unwrap_or(0);
        let Some((found, next)) = m.world.symbols.next_atom(from) else {
            return Ok(Step::Fail);
        };
        m.unify_atom(atom, found)?;
        Ok(match m.world.symbols.next_atom(next) {
            Some(_) => Step::More(next as i64),
            None => Step::Last,
        })
    };
    /// Returns the numbers of arguments of the compound terms with this name that the system has created.
    library "$arities"("+atom", "-list") needs history = |m, [name, arities]| {
        let name = m.atom_arg(name)?;
        let found = m.world.symbols.arities(name)?;
        let cells: Vec<Cell> = found
            .into_iter()
            .filter(|&arity| arity > 0)
            .map(|arity| Cell::int(arity as i64))
            .gather()?;
        m.unify_items(arities, &cells)
    };
}
