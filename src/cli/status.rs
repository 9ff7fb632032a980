//! Outcomes of work and their exit statuses.

use std::process::ExitCode;
use wamlet::{Engine, Error, ErrorKind};

/// Status if a goal failed or a loaded file has errors.
pub(crate) const FAILED: i32 = 1;
/// Status for an exception, wrong usage, or a file that cannot be opened.
pub(crate) const BROKEN: i32 = 2;
/// Status if a limit of time, of inferences or of memory was reached.
pub(crate) const LIMIT_REACHED: i32 = 3;

/// The outcome of a part of the work.
pub(crate) enum Outcome {
    /// The work continues.
    Done,
    /// The process ends with this status.
    Exit(i32),
}

/// Returns the exit code of a process: the lowest byte of the status.
pub(crate) fn exit_code(status: i32) -> ExitCode {
    ExitCode::from(status.to_le_bytes()[0])
}

/// Returns the exit status for errors in loaded files.
pub(crate) fn load_status(engine: &mut Engine) -> i32 {
    match engine.load_met_memory_limit() {
        true => LIMIT_REACHED,
        false => FAILED,
    }
}

/// Returns the exit status for an error that ends the process.
pub(crate) fn status_of(error: &Error) -> i32 {
    match error.kind() {
        ErrorKind::TimeLimit | ErrorKind::InferenceLimit => LIMIT_REACHED,
        ErrorKind::Resource if error.is_memory_limit() => LIMIT_REACHED,
        ErrorKind::Interrupted => FAILED,
        _ => BROKEN,
    }
}
