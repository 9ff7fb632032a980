//! Wamlet and its peers side by side on the programs of `benches/programs`.
//!
//! ```text
//! cargo bench --bench compare -- [NAME …] [--rounds N] [--systems A,B] [--slow] [--list]
//!                                [--limit SECONDS] [--wamlet PATH] [--markdown FILE] [--json FILE]
//! ```
//!
//! A program runs when its name contains one of the NAMEs, or with none given. Every round runs
//! it once on each system, so that a busy moment of the machine hurts all alike; figures are CPU
//! time and peak memory of the whole process. Peers are those found in the search path; `gplc` is
//! used only when named in `--systems`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a report is printed"
)]

#[cfg(unix)]
mod child;
#[cfg(unix)]
mod program;
#[cfg(unix)]
mod report;
#[cfg(unix)]
mod session;
#[cfg(unix)]
mod system;

use std::process::ExitCode;

#[cfg(unix)]
fn main() -> ExitCode {
    let options = match session::Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(fault) => {
            eprintln!("compare: {fault}");
            return ExitCode::from(2);
        }
    };
    match session::run(&options, |line| eprintln!("{line}")) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("compare: {fault}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(unix))]
fn main() -> ExitCode {
    eprintln!("compare: CPU time of a child is measured on Unix only");
    ExitCode::FAILURE
}
