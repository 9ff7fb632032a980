//! Commands of the system's shell.

use std::io;
use std::process::Command;

/// Runs a command in the shell of the system, with these changes of the environment, and waits for
/// its end: its exit status, or -1 if something else ended it.
pub(crate) fn shell<'a>(
    command: &str,
    environment: impl Iterator<Item = (&'a String, &'a Option<String>)>,
) -> io::Result<i32> {
    let (program, option) = match std::env::consts::FAMILY {
        "windows" => ("cmd", "/C"),
        _ => ("/bin/sh", "-c"),
    };
    let mut process = Command::new(program);
    process.arg(option).arg(command);
    for (name, value) in environment {
        match value {
            Some(value) => process.env(name, value),
            None => process.env_remove(name),
        };
    }
    Ok(process.status()?.code().unwrap_or(-1))
}
