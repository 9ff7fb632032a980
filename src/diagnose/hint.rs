//! Hints for exceptions: the probable intention of the goal that raised one.

use super::rules::undefined::is_made_at_run_time;
use super::similar::{Meant, RULE_AS_ARGUMENT, list, meant_by};
use crate::base::atom_table::{Atom, Functor, Symbols, atoms, functors};
use crate::base::growth::{Bounded, Gather};
use crate::base::stop::Stop;
use crate::library::absent::replacement_of;
use crate::library::prelude::LIBRARIES;
use crate::machine::state::Machine;
use crate::program::predicate::Kind;
use crate::source::term_texts::{indicator_text, term_text, text_of};
use crate::store::cell::{Cell, WORD};
use crate::store::heap::{View, deref};
use crate::store::raw;
use crate::text::write_atom::push_quoted;
use strsim::damerau_levenshtein;

/// Maximum length of a text that is taken for a typed name.
const LONGEST_NAME: usize = 200;
/// The hint if a query calls an unknown predicate and nothing is loaded.
const NO_PROGRAM: &str = "no program is loaded: ['name.pl']. loads the file name.pl, and [user]. reads clauses that you type";
/// Predicates that write their last argument to the stream in the argument before it.
const WRITING_TO: [&str; 5] = [
    "print/2",
    "write/2",
    "write_canonical/2",
    "writeln/2",
    "writeq/2",
];
/// The hint for a goal with effects that several threads search.
const EFFECTS: &str = "effects are output, changes of clauses, flags and global variables, random numbers, and calls of tabled predicates";
/// The hint for the name and arity of a predicate in place of a list.
const DECLARATION: &str = "a declaration of several predicates is `:- dynamic a/1, b/1.`";
/// Minimum number of equal frames that a hint takes for an infinite recursion.
const ENDLESS: u32 = 10_000;
/// The types and objects in errors where a name is expected.
const NAMED_BY: [&str; 6] = [
    "atom",
    "atomic",
    "callable",
    "source_sink",
    "text",
    "predicate_indicator",
];

/// Returns the hint for a goal that cannot be called, if its source is a variable.
pub(crate) fn variable_goal_hint(marked: &str) -> Option<String> {
    let is_name = marked.starts_with(|first: char| first.is_uppercase() || first == '_')
        && marked.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| {
        format!(
            "{marked} is called as a goal but has no value; bind it with a goal before this one"
        )
    })
}

/// Returns the hint for an arithmetic goal with a variable without a value. The goal is shown as `marked`. If the program
/// imports the constraint in place of the goal, the hint names the constraint too.
pub(crate) fn unbound_hint(m: &Machine, goal: Functor, marked: &str) -> Option<String> {
    let hint = unbound_variables(marked)?;
    let constraint = match m.world.symbols.name_text(goal) {
        "is" | "=:=" => "#=",
        "=\\=" => "#\\=",
        "<" => "#<",
        ">" => "#>",
        "=<" => "#=<",
        ">=" => "#>=",
        _ => return Some(hint),
    };
    let symbols = &m.world.symbols;
    let functor = symbols
        .find(constraint)
        .and_then(|name| symbols.find_functor(name, 2));
    let imported = functor.and_then(|functor| m.world.predicates.find(atoms::USER, functor));
    Some(match imported {
        Some(_) => format!("{hint}, or write `{constraint}`, which needs no values"),
        None => hint,
    })
}

/// Returns a hint that names the variables of an arithmetic goal, which is shown as `marked`, if there are one or two.
fn unbound_variables(marked: &str) -> Option<String> {
    // The left side of `is` needs no value.
    let marked = marked.split_once(" is ").map_or(marked, |(_, right)| right);
    if marked.contains(['"', '\'', '`', '%']) {
        return None;
    }
    let words = marked.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let mut names: Vec<&str> = Vec::new();
    for word in words {
        let is_name = word.starts_with(|first: char| first.is_uppercase() || first == '_');
        if is_name && !names.contains(&word) {
            names.put_bounded(word);
        }
    }
    match names[..] {
        [name] => Some(format!(
            "{name} has no value yet: a goal before this one must give it one"
        )),
        [first, second] => Some(format!(
            "{first} or {second} has no value yet: goals before this one must give them values"
        )),
        _ => None,
    }
}

/// Returns the hint for an exception; none if its kind is unknown.
pub(crate) fn hint_for(m: &mut Machine, ball: Cell) -> Result<Option<String>, Stop> {
    if let Some(unknown) = Unknown::of(m, ball, None)? {
        return unknown.hint(m);
    }
    if matches!(m.store.view(ball), View::List(_)) {
        return quotes_hint(m, ball);
    }
    let Some((functors::ERROR, error)) = m.store.compound(ball) else {
        return Ok(None);
    };
    let Some((formal, args)) = m.store.compound(m.store.arg(error, 0)) else {
        return Ok(None);
    };
    let first = m.store.arg(args, 0);
    if formal.arity() == 2
        && let Some(hint) = string_hint(m, &term_text(m, first)?, m.store.arg(args, 1))?
    {
        return Ok(Some(hint));
    }
    if formal.arity() == 2
        && NAMED_BY.contains(&term_text(m, first)?.as_str())
        && let Some(hint) = quotes_hint(m, m.store.arg(args, 1))?
    {
        return Ok(Some(hint));
    }
    match (m.world.symbols.name_text(formal), formal.arity()) {
        ("existence_error", 2) if first == Cell::atom(atoms::PROCEDURE) => {
            module_hint(m, m.store.arg(args, 1))
        }
        ("existence_error" | "domain_error", 2)
            if ["stream", "stream_or_alias"].contains(&term_text(m, first)?.as_str()) =>
        {
            stream_hint(m, m.store.arg(error, 1))
        }
        ("type_error", 2) if term_text(m, first)? == "list" => {
            let culprit = m.store.compound(m.store.arg(args, 1));
            let indicator = culprit.is_some_and(|(functor, _)| functor == functors::SLASH);
            Ok(indicator.then(|| DECLARATION.to_owned()))
        }
        ("existence_error", 2) => library_hint(m, m.store.arg(args, 1)),
        ("format_argument_type", 2) => {
            let hint = quotes_hint(m, m.store.arg(args, 1))?;
            Ok(hint.map(|hint| format!("{hint}; to write a list of characters use `~s`")))
        }
        ("type_error", 2)
            if term_text(m, first)? == "evaluable"
                && term_text(m, m.store.arg(args, 1))? == "'.'/2" =>
        {
            Ok(Some(
                "a list has a value only if it has one element".to_owned(),
            ))
        }
        ("type_error", 2) if term_text(m, first)? == "predicate_indicator" => {
            let Some(functor) = functor_of(m, m.store.arg(args, 1))? else {
                return Ok(None);
            };
            let name = indicator_text(m, functor)?;
            Ok(Some(format!(
                "name a predicate with its number of arguments, as in {name}"
            )))
        }
        ("permission_error", 3) if term_text(m, m.store.arg(args, 1))? == "effect" => {
            Ok(Some(EFFECTS.to_owned()))
        }
        ("permission_error", 3) if term_text(m, m.store.arg(args, 1))? == "static_procedure" => {
            static_hint(m, m.store.arg(args, 2))
        }
        ("uninstantiation_error", 1) => {
            let place = place_in(m, m.store.arg(error, 1))?;
            let asserts = ["assert/2", "asserta/2", "assertz/2"].contains(&place.as_str());
            Ok(asserts.then(|| RULE_AS_ARGUMENT.to_owned()))
        }
        _ => Ok(None),
    }
}

/// Returns the name and arity of the predicate in the context of an exception, or an empty text.
fn place_in(m: &mut Machine, context: Cell) -> Result<String, Stop> {
    let Some((_, context)) = m.store.compound(context) else {
        return Ok(String::new());
    };
    let (place, _) = m.strip_module(m.store.arg(context, 0), atoms::SYSTEM);
    term_text(m, place)
}

/// Returns the hint for a value in place of a stream.
fn stream_hint(m: &mut Machine, context: Cell) -> Result<Option<String>, Stop> {
    let place = place_in(m, context)?;
    if place.starts_with("format/") {
        return Ok(Some(
            "the first of three arguments is a stream; put the values for format/2 into a list"
                .to_owned(),
        ));
    }
    let place = WRITING_TO.iter().find(|&&known| known == place);
    Ok(place.map(|place| {
        format!("the first argument of {place} is a stream; to write two values call format/2")
    }))
}

/// Returns the hint for a recursion that has used up the memory, from the predicate of a clause that waits and its
/// number of equal frames.
pub(crate) fn endless_hint(predicate: &str, times: u32) -> Option<String> {
    (times >= ENDLESS).then(|| {
        format!(
            "{predicate} may call itself without an end: a clause or a test before this call must end it"
        )
    })
}

/// An undefined predicate that an exception names: the data for its hint, which is made on demand.
pub(crate) struct Unknown {
    module: String,
    name: String,
    arity: usize,
    /// Whether a query calls the predicate directly.
    queried: bool,
}

impl Unknown {
    /// Returns the name and arity of the predicate.
    pub(crate) fn functor(&self, symbols: &Symbols) -> Option<Functor> {
        symbols.find_functor(symbols.find(&self.name)?, self.arity)
    }
}

impl Unknown {
    /// Returns the undefined predicate of an exception that a query for `goal` has raised; none for other
    /// exceptions.
    pub(crate) fn of(
        m: &mut Machine,
        ball: Cell,
        goal: Option<Cell>,
    ) -> Result<Option<Unknown>, Stop> {
        let Some((module, name, arity)) = unknown_procedure(m, ball) else {
            return Ok(None);
        };
        let functor = m.world.symbols.functor_passing(name, arity)?;
        let text = |atom| {
            let text = m.world.symbols.text(atom);
            (text.len() <= LONGEST_NAME).then(|| text.to_owned())
        };
        let (Some(of), Some(name)) = (text(module), text(m.world.symbols.name(functor))) else {
            return Ok(None);
        };
        let queried = goal.is_some_and(|goal| {
            let (goal, of) = m.strip_module(goal, atoms::USER);
            let called = m.store.compound(goal).map(|(functor, _)| functor);
            (of, called) == (module, Some(functor))
        });
        Ok(Some(Unknown {
            module: of,
            name,
            arity: functor.arity(),
            queried,
        }))
    }

    /// Returns the hint. The search covers all predicates.
    pub(crate) fn hint(&self, m: &mut Machine) -> Result<Option<String>, Stop> {
        let module = m.world.symbols.intern_passing(&self.module)?;
        let name = m.world.symbols.intern_passing(&self.name)?;
        let found = meant_by(m, module, name, Some(self.arity as i64))?;
        if !matches!(found, Some(Meant::Told(_)))
            && let Some(functor) = m.world.symbols.find_functor(name, self.arity)
            && is_made_at_run_time(m, functor)?
        {
            let name = indicator_text(m, functor)?;
            return Ok(Some(format!(
                "no clause has been added yet; declare `:- dynamic {name}.`: then a call without clauses fails"
            )));
        }
        if !self.queried {
            return Ok(found.map(Meant::words));
        }
        let plain = self.name.starts_with(|first: char| first.is_alphabetic());
        let (slips, near) = match found {
            Some(Meant::Near(slips, hint)) => (slips, Some(hint)),
            None if module == atoms::USER && plain => (usize::MAX, None),
            Some(Meant::Told(hint)) => return Ok(Some(hint)),
            None => return Ok(None),
        };
        if slips > 1 && !has_program(m) {
            return Ok(Some(NO_PROGRAM.to_owned()));
        }
        Ok(near)
    }
}

/// Returns whether a file was loaded, with or without success, or the user has a clause.
fn has_program(m: &Machine) -> bool {
    let is_users = |module| !m.is_system_module(module);
    let mut files = m.world.files.iter();
    files.any(|(_, file)| file.context.is_some_and(is_users))
        || m.world.predicates.iter().any(|predicate| {
            predicate.module == atoms::USER
                && matches!(predicate.kind, Kind::Static | Kind::Dynamic)
                && predicate.clauses.iter().next().is_some()
        })
}

/// Returns the module without a definition, the name and the arity of the undefined predicate of such an
/// exception.
fn unknown_procedure(m: &Machine, ball: Cell) -> Option<(Atom, Atom, usize)> {
    let (functors::ERROR, error) = m.store.compound(ball)? else {
        return None;
    };
    let (formal, args) = m.store.compound(m.store.arg(error, 0))?;
    let known = m.world.symbols.name(formal) == atoms::EXISTENCE_ERROR && formal.arity() == 2;
    if !known || m.store.arg(args, 0) != Cell::atom(atoms::PROCEDURE) {
        return None;
    }
    let (indicator, module) = m.strip_module(m.store.arg(args, 1), atoms::USER);
    let (functors::SLASH, parts) = m.store.compound(indicator)? else {
        return None;
    };
    match (
        m.store.view(m.store.arg(parts, 0)),
        m.store.view(m.store.arg(parts, 1)),
    ) {
        (View::Atom(name), View::Int(arity)) => Some((module, name, usize::try_from(arity).ok()?)),
        _ => None,
    }
}

/// Returns the hint for a list of codes or characters in place of an atom.
fn quotes_hint(m: &Machine, culprit: Cell) -> Result<Option<String>, Stop> {
    let Some(text) = name_of_letters(m, culprit) else {
        return Ok(None);
    };
    let mut name = String::new();
    push_quoted(&mut name, &text, '\'', true)?;
    let hint = format!("this is a list of characters; write {name} for an atom");
    Ok(Some(hint))
}

/// Returns the text of a list of codes or characters, if it may be meant as a name.
fn name_of_letters(m: &Machine, culprit: Cell) -> Option<String> {
    let (mut text, mut rest) = (String::new(), culprit);
    while let View::List(pair) = m.store.view(rest) {
        let letter = match m.store.view(deref(raw::cell(pair))) {
            View::Int(code) => char::from_u32(u32::try_from(code).ok()?)?,
            View::Atom(name) => {
                let mut letters = m.world.symbols.text(name).chars();
                letters.next().filter(|_| letters.next().is_none())?
            }
            _ => return None,
        };
        if letter.is_control() || text.len() >= LONGEST_NAME {
            return None;
        }
        text.put_bounded(letter);
        rest = raw::cell(pair + WORD);
    }
    let of_letters = rest == Cell::atom(atoms::NIL)
        && text.starts_with(|first: char| first.is_alphanumeric() || "./_~".contains(first));
    of_letters.then_some(text)
}

/// Returns the hint for a string where a value of type `expected` is expected.
fn string_hint(m: &Machine, expected: &str, culprit: Cell) -> Result<Option<String>, Stop> {
    let View::String(addr) = m.store.view(culprit) else {
        return Ok(None);
    };
    let text = m.store.text(addr);
    if text.len() > LONGEST_NAME || text.contains(char::is_control) {
        return Ok(None);
    }
    let written = |quote: char| -> Result<String, Stop> {
        let mut written = String::new();
        push_quoted(&mut written, text, quote, true)?;
        Ok(written)
    };
    let (string, atom, codes) = (written('"')?, written('\'')?, written('`')?);
    Ok(match expected {
        "list" => Some(format!(
            "{string} is a string here; write {codes} for a list of codes, {atom} for an atom"
        )),
        "atom" | "callable" | "character" | "predicate_indicator" => Some(format!(
            "{string} is a string here; write {atom} for an atom"
        )),
        "evaluable" if text.trim().parse::<f64>().is_ok() => {
            Some("number_string/2 converts a string to a number".to_owned())
        }
        "evaluable" => Some(
            "only a string of one character has a value; string_concat/3 joins texts".to_owned(),
        ),
        _ => None,
    })
}

/// Returns the declaration that lets a program change its predicate.
fn static_hint(m: &mut Machine, culprit: Cell) -> Result<Option<String>, Stop> {
    let (indicator, module) = m.strip_module(culprit, atoms::USER);
    let Some((functors::SLASH, parts)) = m.store.compound(indicator) else {
        return Ok(None);
    };
    let (name, arity) = (m.store.arg(parts, 0), m.store.arg(parts, 1));
    let (View::Atom(name), View::Int(arity)) = (m.store.view(name), m.store.view(arity)) else {
        return Ok(None);
    };
    let functor = m.world.symbols.functor_passing(name, arity as usize)?;
    let found = m.world.predicates.find(module, functor);
    let changeable = found.is_some_and(|id| {
        let predicate = m.world.predicates.get(id);
        predicate.kind == Kind::Static && !m.is_system_module(predicate.module)
    });
    if !changeable {
        return Ok(None);
    }
    let name = indicator_text(m, functor)?;
    Ok(Some(format!(
        "write `:- dynamic {name}.` before its clauses: then programs can change it"
    )))
}

/// Returns the hint for the name of a module in place of the name of a predicate.
fn module_hint(m: &Machine, culprit: Cell) -> Result<Option<String>, Stop> {
    let View::Atom(name) = m.store.view(culprit) else {
        return Ok(None);
    };
    if m.world.modules.find(name).is_none() {
        return Ok(None);
    }
    let name = term_text(m, culprit)?;
    Ok(Some(format!(
        "{name} is a module; list its predicates with listing({name}:_)"
    )))
}

/// Returns the libraries with names similar to the one that does not exist.
fn library_hint(m: &Machine, source: Cell) -> Result<Option<String>, Stop> {
    let Some((functor, args)) = m.store.compound(source) else {
        return Ok(None);
    };
    if functor.arity() != 1 || m.world.symbols.name_text(functor) != "library" {
        return Ok(None);
    }
    let Some(wanted) = text_of(m, m.store.arg(args, 0))? else {
        return Ok(None);
    };
    let wanted = wanted.as_str();
    if let Some(instead) = replacement_of(wanted) {
        return Ok(Some(format!(
            "Wamlet has no library({wanted}); instead: {instead}"
        )));
    }
    let mut near: Vec<(usize, String)> = LIBRARIES
        .iter()
        .map(|(name, _)| {
            (
                damerau_levenshtein(name, wanted),
                format!("library({name})"),
            )
        })
        .filter(|&(slips, _)| slips <= 2 && 2 * slips <= wanted.len())
        .gather()?;
    near.sort();
    let Some(&(least, _)) = near.first() else {
        return Ok(None);
    };
    let best: Vec<String> = near
        .into_iter()
        .take_while(|(slips, _)| *slips == least)
        .map(|(_, name)| name)
        .gather()?;
    Ok(Some(format!("did you mean {}?", list(&best, "or")?)))
}

/// Returns the predicate of an atom or a compound term.
fn functor_of(m: &mut Machine, term: Cell) -> Result<Option<Functor>, Stop> {
    Ok(match m.store.view(term) {
        // The intended arity is unknown; 1 is an example.
        View::Atom(name) => Some(m.world.symbols.functor_passing(name, 1)?),
        _ => m.store.compound(term).map(|(functor, _)| functor),
    })
}
