//! How clauses assume what they assume.

/// How something is assumed.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Manner {
    /// Must it be used once?
    pub(crate) linear: bool,
    /// Does a clause of the predicate's module assume it, not a goal or another module? Once the host has closed a module
    /// no more clauses come to it.
    pub(crate) own: bool,
}

impl Manner {
    /// The number that stands for it in compiled clauses.
    pub(crate) fn number(self) -> i64 {
        i64::from(self.linear) | i64::from(self.own) << 1
    }

    /// The manner of this number.
    pub(crate) fn of(number: i64) -> Manner {
        Manner {
            linear: number & 1 != 0,
            own: number & 2 != 0,
        }
    }
}
