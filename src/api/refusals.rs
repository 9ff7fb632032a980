//! The tables of builtins for engines. A record that refuses replaces each builtin that lacks a capability. Engines
//! that lack the same capabilities share one table.

use super::host::HOST;
use crate::base::growth::Gather;
use crate::base::needs::Needs;
use crate::base::once::Once;
use crate::base::stop::Stop;
use crate::machine::builtin::{Body, Builtin, DerivedTables, Det, Table};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::{builtins, diagnose, image, load, lolli, source, tools};

/// Returns the table of all builtins, for engines that lack no capability.
pub(super) fn whole() -> Table {
    static WHOLE: Once<Vec<&'static Builtin>> = Once::new();
    WHOLE.get_or_make(|| {
        let rooms = [
            source::TABLES,
            diagnose::TABLES,
            image::TABLES,
            load::TABLES,
            tools::TABLES,
            lolli::TABLES,
            &[HOST],
        ];
        let tables = builtins::TABLES.iter().copied().chain(rooms).flatten();
        tables.copied().flatten().collect_bounded()
    })
}

/// The bodies that refuse, each for one capability.
const REFUSALS: [(Needs, Det); 6] = [
    (Needs::ENVIRONMENT, |m| refuse(m, Needs::ENVIRONMENT)),
    (Needs::PROCESSES, |m| refuse(m, Needs::PROCESSES)),
    (Needs::CLOCK, |m| refuse(m, Needs::CLOCK)),
    (Needs::RANDOM, |m| refuse(m, Needs::RANDOM)),
    (Needs::STDIN, |m| refuse(m, Needs::STDIN)),
    (Needs::STDOUT, |m| refuse(m, Needs::STDOUT)),
];

fn refuse(m: &mut Machine, need: Needs) -> Result<bool, Throw> {
    Err(m.refused(need))
}

/// Returns the body that refuses a builtin, if one of its needs is among the missing ones. Access to files is checked
/// when a file is opened, by its place.
fn refusal(entry: &Builtin, lacking: Needs) -> Option<Body> {
    let found = REFUSALS
        .iter()
        .find(|(need, _)| lacking.any(*need) && entry.needs.any(*need))?;
    match entry.body {
        Body::Det(_) => Some(Body::Det(found.1)),
        // Other instructions call these bodies.
        Body::Nondet(_) | Body::Search(_) => None,
    }
}

/// Returns the table of builtins for an engine with these grants.
pub(super) fn table(granted: Needs) -> Result<Table, Stop> {
    static TABLES: DerivedTables<Needs> = DerivedTables::new();
    let all = REFUSALS.iter().fold(Needs::NONE, |all, row| all.and(row.0));
    let lacking = all.without(granted);
    if lacking == Needs::NONE {
        return Ok(whole());
    }
    TABLES.get_or_make(lacking, whole(), |entry| refusal(entry, lacking))
}
