//! Joining and splitting of texts: `atomic_list_concat/2,3` and older forms.

use crate::base::atom_table::atoms;
use crate::base::growth::{Grow, GrowText};
use crate::base::number::Decimal;
use crate::base::passing_text::PassingText;
use crate::base::watch;
use crate::builtins::args::atomic_text;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::{Cell, WORD};
use crate::store::claims::Life;
use crate::store::heap::View;
use crate::store::list::ListShape;
use std::borrow::Cow;

/// Joins the texts of a list of atomic terms. Returns `None` if an element or the end of the list is unbound.
fn join(m: &mut Machine, list: Cell, separator: &str) -> Result<Option<String>, Throw> {
    match m.store.list_length(list)? {
        ListShape::Proper(_) | ListShape::Partial(..) => {}
        ListShape::NotList(..) | ListShape::Cyclic => return Err(m.type_error(atoms::LIST, list)),
    }
    let mut text = String::new();
    let mut complete = true;
    let mut count = 0;
    let mut cell = m.store.deref(list);
    while let View::List(addr) = m.store.view(cell) {
        let item = m.store.arg(addr, 0);
        if count > 0 {
            text.put_str(separator)?;
        }
        count += 1;
        m.store.events.watch.go_on_at(count)?;
        let digits;
        let part = match m.store.view(item) {
            View::Int(value) => {
                digits = Decimal::of(value);
                m.store.events.watch.did_bytes(digits.text().len());
                Some(Cow::Borrowed(digits.text()))
            }
            _ => atomic_text(m, item)?,
        };
        match part {
            Some(part) => {
                let wanted = text.len() + part.len();
                if wanted > text.capacity() {
                    // The capacity doubles, so the checked and counted memory is proportional to the text.
                    m.room_for_text(wanted.max(2 * text.capacity()), Life::Passing)?;
                }
                m.store.watch.append(&mut text, &part)?;
            }
            None if item.is_var() => complete = false,
            None => return Err(m.type_error(atoms::TEXT, item)),
        }
        cell = m.store.deref(m.store.at(addr + WORD));
    }
    Ok((complete && !cell.is_var()).then_some(text))
}

/// Unifies an argument with the atom of a text. An atomic term with an equal text also matches.
fn unify_joined(m: &mut Machine, result: Cell, text: &str) -> Result<bool, Throw> {
    Ok(match m.store.view(result) {
        View::String(_) | View::Int(_) | View::Float(_) | View::Big(_) => {
            atomic_text(m, result)?.is_some_and(|other| other == text)
        }
        _ => {
            let atom = m.new_atom(text)?;
            m.unify_atom(result, atom)?
        }
    })
}

/// Runs `atomic_list_concat/3`: joins or splits.
fn join_or_split(
    m: &mut Machine,
    list: Cell,
    separator: Cell,
    result: Cell,
) -> Result<bool, Throw> {
    let separator_text = match atomic_text(m, separator)? {
        Some(text) => PassingText::of(&[&text], &m.store.watch)?,
        None => return Err(m.type_or_instantiation_error(atoms::ATOMIC, separator)),
    };
    if let Some(text) = join(m, list, &separator_text)? {
        return unify_joined(m, result, &text);
    }
    let text = m.atomic_text_arg(result, atoms::ATOMIC)?;
    if separator_text.is_empty() {
        return Err(m.domain_error("non_empty_atom", separator));
    }
    let mut parts = Vec::new();
    for (nth, part) in text.split(&*separator_text).enumerate() {
        if nth.is_multiple_of(watch::STEPS) {
            m.store.events.watch.go_on_at(nth)?;
            m.store
                .room_outside((parts.len() * size_of::<Cell>()) as u64, Life::Passing)?;
        }
        parts.put(Cell::atom(m.world.symbols.intern_passing(part)?))?;
    }
    m.unify_items(list, &parts)
}

/// Runs `atomic_list_concat/2`: joins.
fn join_only(m: &mut Machine, list: Cell, result: Cell) -> Result<bool, Throw> {
    match join(m, list, "")? {
        Some(text) => unify_joined(m, result, &text),
        None => Err(m.instantiation_error()),
    }
}

builtins! { ATOM_LISTS =
    /// Unifies `atom` with the concatenation of the texts of the atomic terms in `list`.
    ///
    /// ?- atomic_list_concat([a,1,b,2.5], A).
    /// A = 'a1b2.5'.
    library "atomic_list_concat"("+list", "-atom") = |m, [list, atom]| join_only(m, list, atom);

    /// Unifies the last `atom` with the texts of the elements of `list`, with the separator `atomic` between
    /// them. If an element or the end of `list` is unbound, splits `atom` at each separator instead.
    ///
    /// ?- atomic_list_concat([a,b,c], '-', A).
    /// A = 'a-b-c'.
    ///
    /// ?- atomic_list_concat(Parts, ',', 'a,b,c').
    /// Parts = [a, b, c].
    ///
    /// ?- atomic_list_concat([X,Y], '/', 'lib/lists').
    /// X = lib,
    /// Y = lists.
    library "atomic_list_concat"("?list", "+atomic", "?atom") = |m, [list, separator, atom]| {
        join_or_split(m, list, separator, atom)
    };

    /// Concatenates like `atomic_list_concat/2`.
    library "concat_atom"("+list", "-atom") = |m, [list, atom]| join_only(m, list, atom);

    /// Concatenates or splits like `atomic_list_concat/3`.
    library "concat_atom"("?list", "+atomic", "?atom") = |m, [list, separator, atom]| {
        join_or_split(m, list, separator, atom)
    };

    /// Unifies `atom` with the concatenation of the texts of the two atomic terms.
    library "atomic_concat"("+atomic", "+atomic", "-atom") = |m, [left, right, atom]| {
        let mut text = m.atomic_text_arg(left, atoms::ATOMIC)?;
        text.put_str(&m.atomic_text_arg(right, atoms::ATOMIC)?)?;
        unify_joined(m, atom, &text)
    };

    /// Unifies `string` with the concatenation of the texts of the atomic terms in `list`.
    ///
    /// ?- atomics_to_string([a,1], S).
    /// S = "a1".
    library "atomics_to_string"("+list", "-string") = |m, [list, string]| {
        match join(m, list, "")? {
            Some(text) => m.unify_string(string, &text),
            None => Err(m.instantiation_error()),
        }
    };
}
