//! The tests that run at present, for programs that show the progress.

use crate::base::growth::{Gather, Grow};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The tests that run at present. Give a clone to [`Settings::progress`](super::Settings::progress) and read this one
/// from another thread.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    running: Arc<Mutex<Vec<Entry>>>,
}

/// A test that runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Running {
    /// The file of the test.
    pub path: PathBuf,
    /// The line of the query; none while the program is being loaded.
    pub line: Option<usize>,
    /// The running time so far.
    pub time: Duration,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    path: PathBuf,
    line: Option<usize>,
    start: Instant,
}

impl Progress {
    /// Returns the tests that run at present, the longest running first.
    #[expect(
        clippy::disallowed_methods,
        reason = "the host runs tests of its own files"
    )]
    pub fn running(&self) -> Vec<Running> {
        let Ok(running) = self.running.lock() else {
            return Vec::new();
        };
        let running = running.iter().map(|entry| Running {
            path: entry.path.clone(),
            line: entry.line,
            time: entry.start.elapsed(),
        });
        running.gather().unwrap_or_default()
    }

    /// Adds a running test, until the returned value is dropped.
    #[expect(
        clippy::disallowed_methods,
        reason = "the host runs tests of its own files"
    )]
    pub(super) fn begin(&self, path: &Path, line: Option<usize>) -> Present<'_> {
        let mut number = 0;
        if let Ok(mut running) = self.running.lock() {
            number = running.last().map_or(1, |last| last.number + 1);
            let entry = Entry {
                number,
                path: path.to_owned(),
                line,
                start: Instant::now(),
            };
            if running.put(entry).is_err() {
                number = 0;
            }
        }
        Present {
            progress: self,
            number,
        }
    }
}

/// A guard for a running test: its drop removes the test.
pub(super) struct Present<'a> {
    progress: &'a Progress,
    number: u64,
}

impl Drop for Present<'_> {
    fn drop(&mut self) {
        if let Ok(mut running) = self.progress.running.lock() {
            running.retain(|entry| entry.number != self.number);
        }
    }
}
