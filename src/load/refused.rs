//! Clauses that are refused: why, and what was probably meant.

use super::consult::shown;
use crate::base::symbol::{atoms, functors};
use crate::builtins::clauses::IMPORTED_PROCEDURE;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Why a clause is refused, by the exception.
pub(super) fn message(m: &mut Machine, ball: Cell) -> String {
    if let Some((functors::ERROR, args)) = m.store.compound(ball) {
        let formal = m.store.arg(args, 0);
        if let Some((functors::PERMISSION_ERROR, parts)) = m.store.compound(formal) {
            let culprit = shown(m, m.store.arg(parts, 2));
            if shown(m, m.store.arg(parts, 1)) == IMPORTED_PROCEDURE {
                return format!("no permission to define the imported procedure {culprit}");
            }
            return format!("no permission to modify the static procedure {culprit}");
        }
        let why = match m.store.compound(formal) {
            Some((functors::TYPE_ERROR, parts)) => {
                let expected = shown(m, m.store.arg(parts, 0));
                let found = shown(m, m.store.arg(parts, 1));
                format!("{found} is not {expected}")
            }
            None if formal == Cell::atom(atoms::INSTANTIATION_ERROR) => {
                "its head is an unbound variable".to_owned()
            }
            _ => shown(m, formal),
        };
        return format!("this is no clause: {why}");
    }
    shown(m, ball)
}

/// What was meant by a clause of a control construct or of a predicate that compares. `text` is the clause.
pub(super) fn hint(m: &Machine, ball: Cell, text: &str) -> Option<String> {
    let (_, args) = m.store.compound(ball)?;
    let (functor, parts) = m.store.compound(m.store.arg(args, 0))?;
    if functor != functors::PERMISSION_ERROR {
        return None;
    }
    let (_, indicator) = m.store.compound(m.store.arg(parts, 2))?;
    let View::Atom(name) = m.store.view(m.store.arg(indicator, 0)) else {
        return None;
    };
    let name = m.symbols.text(name);
    let hint = match name {
        "," | ";" if text.lines().skip(1).any(begins_clause) => {
            return Some(format!(
                "a clause ends with a `.`: perhaps its first line, in place of `{name}`"
            ));
        }
        "," | ";" if text.contains(":-") => "a rule has one head: write a rule for each",
        ":" if text.contains(": -") => "`:-` is written without a blank within",
        "->" | "," | ";" | ":" | "-->" => "a rule is written `Head :- Body`",
        "=" | "is" | "==" | "=:=" => {
            "nothing is defined by equations: the value is an argument, as in p(X, Value) :- Body"
        }
        "\\+" | "not" => "a clause tells what holds: what no clause tells does not hold",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Does a line look like the beginning of a clause?
fn begins_clause(line: &str) -> bool {
    line.starts_with(|first: char| first.is_lowercase())
}
