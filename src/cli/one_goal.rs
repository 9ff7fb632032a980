//! Common parts of the commands for one goal: loading the programs and reporting errors.

use super::report;
use super::status::{BROKEN, load_status, status_of};
use wamlet::{Engine, Error, ErrorKind, os_of_text};

/// Loads the programs. If they have errors, reports the errors and the work that is not done (`not_done`), and
/// returns the exit status.
pub(super) fn load(engine: &mut Engine, files: &[String], not_done: &str) -> Option<i32> {
    for file in files {
        if let Err(error) = engine.consult_file(&*os_of_text(file)) {
            return Some(broken(engine, &error, report::ended_load(&error, file)));
        }
    }
    engine.check_undefined();
    if engine.load_errors() == 0 {
        return None;
    }
    report::plain_error(
        engine,
        &format!("there are errors in the program; {not_done}"),
    );
    Some(load_status(engine))
}

/// Reports the error that has ended the work, and returns the exit status. `what` names the load that the error
/// ended, if there is one.
pub(super) fn broken(engine: &mut Engine, error: &Error, what: Option<&str>) -> i32 {
    if let &ErrorKind::Halt(status) = error.kind() {
        report::plain_error(
            engine,
            "halt/1 or a signal ended the work; there is no result",
        );
        return if status == 0 { BROKEN } else { status };
    }
    report::error(engine, error, what, report::GOAL);
    status_of(error)
}
