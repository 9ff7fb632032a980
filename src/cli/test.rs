//! `wamlet test`: runs the tests of answers in files, and writes answers into the files.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Command, CommandFactory, Parser};
use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use wamlet::testing::{
    self, Coverage, Format, Progress, Report, Settings, TestFile, TestResult, Verdict,
};
use wamlet::{Engine, InterruptHandle};

use super::args::{Reading, parsed};
use super::limits::{Limits, number};
use super::report::io_text;
use super::sandbox::Sandbox;
use super::slow_tests::reporting_slow_tests;
use super::status::{BROKEN, exit_code};

/// Run tests of queries and their answers.
#[derive(Parser, Debug)]
#[command(
    name = "wamlet test",
    version,
    override_usage = "wamlet test [options] [path …]"
)]
#[command(after_help = "\
A test is a query with its answers indented under it. Tests are in a file NAME.queries (whose program is NAME.pl or \
NAME.ll beside it), in a program, or in a block of a Markdown document. Without a path Wamlet runs all tests in the \
current folder and its subfolders.

Exit status: 0 for success; 1 if a test fails or a program has errors; 2 for wrong usage, a file that cannot be \
opened, or if there are no tests; 3 if a limit stops a test and nothing else fails. If the environment variable CI is \
set, tests without an answer fail, and Wamlet writes no answers.")]
struct Options {
    /// Run the tests in these files and folders
    paths: Vec<PathBuf>,
    /// Write the actual answers into the files
    #[arg(long)]
    accept: bool,
    /// Ask for each test that does not pass whether to write its actual answers
    #[arg(long, conflicts_with = "accept")]
    review: bool,
    /// Run only tests whose file, label or query contains this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Report the results in this format: human, tap (Test Anything Protocol), junit (JUnit XML) or json
    // The descriptions of the values are for the completions of shells. In the help they would make every option long.
    #[arg(long, value_parser = formats(), default_value = Format::Human.name(), hide_possible_values = true)]
    format: Format,
    /// Count warnings of loading as failures
    #[arg(long)]
    warnings: bool,
    /// Fail a test that leaves a choice point after its last answer, unless its answers end in `; false`
    #[arg(long)]
    choices: bool,
    /// Report which clauses of the programs the tests enter, and which they do not
    #[arg(long)]
    coverage: bool,
    /// Write the coverage to FILE in LCOV format; `-` is standard output
    #[arg(long, value_name = "FILE")]
    coverage_lcov: Option<PathBuf>,
    /// Write at most NUMBER answers of a query
    #[arg(long, value_name = "NUMBER", value_parser = number(0, None::<usize>))]
    max_answers: Option<usize>,
    /// Run NUMBER tests at a time
    #[arg(short = 'j', long, value_name = "NUMBER", value_parser = number(0, None::<usize>))]
    jobs: Option<usize>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    sandbox: Sandbox,
    #[command(flatten)]
    reading: Reading,
}

/// Parses the name of a format.
fn formats() -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.map(|format| PossibleValue::new(format.name()).help(format.about()));
    let named = |name: String| Format::ALL.into_iter().find(|format| format.name() == name);
    PossibleValuesParser::new(names).map(move |name| named(name).unwrap_or_default())
}

/// Returns the definition of the arguments.
pub(super) fn command() -> Command {
    Options::command()
}

/// Runs the command with the arguments after `wamlet`.
pub(crate) fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let options: Options = match parsed(args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    match work(&options) {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            let _ = writeln!(io::stderr(), "ERROR: {message}");
            exit_code(BROKEN)
        }
    }
}

/// Returns whether this run is in a CI service that no user watches.
fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

fn work(options: &Options) -> Result<u8, String> {
    let ci = in_ci();
    if ci && (options.accept || options.review) {
        return Err("the environment variable CI is set, so Wamlet writes no answers".to_owned());
    }
    let mut files = read(options)?;
    for file in &mut files {
        keep_wanted(file, options);
    }
    files.retain(|file| !(file.tests().is_empty() && file.faults().is_empty()));
    if files.is_empty() {
        return Err("there are no tests".to_owned());
    }
    let stop = InterruptHandle::default();
    stop.on_ctrl_c();
    let progress = Progress::default();
    let settings = settings(options, ci).stop(stop).progress(progress.clone());
    let mut report = reporting_slow_tests(&progress, || testing::run(&files, &settings));
    let lcov = report
        .coverage
        .as_ref()
        .filter(|_| options.coverage_lcov.is_some());
    let lcov = lcov.map(Coverage::lcov);
    if !options.coverage {
        report.coverage = None;
    }
    let accepted = if report.not_run.is_some() {
        // A user who stops the tests wants nothing else to happen.
        let _ = writeln!(io::stderr(), "% Execution aborted");
        Vec::new()
    } else if options.review {
        review(&report, &files)?
    } else if options.accept {
        (0..report.results.len()).collect()
    } else {
        Vec::new()
    };
    if !accepted.is_empty() {
        let written = accept(&mut report, &files, &accepted)?;
        for number in written {
            renew(&mut report, &mut files, number, (options, &settings))?;
        }
    }
    let text = report.render(&files, options.format);
    match (&options.coverage_lcov, lcov) {
        // The standard output is for LCOV only.
        (Some(path), Some(lcov)) if path.as_os_str() == "-" => {
            show(&lcov, false)?;
            let _ = io::stderr().write_all(text.as_bytes());
        }
        (path, lcov) => {
            if let (Some(path), Some(lcov)) = (path, lcov) {
                let written = wamlet::replace_file(path, lcov.as_bytes());
                written.map_err(|error| format!("{}: {}", path.display(), io_text(&error)))?;
            }
            show(&text, options.format == Format::Human)?;
        }
    }
    Ok(report.status())
}

/// Runs the tests of a file again after answers were written into it, if unreported results are left: their
/// places have moved.
fn renew(
    report: &mut Report,
    files: &mut [TestFile],
    number: usize,
    (options, settings): (&Options, &Settings),
) -> Result<(), String> {
    let left = report
        .results
        .iter()
        .any(|result| result.file == number && !matches!(result.verdict, Verdict::Passed));
    let has_problems = report.problems.iter().any(|problem| problem.file == number);
    let Some(file) = files.get_mut(number).filter(|_| left || has_problems) else {
        return Ok(());
    };
    let path = file.path().to_owned();
    *file = TestFile::read(&path)
        .map_err(|error| format!("{}: {}", path.display(), io_text(&error)))?;
    keep_wanted(file, options);
    let mut anew = testing::run(std::slice::from_ref(file), settings);
    report.results.retain(|result| result.file != number);
    report.problems.retain(|problem| problem.file != number);
    for result in &mut anew.results {
        result.file = number;
    }
    for problem in &mut anew.problems {
        problem.file = number;
    }
    report.results.append(&mut anew.results);
    report.problems.append(&mut anew.problems);
    report
        .results
        .sort_by_key(|result| (result.file, result.test));
    report.problems.sort_by_key(|problem| problem.file);
    Ok(())
}

/// Keeps the tests of a file that match the filter.
fn keep_wanted(file: &mut TestFile, options: &Options) {
    let Some(filter) = &options.filter else {
        return;
    };
    let all = file.path().to_string_lossy().contains(filter);
    file.retain(|test| {
        let label = test.label.as_ref();
        all || test.query.contains(filter) || label.is_some_and(|label| label.contains(filter))
    });
}

fn settings(options: &Options, ci: bool) -> Settings {
    // Tests count their own steps.
    let limits = Limits {
        max_steps: None,
        ..options.limits
    };
    let engine = options.sandbox.set(limits.set(options.reading.settings()));
    let mut settings = Settings::default()
        .engine(engine)
        .warnings(options.warnings)
        .choices(options.choices)
        .coverage(options.coverage || options.coverage_lcov.is_some())
        .unanswered(ci);
    if let Some(steps) = options.limits.max_steps {
        settings = settings.max_steps(Some(steps));
    }
    if let Some(answers) = options.max_answers {
        settings = settings.max_answers(answers);
    }
    if let Some(jobs) = options.jobs {
        settings = settings.threads(jobs);
    }
    settings
}

/// Reads the files with tests.
fn read(options: &Options) -> Result<Vec<TestFile>, String> {
    let here = [PathBuf::from(".")];
    let paths = if options.paths.is_empty() {
        &here[..]
    } else {
        &options.paths
    };
    let found = testing::find(paths)
        .map_err(|(path, error)| format!("{}: {}", path.display(), io_text(&error)))?;
    let mut files = Vec::new();
    for path in found {
        match TestFile::read(&path) {
            Ok(file) => files.push(file),
            // A file found in a folder may have any content.
            Err(error)
                if error.kind() == io::ErrorKind::InvalidData && !options.paths.contains(&path) => {
            }
            Err(error) => return Err(format!("{}: {}", path.display(), io_text(&error))),
        }
    }
    Ok(files)
}

/// Writes the answers of these results, which then have passed. Returns the numbers of the files.
fn accept(
    report: &mut Report,
    files: &[TestFile],
    numbers: &[usize],
) -> Result<Vec<usize>, String> {
    let mut written = 0;
    let mut changed = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let results: Vec<&TestResult> = numbers
            .iter()
            .filter_map(|&number| report.results.get(number))
            .filter(|result| result.file == at)
            .collect();
        let done = file.accept(results);
        let done =
            done.map_err(|error| format!("{}: {}", file.path().display(), io_text(&error)))?;
        if done > 0 {
            changed.push(at);
        }
        written += done;
    }
    report.note_accepted(numbers);
    if written > 0 {
        let answers = if written == 1 { "answer" } else { "answers" };
        let _ = writeln!(io::stderr(), "{written} {answers} written");
    }
    Ok(changed)
}

/// Asks for each result whether to write it. Returns the numbers of the results to write.
fn review(report: &Report, files: &[TestFile]) -> Result<Vec<usize>, String> {
    let mut wanted = Vec::new();
    let mut rest = false;
    // Ctrl-C ends the questions. Results accepted so far are written.
    if let Ok(engine) = Engine::new() {
        engine.interrupt_handle().on_ctrl_c();
    }
    for (number, result) in report.results.iter().enumerate() {
        let Some(file) = files.get(result.file).filter(|_| result.is_acceptable()) else {
            continue;
        };
        if rest {
            wanted.push(number);
            continue;
        }
        show(&result.describe(file), true)?;
        loop {
            show(
                "Write this answer? y: yes, n: no, a: yes to all the rest, q: no to all the rest > ",
                false,
            )?;
            let answer = match read_line() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                    let _ = writeln!(io::stderr());
                    if wanted.is_empty() {
                        let _ = writeln!(io::stderr(), "no answers written");
                    }
                    return Ok(wanted);
                }
                answer => answer.map_err(|error| error.to_string())?,
            };
            match answer.as_deref().map(str::trim) {
                Some("y" | "yes") => wanted.push(number),
                Some("n" | "no") => {}
                Some("a" | "all") => {
                    wanted.push(number);
                    rest = true;
                }
                None | Some("q" | "quit") => return Ok(wanted),
                Some(_) => continue,
            }
            break;
        }
    }
    Ok(wanted)
}

/// Returns the next line of the standard input, or `None` at its end.
///
/// # Errors
/// Returns an error if the input cannot be read or if Ctrl-C ends the wait.
fn read_line() -> io::Result<Option<String>> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        // Unlike `read_line`, this does not wait again after a signal.
        let read = input.fill_buf()?;
        let end = read.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(read.len(), |end| end + 1);
        let (is_last, is_end) = (end.is_some(), read.is_empty());
        line.extend_from_slice(&read[..taken]);
        input.consume(taken);
        if is_last || is_end {
            let is_none = is_end && line.is_empty();
            return Ok((!is_none).then(|| String::from_utf8_lossy(&line).into_owned()));
        }
    }
}

/// Writes to the standard output. Differences are in colour if `colour` is true and the terminal shows colours.
fn show(text: &str, colour: bool) -> Result<(), String> {
    let mut out = io::stdout().lock();
    let no_colour = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let painted;
    let mut shown = text;
    if colour && !no_colour && out.is_terminal() {
        let lines = text.split_inclusive('\n').map(|line| {
            let code = match line.get(..3) {
                Some("  -") => "31",
                Some("  +") => "32",
                _ => return line.to_owned(),
            };
            format!("\x1b[{code}m{}\x1b[0m\n", line.trim_end_matches('\n'))
        });
        painted = lines.collect::<String>();
        shown = &painted;
    }
    let written = out.write_all(shown.as_bytes()).and_then(|()| out.flush());
    match written {
        // A closed pipe is not an error: its reader needs no more output.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}
