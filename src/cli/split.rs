//! `wamlet split`: divides a count into units for other processes.

use super::args::parsed;
use super::limits::number;
use super::setup::Setup;
use super::status::exit_code;
use super::unit_lines::{Count, Unit};
use super::units::{divide, report_error, write_line};
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Command, CommandFactory, Parser};
use std::ffi::OsString;
use std::process::ExitCode;
use wamlet::text_of_os;

/// Divide a count of solutions into units that other processes can count.
#[derive(Parser, Debug)]
#[command(
    name = "wamlet split",
    override_usage = "wamlet split [options] -g GOAL --units UNITS [file …]"
)]
#[command(after_help = "\
Each line of the output is a unit: a JSON object with everything that wamlet count --unit-stdin needs, also on another \
machine. wamlet merge adds up the results. The same program and goal are always divided in the same way. If the search \
has fewer parts than UNITS, there are fewer units.

Exit status: 0 for success; 1 for errors in the files; 2 if the goal raises an exception or has a syntax error, \
or for wrong usage or a file that cannot be read; 3 if --timeout, --max-steps or --max-memory stops the work.")]
struct Options {
    /// Divide the count of the solutions of GOAL
    #[arg(short = 'g', value_name = "GOAL", allow_hyphen_values = true)]
    goal: String,
    /// Divide it into UNITS units, at most 100000
    #[arg(long, value_name = "UNITS", value_parser = number(1, Some(100_000_u32)))]
    units: u32,
    #[command(flatten)]
    setup: Setup,
    /// Load these programs
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
    exit_code(split(&options).err().unwrap_or(0))
}

fn split(options: &Options) -> Result<(), i32> {
    let count = Count::of_goal(&options.goal, options.setup.reading);
    let (count, units) = divide(&options.setup, &options.files, options.units, count)?;
    let line = |unit: &Unit| unit.line(&count).map_err(|error| report_error(&error));
    units.iter().try_for_each(|unit| write_line(&line(unit)?))
}
