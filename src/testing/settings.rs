//! How tests are run, and what is kept of them.

use super::progress::Progress;
use crate::api::{EngineBuilder, InterruptHandle, setters};

/// Inferences that a test, or other work that may have no end, may make unless told otherwise.
pub const USUAL_STEPS: u64 = 100_000_000;
/// Answers that are written of a query that has more.
pub(super) const ANSWERS: usize = 20;
/// Bytes of the answers and the output of a query that are kept, in excess of what the answers take that are told.
pub(super) const LONGEST: usize = 16_000_000;
/// Bytes of the answers of all tests that are kept for reports.
pub(super) const KEPT: usize = 256_000_000;

/// How tests are run.
#[derive(Clone, Debug)]
pub struct Settings {
    pub(super) engine: EngineBuilder,
    pub(super) steps: Option<Option<u64>>,
    pub(super) choices: bool,
    pub(super) warnings: bool,
    pub(super) unanswered: bool,
    pub(super) reuse: bool,
    pub(super) forks: u8,
    pub(super) reset: bool,
    pub(super) coverage: bool,
    pub(super) answers: usize,
    pub(super) threads: Option<usize>,
    pub(super) stack: Option<usize>,
    pub(super) stop: Option<InterruptHandle>,
    pub(super) progress: Progress,
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

    /// The number of answers in the report of a query that has more, unless its test gives a number; the default is 20.
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
