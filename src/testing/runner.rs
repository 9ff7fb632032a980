//! Running all tests of files, several at a time.

use super::coverage::{ClauseCounts, Coverage};
use super::run::{TestRun, run as run_test};
use super::settings::{KEPT, Settings, USUAL_STEPS};
use super::source::{Group, Program, Setup, Test, TestFile};
use super::stopping::Stopping;
use super::verdict::Verdict;
use crate::api::{ClauseCount, Diagnostic, Engine, Error, ErrorKind, LoadReport};
use crate::io::os_names::text_of_os;
use crate::source::diagnostic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// The result of a test.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TestResult {
    /// The number of the file of the test.
    pub file: usize,
    /// The number of the test in the file.
    pub test: usize,
    /// The line of the query.
    pub line: usize,
    /// The outcome.
    pub verdict: Verdict,
    /// The actual answers, in the form of a file, without indentation. Empty for a test that has passed if the answers of
    /// all tests take too much memory.
    pub actual: String,
    /// The number of inferences.
    pub steps: u64,
    /// Whether a module of Lolli was refused. Such an error is no answer of the program, so it is not written.
    pub refused: bool,
}

/// A problem of a file, or of the program of its tests.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The number of the file.
    pub file: usize,
    /// The kind of problem.
    pub kind: ProblemKind,
    /// The message with its place: `FILE:LINE:COLUMN: …`.
    pub message: String,
    /// The whole message for people, with the line and the place marked. It ends with a new line.
    pub rendered: String,
    /// The whole message as an object of JSON, as `wamlet --json` writes it.
    pub json: String,
}

impl Problem {
    fn new(file: usize, kind: ProblemKind, diagnostic: diagnostic::Diagnostic) -> Problem {
        Problem::of_load(file, kind, &Diagnostic::new(diagnostic))
    }

    /// Returns a problem that loading reported.
    fn of_load(file: usize, kind: ProblemKind, diagnostic: &Diagnostic) -> Problem {
        let rendered = diagnostic.rendered.clone();
        Problem {
            file,
            kind,
            message: rendered.lines().next().unwrap_or_default().to_owned(),
            rendered,
            json: diagnostic.json.clone(),
        }
    }

    /// Returns a problem without a place.
    fn of_text(file: usize, kind: ProblemKind, message: String) -> Problem {
        let diagnostic =
            diagnostic::Diagnostic::without_place(diagnostic::Severity::Error, message);
        Problem::new(file, kind, diagnostic)
    }
}

/// The kind of a problem.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// A part of the file is not a test.
    Fault,
    /// A file cannot be opened, or there is no memory for an engine.
    Unopened,
    /// An error in the program, or a warning where these count.
    Loading,
    /// A limit ended the loading of the program.
    Limit,
}

/// The report of a run: the results of the tests of some files.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// The results, in the order of the files and of the tests in them. Tests whose program cannot be
    /// loaded have none.
    pub results: Vec<TestResult>,
    /// Other problems.
    pub problems: Vec<Problem>,
    /// The coverage of the programs, if requested.
    pub coverage: Option<Coverage>,
    /// The number of tests without a result, if the run was stopped before its end.
    pub not_run: Option<usize>,
    /// Whether tests without an answer do not fail.
    tolerant: bool,
}

impl Report {
    /// Returns the number of tests that passed.
    pub fn passed(&self) -> usize {
        self.count(Verdict::is_passed)
    }

    /// Returns the number of tests with such a verdict.
    pub(super) fn count(&self, is: impl Fn(&Verdict) -> bool) -> usize {
        let results = self.results.iter();
        results.filter(|result| is(&result.verdict)).count()
    }

    /// Returns the number of tests that failed. Tests without an answer count only if [`Settings::unanswered`] is `true`.
    pub fn failed(&self) -> usize {
        self.results.len() - self.passed() - self.unanswered()
    }

    /// Returns the number of tests that have no answer and do not fail for that.
    pub fn unanswered(&self) -> usize {
        self.count(|verdict| self.is_open(verdict))
    }

    /// Returns whether a test with this verdict neither passed nor failed.
    pub(super) fn is_open(&self, verdict: &Verdict) -> bool {
        self.tolerant && *verdict == Verdict::Unanswered
    }

    /// Returns the exit status of a command that runs these tests:
    ///
    /// - 0 if no test failed and there are no problems;
    /// - 1 if tests fail or programs have errors, or the run was stopped before its end;
    /// - 2 if files cannot be opened;
    /// - 3 if a limit was reached and nothing else is wrong.
    pub fn status(&self) -> u8 {
        let problem = |kind| self.problems.iter().any(|problem| problem.kind == kind);
        let limited = self.count(|verdict| matches!(verdict, Verdict::Limited(_)));
        let failed = self.failed() - limited;
        if problem(ProblemKind::Unopened) {
            2
        } else if failed > 0
            || problem(ProblemKind::Loading)
            || problem(ProblemKind::Fault)
            || self.not_run.is_some()
        {
            1
        } else if limited > 0 || problem(ProblemKind::Limit) {
            3
        } else {
            0
        }
    }
}

impl Report {
    /// Marks the results of these numbers as passed, because their answers have been written.
    pub fn note_accepted(&mut self, numbers: &[usize]) {
        for &number in numbers {
            if let Some(result) = self.results.get_mut(number)
                && result.is_acceptable()
            {
                result.verdict = Verdict::Passed;
            }
        }
    }
}

impl TestResult {
    /// Adds the bytes of the answers to those of all tests. Drops the answers if the sum is too large.
    fn count_bytes(&mut self, all: &AtomicUsize) {
        let length = self.actual.len();
        if all.fetch_add(length, Ordering::Relaxed) + length <= KEPT {
            return;
        }
        all.fetch_sub(length, Ordering::Relaxed);
        self.actual = String::new();
        if !self.verdict.is_passed() {
            let most = KEPT / 1_000_000;
            let message = format!("the answers of all tests take more than {most} MB");
            self.verdict = Verdict::Limited(message);
        }
    }
}

/// The result of one group.
#[derive(Default)]
struct GroupResult {
    results: Vec<TestResult>,
    problems: Vec<Problem>,
    entered: Vec<ClauseCount>,
    /// The number of tests that did not run or were interrupted, because the run had to end.
    left: usize,
}

/// Runs the tests of files.
#[expect(
    clippy::disallowed_methods,
    reason = "`run`, of the public interface, cannot fail"
)]
pub fn run(files: &[TestFile], settings: &Settings) -> Report {
    let all = files.iter().enumerate();
    let work: Vec<(usize, &TestFile, &Group)> = all
        .flat_map(|(number, file)| file.groups.iter().map(move |group| (number, file, group)))
        .collect();
    let next = AtomicUsize::new(0);
    let kept_bytes = AtomicUsize::new(0);
    let found = Mutex::new(ClauseCounts::default());
    let done: Vec<Mutex<Option<GroupResult>>> = work.iter().map(|_| Mutex::new(None)).collect();
    let stopping = Stopping::new();
    let worker = || {
        let mut kept = None;
        // The problems of loading that the tests before had, too.
        let mut last_problems = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let (Some(&(number, file, group)), Some(place)) = (work.get(at), done.get(at)) else {
                return;
            };
            let mut result = run_group((number, file, group), settings, &stopping, &mut kept);
            if result.problems == last_problems {
                result.problems = Vec::new();
            } else if !result.problems.is_empty() {
                last_problems.clone_from(&result.problems);
            }
            for result in &mut result.results {
                result.count_bytes(&kept_bytes);
            }
            let entered = std::mem::take(&mut result.entered);
            if let Ok(mut found) = found.lock()
                && !entered.is_empty()
            {
                found.add(entered);
            }
            if let Ok(mut place) = place.lock() {
                *place = Some(result);
            }
        }
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let threads = settings.threads.unwrap_or(processors).min(work.len());
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads {
            let mut builder = thread::Builder::new();
            if let Some(bytes) = settings.stack {
                builder = builder.stack_size(bytes);
            }
            stopping.begin();
            let work = || {
                worker();
                stopping.end();
            };
            match builder.spawn_scoped(scope, work) {
                Ok(_) => started += 1,
                Err(_) => stopping.end(),
            }
        }
        if started == 0 {
            worker();
        }
        if let Some(handle) = &settings.stop {
            stopping.watch(handle);
        }
    });
    let done = done
        .into_iter()
        .map(|place| place.into_inner().ok().flatten());
    let mut report = gathered(files, settings, done.flatten());
    report.not_run = report.not_run.filter(|_| stopping.is_wanted());
    let found = found.into_inner().unwrap_or_default();
    report.coverage = settings.coverage.then(|| found.coverage());
    report
}

/// Returns the report of all groups, as if the run was stopped.
#[expect(
    clippy::disallowed_methods,
    reason = "`run`, of the public interface, cannot fail"
)]
fn gathered(
    files: &[TestFile],
    settings: &Settings,
    done: impl Iterator<Item = GroupResult>,
) -> Report {
    let mut report = Report {
        tolerant: !settings.unanswered,
        ..Report::default()
    };
    for (number, file) in files.iter().enumerate() {
        report.problems.extend(file.faults().iter().map(|fault| {
            let diagnostic = file.diagnostic(fault.place.clone(), fault.message.clone());
            Problem::new(number, ProblemKind::Fault, diagnostic)
        }));
    }
    let mut left = 0;
    for done in done {
        report.results.extend(done.results);
        left += done.left;
        for problem in done.problems {
            // Each test of a file loads its program.
            if !report.problems.contains(&problem) {
                report.problems.push(problem);
            }
        }
    }
    report.not_run = Some(left);
    report.problems.sort_by_key(|problem| problem.file);
    report
}

/// An engine with the program of tests that has answered queries and whose state is unchanged.
struct ReusableEngine {
    /// The file and the program in it.
    program: (usize, usize),
    engine: Engine,
}

/// Runs tests that share an engine. Uses the kept engine if it has the right program and earlier queries have no visible
/// effect.
fn run_group(
    (number, file, group): (usize, &TestFile, &Group),
    settings: &Settings,
    stopping: &Stopping,
    kept: &mut Option<ReusableEngine>,
) -> GroupResult {
    let not_run = || GroupResult {
        left: group.tests.len(),
        ..GroupResult::default()
    };
    if stopping.is_wanted() {
        return not_run();
    }
    let ask = |engine: &mut Engine, done: &mut GroupResult| {
        run_queries(engine, (number, file, group), settings, stopping, done)
    };
    let program = (number, group.setup);
    let setup = &file.setups[group.setup];
    if let Some(ReusableEngine { mut engine, .. }) =
        kept.take().filter(|kept| kept.program == program)
        && settings.reuse
    {
        let mut done = GroupResult::default();
        if ask(&mut engine, &mut done) {
            *kept = Some(ReusableEngine { program, engine });
            return done;
        }
        // Earlier queries may have changed this result.
    }
    let mut done = GroupResult::default();
    let prepared = {
        let _present = settings.progress.begin(file.path(), None);
        prepare(number, setup, settings, stopping, &mut done.problems)
    };
    if prepared.is_none() && stopping.is_wanted() {
        // The stop may have caused the reported problems.
        return not_run();
    }
    if let Some(mut engine) = prepared
        && ask(&mut engine, &mut done)
    {
        *kept = Some(ReusableEngine { program, engine });
    }
    done
}

/// Runs the queries of a group. Returns whether the state of the engine is unchanged, and the results did not depend on
/// earlier queries.
#[expect(
    clippy::disallowed_methods,
    reason = "`run`, of the public interface, cannot fail"
)]
fn run_queries(
    engine: &mut Engine,
    (number, file, group): (usize, &TestFile, &Group),
    settings: &Settings,
    stopping: &Stopping,
    done: &mut GroupResult,
) -> bool {
    let modules = modules(&file.setups[group.setup]);
    let modules: Vec<&str> = modules.iter().map(String::as_str).collect();
    let effects = engine.effects();
    if settings.coverage {
        engine.count_clauses();
    }
    let mut is_same = engine.has_standard_streams_only();
    let unread = engine.unread_of_file(&text_of_os(file.path().as_os_str()));
    for at in group.tests.clone() {
        let test: &Test = &file.tests()[at];
        let start = test.whole.start;
        // Text that the program does not read contains no tests.
        if unread
            .iter()
            .any(|span| (span.start as usize..span.end as usize).contains(&start))
        {
            continue;
        }
        let ran = (!stopping.is_wanted()).then(|| {
            let _present = settings.progress.begin(file.path(), Some(test.line));
            run_test(engine, &modules, test, settings)
        });
        // A test that was interrupted has no result.
        let whole = |ran: &TestRun| ran.verdict.is_passed() || !stopping.is_wanted();
        let Some(ran) = ran.filter(whole) else {
            done.left += 1;
            continue;
        };
        is_same &= !ran.end.exhausted;
        done.results.push(TestResult {
            file: number,
            test: at,
            line: test.line,
            verdict: ran.verdict,
            actual: ran.actual,
            steps: ran.steps,
            refused: ran.end.refused,
        });
    }
    let setup = &file.setups[group.setup];
    for diagnostic in engine.take_diagnostics().errors {
        if setup.is_of_module(&diagnostic.file) {
            let problem = Problem::of_load(number, ProblemKind::Loading, &diagnostic);
            done.problems.push(problem);
        }
    }
    done.entered = engine.clause_counts().unwrap_or_default();
    is_same &= engine.effects() == effects && engine.has_standard_streams_only();
    // The captured output is dropped.
    engine.capture_output();
    engine.capture_error_output();
    is_same
}

/// Returns the modules of Lolli in whose context queries run. Modules with parameters are left out, because queries name
/// them.
#[expect(
    clippy::disallowed_methods,
    reason = "`run`, of the public interface, cannot fail"
)]
fn modules(setup: &Setup) -> Vec<String> {
    if setup.head.is_some() {
        return Vec::new();
    }
    let programs = setup.programs.iter();
    programs
        .filter_map(|program| match program {
            Program::Module(path) => Some(text_of_os(path.as_os_str())),
            Program::ModuleText { name, .. } => Some(name.clone()),
            _ => None,
        })
        .collect()
}

/// Returns an engine with the program of tests; none if the program cannot be loaded at all.
#[expect(
    clippy::disallowed_methods,
    reason = "`run`, of the public interface, cannot fail"
)]
fn prepare(
    number: usize,
    setup: &Setup,
    settings: &Settings,
    stopping: &Stopping,
    problems: &mut Vec<Problem>,
) -> Option<Engine> {
    let mut builder = settings.engine.clone();
    let steps = settings
        .steps
        .unwrap_or(Some(setup.steps.unwrap_or(USUAL_STEPS)));
    if let Some(steps) = steps {
        builder = builder.inference_limit(steps);
    }
    let mut engine = match builder.build() {
        Ok(engine) => engine,
        Err(error) => {
            let kind = ProblemKind::Unopened;
            problems.push(Problem::of_text(number, kind, error.to_string()));
            return None;
        }
    };
    stopping.uses(&engine);
    engine.capture_output();
    engine.capture_error_output();
    engine.set_input_text("");
    for program in &setup.programs {
        let (name, loaded) = load(&mut engine, program, setup.head.is_some());
        engine.keep_quotes_of_load();
        match loaded {
            Ok(report) => {
                let warnings = report.warnings.iter().filter(|_| settings.warnings);
                for diagnostic in report.errors.iter().chain(warnings) {
                    let kind = match diagnostic.is_memory_limit {
                        true => ProblemKind::Limit,
                        false => ProblemKind::Loading,
                    };
                    let problem = Problem::of_load(number, kind, diagnostic);
                    problems.push(problem);
                }
                if matches!(program, Program::ModuleText { .. }) && !report.errors.is_empty() {
                    // A module with errors is refused as a whole.
                    return None;
                }
            }
            Err(error) => {
                let kind = match error.kind() {
                    ErrorKind::Io => ProblemKind::Unopened,
                    ErrorKind::InferenceLimit | ErrorKind::TimeLimit => ProblemKind::Limit,
                    _ => ProblemKind::Loading,
                };
                problems.push(match error.halt_status() {
                    Some(status) => {
                        let message =
                            format!("{name}: it calls halt({status}) while Wamlet loads it");
                        Problem::of_text(number, kind, message)
                    }
                    None => {
                        let message = engine.message_of(&error, Some(&name), (&name, 1));
                        Problem::new(number, kind, message.0)
                    }
                });
                return None;
            }
        }
    }
    if settings.warnings {
        engine.check_undefined();
        for diagnostic in engine.take_diagnostics().warnings {
            problems.push(Problem::of_load(number, ProblemKind::Loading, &diagnostic));
        }
    }
    let mut engine = match copied(engine, settings) {
        Ok(engine) => engine,
        Err(error) => {
            let kind = ProblemKind::Unopened;
            problems.push(Problem::of_text(number, kind, error.to_string()));
            return None;
        }
    };
    stopping.uses(&engine);
    if let Some(path) = &setup.within {
        engine.enter_module_of_file(&text_of_os(path.as_os_str()));
    }
    engine.take_output();
    engine.take_error_output();
    Some(engine)
}

/// The goal that an engine runs before it is reset.
const DISTURBING_GOAL: &str = "asserta(wamlet_other(1)), op(700, xfx, wamlet_other), nb_setval(wamlet_other, [1]), \
    ( current_predicate(N/A), atom(N), \\+ N = wamlet_other, functor(H, N, A), predicate_property(H, dynamic), \
      catch(retractall(H), _, true), fail ; true )";

/// Returns the engine that runs the tests: the one that has loaded the program, a fork of it, or one that was reset.
fn copied(mut engine: Engine, settings: &Settings) -> Result<Engine, Error> {
    for _ in 0..settings.forks {
        engine = engine.fork()?;
    }
    if settings.reset {
        engine = engine.snapshot()?.engine()?;
        engine.query_once(DISTURBING_GOAL)?;
        engine.reset()?;
    }
    if settings.reset || settings.forks > 0 {
        engine.capture_output();
        engine.capture_error_output();
        engine.set_input_text("");
    }
    Ok(engine)
}

/// Loads a part of the program of tests. `named` means that queries name the modules of Lolli.
fn load(
    engine: &mut Engine,
    program: &Program,
    named: bool,
) -> (String, Result<LoadReport, Error>) {
    match program {
        Program::File(path) => (path.display().to_string(), engine.consult_file(path)),
        Program::Text { name, text } => (name.clone(), engine.consult_text(name, text)),
        Program::Image { name, image } => {
            (name.clone(), engine.consult_image(name, Arc::clone(image)))
        }
        Program::ModuleText { name, text } => {
            (name.clone(), engine.consult_module_text(name, text))
        }
        Program::Module(path) if named => (path.display().to_string(), engine.consult_file(path)),
        // The query loads the module.
        Program::Module(path) => (path.display().to_string(), Ok(LoadReport::default())),
    }
}
