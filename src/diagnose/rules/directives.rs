//! Rules for facts that were meant as directives or as rules.

use super::clause::ReadClause;
use crate::base::atom_table::{Functor, atoms};
use crate::base::op_table::OpClass;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::state::Machine;
use crate::source::parts::Part;
use crate::source::term_texts::indicator_text;
use crate::store::cell::Cell;

/// Predicates that directives call.
const OF_DIRECTIVES: [(&str, usize); 11] = [
    ("consult", 1),
    ("discontiguous", 1),
    ("dynamic", 1),
    ("ensure_loaded", 1),
    ("initialization", 1),
    ("initialization", 2),
    ("multifile", 1),
    ("set_prolog_flag", 2),
    ("table", 1),
    ("use_module", 1),
    ("use_module", 2),
];

/// Warns of a fact for one of them, which replaces the definition of the system: it was meant as a
/// directive.
pub(super) fn check(m: &mut Machine, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    let (Some(functor), true) = (clause.functor, clause.body.0 == Cell::atom(atoms::TRUE)) else {
        return Ok(());
    };
    if m.world.symbols.name_text(functor) == ":=" && functor.arity() == 2 {
        return assignment(m, functor, clause);
    }
    let known = |&(name, arity): &(&str, usize)| {
        arity == functor.arity() && name == m.world.symbols.name_text(functor)
    };
    if !OF_DIRECTIVES.iter().any(known) || !m.store.variables_of(clause.head)?.is_empty() {
        return Ok(());
    }
    let name = indicator_text(m, functor)?;
    let message = format!("this fact defines {name} in place of the system's predicate");
    let hint = "for a directive write `:-` before it".to_owned();
    clause.remark(Warning::Redefined, Part::Whole, message, Some(hint))
}

/// Warns of a fact of `:=` that was meant as a rule, unless the program declares that sign as an
/// operator.
fn assignment(m: &mut Machine, functor: Functor, clause: &mut ReadClause<'_>) -> Result<(), Stop> {
    let left = m
        .store
        .compound(clause.head)
        .map(|(_, args)| m.store.arg(args, 0));
    let Some((defined, _)) = left.and_then(|left| m.store.compound(left)) else {
        return Ok(());
    };
    if m.ops()?
        .is_system(m.world.symbols.name(functor), OpClass::Infix)
    {
        let (name, meant) = (indicator_text(m, functor)?, indicator_text(m, defined)?);
        let message = format!("this fact defines {name}, not {meant}");
        let hint = "write a rule as `Head :- Body`".to_owned();
        clause.remark(Warning::Undefined, Part::Whole, message, Some(hint))?;
    }
    Ok(())
}
