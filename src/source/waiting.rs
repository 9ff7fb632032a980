//! Clauses that wait for their goals, as messages show them.

use crate::base::growth::{Bounded, Gather};
use std::fmt::Write;

/// Maximum number of callers in a message.
pub(crate) const MAX_CALLERS: usize = 10;

/// A clause that waits for one of its goals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Waiting {
    /// The predicate, as `name/arity`.
    pub(crate) predicate: String,
    /// The goal that the clause was entered for, abbreviated, if it is known.
    pub(crate) goal: Option<String>,
    /// The file of the clause; empty for a goal that was being called when a limit was reached.
    pub(crate) file: String,
    /// The line of the goal that the clause waits for; 0 if there is no file.
    pub(crate) line: usize,
    /// Number of equal entries in a row.
    pub(crate) times: u32,
}

/// The number of repetitions up to which the count is exact.
const MAX_EXACT_COUNT: u32 = 1_000_000;

impl Waiting {
    /// Returns `called by PREDICATE at FILE:LINE`, or `called as GOAL`.
    pub(crate) fn text(&self) -> String {
        let goal = self.goal.as_ref().unwrap_or(&self.predicate);
        if self.line == 0 {
            return format!("called as {goal}");
        }
        let mut text = format!("called by {goal} at {}:{}", self.file, self.line);
        if self.times > MAX_EXACT_COUNT {
            let _ = write!(text, ", more than {MAX_EXACT_COUNT} times");
        } else if self.times > 1 {
            // Writing to a string never fails.
            let _ = write!(text, ", {} times", self.times);
        }
        text
    }
}

/// Returns the callers of a goal as messages show them, one line each.
pub(crate) fn caller_lines(found: &[Waiting]) -> Vec<String> {
    let mut lines: Vec<String> = found
        .iter()
        .take(MAX_CALLERS)
        .map(Waiting::text)
        .collect_bounded();
    if found.len() > MAX_CALLERS {
        lines.put_bounded("and so on".to_owned());
    }
    lines
}
