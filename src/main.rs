//! The `wamlet` command.
#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

#[global_allocator]
static MEMORY: wamlet::Reserve = wamlet::Reserve;

fn main() -> ExitCode {
    cli::run()
}
