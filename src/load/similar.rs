//! What may have been meant by the name of a predicate that is not defined.

use super::elsewhere;
use super::lolli_origin::definitions;
use super::origin::definition;
use super::prelude::exported_predicates;
use crate::arith::evaluable::lookup;
use crate::base::grow::Gather;
use crate::base::symbol::{Atom, Functor, atoms};
use crate::machine::state::Machine;
use crate::program::predicate::Kind;
use strsim::damerau_levenshtein;

/// So many predicates are named at most.
const NAMED: usize = 3;

/// What may have been meant by a predicate.
pub(super) enum Meant {
    /// What is certain of it, in words.
    Told(String),
    /// Others with names that so many slips make of it, in words.
    Near(usize, String),
}

/// What may have been meant by a predicate that a goal of a module calls, in words. Without `arity` only its
/// name counts.
pub(super) fn meant(
    m: &mut Machine,
    module: Atom,
    name: Atom,
    arity: Option<i64>,
) -> Option<String> {
    match meant_by(m, module, name, arity)? {
        Meant::Told(hint) | Meant::Near(_, hint) => Some(hint),
    }
}

/// The same, with what kind of knowledge it is.
pub(super) fn meant_by(
    m: &mut Machine,
    module: Atom,
    name: Atom,
    arity: Option<i64>,
) -> Option<Meant> {
    let told = |hint: String| Some(Meant::Told(hint));
    let wanted = m.symbols.text(name).to_owned();
    if matches!((wanted.as_str(), arity), (":-" | "-->", Some(2))) {
        return told(format!(
            "`{wanted}` is of clauses, which stand in files or are typed after [user]."
        ));
    }
    if (wanted.as_str(), arity) == (":-", Some(1)) {
        return told("`:-` is of directives, which stand in files: type the goal alone".to_owned());
    }
    if let Some(arity) = arity
        && let Some(hint) = construct(&wanted, arity).or_else(|| expression(&wanted, arity))
    {
        return told(hint);
    }
    if m.modules.find(module).is_none() {
        return told(format!("there is no module {}", m.symbols.text(module)));
    }
    let known = known_predicates(m, module);
    if let Some(&declared) = known.iter().find(|functor| {
        let named = m.symbols.name(**functor) == name;
        named && Some(functor.arity() as i64) == arity
    }) && let Some(id) = m.predicates.find(module, declared)
        && m.predicates.get(id).traits.tabled
    {
        return told("it is declared to be tabled, but has no clauses".to_owned());
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
        let adds = ["assert", "asserta", "assertz"].contains(&wanted.as_str());
        let others = list(&shown, "and");
        return told(match adds {
            true => format!("there {verb} {others}; {RULE_AS_ARGUMENT}"),
            false => format!("there {verb} {others}"),
        });
    }
    if module != atoms::LOLLI
        && let Some(hint) = elsewhere::meant(&wanted, arity)
    {
        return told(hint);
    }
    near_names(m, &wanted, known, arity).map(|(slips, hint)| Meant::Near(slips, hint))
}

/// What is to be known of clauses that are asserted.
pub(super) const RULE_AS_ARGUMENT: &str =
    "a rule needs parentheses of its own, as in assertz((Head :- Body))";

/// What is wrong if what is built in, or a list, is called with more arguments than it has.
fn construct(name: &str, arity: i64) -> Option<String> {
    let hint = match (name, arity) {
        ("is" | "=" | "\\=" | "==" | "\\==" | "<" | ">" | "=<" | ">=" | "=:=" | "=\\=", 4) => {
            "in a grammar rule goals of Prolog stand in braces: { Goal }"
        }
        ("->" | "=>", 3..) => "a goal with parameters is written [X,Y]>>Goal",
        (".", 3..) => "a list is no goal",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// The predicate that gives a value which an expression asks for as if it were a function.
pub(super) fn as_predicate(m: &mut Machine, name: Atom, arity: usize) -> Option<String> {
    let functor = m.symbols.functor(name, arity + 1);
    let known = known_predicates(m, m.source_module).contains(&functor);
    let name = m.symbols.text(name);
    known.then(|| {
        let before = "Argument, ".repeat(arity);
        format!("call the predicate {name}({before}Value) before, and use Value")
    })
}

/// What is wrong if an expression is called as a goal.
fn expression(name: &str, arity: i64) -> Option<String> {
    let sign = !name.starts_with(|first: char| first.is_alphanumeric());
    let known = lookup(name, usize::try_from(arity).ok()?).is_some();
    (sign && known && arity == 2)
        .then(|| format!("`{name}` computes nothing as a goal: is a `,` too many before it?"))
}

/// The predicates with names that the fewest slips make of this one: how many, and in words.
fn near_names(
    m: &Machine,
    wanted: &str,
    known: Vec<Functor>,
    arity: Option<i64>,
) -> Option<(usize, String)> {
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
            let distance = damerau_levenshtein(text, wanted);
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
    Some((nearest, format!("did you mean {}?", list(&best, "or"))))
}

/// The predicates that a goal of this module may call by their names, but for internal ones.
pub(crate) fn known_predicates(m: &mut Machine, module: Atom) -> Vec<Functor> {
    let mut known = exported_predicates(m);
    let own = m.predicates.iter().filter(|predicate| {
        let there = match predicate.kind {
            Kind::Undefined => false,
            Kind::Static | Kind::Dynamic => {
                predicate.traits.deferred || predicate.clauses.iter().next().is_some()
            }
            Kind::Builtin(_) | Kind::Control => true,
            // The module may have lost what was imported from it.
            Kind::Imported(target) => {
                let found = m.predicates.get(definition(m, target));
                found.kind != Kind::Undefined
            }
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
pub(super) fn list(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
