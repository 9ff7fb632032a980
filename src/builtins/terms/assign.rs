//! Destructive assignment to arguments.

use super::term::compound_arg;
use crate::base::atom_table::atoms;
use crate::base::stop::Stop;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::address::HeapAddr;
use crate::store::cell::{Cell, WORD};

/// Returns the address of argument `nth` of `term`, or `None` if the term has fewer arguments.
fn place(m: &mut Machine, nth: Cell, term: Cell) -> Result<Option<HeapAddr>, Throw> {
    let number = m.size_arg(nth)?;
    let (functor, addr) = compound_arg(m, term)?;
    let within = (1..=functor.arity()).contains(&number);
    Ok(within.then(|| addr + (number as u64 - 1) * WORD))
}

/// Replaces an argument of `term` by `value`.
///
/// # Errors
/// Returns an error if the term cannot change or may not contain the value. The constant of a quantifier of Lolli
/// must not get into older terms.
fn assign(
    m: &mut Machine,
    place: HeapAddr,
    value: Cell,
    trailed: bool,
    term: Cell,
) -> Result<bool, Throw> {
    if !m.store.argument_keeps_scope(place, value)? {
        return Err(not_to_change(m, "older_term", term)?);
    }
    if !m.store.set_arg(place, value, trailed)? {
        return Err(not_to_change(m, "literal", term)?);
    }
    Ok(true)
}

fn not_to_change(m: &mut Machine, kind: &str, term: Cell) -> Result<Throw, Stop> {
    Ok(m.permission_error(atoms::MODIFY, kind, term))
}

builtins! { ASSIGN =
    /// Replaces argument number `integer` of `compound` by `term`; backtracking restores it.
    ///
    /// All calls of a clause share its ground lists and large ground terms, so these cannot be changed
    /// (`permission_error(modify, literal, Term)`). They can be changed if the clause itself calls `setarg/3`
    /// or `nb_setarg/3`. `duplicate_term/2` makes a copy that can be changed.
    ///
    /// ?- T = point(1, 2), setarg(1, T, 9).
    /// T = point(9, 2).
    ///
    /// ?- T = point(1, 2), ( setarg(1, T, 9), fail ; true ).
    /// T = point(1, 2).
    library "setarg"("+integer", "+compound", "?term") = |m, [nth, term, value]| {
        m.note_unseen();
        match place(m, nth, term)? {
            Some(place) => assign(m, place, value, true, term),
            None => Ok(false),
        }
    };

    /// Replaces argument number `integer` of `compound` by a copy of `term`. Backtracking does not restore
    /// the argument.
    ///
    /// ?- T = count(0), ( nb_setarg(1, T, 9), fail ; true ).
    /// T = count(9).
    library "nb_setarg"("+integer", "+compound", "?term") needs effect = |m, [nth, term, value]| {
        let Some(place) = place(m, nth, term)? else {
            return Ok(false);
        };
        if value.is_simple() {
            return assign(m, place, value, false, term);
        }
        if !m.store.argument_may_be(place, value)? {
            return Err(not_to_change(m, "older_term", term)?);
        }
        let copy = m.lasting_copy(value, place)?;
        assign(m, place, copy, false, term)
    };

    /// Replaces argument number `integer` of `compound` by `term` without copying it. Backtracking does not
    /// restore the argument. Backtracking must not undo `term` before its last use.
    library "nb_linkarg"("+integer", "+compound", "?term") needs effect = |m, [nth, term, value]| {
        let Some(place) = place(m, nth, term)? else {
            return Ok(false);
        };
        m.keep_for(place)?;
        assign(m, place, value, false, term)
    };
}
