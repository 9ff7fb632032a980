//! How work comes out, and the exit status that tells of it.

use std::process::ExitCode;
use wamlet::{Engine, Error, ErrorKind};

/// A goal failed, or a loaded file has errors.
pub(crate) const FAILED: i32 = 1;
/// An exception, wrong usage, a file that cannot be opened.
pub(crate) const BROKEN: i32 = 2;
/// A limit of time, of inferences or of memory was reached.
pub(crate) const LIMITED: i32 = 3;

/// How a part of the work came out.
pub(crate) enum Outcome {
    /// Go on.
    Done,
    /// End with this status.
    Exit(i32),
}

/// What a process can tell of its status: a byte.
pub(crate) fn exit_code(status: i32) -> ExitCode {
    ExitCode::from(status.to_le_bytes()[0])
}

/// The exit status for errors in what was loaded.
pub(crate) fn load_status(engine: &mut Engine) -> i32 {
    match engine.load_met_memory_limit() {
        true => LIMITED,
        false => FAILED,
    }
}

/// The exit status of an error that ends the process.
pub(crate) fn status_of(error: &Error) -> i32 {
    match error.kind() {
        ErrorKind::TimeLimit | ErrorKind::InferenceLimit => LIMITED,
        ErrorKind::Resource if error.is_memory_limit() => LIMITED,
        ErrorKind::Interrupted => FAILED,
        _ => BROKEN,
    }
}
