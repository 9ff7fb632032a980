//! Compound terms without arguments, `p()`, as heads and goals of clauses. They stand for the atom of their name
//! and are stored as this atom.

use crate::base::atom_table::functors;
use crate::base::growth::Grow;
use crate::builtins::args::room_for;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};
use crate::store::heap::View;
use crate::store::raw;

/// Returns the clause with head and goals without arguments replaced by the atoms of their names.
pub(in crate::builtins) fn with_atoms_as_goals(
    m: &mut Machine,
    clause: Cell,
) -> Result<Cell, Throw> {
    let root = m.store.new_list(clause, clause).addr();
    let mut todo = vec![root];
    while let Some(at) = todo.pop() {
        let goal = m.store.deref(m.store.at(at));
        let View::Struct(functor, args) = m.store.view(goal) else {
            continue;
        };
        match functor {
            _ if functor.arity() == 0 => {
                raw::set_cell(at, Cell::atom(m.world.symbols.name(functor)));
            }
            functors::NECK
            | functors::COMMA
            | functors::SEMICOLON
            | functors::ARROW
            | functors::SOFT_ARROW
            | functors::NOT
            | functors::COLON => {
                room_for(m, 1, 3)?;
                let parts = [0, 1].map(|index| match index < functor.arity() {
                    true => m.store.arg(args, index),
                    false => goal,
                });
                let copy = m.store.new_struct(functor, &parts[..functor.arity()]);
                raw::set_cell(at, copy);
                let first: HeapAddr = copy.addr() + WORD;
                // The first argument of a colon is a module.
                let goals = usize::from(functor == functors::COLON)..functor.arity();
                todo.put_all(goals.map(|index| first + index as u64 * WORD))?;
            }
            _ => {}
        }
    }
    Ok(m.store.at(root))
}
