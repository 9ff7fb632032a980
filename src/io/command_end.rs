//! The end of a command that is no longer needed, with the processes that it has started. They get a request to end,
//! and are killed if they do not.
//!
//! They stay in the group of the process that started them. So they get the keys of its terminal, and end with it if
//! the group is ended. They are found in `/proc`; on systems without it only the command itself is ended.

use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

/// A function that requests the process of this number to end, or kills it with `force`.
pub(crate) type EndProcess = fn(number: u32, force: bool);

/// Time to wait after a request to end.
const PATIENCE: Duration = Duration::from_millis(20);
/// Time that processes have before they are killed. The engine does not wait for it.
const GRACE: Duration = Duration::from_secs(1);
/// Time between two checks of the processes.
const NAP: Duration = Duration::from_millis(1);

/// A living process.
struct Process {
    number: u32,
    parent: u32,
    /// Time when the process began. A later process may have the same number.
    began: String,
}

impl Process {
    /// Returns the process of this number; fails if there is none.
    #[expect(
        clippy::disallowed_methods,
        reason = "the system makes the file, which is a line"
    )]
    fn read(number: u32) -> Option<Process> {
        let line = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        // Its name, in brackets, may contain any characters.
        let mut fields = line.rsplit_once(") ")?.1.split(' ');
        let ended = fields.next()? == "Z";
        (!ended).then_some(())?;
        let parent = fields.next()?.parse().ok()?;
        let began = fields.nth(17)?.to_owned();
        Some(Process {
            number,
            parent,
            began,
        })
    }

    fn lives(&self) -> bool {
        Process::read(self.number).is_some_and(|now| now.began == self.began)
    }
}

/// Returns the processes that this one has started, and those that they have started.
#[expect(
    clippy::disallowed_methods,
    reason = "the system bounds how many processes there are"
)]
fn descendants(root: u32) -> Vec<Process> {
    let numbers = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut others: Vec<Process> = numbers.filter_map(Process::read).collect();
    let mut parents = vec![root];
    let mut found = Vec::new();
    while let Some(parent) = parents.pop() {
        let (children, rest) = others.into_iter().partition(|other| other.parent == parent);
        others = rest;
        let children: Vec<Process> = children;
        parents.extend(children.iter().map(|child| child.number));
        found.extend(children);
    }
    found
}

/// Ends a command and the processes that it has started.
pub(super) fn end(child: Child, end_process: EndProcess) {
    let mut left = Left {
        others: descendants(child.id()),
        child,
        end_process,
    };
    // End the command first, so that it does not begin its next step.
    end_process(left.child.id(), false);
    for other in &left.others {
        end_process(other.number, false);
    }
    if left.ends_within(PATIENCE) {
        return;
    }
    let builder = std::thread::Builder::new().name("wamlet-command".to_owned());
    // If no thread can be made, the closure is dropped, so the processes are killed at once.
    let _ = builder.spawn(move || left.ends_within(GRACE));
}

/// A command that was requested to end. Its remaining processes are killed when this value is dropped.
struct Left {
    child: Child,
    others: Vec<Process>,
    end_process: EndProcess,
}

impl Left {
    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    fn ends_within(&mut self, time: Duration) -> bool {
        let start = Instant::now();
        loop {
            let child_ended = !matches!(self.child.try_wait(), Ok(None));
            self.others.retain(Process::lives);
            if child_ended && self.others.is_empty() {
                return true;
            }
            if start.elapsed() >= time {
                return false;
            }
            std::thread::sleep(NAP);
        }
    }
}

impl Drop for Left {
    fn drop(&mut self) {
        self.others.retain(Process::lives);
        for other in &self.others {
            (self.end_process)(other.number, true);
        }
        if let Ok(None) = self.child.try_wait() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
