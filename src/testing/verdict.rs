//! How a test came out.

use super::answers::Malformed;
use std::ops::Range;

/// How a test came out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// As told.
    Passed,
    /// Not as told.
    Failed {
        /// The line of the answer that differs.
        line: usize,
        /// What is different.
        message: String,
    },
    /// There is no answer to compare with.
    Unanswered,
    /// What is told is no answer.
    Malformed {
        /// The line.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// The query itself cannot be read, and its answer does not say that this is wanted.
    Mistyped {
        /// What is wrong with it.
        message: String,
        /// What may help.
        hint: Option<String>,
        /// Where, in bytes of the query.
        place: Range<usize>,
    },
    /// A limit ended the query.
    Limited(String),
}

impl Verdict {
    /// Its name for programs.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed { .. } => "failed",
            Verdict::Unanswered => "unanswered",
            Verdict::Malformed { .. } => "malformed",
            Verdict::Mistyped { .. } => "mistyped",
            Verdict::Limited(_) => "limited",
        }
    }

    /// Is all as told?
    pub fn is_passed(&self) -> bool {
        *self == Verdict::Passed
    }
}

impl From<Malformed> for Verdict {
    fn from(wrong: Malformed) -> Verdict {
        Verdict::Malformed {
            line: wrong.line,
            message: wrong.message,
        }
    }
}
