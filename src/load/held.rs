//! What loads hold of the program while goals of it run: the hooks of the machine for sweeps.

use super::reload::Former;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::diagnose::rules::equations::Arguments;
use crate::machine::state::Machine;
use crate::machine::upper_layers::Held;
use crate::program::predicate::PredId;
use crate::source::loading::loader;

/// Tells which symbols and predicates loads hold.
pub(crate) fn held(m: &mut Machine, held: &mut Held) -> Result<(), Stop> {
    for loading in &mut loader(m).stack {
        held.atoms.put_all([loading.module, loading.saved_module])?;
        let known = loading.own.of::<Arguments>().of();
        held.functors
            .put_all(loading.sealed.into_iter().chain(known))?;
        let met = loading.defined.iter().chain(&loading.warned);
        held.predicates.put_all(met.chain(&loading.last).copied())?;
        loading.own.of::<Former>().hold(held)?;
    }
    Ok(())
}

/// Predicates were forgotten, those of the least numbers first.
pub(crate) fn forgotten(m: &mut Machine, gone: &[PredId]) {
    loader(m).lost.retain(|id| gone.binary_search(id).is_err());
}
