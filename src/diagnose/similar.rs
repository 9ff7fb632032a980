//! Hints for the name of an undefined predicate.

use super::origin::definition;
use super::other_systems;
use crate::arith::evaluable::lookup;
use crate::base::atom_table::{Atom, Functor, atoms};
use crate::base::growth::{Gather, Grow, filled, joined, joined_by, text_of};
use crate::base::stop::Stop;
use crate::library::prelude::{exported_predicates, library_to_import};
use crate::machine::state::Machine;
use crate::program::predicate::{Kind, PredId};
use crate::source::language::definitions;
use crate::text::syntax_hints::word_hint;
use strsim::damerau_levenshtein;

/// Maximum number of predicates that a hint names.
const NAMED: usize = 3;

/// Number of characters from which on a name may differ in its first character from a similar one.
const SHORT_NAME: usize = 5;

/// The probable intention behind a predicate.
pub(super) enum Meant {
    /// A hint that is certain, in words.
    Told(String),
    /// Predicates with similar names: the number of slips between the names, and the hint in words.
    Near(usize, String),
}

impl Meant {
    /// Returns the hint in words.
    pub(super) fn words(self) -> String {
        match self {
            Meant::Told(hint) | Meant::Near(_, hint) => hint,
        }
    }
}

/// Returns the hint for a predicate that a goal of a module calls, in words. Without `arity` only its name
/// counts.
pub(crate) fn meant(
    m: &mut Machine,
    module: Atom,
    name: Atom,
    arity: Option<i64>,
) -> Result<Option<String>, Stop> {
    Ok(meant_by(m, module, name, arity)?.map(Meant::words))
}

/// Returns the hint for a predicate, with its kind.
pub(super) fn meant_by(
    m: &mut Machine,
    module: Atom,
    name: Atom,
    arity: Option<i64>,
) -> Result<Option<Meant>, Stop> {
    let hinted = |hint: String| Ok(Some(Meant::Told(hint)));
    let wanted = text_of(m.world.symbols.text(name))?;
    if matches!((wanted.as_str(), arity), (":-" | "-->", Some(2))) {
        return hinted(format!(
            "`{wanted}` is for clauses; write clauses in a file or after [user]."
        ));
    }
    if (wanted.as_str(), arity) == (":-", Some(1)) {
        return hinted("`:-` is for directives in files; type the goal alone".to_owned());
    }
    if let Some(arity) = arity
        && let Some(hint) = construct(&wanted, arity).or_else(|| expression(&wanted, arity))
    {
        return hinted(hint);
    }
    if m.world.modules.find(module).is_none() {
        let module = m.world.symbols.text(module);
        return hinted(format!("there is no module {module}"));
    }
    let kept: Vec<PredId> = match module == atoms::LOLLI {
        true => Vec::new(),
        false => predicates_of_modules(m, module)?,
    };
    let functor = |m: &Machine, id: PredId| m.world.predicates.get(id).functor;
    let named = |m: &Machine, id: PredId| m.world.symbols.name(functor(m, id)) == name;
    let asked =
        |m: &Machine, id: PredId| named(m, id) && Some(functor(m, id).arity() as i64) == arity;
    let same = kept.iter().filter(|&&id| asked(m, id)).copied().gather()?;
    if !same.is_empty() {
        return hinted(module_predicates_text(m, &same)?);
    }
    let known = known_predicates(m, module)?;
    if let Some(&declared) = known.iter().find(|functor| {
        let named = m.world.symbols.name(**functor) == name;
        named && Some(functor.arity() as i64) == arity
    }) && let Some(id) = m.world.predicates.find(module, declared)
        && m.world.predicates.get(id).traits.tabled
    {
        let what = ["tabled", "determinate"][usize::from(m.world.predicates.get(id).traits.det)];
        return hinted(format!("it is declared as {what} but has no clauses"));
    }
    if module != atoms::LOLLI
        && let Some(arity) = arity.and_then(|arity| usize::try_from(arity).ok())
        && let Some(functor) = m.world.symbols.find_functor(name, arity)
        && let Some(library) = library_to_import(m, functor)
    {
        return hinted(format!(
            "it is in library({library}); load the library first: `:- use_module(library({library})).`"
        ));
    }
    if let Some(hint) = of_other_arity(m, &known, name, arity)? {
        return hinted(hint);
    }
    let same = kept.iter().filter(|&&id| named(m, id)).copied().gather()?;
    if !same.is_empty() {
        return hinted(module_predicates_text(m, &same)?);
    }
    if let Some(hint) = refused_clauses_hint(m, &wanted) {
        return hinted(hint);
    }
    if module != atoms::LOLLI
        && let Some(hint) = other_systems::meant(&wanted, arity).or_else(|| statement(&wanted))
    {
        return hinted(hint);
    }
    let known = known.into_iter().map(|functor| (None, functor));
    let kept = kept.into_iter().map(|id| {
        let predicate = m.world.predicates.get(id);
        (Some(predicate.module), predicate.functor)
    });
    let candidates = known.chain(kept).gather()?;
    Ok(near_names(m, &wanted, candidates, arity)?.map(|(slips, hint)| Meant::Near(slips, hint)))
}

/// Returns the hint that predicates of this name with other arities exist, in words.
fn of_other_arity(
    m: &Machine,
    known: &[Functor],
    name: Atom,
    arity: Option<i64>,
) -> Result<Option<String>, Stop> {
    let wanted = m.world.symbols.text(name);
    let named = known
        .iter()
        .filter(|&&functor| m.world.symbols.name(functor) == name);
    let mut others: Vec<usize> = named.map(|functor| functor.arity()).gather()?;
    if others.is_empty() {
        return Ok(None);
    }
    others.sort_unstable();
    others.dedup();
    let shown = others.iter().map(|other| indicator(wanted, *other));
    let shown: Vec<String> = shown.gather()?;
    let verb = if shown.len() == 1 { "is" } else { "are" };
    let adds = ["assert", "asserta", "assertz"].contains(&wanted);
    // A grammar rule adds two arguments to its goals.
    let in_braces = matches!(others[..], [other] if arity == Some(other as i64 + 2));
    let others = list(&shown, "and")?;
    Ok(Some(match adds {
        false if in_braces => {
            format!("there {verb} {others}; in a grammar rule put Prolog goals in braces")
        }
        true => format!("there {verb} {others}; {RULE_AS_ARGUMENT}"),
        false => format!("there {verb} {others}"),
    }))
}

/// Returns the hint that clauses beginning with this name have errors, in words.
fn refused_clauses_hint(m: &Machine, name: &str) -> Option<String> {
    let mut places = m.world.files.iter().flat_map(|(_, file)| {
        let lines = file.refused.iter();
        let lines = lines.filter(|(refused, _)| **refused == *name);
        lines.map(|(_, line)| format!("{}:{line}", file.name))
    });
    let first = places.next()?;
    let whose = match places.next() {
        None => "a clause that begins with it has",
        Some(_) => "clauses that begin with it have",
    };
    Some(format!("{whose} a syntax error ({first})"))
}

/// Returns the hint for a statement of another language that is called as a goal.
fn statement(name: &str) -> Option<String> {
    let known = ["return", "while"].contains(&name);
    known.then(|| word_hint(name)).flatten()
}

/// Returns the predicates that the program's modules define, without those of `module`, those of `user`,
/// and internal ones.
fn predicates_of_modules(m: &Machine, module: Atom) -> Result<Vec<PredId>, Stop> {
    let all = m.world.predicates.ids();
    all.filter(|&id| {
        let predicate = m.world.predicates.get(id);
        let text = m.world.symbols.name_text(predicate.functor);
        ![module, atoms::USER, atoms::SYSTEM, atoms::LOLLI].contains(&predicate.module)
            && matches!(predicate.kind, Kind::Static | Kind::Dynamic)
            && predicate.clauses.iter().next().is_some()
            && !m.is_system_module(predicate.module)
            && !text.starts_with('$')
    })
    .gather()
}

/// Returns the predicates of this name that modules of the program other than `user` define.
pub(crate) fn in_modules(
    m: &Machine,
    name: Atom,
    arity: Option<usize>,
) -> Result<Vec<PredId>, Stop> {
    let mut found = predicates_of_modules(m, atoms::USER)?;
    found.retain(|&id| {
        let functor = m.world.predicates.get(id).functor;
        m.world.symbols.name(functor) == name && arity.is_none_or(|arity| functor.arity() == arity)
    });
    Ok(found)
}

/// Returns the hint that modules have these predicates, in words.
fn module_predicates_text(m: &Machine, kept: &[PredId]) -> Result<String, Stop> {
    let shown = |&id: &PredId| {
        let predicate = m.world.predicates.get(id);
        let name = m.world.symbols.name_text(predicate.functor);
        let name = qualified(m, Some(predicate.module), name, predicate.functor.arity());
        let module = m.world.modules.find(predicate.module);
        match module.is_some_and(|module| module.exports.contains(&predicate.functor)) {
            true => format!("{name}, which is not imported"),
            false => format!("{name}, which is not exported"),
        }
    };
    let names: Vec<String> = kept.iter().take(NAMED).map(shown).gather()?;
    Ok(format!("there is {}", list(&names, "and")?))
}

/// The hint for clauses that are asserted.
pub(super) const RULE_AS_ARGUMENT: &str =
    "a call adds one clause; put parentheses around a rule, as in assertz((Head :- Body))";

/// Returns the hint for a builtin or a list that is called with too many arguments.
fn construct(name: &str, arity: i64) -> Option<String> {
    let hint = match (name, arity) {
        ("is" | "=" | "\\=" | "==" | "\\==" | "<" | ">" | "=<" | ">=" | "=:=" | "=\\=", 4) => {
            "in a grammar rule put Prolog goals in braces: { Goal }"
        }
        ("->" | "=>", 3..) => "write a lambda as [X,Y]>>Goal",
        (".", 3..) => "a list is not a goal",
        (":=", 2) => "a variable keeps its value; write `New is Expression`",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Returns the hint to call a predicate for a value that an expression requests as if it came from
/// a function.
pub(super) fn as_predicate(
    m: &mut Machine,
    name: Atom,
    arity: usize,
) -> Result<Option<String>, Stop> {
    let functor = m.world.symbols.functor_passing(name, arity + 1)?;
    let known = known_predicates(m, m.world.source_module)?.contains(&functor);
    let name = m.world.symbols.text(name);
    if !known {
        return Ok(None);
    }
    let before = joined(&filled("Argument, ", arity)?)?;
    Ok(Some(format!(
        "call the predicate {name}({before}Value) first, and use Value"
    )))
}

/// Returns the hint for an expression that is called as a goal.
fn expression(name: &str, arity: i64) -> Option<String> {
    let sign = !name.starts_with(|first: char| first.is_alphanumeric());
    let known = lookup(name, usize::try_from(arity).ok()?).is_some();
    (sign && known && arity == 2)
        .then(|| format!("`{name}` computes nothing as a goal; write `Value is Expression`, or remove an extra `,` before it"))
}

/// Returns the predicates with the most similar names: the number of slips, and the hint in words.
fn near_names(
    m: &Machine,
    wanted: &str,
    known: Vec<(Option<Atom>, Functor)>,
    arity: Option<i64>,
) -> Result<Option<(usize, String)>, Stop> {
    let most = match wanted.chars().count() {
        0..3 => return Ok(None),
        3..6 => 1,
        6..9 => 2,
        _ => 3,
    };
    // A short name with another first letter is another word.
    let short = wanted.chars().count() < SHORT_NAME;
    let mut near: Vec<(usize, bool, String)> = known
        .into_iter()
        .filter_map(|(module, functor)| {
            let text = m.world.symbols.name_text(functor);
            if text.chars().count().abs_diff(wanted.chars().count()) > most {
                return None;
            }
            let transposed = text.chars().nth(1) == wanted.chars().next();
            if short && !transposed && text.chars().next() != wanted.chars().next() {
                return None;
            }
            let distance = damerau_levenshtein(text, wanted);
            let other_arity = arity.is_some_and(|arity| functor.arity() as i64 != arity);
            // Two slips at once are too many for a short name.
            let most = if other_arity { (most - 1).min(1) } else { most };
            let shown = || qualified(m, module, text, functor.arity());
            (distance <= most).then(|| (distance, other_arity, shown()))
        })
        .gather()?;
    near.sort();
    near.dedup();
    let Some(&(nearest, other_arity, _)) = near.first() else {
        return Ok(None);
    };
    let best = near
        .into_iter()
        .take_while(|found| (found.0, found.1) == (nearest, other_arity))
        .map(|found| found.2)
        .take(NAMED);
    let best: Vec<String> = best.gather()?;
    Ok(Some((
        nearest,
        format!("did you mean {}?", list(&best, "or")?),
    )))
}

/// Returns the predicates that a goal of this module may call by their names, without internal
/// ones.
pub(crate) fn known_predicates(m: &mut Machine, module: Atom) -> Result<Vec<Functor>, Stop> {
    let mut known = exported_predicates(m);
    let own = m.world.predicates.iter().filter(|predicate| {
        let there = match predicate.kind {
            Kind::Undefined => false,
            Kind::Static | Kind::Dynamic => {
                predicate.traits.deferred || predicate.clauses.iter().next().is_some()
            }
            Kind::Builtin(_) | Kind::Control => true,
            // The import may refer to a predicate that its module has lost.
            Kind::Imported(target) => {
                let found = m.world.predicates.get(definition(m, target));
                found.kind != Kind::Undefined
            }
        };
        there && [module, atoms::USER, atoms::SYSTEM].contains(&predicate.module)
    });
    known.put_all(own.map(|predicate| predicate.functor))?;
    let assumed = m.run.contexts.predicates().filter(|&id| m.is_assumed(id));
    let assumed = assumed.map(|id| m.world.predicates.get(id));
    let assumed = assumed.filter(|predicate| [module, atoms::USER].contains(&predicate.module));
    known.put_all(assumed.map(|predicate| predicate.functor))?;
    if module == atoms::LOLLI {
        // Clauses of modules are assumed.
        let about = definitions(m)?.into_keys();
        known.put_all(about.map(|id| m.world.predicates.get(id).functor))?;
    }
    known.retain(|&functor| !m.world.symbols.name_text(functor).starts_with('$'));
    Ok(known)
}

fn indicator(name: &str, arity: usize) -> String {
    format!("{}/{arity}", quoted(name))
}

/// Returns `Module:Name/Arity`, or `Name/Arity` if there is no module.
fn qualified(m: &Machine, module: Option<Atom>, name: &str, arity: usize) -> String {
    let name = indicator(name, arity);
    match module {
        Some(module) => format!("{}:{name}", quoted(m.world.symbols.text(module))),
        None => name,
    }
}

fn quoted(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_lowercase())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match plain {
        true => name.to_owned(),
        false => format!("'{name}'"),
    }
}

/// Returns `a`, `a or b`, or `a, b or c`.
pub(super) fn list(parts: &[String], word: &str) -> Result<String, Stop> {
    Ok(match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", joined_by(first, ", ")?),
    })
}
