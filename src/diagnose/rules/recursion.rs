//! Recursion that makes nothing smaller.

use super::clause::ReadClause;
use crate::base::atom_table::functors;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::parts::placed;
use crate::source::term_texts::indicator_text;
use crate::store::cell::Cell;
use crate::store::heap::View;

/// Warns of a clause that calls its own predicate first, with no argument made smaller.
pub(super) fn check(m: &mut Machine, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    let (mut goal, mut part) = clause.body;
    while let View::Struct(functors::COMMA, args) = m.store.view(goal) {
        (goal, part) = placed(m, args, 0);
    }
    let (Some((functor, params)), Some((called, args))) =
        (m.store.compound(clause.head), m.store.compound(goal))
    else {
        return Ok(());
    };
    let plain = |cell: Cell| !m.store.deref(cell).is_compound();
    let same = functor == called
        && (0..functor.arity())
            .all(|i| plain(m.store.arg(params, i)) && plain(m.store.arg(args, i)));
    if !same {
        return Ok(());
    }
    let module = m.world.source_module;
    let tabled = m.world.predicates.find(module, functor);
    if tabled.is_some_and(|id| m.world.predicates.get(id).traits.tabled) {
        return Ok(());
    }
    let name = indicator_text(m, functor)?;
    let message = format!("{name} calls itself first, with nothing made smaller: it may never end");
    let hint = format!("put another goal before it, or `:- table {name}.` before its clauses");
    clause.remark(Warning::Recursion, part, message, Some(hint))
}
