//! Type testing (ISO 13211-1, 8.3). Most of these tests are instructions when a clause calls them; the entries here
//! serve `call/1`. The constant of a quantifier is not an atom, but it is atomic and callable, because assumptions
//! may be about it.

use crate::machine::builtin::builtins;
use crate::machine::ops::arith::is_composed;
use crate::store::heap::View;
use crate::store::list::ListShape;

builtins! { TYPE_CHECK =
    /// True if `term` is an unbound variable. ISO 8.3.1.
    ///
    /// ?- var(X).
    /// true.
    ///
    /// ?- X = a, var(X).
    /// false.
    iso "var"("?term") = |m, [x]| Ok(m.store.deref(x).is_var());

    /// True if `term` is not an unbound variable. ISO 8.3.7.
    ///
    /// ?- nonvar(f(X)).
    /// true.
    iso "nonvar"("?term") = |m, [x]| Ok(!m.store.deref(x).is_var());

    /// True if `term` is an atom. ISO 8.3.2.
    ///
    /// ?- atom([]).
    /// true.
    ///
    /// ?- atom(1).
    /// false.
    iso "atom"("?term") = |m, [x]| Ok(m.store.deref(x).is_atom());

    /// True if `term` is an integer. ISO 8.3.3.
    ///
    /// ?- integer(2).
    /// true.
    ///
    /// ?- integer(2.0).
    /// false.
    iso "integer"("?term") = |m, [x]| Ok(matches!(m.store.view(x), View::Int(_) | View::Big(_)));

    /// True if `term` is a float. ISO 8.3.4.
    ///
    /// ?- float(2.0).
    /// true.
    iso "float"("?term") = |m, [x]| Ok(matches!(m.store.view(x), View::Float(_)));

    /// True if `term` is an integer or a float. ISO 8.3.8.
    ///
    /// ?- number(2.5).
    /// true.
    ///
    /// ?- number('2').
    /// false.
    iso "number"("?term") = |m, [x]| {
        Ok(matches!(m.store.view(x), View::Int(_) | View::Big(_) | View::Float(_)))
    };

    /// True if `term` is neither a variable nor a compound term. ISO 8.3.5.
    ///
    /// ?- atomic(a).
    /// true.
    ///
    /// ?- atomic(f(a)).
    /// false.
    iso "atomic"("?term") = |m, [x]| {
        let x = m.store.deref(x);
        Ok(!x.is_var() && !is_composed(x))
    };

    /// True if `term` is a compound term. ISO 8.3.6.
    ///
    /// ?- compound(f(a)).
    /// true.
    ///
    /// ?- compound([]).
    /// false.
    iso "compound"("?term") = |m, [x]| Ok(is_composed(m.store.deref(x)));

    /// True if `term` is an atom or a compound term. ISO 8.3.9.
    ///
    /// ?- callable(f(a)).
    /// true.
    ///
    /// ?- callable(1).
    /// false.
    iso "callable"("?term") = |m, [x]| {
        let x = m.store.deref(x);
        Ok(x.is_atom() || x.is_compound())
    };

    /// True if `term` contains no variable. ISO 8.3.10.
    ///
    /// ?- ground(f(a, [1])).
    /// true.
    ///
    /// ?- ground(f(X)).
    /// false.
    iso "ground"("?term") = |m, [x]| Ok(m.store.ground(x)?);

    /// True if `term` is a finite tree. ISO 8.3.11.
    ///
    /// ?- acyclic_term(f(X)).
    /// true.
    ///
    /// ?- X = f(X), acyclic_term(X).
    /// false.
    iso "acyclic_term"("?term") = |m, [x]| Ok(m.store.acyclic_term(x)?);

    /// True if `term` is not a finite tree.
    ///
    /// ?- X = f(X), cyclic_term(X).
    /// X = f(X).
    library "cyclic_term"("?term") = |m, [x]| Ok(!m.store.acyclic_term(x)?);

    /// True if `term` is a proper list, one that ends in `[]`.
    ///
    /// ?- is_list([a,b]).
    /// true.
    ///
    /// ?- is_list([a|_]).
    /// false.
    library "is_list"("?term") = |m, [x]| {
        Ok(matches!(m.store.list_length(x)?, ListShape::Proper(_)))
    };

    /// True if `term` is a string.
    ///
    /// ?- atom_string(abc, S), string(S).
    /// S = "abc".
    ///
    /// ?- string(abc).
    /// false.
    library "string"("?term") = |m, [x]| Ok(matches!(m.store.view(x), View::String(_)));

    /// True if `term` is a rational number. In Wamlet these are the integers.
    ///
    /// ?- rational(1).
    /// true.
    ///
    /// ?- rational(0.5).
    /// false.
    library "rational"("?term") = |m, [x]| {
        Ok(matches!(m.store.view(x), View::Int(_) | View::Big(_)))
    };

    /// True if `term` is a rational number with the first integer as numerator and the second as denominator.
    /// In Wamlet `term` is an integer.
    library "rational"("?term", "?integer", "?integer") = |m, [x, numerator, denominator]| {
        let rational = matches!(m.store.view(x), View::Int(_) | View::Big(_));
        Ok(rational && m.unify(numerator, x)? && m.unify_int(denominator, 1)?)
    };

    /// True if `term` is a reference to an object outside Prolog, of the type `atom`. Wamlet has no such
    /// references, so the goal always fails.
    library "blob"("?term", "?atom") = |_m, [_x, _type]| Ok(false);
}
