//! What the arguments of a clause head are, for the choice of clauses.

/// What an argument is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// A variable: matches everything.
    Any,
    /// An atom or inline integer: the cell.
    Constant(u64),
    /// A list.
    List,
    /// A compound: its functor cell.
    Structure(u64),
    /// A boxed value: looked at only by unification.
    Boxed,
}

/// How many arguments of a head are described by keys.
pub(crate) const KEYED_ARGS: usize = 8;

/// May an argument of key `clause` unify with one of key `call`?
pub(crate) fn may_match(clause: Key, call: Key) -> bool {
    clause == call || clause == Key::Any || call == Key::Any
}
