//! The manner in which clauses make assumptions.

/// The manner of an assumption.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Manner {
    /// Whether the assumption must be used once.
    pub(crate) linear: bool,
    /// Whether a clause of the predicate's own module makes the assumption, and not a goal or another module. A module
    /// that the host has closed gets no more such clauses.
    pub(crate) own: bool,
}

impl Manner {
    /// Returns the number of the manner in compiled clauses.
    pub(crate) fn number(self) -> i64 {
        i64::from(self.linear) | i64::from(self.own) << 1
    }

    /// Returns the manner with this number.
    pub(crate) fn of(number: i64) -> Manner {
        Manner {
            linear: number & 1 != 0,
            own: number & 2 != 0,
        }
    }
}
