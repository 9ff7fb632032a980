//! Type testing (ISO 13211-1, 8.3). Most of these are instructions of their own where a clause
//! calls them; the entries here serve `call/1`. The constant of a quantifier is no atom, but atomic, and
//! callable: what is assumed may be about it.

use crate::machine::builtin::builtins;
use crate::machine::ops_arith::is_composed;
use crate::store::heap::View;
use crate::store::list::ListShape;

builtins! { TYPE_CHECK =
    /// True if `X` is an unbound variable. ISO 8.3.1.
    iso "var"("?term") = |m, [x]| Ok(m.store.deref(x).is_var());

    /// True if `X` is not an unbound variable. ISO 8.3.7.
    iso "nonvar"("?term") = |m, [x]| Ok(!m.store.deref(x).is_var());

    /// True if `X` is an atom. ISO 8.3.2.
    iso "atom"("?term") = |m, [x]| Ok(m.store.deref(x).is_atom());

    /// True if `X` is an integer. ISO 8.3.3.
    iso "integer"("?term") = |m, [x]| Ok(matches!(m.store.view(x), View::Int(_) | View::Big(_)));

    /// True if `X` is a float. ISO 8.3.4.
    iso "float"("?term") = |m, [x]| Ok(matches!(m.store.view(x), View::Float(_)));

    /// True if `X` is an integer or a float. ISO 8.3.8.
    iso "number"("?term") = |m, [x]| {
        Ok(matches!(m.store.view(x), View::Int(_) | View::Big(_) | View::Float(_)))
    };

    /// True if `X` is neither a variable nor a compound. ISO 8.3.5.
    iso "atomic"("?term") = |m, [x]| {
        let x = m.store.deref(x);
        Ok(!x.is_var() && !is_composed(x))
    };

    /// True if `X` is a compound. ISO 8.3.6.
    iso "compound"("?term") = |m, [x]| Ok(is_composed(m.store.deref(x)));

    /// True if `X` is an atom or a compound. ISO 8.3.9.
    iso "callable"("?term") = |m, [x]| {
        let x = m.store.deref(x);
        Ok(x.is_atom() || x.is_compound())
    };

    /// True if `X` holds no variable. ISO 8.3.10.
    iso "ground"("?term") = |m, [x]| Ok(m.store.ground(x));

    /// True if `X` is a finite tree. ISO 8.3.11.
    iso "acyclic_term"("?term") = |m, [x]| Ok(m.store.acyclic_term(x));

    /// True if `X` is not a finite tree.
    library "cyclic_term"("?term") = |m, [x]| Ok(!m.store.acyclic_term(x));

    /// True if `X` is a list with an end.
    library "is_list"("?term") = |m, [x]| {
        Ok(matches!(m.store.list_length(x), ListShape::Proper(_)))
    };

    /// True if `X` is a string.
    library "string"("?term") = |m, [x]| Ok(matches!(m.store.view(x), View::String(_)));

    /// True if `X` is a rational number: here, an integer.
    library "rational"("?term") = |m, [x]| {
        Ok(matches!(m.store.view(x), View::Int(_) | View::Big(_)))
    };

    /// True if `X` is a rational number with this numerator and denominator: here, an integer.
    library "rational"("?term", "?integer", "?integer") = |m, [x, numerator, denominator]| {
        let rational = matches!(m.store.view(x), View::Int(_) | View::Big(_));
        Ok(rational && m.unify(numerator, x) && m.unify_int(denominator, 1))
    };

    /// True if `X` is a reference to something outside of Prolog, of this type: nothing is here.
    library "blob"("?term", "?atom") = |_m, [_x, _type]| Ok(false);
}
