//! Internal predicates of libraries, which messages name by the exported predicates that call them.

use super::origin::{calls, definition};
use crate::base::atom_table::{Functor, atoms};
use crate::base::growth::{Gather, Grow};
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::program::predicate::PredId;

/// Returns the only exported predicate that calls this internal predicate, directly or indirectly, in the fewest
/// steps. Returns `None` for predicates that programs know.
pub(crate) fn exported_caller(m: &Machine, functor: Functor) -> Result<Option<Functor>, Stop> {
    let named = |&id: &PredId| {
        let predicate = m.world.predicates.get(id);
        predicate.functor == functor && predicate.clauses.iter().next().is_some()
    };
    let mut all = m.world.predicates.ids().filter(named);
    let (Some(only), None) = (all.next(), all.next()) else {
        return Ok(None);
    };
    let module = m.world.predicates.get(only).module;
    if module == atoms::SYSTEM || !m.is_system_module(module) || is_exported(m, only) {
        return Ok(None);
    }
    let own: Vec<PredId> = m
        .world
        .predicates
        .ids()
        .filter(|&id| m.world.predicates.get(id).module == module)
        .gather()?;
    let mut known = vec![only];
    let mut level = known.clone();
    while !level.is_empty() {
        let mut next: Vec<PredId> = Vec::new();
        for &id in &own {
            if !known.contains(&id) && calls_any(m, id, &level)? {
                known.put(id)?;
                next.put(id)?;
            }
        }
        let mut exported = next.iter().filter(|&&id| is_exported(m, id));
        match (exported.next(), exported.next()) {
            (Some(&id), None) => return Ok(Some(m.world.predicates.get(id).functor)),
            (Some(_), Some(_)) => return Ok(None),
            (None, _) => level = next,
        }
    }
    Ok(None)
}

fn is_exported(m: &Machine, id: PredId) -> bool {
    let predicate = m.world.predicates.get(id);
    let module = m.world.modules.find(predicate.module);
    module.is_some_and(|module| module.exports.contains(&predicate.functor))
}

/// Returns whether a clause of the predicate calls one of these.
fn calls_any(m: &Machine, id: PredId, wanted: &[PredId]) -> Result<bool, Stop> {
    for (_, clause) in m.world.predicates.get(id).clauses.iter() {
        let calls = calls(clause)?;
        let mut called = calls.iter().map(|call| definition(m, call.1));
        if called.any(|id| wanted.contains(&id)) {
            return Ok(true);
        }
    }
    Ok(false)
}
