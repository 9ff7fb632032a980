//! Names that terms of Lolli text have internally and that are written differently.

/// The name of an application whose head is no name.
pub(crate) const APPLICATION: &str = "$app";
/// The name of the term for a name that a quantifier binds.
pub(crate) const BOUND: &str = "$bound";
/// The name of the pair of a bound name and its scope.
pub(crate) const ABSTRACTION: &str = "\\";
/// The name that `{t}` has with a number of arguments other than one.
pub(crate) const BANG: &str = "bang";
/// The name of `[t]`.
pub(crate) const SQUARE: &str = "dcgcodebracket";
/// The name of a guard.
pub(crate) const GUARD: &str = "guard";
/// The name of `!`.
pub(crate) const CUT: &str = "cut";
/// The name of a constant that `forall` generates: the bound name and a number.
pub(crate) const EIGEN: &str = "$eigen";
