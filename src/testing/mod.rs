//! Tests of answers: queries in files with their expected answers.
//! The command `wamlet test` itself is in `cli`.
//! Sees `base`, `io`, `text`, `source` and `api`.
#![forbid(unsafe_code)]
#![doc = include_str!("../../docs/testing.md")]

mod accept;
mod answers;
mod blocks;
mod comments;
mod compare;
mod coverage;
mod find;
mod formats;
mod progress;
mod report;
mod run;
mod runner;
mod settings;
mod source;
mod stopping;
mod verdict;
mod write;

pub use coverage::{Coverage, CoveredClause, CoveredFile};
pub use find::find;
pub use formats::Format;
pub use progress::{Progress, Running};
pub use run::transcript;
pub use runner::{Problem, ProblemKind, Report, TestResult, run};
pub use settings::{Settings, USUAL_STEPS};
pub use source::{Fault, Language, Program, Test, TestFile};
pub use verdict::Verdict;
