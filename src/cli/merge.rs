//! `wamlet merge`: adds up the results of units, and reports missing units.

use super::args::{Reading, parsed};
use super::report;
use super::setup::Setup;
use super::status::{BROKEN, FAILED, exit_code};
use super::unit_lines::{ResultLine, Unit, term_of_number};
use super::units::write_line;
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Command, CommandFactory, Parser, ValueHint};
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::process::ExitCode;
use wamlet::{Engine, Term, os_of_text, text_of_os};

/// Add up the results of the units of a count.
#[derive(Parser, Debug)]
#[command(
    name = "wamlet merge",
    override_usage = "wamlet merge [options] [file …]\n       wamlet merge --missing UNITS [options] [file …]"
)]
#[command(after_help = "\
The files contain the lines that wamlet count --unit-stdin and wamlet count --slice write, in any order. Without files, or \
for the file -, Wamlet reads standard input. If a unit was counted twice, it counts once. If units are missing, or two results of a \
unit differ, Wamlet writes no sum. It warns of a line that is not a result, such as an incomplete line.

Exit status: 0 for success; 1 if units are missing or their results differ; 2 for a unit that ended with an error, \
results of different counts, wrong usage or a file that cannot be read.")]
struct Options {
    /// Write the units of the file UNITS that have no result yet, instead of the sum
    #[arg(long, value_name = "UNITS", value_hint = ValueHint::FilePath)]
    missing: Option<String>,
    /// Write errors and warnings to standard error as JSON, one object a line
    #[arg(long)]
    json: bool,
    /// Read results from these files
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
    exit_code(merge(&options).unwrap_or_else(|status| status))
}

/// The results of a count by their units, with their places.
#[derive(Default)]
struct Results {
    /// The fingerprint and the number of units, with the place of the first result.
    count: Option<(String, u32, String)>,
    by_unit: BTreeMap<u32, (ResultLine, String)>,
    /// The exit status so far. It is not 0 if a result is wrong.
    status: i32,
}

fn merge(options: &Options) -> Result<i32, i32> {
    let engine = &mut Setup::plain(options.json).engine_of_lines(Reading::default())?;
    let mut results = Results::default();
    let files = match options.files.is_empty() {
        true => &["-".to_owned()],
        false => &*options.files,
    };
    for file in files {
        each_line(engine, file, &mut |engine, line, place| {
            results.add(engine, line, place)
        })?;
    }
    match &options.missing {
        Some(units) => results.write_missing(engine, units),
        None => results.sum(engine),
    }
}

/// The name of the standard input in messages.
pub(super) const STANDARD_INPUT: &str = "standard input";

/// The function that processes a line at a place.
type Work<'a> = dyn FnMut(&mut Engine, &[u8], &str) -> Result<(), i32> + 'a;

/// Processes each line of a file, or of the standard input if the file is `-`.
fn each_line(engine: &mut Engine, file: &str, work: &mut Work<'_>) -> Result<(), i32> {
    if file == "-" {
        return lines_of(engine, &mut io::stdin().lock(), STANDARD_INPUT, work).map(drop);
    }
    match File::open(&*os_of_text(file)) {
        Ok(opened) => lines_of(engine, &mut BufReader::new(opened), file, work).map(drop),
        Err(error) => {
            report::plain_error(engine, &format!("{file}: {}", report::io_text(&error)));
            Err(BROKEN)
        }
    }
}

/// Processes each line that is not empty. Returns the number of these lines.
pub(super) fn lines_of(
    engine: &mut Engine,
    read: &mut dyn BufRead,
    name: &str,
    work: &mut Work<'_>,
) -> Result<usize, i32> {
    let mut line = Vec::new();
    let mut count = 0;
    for number in 1.. {
        line.clear();
        match read.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                report::plain_error(engine, &format!("{name}: {}", report::io_text(&error)));
                return Err(BROKEN);
            }
        }
        let text = line.trim_ascii();
        if !text.is_empty() {
            work(engine, text, &format!("{name}:{number}"))?;
            count += 1;
        }
    }
    Ok(count)
}

impl Results {
    /// Adds a line.
    fn add(&mut self, engine: &mut Engine, line: &[u8], place: &str) -> Result<(), i32> {
        let result = match ResultLine::read(line) {
            Ok(result) => result,
            Err(error) => {
                // Its writer may have ended in the middle of the line. If no other line contains the
                // unit, the sum reports it as missing.
                report::warning(engine, &format!("{place}: {error}"));
                return Ok(());
            }
        };
        let first = self
            .count
            .get_or_insert_with(|| (result.fingerprint.clone(), result.of, place.to_owned()));
        if (&first.0, first.1) != (&result.fingerprint, result.of) {
            let message = format!(
                "{place}: this result belongs to another count than {}",
                first.2
            );
            report::plain_error(engine, &message);
            return Err(BROKEN);
        }
        let unit = result.unit;
        let Some((known, former)) = self.by_unit.get(&unit) else {
            self.by_unit.insert(unit, (result, place.to_owned()));
            return Ok(());
        };
        match (&known.count, &result.count) {
            (Some(one), Some(other)) if one != other => {
                let message = format!(
                    "{place}: unit {unit} has {other} solutions here and {one} at {former}"
                );
                report::plain_error(engine, &message);
                self.status = self.status.max(FAILED);
            }
            (Some(_), Some(_)) => {
                let message = format!("{place}: unit {unit} was counted before, at {former}");
                report::warning(engine, &message);
            }
            // The unit was tried again.
            (None, Some(_)) => {
                self.by_unit.insert(unit, (result, place.to_owned()));
            }
            (_, None) => {}
        }
        Ok(())
    }

    /// Writes the sum. Returns the exit status.
    fn sum(&self, engine: &mut Engine) -> Result<i32, i32> {
        let mut status = self.status;
        for (unit, (result, place)) in &self.by_unit {
            if let Some(error) = &result.error {
                let message = format!("{place}: unit {unit} ended with an error: {error}");
                report::plain_error(engine, &message);
                status = BROKEN;
            }
        }
        let Some((_, of, _)) = &self.count else {
            report::plain_error(engine, "there are no results to add up");
            return Err(FAILED);
        };
        let missing = (1..=*of).filter(|unit| !self.by_unit.contains_key(unit));
        if let Some(message) = missing_units(missing, *of) {
            report::plain_error(engine, &message);
            status = status.max(FAILED);
        }
        if status != 0 {
            return Err(status);
        }
        let counts = self.by_unit.values();
        let counts = counts.filter_map(|(result, _)| term_of_number(result.count.as_ref()?));
        let given = [("Counts", Term::list(counts.collect()))];
        let sum = engine.query_with("sum_list(Counts, Sum)", &given);
        let sum = sum.and_then(|mut solutions| {
            solutions.advance()?;
            Ok(solutions.get("Sum"))
        });
        match sum {
            Ok(Some(sum)) => write_line(&sum.to_string()).map(|()| 0),
            Ok(None) => Err(BROKEN),
            Err(error) => Err(super::one_goal::broken(engine, &error, None)),
        }
    }

    /// Writes the units of a file that have no result. Returns the exit status.
    fn write_missing(&self, engine: &mut Engine, units: &str) -> Result<i32, i32> {
        let mut status = self.status;
        let mut written = HashSet::new();
        each_line(engine, units, &mut |engine, line, place| {
            let (unit, fingerprint) = match Unit::read_name(line) {
                Ok(name) => name,
                Err(error) => {
                    report::plain_error(engine, &format!("{place}: {error}"));
                    status = BROKEN;
                    return Ok(());
                }
            };
            if let Some((known, _, first)) = &self.count
                && *known != fingerprint
            {
                let message = format!("{place}: this unit belongs to another count than {first}");
                report::plain_error(engine, &message);
                return Err(BROKEN);
            }
            let result = self.by_unit.get(&unit);
            let counted = result.is_some_and(|(result, _)| result.count.is_some());
            match counted || !written.insert(unit) {
                true => Ok(()),
                false => write_line(&String::from_utf8_lossy(line)),
            }
        })?;
        Ok(status)
    }
}

/// Maximum number of missing units that a message names.
const NAMED: usize = 20;

/// Returns the message about missing units, or `None` if there are none.
fn missing_units(units: impl Iterator<Item = u32>, of: u32) -> Option<String> {
    let units: Vec<u32> = units.collect();
    let names = units.iter().take(NAMED).map(ToString::to_string);
    let names = names.collect::<Vec<_>>().join(", ");
    match units.len() {
        0 => None,
        1 => Some(format!("unit {names} of {of} is missing")),
        count if count > NAMED => {
            let more = count - NAMED;
            Some(format!("units {names} and {more} more of {of} are missing"))
        }
        _ => Some(format!("units {names} of {of} are missing")),
    }
}
