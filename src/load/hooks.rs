//! Predicates that the system calls where programs define them.

use crate::base::symbol::{Atom, atoms, functors};
use crate::machine::state::Machine;
use crate::program::predicate::Predicate;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// The hooks that change what is loaded, all of arity 2.
const EXPANSIONS: [&str; 2] = ["term_expansion", "goal_expansion"];

/// Predicates that the system calls where a program defines them, in `user` or in `prolog`. Any file
/// may add clauses, and so may goals: they are dynamic and multifile.
const HOOKS: [(&str, usize); 9] = [
    ("term_expansion", 2),
    ("goal_expansion", 2),
    ("portray", 1),
    ("message", 3),
    ("message_hook", 3),
    ("file_search_path", 2),
    ("library_directory", 1),
    ("prolog_load_file", 2),
    ("expand_query", 4),
];

/// Is the predicate a hook of the system?
pub(super) fn is_hook(m: &Machine, predicate: &Predicate) -> bool {
    let (name, arity) = (
        m.symbols.text(m.symbols.name(predicate.functor)),
        predicate.functor.arity(),
    );
    let home = match name {
        "message" => m.symbols.text(predicate.module) == "prolog",
        _ => predicate.module == atoms::USER,
    };
    home && HOOKS.contains(&(name, arity))
}

/// Is it a clause for one of them?
pub(super) fn is_expansion(m: &Machine, clause: Cell) -> bool {
    let clause = m.strip_module(clause, atoms::USER).0;
    let head = match m.store.view(clause) {
        View::Struct(functors::NECK, args) => m.strip_module(m.store.arg(args, 0), atoms::USER).0,
        _ => clause,
    };
    matches!(m.store.view(head), View::Struct(functor, _)
        if functor.arity() == 2 && EXPANSIONS.contains(&m.symbols.text(m.symbols.name(functor))))
}

/// Does the program define a hook?
pub(super) fn has_expansion(m: &mut Machine) -> bool {
    let modules = [m.source_module, atoms::USER, atoms::SYSTEM];
    EXPANSIONS.iter().any(|name| {
        let name = m.symbols.intern(name);
        modules
            .iter()
            .any(|&module| has_clauses(m, module, name, 2))
    })
}
/// Does the module define the predicate, with one clause or more?
pub(super) fn has_clauses(m: &mut Machine, module: Atom, name: Atom, arity: usize) -> bool {
    let functor = m.symbols.functor_passing(name, arity);
    m.predicates
        .find(module, functor)
        .is_some_and(|id| m.predicates.get(id).clauses.len() > 0)
}
