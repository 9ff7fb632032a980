//! Clauses that wait for their goals, as messages tell of them.

use crate::base::growth::{Bounded, Gather};
use std::fmt::Write;

/// Messages name this many callers.
pub(crate) const SHOWN: usize = 10;

/// A clause that waits for one of its goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// The predicate, as `name/arity`.
    pub(crate) predicate: String,
    /// The goal that the clause was entered for, abbreviated, if it is known.
    pub(crate) goal: Option<String>,
    /// Its file; none of a goal that was being called when a limit was met.
    pub(crate) file: String,
    /// The line of the goal that it waits for, 0 if there is no file.
    pub(crate) line: usize,
    /// So many of the same in a row.
    pub(crate) times: u32,
}

/// How many are so many that they may not have been counted to their end.
const MANY: u32 = 1_000_000;

impl Waiting {
    /// `called by PREDICATE at FILE:LINE`, or `called as GOAL`
    pub(crate) fn shown(&self) -> String {
        let goal = self.goal.as_ref().unwrap_or(&self.predicate);
        if self.line == 0 {
            return format!("called as {goal}");
        }
        let mut text = format!("called by {goal} at {}:{}", self.file, self.line);
        if self.times > MANY {
            let _ = write!(text, ", more than {MANY} times");
        } else if self.times > 1 {
            // A string takes all that is written to it.
            let _ = write!(text, ", {} times", self.times);
        }
        text
    }
}

/// The callers of a goal as messages name them: a line for each.
pub(crate) fn shown(found: &[Waiting]) -> Vec<String> {
    let mut lines: Vec<String> = found
        .iter()
        .take(SHOWN)
        .map(Waiting::shown)
        .collect_bounded();
    if found.len() > SHOWN {
        lines.put_bounded("and so on".to_owned());
    }
    lines
}
