//! Primitives of the control constructs (ISO 7.8, 8.10).

use crate::base::atom_table::atoms;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::{Ball, Throw};
use crate::store::list::ListShape;

builtins! { CONTROL =
    /// Raises `type_error(list, Term)` unless `Term` is a list or a partial list. `findall/3` requires this of its
    /// result (ISO 8.10.1.3).
    iso "$check_list_or_partial"("?term") = |m, [term]| {
        match m.store.list_length(term)? {
            ListShape::Proper(_) | ListShape::Partial(..) => Ok(true),
            _ => Err(m.type_error(atoms::LIST, term)),
        }
    };
    /// Raises the exception `ball`. ISO 7.8.10.
    ///
    /// ?- catch(throw(oops(1)), oops(X), true).
    /// X = 1.
    ///
    /// ?- throw(oops).
    /// error: Unhandled exception: oops
    ///
    /// ?- throw(error(type_error(integer, a), _)).
    /// error: Type error: `integer' expected, found `a' (an atom) [type_error(integer, a)]
    iso "throw"("+ball") = |m, [ball]| {
        if ball.is_var() {
            return Err(m.instantiation_error());
        }
        Err(m.throw_term(ball))
    };
    /// Stops the query and returns to the prompt, if there is one. A program cannot catch it.
    library "abort"() = |_m, []| Err(Throw::new(Ball::Aborted));
    /// Returns the exception that has led to the running cleanup goal.
    iso "$exception_under_way"("-ball") = |m, [ball]| match m.cleanup_ball()? {
        Some(found) => Ok(m.unify(ball, found)?),
        None => Ok(false),
    };
    /// Returns the choice point of the present call, for `'$cut_to'/1`.
    iso "$choice"("-barrier") = |m, [barrier]| {
        let here = m.choice_cell(m.choice);
        Ok(m.unify(barrier, here)?)
    };
}
