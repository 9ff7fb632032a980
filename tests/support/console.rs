//! Blocks of documents marked `console`: a line `$ COMMAND` is run by the shell, lines `> …` go on with it, and the lines
//! up to the next one are what it writes, errors included; a line `...` stands for any lines.

use std::path::Path;
use std::process::{Command, Stdio};

/// Begins a command, and a line that goes on with it.
const PROMPTS: [&str; 2] = ["$ ", "> "];
/// A line for any lines.
const ANY: &str = "...";
/// Ends what a command writes.
const END: char = '\u{1}';

/// A command of a document with what is shown under it.
pub(crate) struct Step {
    pub(crate) line: usize,
    pub(crate) command: String,
    pub(crate) shown: Vec<String>,
}

/// The commands of a block that begins at this line.
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

/// Runs a command in the folder, with `wamlet` from the folder `bin`; `status` is that of the one before. Gives what it
/// writes.
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

/// Is this what is shown?
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
