//! The verdict on a test.

use super::answers::Malformed;
use std::ops::Range;

/// The outcome of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The answers are as in the file.
    Passed,
    /// The answers differ from the file.
    Failed {
        /// The line of the answer that differs.
        line: usize,
        /// The difference.
        message: String,
    },
    /// The file has no answer to compare with.
    Unanswered,
    /// The answer in the file is malformed.
    Malformed {
        /// The line.
        line: usize,
        /// The error.
        message: String,
    },
    /// The query itself cannot be read, and its answer does not expect that.
    Mistyped {
        /// The error.
        message: String,
        /// A hint.
        hint: Option<String>,
        /// The place, in bytes of the query.
        place: Range<usize>,
    },
    /// A limit ended the query.
    Limited(String),
}

impl Verdict {
    /// Returns the name of the verdict for programs.
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

    /// Returns whether the test passed.
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
