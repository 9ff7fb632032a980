//! Knowledge at a place of the code that selects clauses. With it, the following part of the code
//! can be made when it is first needed.

use super::key::Key;
use crate::store::address::CodeAddr;

/// A place in the arguments of a call: the argument, then arguments of its arguments. Each takes a
/// byte, the innermost one last, and each is one more than the number of the argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Path(u32);

impl Path {
    /// Number of arguments that paths can describe. Further arguments are never looked at.
    pub(crate) const WIDTH: usize = 16;

    /// Returns the path of argument `index` of the call.
    pub(crate) fn root(index: usize) -> Path {
        Path(index as u32 + 1)
    }

    /// Returns the path of argument `index` of the compound at this place. Returns `None` if it is
    /// too deep or if its number is too large.
    pub(crate) fn child(self, index: usize) -> Option<Path> {
        let room = self.0 < 1 << 24 && index < Self::WIDTH;
        room.then(|| Path(self.0 << 8 | (index as u32 + 1)))
    }

    /// Returns the compound of this argument, and the number of the argument. Returns `None` for
    /// arguments of the call.
    pub(crate) fn parent(self) -> Option<(Path, usize)> {
        (self.0 > 0xff).then(|| (Path(self.0 >> 8), self.last()))
    }

    /// Returns whether this is a part of the term at `outer`.
    pub(crate) fn is_below(self, outer: Path) -> bool {
        let parents = std::iter::successors(self.parent(), |(path, _)| path.parent());
        parents.into_iter().any(|(path, _)| path == outer)
    }

    /// Returns the number of the argument.
    pub(crate) fn last(self) -> usize {
        (self.0 & 0xff) as usize - 1
    }

    /// Returns the numbers of the arguments from the outermost to this one.
    pub(crate) fn steps(self) -> impl Iterator<Item = usize> {
        let bytes = self.0.to_be_bytes().into_iter();
        bytes.skip_while(|&b| b == 0).map(|b| usize::from(b) - 1)
    }
}

/// Knowledge about a part of an argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing is known.
    Nothing,
    /// The part has this tag. If it is a constant or a structure, no clause requires it.
    Tag(u64),
    /// The part is this constant, a list, or a compound with this functor.
    Exact(Key),
}

/// A part of an argument in a register.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Column {
    /// The place of the part.
    pub(crate) path: Path,
    /// The register of the part.
    pub(crate) register: u16,
    /// The knowledge about the part.
    pub(crate) known: Known,
}

/// The result of a test of a clause.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// Position of the clause.
    pub(crate) position: i64,
    /// Number of the test in the clause.
    pub(crate) test: u8,
    /// Whether the test succeeds. Otherwise its result is unknown. Clauses whose tests fail are
    /// left out, so no decisions about them are kept.
    pub(crate) holds: bool,
}

/// All knowledge at a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Knowledge {
    /// Parts of arguments.
    pub(crate) columns: Vec<Column>,
    /// Results of tests.
    pub(crate) decisions: Vec<Decision>,
}

impl Knowledge {
    /// Returns the part at a path, if it is in a register.
    pub(crate) fn column(&self, path: Path) -> Option<&Column> {
        self.columns.iter().find(|column| column.path == path)
    }
}

/// A part of the index that has not been made yet.
#[derive(Debug)]
pub(crate) struct Node {
    /// The knowledge at this part.
    pub(crate) knowledge: Knowledge,
    /// Positions of the remaining clauses.
    pub(crate) positions: Vec<i64>,
    /// Address of the word that leads to this part.
    pub(crate) slot: CodeAddr,
}
