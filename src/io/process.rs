//! Commands of the system's shell.

use super::command_end::{EndProcess, end};
use super::files::own_directory;
use super::os_names::os_of_text;
use crate::base::growth::Gather;
use crate::base::needs::{Permit, Processes};
use crate::base::stop::Stop;
use crate::base::watch::Watch;
use std::io;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

/// First pause between two checks whether a command has ended.
const SHORTEST_NAP: Duration = Duration::from_micros(100);
/// Longest pause between two checks.
const LONGEST_NAP: Duration = Duration::from_millis(10);
/// Maximum time after the end of the command within which this process gets the interrupt.
const INTERRUPT_DELAY: Duration = Duration::from_millis(50);
/// The number of the interrupt signal.
const INTERRUPT: i32 = 2;

/// Returns a command of the shell of the system, with these changes of the environment.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn in_shell<'a>(
    _: &Permit<Processes>,
    command: &str,
    environment: impl Iterator<Item = (&'a String, &'a Option<String>)>,
) -> Command {
    let (program, option) = match std::env::consts::FAMILY {
        "windows" => ("cmd", "/C"),
        _ => ("/bin/sh", "-c"),
    };
    let mut process = Command::new(program);
    process.arg(option).arg(os_of_text(command));
    if let Some(directory) = own_directory() {
        process.current_dir(directory);
    }
    for (name, value) in environment {
        match value {
            Some(value) => process.env(os_of_text(name), os_of_text(value)),
            None => process.env_remove(os_of_text(name)),
        };
    }
    process
}

/// Returns a command that runs one of these programs without a shell, in the environment of the process. Blanks
/// separate the arguments. Returns `None` if it is another program, or has characters with a meaning for shells.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn program(
    _: &Permit<Processes>,
    command: &str,
    programs: &[String],
) -> Result<Option<Command>, Stop> {
    let is_plain = |char: char| char.is_alphanumeric() || " _-./=,:+@%".contains(char);
    let words = command
        .split(' ')
        .filter(|word| !word.is_empty())
        .gather()?;
    let Some((program, arguments)) = words.split_first() else {
        return Ok(None);
    };
    if !command.chars().all(is_plain) || !programs.iter().any(|known| known == program) {
        return Ok(None);
    }
    let mut process = Command::new(&*os_of_text(program));
    process.args(arguments.iter().map(|word| os_of_text(word)));
    if let Some(directory) = own_directory() {
        process.current_dir(directory);
    }
    Ok(Some(process))
}

/// Runs a command and waits for its end. Returns its exit status, or -1 if something else ended it.
///
/// # Errors
/// Returns an error if the command cannot be run, or if the work must stop. In the latter case the command is ended,
/// with the processes that it has started.
pub(crate) fn wait(
    mut process: Command,
    watch: &Watch,
    end_process: EndProcess,
) -> io::Result<i32> {
    let mut child = process.spawn()?;
    let mut nap = SHORTEST_NAP;
    loop {
        if let Some(status) = child.try_wait()? {
            if is_interrupted(status) && is_wanted_soon(watch) {
                return Err(io::Error::from(io::ErrorKind::Interrupted));
            }
            return Ok(status.code().unwrap_or(-1));
        }
        if watch.stop_wanted() {
            end(child, end_process);
            return Err(io::Error::from(io::ErrorKind::Interrupted));
        }
        std::thread::sleep(nap);
        nap = (nap * 2).min(LONGEST_NAP);
    }
}

/// Returns whether the interrupt key of the terminal ended a command. A shell reports that by a status of its own.
fn is_interrupted(status: ExitStatus) -> bool {
    const SHELLS: Option<i32> = Some(128 + INTERRUPT);
    #[cfg(unix)]
    if std::os::unix::process::ExitStatusExt::signal(&status) == Some(INTERRUPT) {
        return true;
    }
    status.code() == SHELLS
}

/// Waits for the interrupt in this process. The key goes to the command and to this process, and one may get it
/// before the other.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
fn is_wanted_soon(watch: &Watch) -> bool {
    let start = Instant::now();
    while !watch.stop_wanted() {
        if start.elapsed() > INTERRUPT_DELAY {
            return false;
        }
        std::thread::sleep(SHORTEST_NAP);
    }
    true
}
