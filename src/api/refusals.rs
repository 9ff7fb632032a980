//! The tables of builtins that engines run with: those of the system, with a record that refuses in place of each that
//! lacks a capability. A table is made once for all engines that lack the same.

use super::host::HOST;
use crate::base::growth::Gather;
use crate::base::needs::Needs;
use crate::base::once::Once;
use crate::base::stop::Stop;
use crate::machine::builtin::{Body, Builtin, Det, MadeTables, Table};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::{builtins, diagnose, image, load, lolli, source, tools};

/// All builtins, for engines that lack nothing.
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

/// The bodies that refuse, each for a capability.
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

/// The body that refuses a builtin, if one of its needs is among these. Files are granted by places: who opens one asks
/// for its place.
fn refusal(entry: &Builtin, lacking: Needs) -> Option<Body> {
    let found = REFUSALS
        .iter()
        .find(|(need, _)| lacking.any(*need) && entry.needs.any(*need))?;
    match entry.body {
        Body::Det(_) => Some(Body::Det(found.1)),
        // Its instructions are others.
        Body::Nondet(_) | Body::Search(_) => None,
    }
}

/// The builtins of an engine that was granted this.
pub(super) fn table(granted: Needs) -> Result<Table, Stop> {
    static TABLES: MadeTables<Needs> = MadeTables::new();
    let all = REFUSALS.iter().fold(Needs::NONE, |all, row| all.and(row.0));
    let lacking = all.without(granted);
    if lacking == Needs::NONE {
        return Ok(whole());
    }
    TABLES.get_or_make(lacking, whole(), |entry| refusal(entry, lacking))
}
