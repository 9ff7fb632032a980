//! What commands of one goal have in common: the programs are loaded, and what ends the work is reported.

use super::report;
use super::status::{load_status, status_of};
use wamlet::{Engine, Error, ErrorKind, os_of_text};

/// Loads the programs. If there are errors in them, reports that and what is not done therefore, and gives the exit
/// status.
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
        &format!("there are errors in the program: {not_done}"),
    );
    Some(load_status(engine))
}

/// Reports what has ended the work, in the load of `what` if that is one, and gives the exit status.
pub(super) fn broken(engine: &mut Engine, error: &Error, what: Option<&str>) -> i32 {
    if let ErrorKind::Halt(status) = error.kind() {
        return *status;
    }
    report::error(engine, error, what, report::GOAL);
    status_of(error)
}
