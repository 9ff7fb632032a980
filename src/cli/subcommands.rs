//! The words that are subcommands.

/// Tests of answers.
pub(super) const TEST: &str = "test";
/// Images of programs.
pub(super) const COMPILE: &str = "compile";
/// The number of solutions of a goal.
pub(super) const COUNT: &str = "count";
/// The units of a count.
pub(super) const SPLIT: &str = "split";
/// The sum of the results of units.
pub(super) const MERGE: &str = "merge";
/// The search tree of a goal.
pub(super) const TREE: &str = "tree";
/// A script of completions.
pub(super) const COMPLETIONS: &str = "completions";
/// A page of the manual.
pub(super) const MAN: &str = "man";

/// All subcommands.
pub(super) const ALL: [&str; 8] = [TEST, COMPILE, COUNT, SPLIT, MERGE, TREE, COMPLETIONS, MAN];
