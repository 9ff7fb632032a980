//! Primitives of the control constructs (ISO 7.8, 8.10).

use crate::base::grow::Grow;
use crate::base::symbol::atoms;
use crate::machine::builtin::builtins;
use crate::machine::throw::{Ball, Throw};
use crate::store::list::ListShape;

builtins! { CONTROL =
    /// Raises `type_error(list, Term)` unless `Term` is a list or a partial list: what
    /// `findall/3` asks of its result (ISO 8.10.1.3).
    iso "$check_list_or_partial"("?term") = |m, [term]| {
        match m.store.list_length(term) {
            ListShape::Proper(_) | ListShape::Partial(..) => Ok(true),
            _ => Err(m.type_error(atoms::LIST, term)),
        }
    };
    /// Raises `Ball` (ISO 7.8.10).
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
    /// Ends the query, and goes back to the prompt if there is one. It cannot be caught.
    library "abort"() = |_m, []| Err(Throw::new(Ball::Aborted));
    /// Number of exceptions that wait until cleanup goals have run, and the last of them.
    iso "$exceptions_under_way"("-integer", "-ball") = |m, [count, ball]| {
        let waiting = m.suspended.len();
        if let Some(throw) = m.suspended.pop() {
            let found = m.ball_term(&throw);
            m.suspended.put(throw);
            let found = found?;
            m.unify(ball, found);
        }
        Ok(m.unify_size(count, waiting))
    };
    /// The choice point of the present call, for `'$cut_to'/1`.
    iso "$choice"("-barrier") = |m, [barrier]| {
        let here = m.choice_cell(m.choice);
        Ok(m.unify(barrier, here))
    };
}
