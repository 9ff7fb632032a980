//! Texts that `+` is meant to join in goals that print. Prolog prints the term as it is.

use super::clause::{Goal, ReadClause};
use crate::base::atom_table::functors;
use crate::base::growth::{Grow, GrowText, joined_by};
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::parts::placed;
use crate::store::cell::Cell;
use crate::store::heap::View;
use crate::text::write_atom::push_quoted;

/// Predicates that print an argument, with their numbers of arguments and the number of this argument from 0.
const PRINTING: [(&str, usize, usize); 9] = [
    ("write", 1, 0),
    ("write", 2, 1),
    ("writeln", 1, 0),
    ("writeln", 2, 1),
    ("print", 1, 0),
    ("print", 2, 1),
    ("format", 1, 0),
    ("format", 2, 0),
    ("format", 3, 1),
];
/// Maximum number of texts and values that the hint repeats.
const SMALL: usize = 32;

/// Warns of `write("Hello " + Name)`.
pub(super) fn check(
    m: &mut Machine,
    clause: &mut ReadClause<'_>,
    &Goal { functor, args, .. }: &Goal,
) -> Result<bool, Stop> {
    let name = m.world.symbols.name_text(functor);
    let arity = functor.arity();
    let row = PRINTING.iter().find(|row| (row.0, row.1) == (name, arity));
    let Some(&(name, _, index)) = row.filter(|_| !clause.expands) else {
        return Ok(false);
    };
    let (sum, part) = placed(m, args, index);
    let Some(addends) = addends(m, sum)? else {
        return Ok(false);
    };
    let (mut text, mut values) = (String::new(), Vec::new());
    for addend in addends {
        match text_in(m, addend) {
            Some(constant) => {
                for (index, piece) in constant.split('~').enumerate() {
                    text.put_str(if index > 0 { "~~" } else { "" })?;
                    text.put_str(piece)?;
                }
            }
            None => {
                text.put_str("~w")?;
                values.put(clause.text_of(m, addend)?)?;
            }
        }
    }
    if name == "writeln" {
        text.put_str("~n")?;
    }
    let mut quoted = String::new();
    push_quoted(&mut quoted, &text, '"', true)?;
    let message = match name {
        "format" => "`+` does not join texts: format/1,2,3 take one text".to_owned(),
        _ => format!("`+` does not join texts: {name}/1 prints the term as it is"),
    };
    let hint = format!("write `format({quoted}, [{}])`", joined_by(&values, ", ")?);
    clause.remark(Warning::String, part, message, Some(hint))?;
    Ok(true)
}

/// Returns the operands of a sum from left to right, or none if no operand is a text.
fn addends(m: &Machine, sum: Cell) -> Result<Option<Vec<Cell>>, Stop> {
    let (mut found, mut todo) = (Vec::new(), vec![sum]);
    while let Some(cell) = todo.pop() {
        match m.store.compound(cell) {
            Some((functors::PLUS2, args)) => {
                todo.put_all([m.store.arg(args, 1), m.store.arg(args, 0)])?;
            }
            _ => found.put(cell)?,
        }
        if found.len() + todo.len() > SMALL {
            return Ok(None);
        }
    }
    let joins = found.len() > 1 && found.iter().any(|&cell| text_in(m, cell).is_some());
    Ok(joins.then_some(found))
}

/// Returns the text of a string, or of an atom that is no name.
fn text_in(m: &Machine, cell: Cell) -> Option<&str> {
    match m.store.view(cell) {
        View::String(addr) => Some(m.store.text(addr)),
        View::Atom(name) => {
            let text = m.world.symbols.text(name);
            text.contains(char::is_whitespace).then_some(text)
        }
        _ => None,
    }
}
