//! Blocks of documents marked `console`. The shell runs a line `$ COMMAND`, and lines `> …` continue it. The lines up to
//! the next command are its output, with errors; a line `...` stands for any lines.

use std::path::Path;
use std::process::{Command, Stdio};

/// The marks of a line that begins a command, and of one that continues it.
const PROMPTS: [&str; 2] = ["$ ", "> "];
/// A line that stands for any lines.
const ANY: &str = "...";
/// The end of the output of a command.
const END: char = '\u{1}';

/// A command of a document, with the output shown under it.
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) command: String,
    pub(crate) shown: Vec<String>,
}

/// Returns the commands of a block that begins at this line.
pub(crate) fn steps(block: &[&str], first: usize) -> Vec<Step> {
    let mut steps = Vec::<Step>::new();
    for (at, line) in block.iter().enumerate() {
        let under = steps.last().is_some_and(|step| step.shown.is_empty());
        if let Some(command) = line.strip_prefix(PROMPTS[0]) {
            steps.push(Step {
                line: first + at,
                command: command.to_owned(),
                shown: Vec::new(),
            });
        } else if let Some(step) = steps.last_mut() {
            match line.strip_prefix(PROMPTS[1]).filter(|_| under) {
                Some(more) => step.command.push_str(&format!("\n{more}")),
                None => step.shown.push((*line).to_owned()),
            }
        }
    }
    steps
}

/// Runs a command in the folder, with `wamlet` from the folder `bin`, and returns its output. `status` is the exit status
/// of the previous command, and then of this one.
pub(crate) fn run(folder: &Path, bin: &Path, command: &str, status: &mut i32) -> Vec<String> {
    let bin = bin.display();
    let path = std::env::var("PATH").unwrap_or_default();
    let ran = Command::new("sh")
        .args([
            "-c",
            &format!("exec 2>&1\n(exit {status})\n{command}\ns=$?\nprintf '{END}'\nexit $s"),
        ])
        .current_dir(folder)
        .env("PATH", format!("{bin}:{path}"))
        .env("HOME", folder)
        .env("XDG_STATE_HOME", folder)
        .env("LC_ALL", "C.UTF-8")
        .env_remove("CI")
        .env_remove("WAMLET_PATH")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    *status = ran.status.code().unwrap_or(-1);
    let text = String::from_utf8_lossy(&ran.stdout);
    let (text, _) = text.split_once(END).unwrap_or((&text, ""));
    text.trim_end()
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// Returns whether the output matches the shown lines.
pub(crate) fn fits(shown: &[String], written: &[String]) -> bool {
    match shown.split_first() {
        None => written.is_empty(),
        Some((line, rest)) if line == ANY => {
            (0..=written.len()).any(|skipped| fits(rest, &written[skipped..]))
        }
        Some((line, rest)) => written
            .split_first()
            .is_some_and(|(first, more)| first == line && fits(rest, more)),
    }
}
