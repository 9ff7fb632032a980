//! The numbers that `flag/3` keeps.

use crate::base::number::Number;
use crate::base::symbol::FastMap;
use crate::store::cell::Cell;

/// A key: a name that is an atom or a small integer, or the text of a large one; with the arity.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum FlagKey {
    Simple(Cell, i64),
    Large(String),
}

/// The numbers by their keys.
pub(super) type CountingFlags = FastMap<FlagKey, Number>;
