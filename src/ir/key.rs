//! What the arguments of a clause head are, for the choice of clauses.

use crate::base::symbol::functors;
use crate::store::cell::{Cell, tag};
use crate::store::raw;

/// What an argument is, in one word: the cell of a constant, the functor cell of a compound, or one
/// of the constants below, which are no such cells.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(u64);

impl Key {
    /// A variable: matches everything.
    pub(crate) const ANY: Key = Key(tag::REF);
    /// A list.
    pub(crate) const LIST: Key = Key(tag::LST);
    /// The constant of a universal quantifier, which looks like a compound.
    pub(crate) const EIGENVARIABLE: Key = Key(Cell::functor(functors::EIGENVARIABLE).0);
    /// A boxed value: looked at only by unification.
    pub(crate) const BOXED: Key = Key(tag::BOX);

    /// The key of a term; the cell is dereferenced.
    #[inline(always)]
    pub(crate) fn of(cell: Cell) -> Key {
        match cell.tag() {
            tag::REF | tag::ATT => Key::ANY,
            tag::LST => Key::LIST,
            tag::STR => Key(raw::word(cell.addr())),
            tag::BOX => Key::BOXED,
            _ => Key(cell.0),
        }
    }

    /// The word that switches compare: the cell of a constant, or a functor cell.
    pub(crate) const fn word(self) -> u64 {
        self.0
    }

    /// Does it tell clauses apart without a look at their terms?
    #[inline(always)]
    pub(crate) fn is_selective(self) -> bool {
        self != Key::ANY && self != Key::BOXED
    }

    /// Is it an atom or an inline integer?
    pub(crate) const fn is_constant(self) -> bool {
        Cell(self.0).is_int() || Cell(self.0).is_atom()
    }

    /// Is it a compound other than a list?
    pub(crate) const fn is_structure(self) -> bool {
        Cell(self.0).is_simple() && !self.is_constant()
    }
}

/// How many arguments of a head are described by keys.
pub(crate) const KEYED_ARGS: usize = 8;

/// May an argument of key `clause` unify with one of key `call`?
#[inline(always)]
pub(crate) fn may_match(clause: Key, call: Key) -> bool {
    clause == call || clause == Key::ANY || call == Key::ANY
}
