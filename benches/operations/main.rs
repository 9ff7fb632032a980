//! Comparison of the single operations of `benches/operations/operations.pl` in Wamlet and SWI-Prolog: see docs/performance.md.
//!
//! The systems take turns, so a busy moment of the machine hurts both. The figure of an operation is its least time minus
//! the least time of the loop that repeats it.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a report is printed"
)]

mod table;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use table::{Figures, Table};

const USAGE: &str = "\
Usage: cargo bench --bench operations -- [NAME …] [option …]
  NAME            time only the operations of this theme, or with this part in their names
  --rounds N      run each system N times (5)
  --wamlet PATH   use this executable of Wamlet
  --swipl PATH    use this executable of SWI-Prolog (swipl)
The exit status is 1 if an operation is slower than in `swipl -O`.";

struct Options {
    names: Vec<String>,
    rounds: usize,
    wamlet: String,
    swipl: String,
    help: bool,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            names: Vec::new(),
            rounds: 5,
            wamlet: env!("CARGO_BIN_EXE_wamlet").to_owned(),
            swipl: "swipl".to_owned(),
            help: false,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} wants a value"));
            match argument.as_str() {
                "--rounds" => {
                    let text = value()?;
                    let rounds = text.parse().ok().filter(|&rounds| rounds > 0);
                    options.rounds = rounds.ok_or(format!("not a positive number: {text}"))?;
                }
                "--wamlet" => options.wamlet = value()?,
                "--swipl" => options.swipl = value()?,
                "--help" => options.help = true,
                "--bench" => {} // added by cargo
                name if name.starts_with('-') => return Err(format!("unknown option {name}")),
                name => options.names.push(name.to_owned()),
            }
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(fault) => {
            eprintln!("operations: {fault}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    if options.help {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match compare(&options) {
        Ok(table) => {
            println!("{}", table.text());
            ExitCode::from(u8::from(table.slower() > 0))
        }
        Err(fault) => {
            eprintln!("operations: {fault}");
            ExitCode::from(2)
        }
    }
}

/// Runs both systems in turns and compares their figures.
fn compare(options: &Options) -> Result<Table, String> {
    let (mut own, mut peer) = (Figures::default(), Figures::default());
    for round in 1..=options.rounds {
        own.add(&run(
            &options.wamlet,
            &["-g", "main", "-g", "halt"],
            &options.names,
        )?);
        peer.add(&run(
            &options.swipl,
            &["-O", "-g", "main", "-t", "halt"],
            &options.names,
        )?);
        eprintln!("round {round} of {}", options.rounds);
    }
    Table::of(&own, &peer)
}

/// Runs the program in one system and returns its output.
fn run(executable: &str, start: &[&str], names: &[String]) -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(executable)
        .args(start)
        .arg(root.join("benches/operations/operations.pl"))
        .arg("--")
        .args(names)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("{executable}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{executable} ended with {}", output.status)),
    }
}
