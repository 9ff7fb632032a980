//! Which clauses of the user's files were entered, and how often: what the machine has counted, by the places of
//! the clauses.

use super::backtrace::name_of;
use super::origin::is_of_user;
use crate::base::room::{Grow, GrowTable};
use crate::base::stop::Stop;
use crate::base::symbol::FastMap;
use crate::machine::state::Machine;

/// A clause of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entered {
    /// The file.
    pub(crate) file: String,
    /// The line that it begins in.
    pub(crate) line: usize,
    /// Its predicate, as `name/arity`.
    pub(crate) predicate: String,
    /// How often it was entered.
    pub(crate) times: u64,
}

/// Ends the count. Clauses come in the order of their lines; one that was loaded several times comes once.
pub(crate) fn end_coverage(m: &mut Machine) -> Result<Vec<Entered>, Stop> {
    let Some(coverage) = m.end_coverage() else {
        return Ok(Vec::new());
    };
    let mut found: Vec<Entered> = Vec::new();
    let mut places = FastMap::default();
    for counted in &coverage.clauses {
        let (predicate, clause) = (counted.predicate, &counted.clause);
        if !is_of_user(m, predicate, clause) {
            continue;
        }
        places.make_room()?;
        let key = (
            clause.file(),
            clause.line(),
            predicate,
            clause.fingerprint(),
        );
        let place = *places.entry(key).or_insert(found.len());
        if place < found.len() {
            found[place].times += counted.entered;
            continue;
        }
        found.put(Entered {
            file: m.world.files.get(clause.file()).name.to_string(),
            line: clause.line() as usize,
            predicate: name_of(m, predicate)?,
            times: counted.entered,
        })?;
    }
    found.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    Ok(found)
}
