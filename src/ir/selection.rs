//! What is known at a place of the code that selects among clauses, so that the part of it that
//! follows can be made when it is first needed.

use super::key::Key;
use crate::store::address::CodeAddr;

/// A place in the arguments of a call: the argument, then arguments of its arguments, a byte each,
/// the innermost last; one more than the number of the argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Path(u32);

impl Path {
    /// Arguments with higher numbers are never looked at.
    pub(crate) const WIDTH: usize = 16;

    /// Argument `index` of the call.
    pub(crate) fn root(index: usize) -> Path {
        Path(index as u32 + 1)
    }

    /// Argument `index` of the compound at this place; `None` if it is too deep or too far out.
    pub(crate) fn child(self, index: usize) -> Option<Path> {
        let room = self.0 < 1 << 24 && index < Self::WIDTH;
        room.then(|| Path(self.0 << 8 | (index as u32 + 1)))
    }

    /// The compound that this is an argument of, and the number of the argument; `None` for
    /// arguments of the call.
    pub(crate) fn parent(self) -> Option<(Path, usize)> {
        (self.0 > 0xff).then(|| (Path(self.0 >> 8), self.last()))
    }

    /// Is it part of what stands at `outer`?
    pub(crate) fn is_below(self, outer: Path) -> bool {
        let parents = std::iter::successors(self.parent(), |(path, _)| path.parent());
        parents.into_iter().any(|(path, _)| path == outer)
    }

    /// The number of the argument.
    pub(crate) fn last(self) -> usize {
        (self.0 & 0xff) as usize - 1
    }

    /// The numbers of the arguments from the outermost to this.
    pub(crate) fn steps(self) -> impl Iterator<Item = usize> {
        let bytes = self.0.to_be_bytes().into_iter();
        bytes.skip_while(|&b| b == 0).map(|b| usize::from(b) - 1)
    }
}

/// What is known of a part of an argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing.
    Nothing,
    /// It has this tag; if it is a constant or a structure, it is none that a clause asks for.
    Tag(u64),
    /// It is this constant, a list, or has this functor.
    Exact(Key),
}

/// A part of an argument that is in a register.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Column {
    /// Where it stands.
    pub(crate) path: Path,
    /// Its register.
    pub(crate) register: u16,
    /// What it is.
    pub(crate) known: Known,
}

/// A test of a clause that was made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Position of the clause.
    pub(crate) position: i64,
    /// Number of the test in the clause.
    pub(crate) test: u8,
    /// Does it hold? Otherwise nothing was found out. Of clauses whose tests do not hold nothing
    /// is kept: they are left out.
    pub(crate) holds: bool,
}

/// What is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// Parts of arguments.
    pub(crate) columns: Vec<Column>,
    /// Tests.
    pub(crate) decisions: Vec<Decision>,
}

impl Knowledge {
    /// What is known at a path, if it is in a register.
    pub(crate) fn column(&self, path: Path) -> Option<&Column> {
        self.columns.iter().find(|column| column.path == path)
    }
}

/// A part of the index not made yet.
#[derive(Debug)]
pub(crate) struct Node {
    /// What is known there.
    pub(crate) knowledge: Knowledge,
    /// Positions of the clauses that are left.
    pub(crate) positions: Vec<i64>,
    /// Address of the word that leads there.
    pub(crate) slot: CodeAddr,
}
