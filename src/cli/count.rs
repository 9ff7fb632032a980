//! `wamlet count`: the number of solutions of a goal, or of units of it, found by several threads.

use super::args::{Reading, parsed};
use super::merge::{STANDARD_INPUT, lines_of};
use super::one_goal::{broken, load};
use super::output::show;
use super::progress::ShowProgress;
use super::report;
use super::setup::Setup;
use super::status::{BROKEN, exit_code};
use super::unit_lines::{Count, Unit};
use super::units::{Counter, ask, divide, text_of_goal};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Command, CommandFactory, Parser};
use std::ffi::OsString;
use std::process::ExitCode;
use wamlet::{Engine, Error, Term, text_of_os};

/// Counts the solutions of a goal and writes their number.
#[derive(Parser, Debug)]
#[command(
    name = "wamlet count",
    override_usage = "wamlet count [options] -g GOAL [file …]\n       wamlet count [options] --slice UNIT/UNITS -g GOAL [file …]\n       wamlet count [options] --unit-stdin"
)]
#[command(after_help = "\
No solution is built or kept. With -j the search is divided among several threads, each with an engine of its own: the goal \
must have no effects then, such as output or changes of clauses.

A count that takes more than two seconds shows its progress at a terminal: the number of solutions so far, how many more there are \
in a second, the estimated share of the search tree that is done with its error, and the time left. --progress writes that in \
lines, with --json as objects of JSON.

With --unit-stdin and --slice a unit of the count is counted, which must have no effects either. The result is an object of \
JSON on a line, which has the count, or the error that ended it; wamlet merge adds such lines up. What the program writes goes to \
the standard error output.

Exit status: 0; 1 for errors in the files: nothing is counted then; 2 for an exception of the goal or its text, wrong usage \
or a file that cannot be read; 3 where --timeout, --max-steps or --max-memory ends the work.")]
struct Options {
    /// The goal
    #[arg(
        short = 'g',
        value_name = "GOAL",
        allow_hyphen_values = true,
        required_unless_present = "unit_stdin"
    )]
    goal: Option<String>,
    /// Count by so many threads
    #[arg(short = 'j', value_name = "THREADS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Count the units on the standard input, which wamlet split has made
    #[arg(long, conflicts_with_all = ["goal", "slice", "files", "iso", "traditional"])]
    unit_stdin: bool,
    /// Divide the count as wamlet split does, and count one of the units: 3/16 is the third of 16
    #[arg(long, value_name = "UNIT/UNITS", value_parser = slice)]
    slice: Option<(u32, u32)>,
    #[command(flatten)]
    progress: ShowProgress,
    /// Show no progress at a terminal
    #[arg(short = 'q', long)]
    quiet: bool,
    #[command(flatten)]
    setup: Setup,
    /// Programs; modules of Lolli, whose names end in .ll, the first one outermost: then the goal is one of Lolli
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
        _ => Err("not a unit of so many, such as 3/16".to_owned()),
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
    lines_of(&mut engine, read, STANDARD_INPUT, &mut work)?;
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
    if let Some(status) = load(engine, &options.files, "nothing is counted") {
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
    let count = match ask(engine, (goal, &modules), (query, &given), "Count", watched) {
        Ok(count) => count,
        Err(failed) => return Ok(failed.status),
    };
    show(engine, &format!("{count}\n"))?;
    engine.flush_output()?;
    Ok(0)
}
