//! `wamlet compile`: makes images of programs.

use super::args::parsed;
use super::output::show;
use super::report::{self, Place};
use super::setup::Setup;
use super::status::{FAILED, exit_code, load_status, status_of};
use clap::{Command, CommandFactory, Parser, ValueHint};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use wamlet::{Engine, Error, ErrorKind, text_of_os};

/// Write an image of a program, which loads faster than its text.
#[derive(Parser, Debug)]
#[command(
    name = "wamlet compile",
    override_usage = "wamlet compile [options] file"
)]
#[command(after_help = "\
wamlet FILE.wam runs the image as wamlet FILE.pl runs the program. If a text of the program has changed since, Wamlet \
loads the text instead.

Exit status: 0 for success; 1 for errors in the program: Wamlet writes no image then; 2 for wrong usage or a file \
that cannot be read or written; 3 if --timeout, --max-steps or --max-memory stops the work.")]
struct Options {
    /// Compile this program
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write the image to IMAGE, a name that ends in .wam; FILE.wam by default
    #[arg(short = 'o', value_name = "IMAGE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Report how the CPU time of loading is divided, and how much time the image saves
    #[arg(long)]
    time: bool,
    #[command(flatten)]
    setup: Setup,
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
    let image = options
        .output
        .clone()
        .unwrap_or_else(|| options.file.with_extension("wam"));
    let mut engine = match options.setup.engine_or_status() {
        Ok(engine) => engine,
        Err(status) => return status,
    };
    let made = make(&mut engine, &options, &image);
    exit_code(made.unwrap_or_else(|error| broken(&mut engine, &options, &error)))
}

/// Makes the image and returns the exit status.
fn make(engine: &mut Engine, options: &Options, image: &Path) -> Result<i32, Error> {
    let loaded = engine.compile_file(&options.file, image)?;
    engine.check_undefined();
    engine.flush_output()?;
    if !loaded.errors.is_empty() {
        let message = match loaded.errors.len() {
            1 => "there is an error in the program; Wamlet wrote no image".to_owned(),
            count => format!("there are {count} errors in the program; Wamlet wrote no image"),
        };
        report::plain_error(engine, &message);
        return Ok(load_status(engine));
    }
    if options.time {
        let table = table(options, image)?;
        show(engine, &table)?;
    }
    Ok(0)
}

/// Reports why there is no image and returns the exit status.
fn broken(engine: &mut Engine, options: &Options, error: &Error) -> i32 {
    if let ErrorKind::Halt(_) = error.kind() {
        let message = "a directive of the program ends the process; Wamlet wrote no image";
        report::plain_error(engine, message);
        return FAILED;
    }
    let place = Place::start("compile");
    let file = text_of_os(options.file.as_os_str());
    report::error(engine, error, report::ended_load(error, &file), place);
    status_of(error)
}

/// Number of loads whose CPU time is measured. The shortest time is printed.
const LOADS: usize = 5;

/// Returns a table of the times for loading the program, by stages, and for loading its image.
fn table(options: &Options, image: &Path) -> Result<String, Error> {
    let (mut text, mut fast) = (Duration::MAX, Duration::MAX);
    let (mut tokens, mut trees, mut terms) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..LOADS {
        let mut engine = options.silent()?;
        text = text.min(load(&mut engine, &options.file)?);
        let times = engine.reading_times()?;
        tokens = tokens.min(times.tokens);
        trees = trees.min(times.trees);
        terms = terms.min(times.terms);
        fast = fast.min(load(&mut options.silent()?, image)?);
    }
    let mut table = String::new();
    let mut row = |name: &str, time: Duration| {
        let share = 100.0 * time.as_secs_f64() / text.as_secs_f64().max(f64::MIN_POSITIVE);
        let milliseconds = 1e3 * time.as_secs_f64();
        table.push_str(&format!(
            "{name:<22}{milliseconds:>10.2} ms {share:>6.1} %\n"
        ));
    };
    row("lexing", tokens);
    row("parsing", trees.saturating_sub(tokens));
    row("making terms", terms.saturating_sub(trees));
    row("compiling and the rest", text.saturating_sub(terms));
    row("loading the text", text);
    row("loading the image", fast);
    Ok(table)
}

impl Options {
    /// Returns an engine that suppresses the output and the messages of its program.
    fn silent(&self) -> Result<Engine, Error> {
        let mut engine = self.setup.engine()?;
        engine.print_diagnostics(false);
        engine.capture_output();
        Ok(engine)
    }
}

/// Returns the CPU time for loading a file.
fn load(engine: &mut Engine, file: &Path) -> Result<Duration, Error> {
    let start = cpu_time(engine)?;
    engine.consult_file(file)?;
    Ok(cpu_time(engine)?.saturating_sub(start))
}

/// Returns the CPU time of the process so far.
fn cpu_time(engine: &mut Engine) -> Result<Duration, Error> {
    let solution = engine.query_once("statistics(process_cputime, Time)")?;
    let time = solution.and_then(|solution| solution.get("Time")?.as_float());
    Ok(Duration::try_from_secs_f64(time.unwrap_or(0.0)).unwrap_or_default())
}
