//! Comparison of Wamlet with other systems on the programs of `benches/programs`: see docs/performance.md.
//!
//! Every round runs a program once on each system, so a busy moment of the machine hurts all of them.
//! Figures are CPU time and peak memory of the whole process. The command compares the systems that it
//! finds in the search path, or those of them that `--systems` names.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a report is printed"
)]

#[cfg(unix)]
mod against;
#[cfg(unix)]
mod chart;
#[cfg(unix)]
mod child;
#[cfg(unix)]
mod document;
#[cfg(unix)]
mod json;
#[cfg(unix)]
mod options;
#[cfg(unix)]
mod program;
#[cfg(unix)]
mod report;
#[cfg(unix)]
mod session;
#[cfg(unix)]
mod system;
#[cfg(unix)]
mod table;

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    let options = match options::Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(fault) => {
            eprintln!("compare: {fault}\n\n{}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    if options.help {
        println!("{}", options::USAGE);
        return ExitCode::SUCCESS;
    }
    match session::run(&options, |line| eprintln!("{line}")) {
        Ok(outcome) => {
            println!("{}", outcome.text);
            ExitCode::from(u8::from(!outcome.slower.is_empty()))
        }
        Err(fault) => {
            eprintln!("compare: {fault}");
            ExitCode::from(2)
        }
    }
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    eprintln!("compare: CPU time of a child is measured on Unix only");
    ExitCode::FAILURE
}
