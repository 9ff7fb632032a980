//! The settings of a run of tests, and the limits of kept results.

use super::progress::Progress;
use crate::api::{EngineBuilder, InterruptHandle, setters};

/// The default limit of inferences of a test, or of other work that may have no end.
pub const USUAL_STEPS: u64 = 100_000_000;
/// The default number of answers that a report shows of a query with more.
pub(super) const ANSWERS: usize = 20;
/// The maximum bytes of the answers and the output of a query. Twice the size of the answers in the file is added.
pub(super) const LONGEST: usize = 16_000_000;
/// The maximum bytes of the answers of all tests that are kept for reports.
pub(super) const KEPT: usize = 256_000_000;

/// The settings of a run of tests.
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
    /// Sets the builder of the engines that run the tests.
    pub engine(engine: EngineBuilder) engine = engine;

    /// Limits the inferences of each test, and of the loading of each program; none for no limit. By default
    /// the file sets the limit by `:- max_steps(Number).`, else it is a hundred million.
    pub max_steps(steps: Option<u64>) steps = Some(steps);

    /// Fails tests that leave a choice point after the last answer, unless they have `; false`. The default is `false`.
    pub choices(strict: bool) choices = strict;

    /// Counts warnings of loading as failures. By default only errors count.
    pub warnings(strict: bool) warnings = strict;

    /// Sets whether tests without an answer fail. By default they do.
    pub unanswered(fail: bool) unanswered = fail;

    /// Counts how often tests enter the clauses of the programs. Tests take several times longer then.
    pub coverage(wanted: bool) coverage = wanted;

    /// Sets the number of answers in the report of a query with more; the default is 20. A test with more answers, or
    /// with `...`, sets the number itself.
    pub max_answers(answers: usize) answers = answers.max(1);

    /// Sets the number of tests that run at a time. The default is the number of processors.
    pub threads(threads: usize) threads = Some(threads.max(1));

    /// Lets an engine run further tests if the earlier ones had no lasting effects. The results do not depend on this
    /// setting, but are found more slowly without it. Turn it off to look for faults in the engine itself.
    #[doc(hidden)]
    pub reuse(reuse: bool) reuse = reuse;

    /// Runs the tests on a fork of the engine that has loaded the program: a fork of a fork, this number of times. Use
    /// this to look for faults in the engine itself.
    #[doc(hidden)]
    pub forks(forks: u8) forks = forks;

    /// Runs the tests on engines that have done other work and were reset. Use this to look for faults in the engine
    /// itself.
    #[doc(hidden)]
    pub reset(reset: bool) reset = reset;

    /// Ends the run when this handle is used: running tests are interrupted, and the report has the number of tests
    /// that are left.
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

    /// Sets the value that records the tests that run at present.
    ///
    /// ```
    /// use wamlet::testing::{Progress, Settings, run};
    ///
    /// let progress = Progress::default();
    /// run(&[], &Settings::default().progress(progress.clone()));
    /// assert!(progress.running().is_empty());
    /// ```
    pub progress(progress: Progress) progress = progress;

    /// Sets the bytes of stack of each thread.
    pub stack_size(bytes: usize) stack = Some(bytes);
}
