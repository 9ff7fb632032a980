//! The hooks by which programs change the clauses that are loaded.

use crate::base::atom_table::{Atom, atoms, functors};
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// The names of the hooks.
const EXPANSIONS: [&str; 2] = ["term_expansion", "goal_expansion"];

/// The arities of the hooks: without and with the positions of the terms in their text.
const ARITIES: [usize; 2] = [2, 4];

/// Returns whether a clause belongs to a hook.
pub(super) fn is_expansion(m: &Machine, clause: Cell) -> bool {
    let clause = m.strip_module(clause, atoms::USER).0;
    let head = match m.store.view(clause) {
        View::Struct(functors::NECK, args) => m.strip_module(m.store.arg(args, 0), atoms::USER).0,
        _ => clause,
    };
    matches!(m.store.view(head), View::Struct(functor, _)
        if ARITIES.contains(&functor.arity())
            && EXPANSIONS.contains(&m.world.symbols.name_text(functor)))
}

/// Returns whether the program defines a hook.
pub(super) fn has_expansion(m: &Machine) -> bool {
    let modules = [m.world.source_module, atoms::USER, atoms::SYSTEM];
    EXPANSIONS.iter().any(|name| {
        let Some(name) = m.world.symbols.find(name) else {
            return false;
        };
        let mut hooks = modules
            .iter()
            .flat_map(|&module| ARITIES.map(|arity| (module, arity)));
        hooks.any(|(module, arity)| has_clauses(m, module, name, arity))
    })
}

/// Returns whether the module defines the predicate with at least one clause.
pub(super) fn has_clauses(m: &Machine, module: Atom, name: Atom, arity: usize) -> bool {
    let functor = m.world.symbols.find_functor(name, arity);
    let found = functor.and_then(|functor| m.world.predicates.find(module, functor));
    found.is_some_and(|id| m.world.predicates.get(id).clauses.len() > 0)
}
