//! Tables of builtins for goals that several machines search: builtins with effects refuse to run.

use crate::base::needs::Needs;
use crate::base::stop::Stop;
use crate::machine::builtin::{Body, DerivedTables, NativeChoice, Step, Table};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;

/// Effects that others see, or that would happen again, when a goal runs. Output is refused when it is written,
/// except output to memory of the goal itself.
const REFUSED: Needs = Needs::EFFECT
    .and(Needs::WRITE)
    .and(Needs::ENVIRONMENT)
    .and(Needs::PROCESSES)
    .and(Needs::RANDOM)
    .and(Needs::STDIN)
    .and(Needs::STDOUT)
    .and(Needs::HALT);

/// Builtins whose only effect on the engine is that a goal runs faster, or runs at all.
const ALLOWED: &[&str] = &[
    "$know_predicate",
    "$new_lambda",
    "$load_lambda",
    "$load_made_clause",
    "$declare_linear",
    "$check_undefined",
];

static REFUSING: NativeChoice =
    NativeChoice::new(|m, _| -> Result<Step, Throw> { Err(m.refused_effect()) });

/// Returns a table of builtins in which those with effects refuse to run.
pub(super) fn without_effects(table: Table) -> Result<Table, Stop> {
    static TABLES: DerivedTables<usize> = DerivedTables::new();
    TABLES.get_or_make(table.as_ptr().addr(), table, |entry| {
        let allowed = !entry.needs.any(REFUSED) || ALLOWED.contains(&entry.name);
        (!allowed).then_some(match entry.body {
            Body::Det(_) => Body::Det(|m| Err(m.refused_effect())),
            Body::Nondet(_) | Body::Search(_) => Body::Nondet(&REFUSING),
        })
    })
}

/// Allows goals to have effects again.
pub(super) fn allow_effects(m: &mut Machine) {
    if let Some(whole) = m.world.host.refusing.take() {
        m.world.host.builtins = whole;
    }
}
