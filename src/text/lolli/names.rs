//! Names that the terms of Lolli text have and that are not written as they are.

/// The name of an application whose head is no name.
pub(crate) const APPLICATION: &str = "$app";
/// The name of what stands for a name that a quantifier binds.
pub(crate) const BOUND: &str = "$bound";
/// The name of the pair of a bound name and what it is bound in.
pub(crate) const ABSTRACTION: &str = "\\";
/// The name that `{t}` has when it has another number of arguments than one.
pub(crate) const BANG: &str = "bang";
/// The name of `[t]`.
pub(crate) const SQUARE: &str = "dcgcodebracket";
/// The name of a guard.
pub(crate) const GUARD: &str = "guard";
/// The name of `!`.
pub(crate) const CUT: &str = "cut";
/// The name of a constant that `forall` made: the bound name and a number.
pub(crate) const EIGEN: &str = "$eigen";
