//! What loads hold of the program while goals of it run: the hooks of the machine for sweeps.

use super::consult::loader;
use crate::base::stop::Stop;
use crate::machine::state::Machine;
use crate::machine::upper::Held;
use crate::program::predicate::PredId;

/// Tells which symbols and predicates loads hold.
pub(crate) fn held(m: &mut Machine, held: &mut Held) -> Result<(), Stop> {
    let mut loads = loader(m).stack.iter();
    loads.try_for_each(|loading| loading.hold(held))
}

/// Predicates were forgotten, those of the least numbers first.
pub(crate) fn forgotten(m: &mut Machine, gone: &[PredId]) {
    loader(m).lost.retain(|id| gone.binary_search(id).is_err());
}
