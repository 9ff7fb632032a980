//! Data of the process: its environment, its program, its arguments.

use super::os_names::{os_of_text, text_of_os};
use crate::base::growth::Gather;
use crate::base::needs::{Environment, Permit};
use crate::base::stop::Stop;
use std::env;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

/// Returns the value of a variable of the environment.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn variable(_: &Permit<Environment>, name: &str) -> Option<String> {
    // No variable of the system has such a name, and some systems do not accept it.
    if name.is_empty() || name.contains(['=', '\0']) {
        return None;
    }
    env::var_os(&*os_of_text(name)).map(|value| text_of_os(&value))
}

/// Returns the folders that a variable of the environment lists.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn folders(_: &Permit<Environment>, name: &str) -> Result<Vec<PathBuf>, Stop> {
    let listed = env::var_os(name);
    listed.iter().flat_map(env::split_paths).gather()
}

/// Returns the file of the program that contains the engine.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn executable(_: &Permit<Environment>) -> Option<PathBuf> {
    env::current_exe().ok()
}

/// Returns the time between 1970 and the last change of that file.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn executable_time(permit: &Permit<Environment>) -> Option<Duration> {
    let modified = executable(permit)?.metadata().ok()?.modified().ok()?;
    modified.duration_since(UNIX_EPOCH).ok()
}

/// Returns the words of the command that started the process.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn arguments(_: &Permit<Environment>) -> Result<Vec<String>, Stop> {
    env::args_os().map(|text| text_of_os(&text)).gather()
}

/// Returns the number of the process.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn process_number(_: &Permit<Environment>) -> u32 {
    std::process::id()
}

/// Returns the system's folder for temporary files.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn temporary_folder(_: &Permit<Environment>) -> String {
    text_of_os(env::temp_dir().as_os_str())
}

/// Returns the number of threads that can work at once.
pub(crate) fn processors(_: &Permit<Environment>) -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
