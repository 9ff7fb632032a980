//! The end of a command that nobody waits for any more, with the processes that it has begun: they are asked to
//! end, and made to if they do not.
//!
//! They stay in the group of the process that began them, so that they have the keys of its terminal and end with it
//! where that is ended as a group. Which they are is read from `/proc`; where there is none it is the command alone.

use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

/// Asks the process of this number to end, or makes it end.
pub(crate) type EndProcess = fn(number: u32, force: bool);

/// So long it is waited for the end of what was asked to end.
const PATIENCE: Duration = Duration::from_millis(20);
/// So much time they have before they are made to end. Nobody waits for that.
const GRACE: Duration = Duration::from_secs(1);
/// So often they are looked at.
const NAP: Duration = Duration::from_millis(1);

/// A process that lives.
struct Process {
    number: u32,
    parent: u32,
    /// When it began: a later one may have its number.
    began: String,
}

impl Process {
    /// Fails if there is none of that number.
    #[expect(
        clippy::disallowed_methods,
        reason = "the system makes the file, which is a line"
    )]
    fn read(number: u32) -> Option<Process> {
        let line = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        // Its name, in brackets, may be anything.
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

/// The processes that this one has begun, and those that they have.
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

/// Ends a command and what it has begun.
pub(super) fn end(child: Child, end_process: EndProcess) {
    let mut left = Left {
        others: descendants(child.id()),
        child,
        end_process,
    };
    // The command first: it is not to go on with its next one.
    end_process(left.child.id(), false);
    for other in &left.others {
        end_process(other.number, false);
    }
    if left.ends_within(PATIENCE) {
        return;
    }
    let builder = std::thread::Builder::new().name("wamlet-command".to_owned());
    // Without a thread they are made to end at once, as what it was to do is dropped.
    let _ = builder.spawn(move || left.ends_within(GRACE));
}

/// A command that was asked to end. What is left of it is made to end when this is dropped.
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
