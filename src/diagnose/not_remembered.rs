//! Warnings about declarations `count_memo` that do not apply.

use super::backtrace::caller_place;
use super::goal_places::place;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::machine::search::memo::NotRemembered;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;
use crate::source::diagnostic::{Diagnostic, Location, Severity};
use crate::source::report::report;
use crate::source::term_texts::name_and_arity;
use crate::store::address::CodeAddr;

/// Reports why the counts of a predicate are not remembered.
///
/// # Errors
/// Returns an error if there is no memory.
pub(crate) fn report_not_remembered(
    m: &mut Machine,
    id: PredId,
    why: NotRemembered,
    caller: CodeAddr,
) -> Result<(), Stop> {
    if !m.world.flags.warnings.wants(Warning::CountMemo) {
        return Ok(());
    }
    let (reason, hint) = match why {
        NotRemembered::Goals => (
            "other goals follow it in the counted goal",
            "Wamlet remembers the count only if the predicate is the last goal of the counted goal",
        ),
        NotRemembered::Argument => (
            "an argument has attributed variables or is cyclic",
            "the arguments do not show constraints and suspended goals",
        ),
        NotRemembered::Context => (
            "the assumptions cannot be compared",
            "Wamlet does not compare affine resources, alternatives and quantified constants",
        ),
        NotRemembered::Effects => (
            "its goals have effects or read global variables",
            "the number of solutions must depend only on the arguments",
        ),
        NotRemembered::Memory => (
            "no memory is left for more counts",
            "Wamlet still uses the remembered counts and visits other solutions one by one; raise the limit with --max-memory",
        ),
    };
    let functor = m.world.predicates.get(id).functor;
    let name = name_and_arity(m, functor)?;
    let message = match why {
        NotRemembered::Memory => format!("`count_memo` remembers no more for {name}: {reason}"),
        _ => format!("`count_memo` is ignored for {name}: {reason}"),
    };
    let place = match why {
        NotRemembered::Goals => caller_place(m, caller)?,
        _ => definition_place(m, id)?,
    };
    let hint = Some(hint.to_owned());
    let diagnostic = match place {
        Some(place) => Diagnostic::at(Severity::Warning, place, message, hint),
        None => Diagnostic {
            hint,
            ..Diagnostic::without_place(Severity::Warning, message)
        },
    };
    report(m, diagnostic.of_warning(Warning::CountMemo))
}

/// Returns the place of the first clause of a predicate that comes from a file.
fn definition_place(m: &mut Machine, id: PredId) -> Result<Option<Location>, Stop> {
    let clauses = &m.world.predicates.get(id).clauses;
    let first = clauses.all().find(|clause| clause.file() != 0);
    match first.cloned() {
        Some(clause) => place(m, id, &clause, None),
        None => Ok(None),
    }
}
