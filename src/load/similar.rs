//! What may have been meant by the name of a predicate that is not defined.

use super::lolli_origin::definitions;
use super::prelude::exported_predicates;
use crate::base::grow::Gather;
use crate::base::symbol::{Atom, Functor, atoms, functors};
use crate::machine::state::Machine;
use crate::program::predicate::Kind;
use crate::store::cell::Cell;
use crate::store::heap::View;
use strsim::damerau_levenshtein;

/// So many predicates are named at most.
const NAMED: usize = 3;

/// What is wrong if this is the source of a goal that cannot be called, and is a variable.
pub(crate) fn variable_goal_hint(marked: &str) -> Option<String> {
    let is_name = marked.starts_with(|first: char| first.is_uppercase() || first == '_')
        && marked.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| {
        format!("{marked} is called as a goal, but has no value: goals before it must give it one")
    })
}

/// For an error term `error(existence_error(procedure, Indicator), _)` what may have been meant, as
/// the end of a sentence; none for other terms, and if nothing is like it.
pub(crate) fn hint_for(m: &mut Machine, ball: Cell) -> Option<String> {
    let Some((functors::ERROR, args)) = m.store.compound(ball) else {
        return None;
    };
    let (formal, args) = m.store.compound(m.store.arg(args, 0))?;
    let procedure = Cell::atom(atoms::PROCEDURE);
    if m.symbols.name(formal) != atoms::EXISTENCE_ERROR
        || formal.arity() != 2
        || m.store.arg(args, 0) != procedure
    {
        return None;
    }
    let (indicator, module) = m.strip_module(m.store.arg(args, 1), atoms::USER);
    let Some((functors::SLASH, parts)) = m.store.compound(indicator) else {
        return None;
    };
    match (
        m.store.view(m.store.arg(parts, 0)),
        m.store.view(m.store.arg(parts, 1)),
    ) {
        (View::Atom(name), View::Int(arity)) => meant(m, module, name, Some(arity)),
        _ => None,
    }
}

/// What may have been meant by a predicate that a goal of a module calls. Without `arity` only its name counts.
pub(super) fn meant(
    m: &mut Machine,
    module: Atom,
    name: Atom,
    arity: Option<i64>,
) -> Option<String> {
    let wanted = m.symbols.text(name).to_owned();
    if matches!((wanted.as_str(), arity), (":-" | "-->", Some(2))) {
        return Some(format!(
            "`{wanted}` is of clauses, which stand in files or are typed after [user]."
        ));
    }
    let known = known_predicates(m, module);
    if let Some(&declared) = known.iter().find(|functor| {
        let named = m.symbols.name(**functor) == name;
        named && Some(functor.arity() as i64) == arity
    }) && let Some(id) = m.predicates.find(module, declared)
        && m.predicates.get(id).traits.tabled
    {
        return Some("it is declared to be tabled, but has no clauses".to_owned());
    }
    let mut others: Vec<usize> = known
        .iter()
        .filter(|&&functor| m.symbols.name(functor) == name)
        .map(|functor| functor.arity())
        .gather();
    if !others.is_empty() {
        others.sort_unstable();
        others.dedup();
        let shown: Vec<String> = others
            .iter()
            .map(|other| indicator(&wanted, *other))
            .gather();
        let verb = if shown.len() == 1 { "is" } else { "are" };
        return Some(format!("there {verb} {}", list(&shown, "and")));
    }
    let most = match wanted.chars().count() {
        0..3 => return None,
        3..5 => 1,
        5..8 => 2,
        _ => 3,
    };
    let mut near: Vec<(usize, bool, String)> = known
        .into_iter()
        .filter_map(|functor| {
            let text = m.symbols.text(m.symbols.name(functor));
            if text.chars().count().abs_diff(wanted.chars().count()) > most {
                return None;
            }
            let distance = damerau_levenshtein(text, &wanted);
            let other_arity = arity.is_some_and(|arity| functor.arity() as i64 != arity);
            // Two slips at a time are too many for a short name.
            let most = if other_arity { (most - 1).min(1) } else { most };
            (distance <= most).then(|| (distance, other_arity, indicator(text, functor.arity())))
        })
        .collect();
    near.sort();
    near.dedup();
    let &(nearest, other_arity, _) = near.first()?;
    let best = near
        .into_iter()
        .take_while(|found| (found.0, found.1) == (nearest, other_arity))
        .map(|found| found.2)
        .take(NAMED);
    let best: Vec<String> = best.gather();
    Some(format!("did you mean {}?", list(&best, "or")))
}

/// The predicates that goals of `module` can call and that a user knows of.
/// The predicates that a goal of this module may call by their names, but for internal ones.
pub(crate) fn known_predicates(m: &mut Machine, module: Atom) -> Vec<Functor> {
    let mut known = exported_predicates(m);
    let own = m.predicates.iter().filter(|predicate| {
        let there = match predicate.kind {
            Kind::Undefined => false,
            Kind::Static | Kind::Dynamic => {
                predicate.traits.deferred || predicate.clauses.iter().next().is_some()
            }
            Kind::Builtin(_) | Kind::Control | Kind::Imported(_) => true,
        };
        there && [module, atoms::USER, atoms::SYSTEM].contains(&predicate.module)
    });
    known.extend(own.map(|predicate| predicate.functor));
    if module == atoms::LOLLI {
        // Clauses of modules are assumed.
        let about = definitions(m).into_keys();
        known.extend(about.map(|id| m.predicates.get(id).functor));
    }
    known.retain(|&functor| !m.symbols.text(m.symbols.name(functor)).starts_with('$'));
    known
}

fn indicator(name: &str, arity: usize) -> String {
    let plain = name.starts_with(|first: char| first.is_lowercase())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain {
        format!("{name}/{arity}")
    } else {
        format!("'{name}'/{arity}")
    }
}

/// `a`, `a or b`, `a, b or c`
fn list(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
