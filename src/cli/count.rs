//! `wamlet count`: the number of solutions of a goal, or of units of it, found by several threads.

use super::args::{Reading, parsed};
use super::limits::number;
use super::merge::{STANDARD_INPUT, lines_of};
use super::one_goal::{broken, load};
use super::output::show;
use super::progress::ShowProgress;
use super::report;
use super::setup::Setup;
use super::status::{BROKEN, exit_code};
use super::unit_lines::{Count, Unit};
use super::units::{Counter, divide, query_value, text_of_goal};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Command, CommandFactory, Parser};
use std::ffi::OsString;
use std::process::ExitCode;
use wamlet::{Engine, Error, Term, text_of_os};

/// Count the solutions of a goal.
#[derive(Parser, Debug)]
#[command(
    name = "wamlet count",
    override_usage = "wamlet count [options] -g GOAL [file …]\n       wamlet count [options] --slice UNIT/UNITS -g GOAL [file …]\n       wamlet count [options] --unit-stdin"
)]
#[command(after_help = "\
Wamlet does not build or keep the solutions. With -j several threads divide the search, each with its own engine; \
the goal must not have effects then, such as output or changes of clauses.

If a count takes more than two seconds, a terminal shows its progress: the number of solutions so far, the solutions \
per second, the estimated share of the search tree that is done, the error of this estimate, and the time left. \
--progress writes this in lines, and with --json as JSON objects.

--unit-stdin and --slice count parts of the search (units). The goal must not have effects then. Wamlet writes each \
result on a line, as a JSON object with the count, or with the error that ended the count; wamlet merge adds up such \
lines. The output of the program goes to standard error.

Exit status: 0 for success; 1 for errors in the files: Wamlet counts nothing then; 2 if the goal raises an exception or \
has a syntax error, or for wrong usage or a file that cannot be read; 3 if --timeout, --max-steps or --max-memory \
stops the work.")]
struct Options {
    /// Count the solutions of GOAL
    #[arg(
        short = 'g',
        value_name = "GOAL",
        allow_hyphen_values = true,
        required_unless_present = "unit_stdin"
    )]
    goal: Option<String>,
    /// Count with THREADS threads
    #[arg(short = 'j', value_name = "THREADS", default_value_t = 1, value_parser = number(1, Some(1024_u32)))]
    threads: u32,
    /// Read units from standard input, as wamlet split writes them, and count each one
    #[arg(long, conflicts_with_all = ["goal", "slice", "files", "iso", "traditional"])]
    unit_stdin: bool,
    /// Divide the count as wamlet split does, and count one unit: 3/16 is the third of 16
    #[arg(long, value_name = "UNIT/UNITS", value_parser = slice)]
    slice: Option<(u32, u32)>,
    #[command(flatten)]
    progress: ShowProgress,
    /// Suppress the progress display at a terminal
    #[arg(short = 'q', long)]
    quiet: bool,
    #[command(flatten)]
    setup: Setup,
    /// Load these programs; with Lolli modules (.ll, the first one outermost) the goal is a Lolli goal
    #[arg(value_name = "FILE", value_parser = OsStringValueParser::new().map(|name| text_of_os(&name)))]
    files: Vec<String>,
}

/// Returns the definition of the arguments.
pub(super) fn command() -> Command {
    Options::command()
}

/// Runs the command. `args` begins with the name of the subcommand.
pub(crate) fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let options: Options = match parsed(args) {
        Ok(options) => options,
        Err(status) => return status,
    };
    let goal = options.goal.as_deref().unwrap_or_default();
    if options.unit_stdin {
        return exit_code(count_lines(&options).unwrap_or_else(|status| status));
    }
    if let Some(slice) = options.slice {
        return exit_code(count_slice(&options, goal, slice).unwrap_or_else(|status| status));
    }
    let mut engine = match options.setup.engine_or_status() {
        Ok(engine) => engine,
        Err(status) => return status,
    };
    let signals = engine.interrupt_handle();
    signals.on_termination();
    let counted = count(&mut engine, &options, goal);
    let status = counted.unwrap_or_else(|error| broken(&mut engine, &error, None));
    exit_code(signals.take_halt().unwrap_or(status))
}

/// Parses a unit and the number of units, such as `3/16`.
fn slice(text: &str) -> Result<(u32, u32), String> {
    let numbers = text.split_once('/');
    let numbers = numbers.and_then(|(unit, units)| Some((unit.parse().ok()?, units.parse().ok()?)));
    match numbers {
        Some((unit, units)) if (1..=units).contains(&unit) && units <= 100_000 => Ok((unit, units)),
        _ => Err("expected UNIT/UNITS, such as 3/16, with at most 100000 units".to_owned()),
    }
}

impl Options {
    fn counter(&self) -> Counter<'_> {
        Counter::new(&self.setup, self.threads, (self.progress, self.quiet))
    }
}

/// Counts the units on the standard input. Returns the exit status.
fn count_lines(options: &Options) -> Result<i32, i32> {
    let mut counter = options.counter();
    let mut engine = options.setup.engine_of_lines(Reading::default())?;
    let mut status = 0;
    let mut work = |engine: &mut Engine, line: &[u8], place: &str| {
        let counted = match Unit::read(line) {
            Ok((unit, count)) => counter.count(&unit, &count)?,
            Err(error) => {
                report::plain_error(engine, &format!("{place}: {error}"));
                BROKEN
            }
        };
        status = status.max(counted);
        Ok(())
    };
    let read = &mut std::io::stdin().lock();
    let count = lines_of(&mut engine, read, STANDARD_INPUT, &mut work)?;
    if count == 0 {
        let message = "standard input has no units; make units with wamlet split";
        report::warning(&mut engine, message);
    }
    Ok(status)
}

/// Counts one of the units of a count. Returns the exit status.
fn count_slice(options: &Options, goal: &str, (number, units): (u32, u32)) -> Result<i32, i32> {
    let mut counter = options.counter();
    let count = Count::of_goal(goal, options.setup.reading);
    let (count, units) = divide(&options.setup, &options.files, units, count)?;
    match units.get(number as usize - 1) {
        Some(unit) => counter.count(unit, &count),
        // The search has fewer units.
        None => Ok(0),
    }
}

/// Loads the files, counts, and returns the exit status.
fn count(engine: &mut Engine, options: &Options, goal: &str) -> Result<i32, Error> {
    if let Some(status) = load(engine, &options.files, "Wamlet counted nothing") {
        return Ok(status);
    }
    let files = options.files.iter().map(String::as_str);
    let modules: Vec<&str> = files.filter(|file| wamlet::is_lolli(file)).collect();
    let names = modules.iter().copied().map(Term::atom);
    let mut given = vec![
        ("Text", Term::string(text_of_goal(goal))),
        ("Threads", Term::from(i64::from(options.threads))),
    ];
    let mut query = "term_string(Goal, Text), count_solutions(Goal, Count, [threads(Threads)])";
    if !modules.is_empty() {
        given.push(("Modules", Term::list(names.collect())));
        query = "lolli_session:count_in(Modules, Text, Threads, Count)";
    }
    let how = (options.setup.json, options.quiet);
    let watched = options.progress.of(engine, how, None);
    let count = match query_value(engine, (goal, &modules), (query, &given), "Count", watched) {
        Ok(count) => count,
        Err(failed) => return Ok(failed.status),
    };
    show(engine, &format!("{count}\n"))?;
    engine.flush_output()?;
    Ok(0)
}
