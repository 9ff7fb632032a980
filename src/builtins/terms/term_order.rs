//! Term comparison (ISO 13211-1, 8.4): standard order of terms, identity, variants.

use crate::base::atom_table::{atoms, functors};
use crate::base::stop::Stop;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::cmp::Ordering;

fn order(m: &Machine, a: Cell, b: Cell) -> Result<Ordering, Stop> {
    m.store.compare(a, b, &m.world.symbols)
}

/// Checks the first argument of `compare/3`.
fn check_order(m: &mut Machine, order: Cell) -> Result<(), Throw> {
    match m.store.view(order) {
        View::Var(_) | View::Atom(atoms::LESS | atoms::EQUAL | atoms::GREATER) => Ok(()),
        View::Atom(_) => Err(m.domain_error(atoms::ORDER, order)),
        _ => Err(m.type_error(atoms::ATOM, order)),
    }
}

/// Result of the search for a key in an association list.
enum Found {
    Value(Cell),
    Nothing,
    /// Part that is not an association list.
    Wrong(Cell),
}

/// Searches for the value of a key in an association list: see `prelude/data/assoc.pl`.
fn value_in_assoc(m: &Machine, key: Cell, assoc: Cell) -> Result<Found, Stop> {
    let mut tree = m.store.deref(assoc);
    for depth in 0.. {
        m.store.events.watch.go_on_at(depth)?;
        let node = match m.store.view(tree) {
            View::Struct(functors::ASSOC_NODE, node) => node,
            View::Atom(atoms::T) => return Ok(Found::Nothing),
            _ => return Ok(Found::Wrong(tree)),
        };
        let next = match order(m, key, m.store.arg(node, 0))? {
            Ordering::Less => 3,
            Ordering::Greater => 4,
            Ordering::Equal => return Ok(Found::Value(m.store.arg(node, 1))),
        };
        tree = m.store.arg(node, next);
    }
    Ok(Found::Nothing)
}

builtins! { TERM_ORDER =
    /// True if the two terms are identical. ISO 8.4.1.
    ///
    /// ?- X == X.
    /// true.
    ///
    /// ?- X == Y.
    /// false.
    ///
    /// ?- 1 == 1.0.
    /// false.
    iso "=="("?term", "?term") = |m, [x, y]| Ok(m.store.structurally_equal(x, y)?);

    /// True if the two terms are not identical. ISO 8.4.1.
    ///
    /// ?- f(X) \== f(Y).
    /// true.
    iso "\\=="("?term", "?term") = |m, [x, y]| Ok(!m.store.structurally_equal(x, y)?);

    /// True if the first term precedes the second in the standard order of terms. ISO 8.4.1.
    ///
    /// ?- 1 @< a.
    /// true.
    ///
    /// ?- f(b) @< a.
    /// false.
    iso "@<"("?term", "?term") = |m, [x, y]| Ok(order(m, x, y)? == Ordering::Less);

    /// True if the first term precedes the second in the standard order of terms or is identical to it.
    /// ISO 8.4.1.
    ///
    /// ?- abc @=< abd.
    /// true.
    iso "@=<"("?term", "?term") = |m, [x, y]| Ok(order(m, x, y)? != Ordering::Greater);

    /// True if the first term follows the second in the standard order of terms. ISO 8.4.1.
    ///
    /// ?- f(a, b) @> g(c).
    /// true.
    iso "@>"("?term", "?term") = |m, [x, y]| Ok(order(m, x, y)? == Ordering::Greater);

    /// True if the first term follows the second in the standard order of terms or is identical to it.
    /// ISO 8.4.1.
    ///
    /// ?- b @>= a.
    /// true.
    iso "@>="("?term", "?term") = |m, [x, y]| Ok(order(m, x, y)? != Ordering::Less);

    /// Unifies `atom` with `<`, `=` or `>`: the order of the first term relative to the second in the
    /// standard order of terms. Any other atom is a domain error. ISO 8.4.2.
    ///
    /// ?- compare(Order, 2, 1.5).
    /// Order = (>).
    ///
    /// ?- compare(<, a, b).
    /// true.
    ///
    /// ?- compare(Order, 1, 1.0).
    /// Order = (>).
    iso "compare"("-atom", "?term", "?term") = |m, [result, x, y]| {
        check_order(m, result)?;
        let name = match order(m, x, y)? {
            Ordering::Less => atoms::LESS,
            Ordering::Equal => atoms::EQUAL,
            Ordering::Greater => atoms::GREATER,
        };
        Ok(m.unify_atom(result, name)?)
    };

    /// Returns the value of a key in an association list. `Wrong` is `not(Part)` if a part is not an association
    /// list, else `[]`.
    library "$assoc_value"("+term", "+assoc", "?term", "-term") = |m, [key, assoc, value, wrong]| {
        match value_in_assoc(m, key, assoc)? {
            Found::Value(found) => Ok(m.unify(value, found)? && m.unify_atom(wrong, atoms::NIL)?),
            Found::Nothing => Ok(false),
            Found::Wrong(part) => {
                let part = m.store.new_struct(functors::NOT1, &[part]);
                Ok(m.unify(wrong, part)?)
            }
        }
    };

    /// True if the two terms are equal up to a renaming of variables.
    ///
    /// ?- f(X, Y) =@= f(A, B).
    /// true.
    ///
    /// ?- f(X, Y) =@= f(A, A).
    /// false.
    library "=@="("?term", "?term") = |m, [x, y]| Ok(m.store.variant(x, y)?);

    /// True if the two terms are not equal up to a renaming of variables.
    ///
    /// ?- f(X, X) \=@= f(A, B).
    /// true.
    library "\\=@="("?term", "?term") = |m, [x, y]| Ok(!m.store.variant(x, y)?);

    /// True if the two terms are the same variable, the same atomic term, or the same cell in memory.
    ///
    /// ?- X = f(Y), same_term(X, X).
    /// X = f(Y).
    library "same_term"("?term", "?term") = |m, [x, y]| {
        let (x, y) = (m.store.deref(x), m.store.deref(y));
        let atomic = !matches!(m.store.view(x), View::List(_) | View::Struct(..));
        Ok(x == y || atomic && m.store.structurally_equal(x, y)?)
    };

    /// True if the comparison of the two terms is already decided: they are identical, or they do not unify.
    ///
    /// ?- ?=(a, b).
    /// true.
    ///
    /// ?- ?=(X, a).
    /// false.
    library "?="("?term", "?term") = |m, [x, y]| {
        Ok(m.store.structurally_equal(x, y)? || m.store.not_unifiable(x, y)?)
    };
}
