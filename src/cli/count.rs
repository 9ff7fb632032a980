//! `wamlet count`: the number of solutions of a goal, found by several threads.

use super::args::{Reading, parsed};
use super::limits::Limits;
use super::output::show;
use super::report::{self, no_engine, report_as};
use super::sandbox::Sandbox;
use super::status::{BROKEN, exit_code, load_status, status_of};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Command, CommandFactory, Parser};
use std::ffi::OsString;
use std::process::ExitCode;
use wamlet::{Engine, Error, ErrorKind, Term, os_of_text, text_of_os};

/// Counts the solutions of a goal and writes their number.
#[derive(Parser, Debug)]
#[command(
    name = "wamlet count",
    override_usage = "wamlet count [options] -g GOAL [file …]"
)]
#[command(after_help = "\
No solution is built or kept. With -j the search is divided among several threads, each with an engine of its own: the goal \
must have no effects then, such as output or changes of clauses.

Exit status: 0; 1 for errors in the files: nothing is counted then; 2 for an exception of the goal or its text, wrong usage \
or a file that cannot be read; 3 where --timeout, --max-steps or --max-memory ends the work.")]
struct Options {
    /// The goal
    #[arg(short = 'g', value_name = "GOAL", allow_hyphen_values = true)]
    goal: String,
    /// Count by so many threads
    #[arg(short = 'j', value_name = "THREADS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    sandbox: Sandbox,
    /// Show errors and warnings as JSON, an object on each line of the standard error output
    #[arg(long)]
    json: bool,
    /// Programs
    #[arg(value_name = "FILE", value_parser = OsStringValueParser::new().map(|name| text_of_os(&name)))]
    files: Vec<String>,
    #[command(flatten)]
    reading: Reading,
}

/// The definition of its arguments.
pub(super) fn command() -> Command {
    Options::command()
}

/// Runs the command; `args` begin with its word.
pub(crate) fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let options: Options = match parsed(args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let builder = options.limits.set(options.reading.settings());
    let mut engine = match options.sandbox.set(builder).build() {
        Ok(engine) => engine,
        Err(error) => return no_engine(&error),
    };
    options.sandbox.show_output(&mut engine);
    report_as(&mut engine, options.json);
    let signals = engine.interrupt_handle();
    signals.on_termination();
    let counted = count(&mut engine, &options);
    let status = counted.unwrap_or_else(|error| broken(&mut engine, &error, None));
    exit_code(signals.take_halt().unwrap_or(status))
}

/// Loads the files, counts, and gives the exit status.
fn count(engine: &mut Engine, options: &Options) -> Result<i32, Error> {
    for file in &options.files {
        if let Err(error) = engine.consult_file(&*os_of_text(file)) {
            return Ok(broken(engine, &error, report::ended_load(&error, file)));
        }
    }
    engine.check_undefined();
    if engine.load_errors() > 0 {
        report::plain_error(
            engine,
            "there are errors in the program: nothing is counted",
        );
        return Ok(load_status(engine));
    }
    // What is wrong with its text is told with its place.
    drop(engine.query(&options.goal)?);
    let given = [
        (
            "Text",
            Term::string(options.goal.trim().trim_end_matches('.')),
        ),
        ("Threads", Term::from(i64::from(options.threads))),
    ];
    let goal = "term_string(Goal, Text), count_solutions(Goal, Count, [threads(Threads)])";
    let mut solutions = engine.query_with(goal, &given)?;
    let ended = solutions.advance();
    let count = solutions.get("Count");
    drop(solutions);
    if let Err(error) = ended {
        let within = error.location().is_some_and(|place| place.file.is_some());
        if within || matches!(error.kind(), ErrorKind::Halt(_) | ErrorKind::Interrupted) {
            return Err(error);
        }
        report::goal_error(engine, &error, &options.goal);
        return Ok(status_of(&error));
    }
    let Some(count) = count else {
        report::plain_error(engine, "the goal has no number of solutions");
        return Ok(BROKEN);
    };
    show(engine, &format!("{count}\n"))?;
    engine.flush_output()?;
    Ok(0)
}

/// Reports why there is no number and gives the exit status.
fn broken(engine: &mut Engine, error: &Error, what: Option<&str>) -> i32 {
    if let ErrorKind::Halt(status) = error.kind() {
        return *status;
    }
    report::error(engine, error, what, report::GOAL);
    status_of(error)
}
