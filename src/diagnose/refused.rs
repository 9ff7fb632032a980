//! Refused clauses: the reasons, and hints.

use super::messages::{formal_text, quoted};
use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::growth::Grow;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::builtins::database::clauses::{IMPORTED_PROCEDURE, modify_error};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::source::diagnostic::{Diagnostic, Severity};
use crate::source::loading::{line_of, loader, place_here, present_span};
use crate::source::report::report;
use crate::source::term_texts::term_text;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::resume::name_of_clause;

/// Maximum number of names of clauses with syntax errors that are kept for a file.
const MOST_NOTED: usize = 64;

/// Reports that the present clause is refused, with the reason given by the exception.
pub(crate) fn report_refused(m: &mut Machine, ball: Cell) -> Result<(), Stop> {
    let span = present_span(m);
    let loading = loader(m).stack.last();
    let typed = loading.is_some_and(|loading| loading.typed.is_some());
    let text = loading.map(|loading| loading.text.clone());
    let text = text.unwrap_or_default();
    let clause = text.get(span.start as usize..span.end as usize);
    let clause = clause.unwrap_or_default();
    let hint = match typed && is_answer(clause) {
        true => Some(ANSWER.to_owned()),
        false => hint(m, ball, clause),
    };
    let message = message(m, ball)?;
    if let Some(place) = place_here(m, span) {
        let mut diagnostic = Diagnostic::at(Severity::Error, place, message, hint);
        diagnostic.term = Some(quoted(m, ball)?);
        diagnostic.formal = formal_text(m, ball)?;
        report(m, diagnostic)?;
    }
    Ok(())
}

/// Records the name at the beginning of a clause with a syntax error. The clause begins at byte `start` of the
/// present text, or after the blanks there.
pub(crate) fn note(m: &mut Machine, text: &str, start: usize) -> Result<(), Stop> {
    let Some((start, name)) = name_of_clause(text, start) else {
        return Ok(());
    };
    let line = line_of(m, text, Span::new(start, start));
    let file = loader(m).stack.last().map(|loading| loading.file);
    if let Some(entry) = file.and_then(|file| m.world.files.get_mut(file))
        && entry.refused.len() < MOST_NOTED
    {
        entry.refused.put((name.into(), line))?;
    }
    Ok(())
}

/// Returns the reason why a clause is refused, from the exception.
fn message(m: &mut Machine, ball: Cell) -> Result<String, Stop> {
    if let Some((functors::ERROR, args)) = m.store.compound(ball) {
        let formal = m.store.arg(args, 0);
        if let Some((functors::PERMISSION_ERROR, parts)) = m.store.compound(formal) {
            let culprit = term_text(m, m.store.arg(parts, 2))?;
            if term_text(m, m.store.arg(parts, 1))? == IMPORTED_PROCEDURE {
                return Ok(format!(
                    "no permission to define the imported procedure {culprit}"
                ));
            }
            return Ok(format!(
                "no permission to modify the static procedure {culprit}"
            ));
        }
        let why = match m.store.compound(formal) {
            Some((functors::TYPE_ERROR, parts)) => {
                let expected = term_text(m, m.store.arg(parts, 0))?;
                let found = term_text(m, m.store.arg(parts, 1))?;
                format!("{found} is not {expected}")
            }
            None if formal == Cell::atom(atoms::INSTANTIATION_ERROR) => {
                "its head is an unbound variable".to_owned()
            }
            _ => term_text(m, formal)?,
        };
        return Ok(format!("this is not a clause: {why}"));
    }
    term_text(m, ball)
}

/// Returns the clause for an atom. The sign of a rule or directive without arguments is an error.
pub(crate) fn unless_sign(m: &mut Machine, name: Atom) -> Result<Cell, Throw> {
    let signs = [functors::DIRECTIVE, functors::QUERY, functors::DCG_ARROW];
    if signs.map(|sign| m.world.symbols.name(sign)).contains(&name) {
        let functor = m.world.symbols.functor_passing(name, 0)?;
        return Err(modify_error(m, functor));
    }
    Ok(Cell::atom(name))
}

/// Returns the hint for a clause that defines a control construct or a comparison. `text` is the clause.
fn hint(m: &Machine, ball: Cell, text: &str) -> Option<String> {
    let (_, args) = m.store.compound(ball)?;
    let (functor, parts) = m.store.compound(m.store.arg(args, 0))?;
    if functor != functors::PERMISSION_ERROR {
        return None;
    }
    let (_, indicator) = m.store.compound(m.store.arg(parts, 2))?;
    let View::Atom(name) = m.store.view(m.store.arg(indicator, 0)) else {
        return None;
    };
    let name = m.world.symbols.text(name);
    let hint = match name {
        "," | ";" if text.lines().skip(1).any(begins_clause) => {
            return Some(format!(
                "a clause ends with a `.`; perhaps its first line should end with `.` instead of `{name}`"
            ));
        }
        "," | ";" | ":" if text.contains(": -") => "write `:-` without a space inside",
        "," | ";" if text.contains(":-") => "a rule has one head; write a rule for each head",
        ":-" | "?-" => "write a goal after it",
        "=>" => {
            "rules `Head => Body` are not supported; write `Head :- !, Body`; to use `=>` as an ordinary name, declare `:- op(1200, xfx, =>).`"
        }
        "->" | "," | ";" | ":" | "-->" => "write a rule as `Head :- Body`",
        "=" | "is" | "==" | "=:=" => {
            "Prolog has no equations; make the value an argument, as in p(X, Value) :- Body"
        }
        _ if begins_with_module(text) => {
            "the `:` names a module; write a rule as `Head :- Body`, a directive as `:- Goal`"
        }
        "\\+" | "not" => "a clause states what is true; everything else is false",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Returns whether a clause begins with a name or a call, a `:` and a blank, as in `main: write(hello)`.
fn begins_with_module(text: &str) -> bool {
    let parts = text
        .split_once(':')
        .map(|(head, rest)| (head.trim_end(), rest));
    parts.is_some_and(|(head, rest)| {
        let is_part = |c: char| c.is_alphanumeric() || "_(),. ".contains(c);
        let apart = rest.starts_with(char::is_whitespace);
        apart && !head.is_empty() && head.chars().all(is_part)
    }) && !text.contains(":-")
}

/// The hint for tests that are typed as clauses.
const ANSWER: &str = "this is the answer of a test; write tests in a file and run `wamlet test`";

/// Returns whether the clause is the answer of a test, as written after its query: `true`, `false`,
/// or a variable and its value.
fn is_answer(clause: &str) -> bool {
    let clause = clause.trim_end_matches(|c: char| c == '.' || c.is_whitespace());
    let after = clause.trim_start_matches(|c: char| c == '_' || c.is_alphanumeric());
    let is_name = clause.starts_with(|first: char| first == '_' || first.is_uppercase());
    matches!(clause, "true" | "false") || is_name && after.trim_start().starts_with("= ")
}

/// Returns whether a line looks like the beginning of a clause.
fn begins_clause(line: &str) -> bool {
    line.starts_with(|first: char| first.is_lowercase())
}
