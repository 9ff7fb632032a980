//! The rule for clauses after one that takes every call.

use super::clause::ReadClause;
use crate::base::atom_table::{Functor, atoms, functors};
use crate::base::growth::Bounded;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::loading::loader;
use crate::source::parts::Part;
use crate::source::term_texts::indicator_text;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Records which predicate accepts no more clauses.
fn seal(m: &mut Machine, sealed: Option<Functor>) {
    if let Some(loading) = loader(m).stack.last_mut() {
        loading.sealed = sealed;
    }
}

/// Warns of the first clause after a clause of the same predicate that takes every call.
pub(super) fn check(m: &mut Machine, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    let functor = clause.functor;
    let sealed = loader(m).stack.last().and_then(|loading| loading.sealed);
    if let Some(functor) = functor
        && sealed == Some(functor)
    {
        let name = indicator_text(m, functor)?;
        let message = format!("this clause of {name} is never reached");
        let hint = "the clause before it matches every call and cuts".to_owned();
        clause.remark(Warning::Unreachable, Part::Whole, message, Some(hint))?;
        seal(m, None);
        return Ok(());
    }
    let takes_all = begins_with_cut(m, clause.body.0) && has_distinct_variables(m, clause.head);
    let next = functor.filter(|_| takes_all);
    if next != sealed {
        seal(m, next);
    }
    Ok(())
}

fn begins_with_cut(m: &Machine, mut body: Cell) -> bool {
    while let View::Struct(functors::COMMA, args) = m.store.view(body) {
        body = m.store.arg(args, 0);
    }
    m.store.deref(body) == Cell::atom(atoms::CUT)
}

/// Returns whether all arguments of the head are different variables.
pub(super) fn has_distinct_variables(m: &Machine, head: Cell) -> bool {
    let Some((functor, args)) = m.store.compound(head) else {
        return !head.is_var();
    };
    let mut seen = Vec::new();
    (0..functor.arity()).all(|index| {
        let arg = m.store.arg(args, index);
        let new = arg.is_var() && !seen.contains(&arg) && seen.len() < 64;
        seen.put_bounded(arg);
        new
    })
}
