//! Tests of answers: queries in files with the answers that they shall have. The command `wamlet test` itself is in
//! `cli`.
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
mod source;
mod stopping;
mod write;

use answers::Malformed;
pub use coverage::{Coverage, CoveredClause, CoveredFile};
pub use find::find;
pub use progress::{Progress, Running};
pub use report::Format;
pub use run::transcript;
pub use runner::{Problem, ProblemKind, Report, TestResult, run};
pub use source::{Fault, Language, Program, Test, TestFile};

use crate::api::{EngineBuilder, InterruptHandle, setters};
use std::ops::Range;

/// Inferences that a test may make unless told otherwise.
const STEPS: u64 = 100_000_000;
/// Answers that are written of a query that has more.
const ANSWERS: usize = 20;
/// Bytes of the answers and the output of a query that are kept, in excess of what the answers take that are told.
const LONGEST: usize = 16_000_000;
/// Bytes of the answers of all tests that are kept for reports.
const KEPT: usize = 256_000_000;

/// How tests are run.
#[derive(Clone, Debug)]
pub struct Settings {
    engine: EngineBuilder,
    steps: Option<Option<u64>>,
    choices: bool,
    warnings: bool,
    unanswered: bool,
    reuse: bool,
    forks: u8,
    reset: bool,
    coverage: bool,
    answers: usize,
    threads: Option<usize>,
    stack: Option<usize>,
    stop: Option<InterruptHandle>,
    progress: Progress,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            engine: EngineBuilder::default(),
            steps: None,
            choices: false,
            warnings: false,
            unanswered: true,
            reuse: true,
            forks: 0,
            reset: false,
            coverage: false,
            answers: ANSWERS,
            threads: None,
            stack: None,
            stop: None,
            progress: Progress::default(),
        }
    }
}

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

setters! { Settings:
    /// The engines that tests are asked of.
    pub engine(engine: EngineBuilder) engine = engine;

    /// Inferences that each test may make, and the loading of each program; none for no limit. By default
    /// it is what the file says by `:- max_steps(Number).`, else a hundred million.
    pub max_steps(steps: Option<u64>) steps = Some(steps);

    /// Is a choice that is left after the last answer, and is not told of by `; false`, a failure?
    /// By default it is not.
    pub choices(strict: bool) choices = strict;

    /// Are warnings of loading failures? By default only errors are.
    pub warnings(strict: bool) warnings = strict;

    /// Do tests without answer fail? By default they do.
    pub unanswered(fail: bool) unanswered = fail;

    /// Is it counted which clauses of the programs are entered? Tests take several times longer then.
    pub coverage(wanted: bool) coverage = wanted;

    /// How many answers are told of a query that has more, if its test does not tell; the default is 20.
    pub max_answers(answers: usize) answers = answers.max(1);

    /// How many tests run at a time; by default as many as the machine has processors.
    pub threads(threads: usize) threads = Some(threads.max(1));

    /// May an engine answer further tests if those before did nothing that lasts? Results are the same, found
    /// more slowly without: this is for those who look for faults in the engine itself.
    #[doc(hidden)]
    pub reuse(reuse: bool) reuse = reuse;

    /// Tests are asked of forks of the engine that has loaded the program: of forks of forks, so many times. This is for
    /// those who look for faults in the engine itself.
    #[doc(hidden)]
    pub forks(forks: u8) forks = forks;

    /// Tests are asked of engines that have done other things and were reset. This is for those who look for faults in the
    /// engine itself.
    #[doc(hidden)]
    pub reset(reset: bool) reset = reset;

    /// Ends the run once this handle is used: tests under way are broken off, and the report tells how many
    /// are left.
    ///
    /// ```
    /// use wamlet::InterruptHandle;
    /// use wamlet::testing::{Settings, run};
    ///
    /// let stop = InterruptHandle::default();
    /// stop.on_ctrl_c();
    /// let report = run(&[], &Settings::default().stop(stop));
    /// assert_eq!(report.not_run, None);
    /// ```
    pub stop(handle: InterruptHandle) stop = Some(handle);

    /// What is to know which tests run at present.
    ///
    /// ```
    /// use wamlet::testing::{Progress, Settings, run};
    ///
    /// let progress = Progress::default();
    /// run(&[], &Settings::default().progress(progress.clone()));
    /// assert!(progress.running().is_empty());
    /// ```
    pub progress(progress: Progress) progress = progress;

    /// Bytes of stack of each thread.
    pub stack_size(bytes: usize) stack = Some(bytes);
}

impl From<Malformed> for Verdict {
    fn from(wrong: Malformed) -> Verdict {
        Verdict::Malformed {
            line: wrong.line,
            message: wrong.message,
        }
    }
}
