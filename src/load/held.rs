//! The references of loads to the program while goals of the program run: hooks of the machine for
//! the collection of symbols and predicates.

use super::reload::Former;
use crate::base::growth::Grow;
use crate::base::stop::Stop;
use crate::diagnose::rules::equations::Arguments;
use crate::machine::state::Machine;
use crate::machine::upper_layers::Held;
use crate::program::predicate::PredId;
use crate::source::loading::loader;

/// Adds the symbols and predicates that loads refer to.
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

/// Drops the references to predicates that were removed; `gone` is sorted by number.
pub(crate) fn forget_predicates(m: &mut Machine, gone: &[PredId]) {
    loader(m).lost.retain(|id| gone.binary_search(id).is_err());
}
