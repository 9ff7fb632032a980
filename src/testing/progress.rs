//! What runs at present, for those who wait for tests.

use crate::base::growth::{Gather, Grow};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Tells which tests run at present: given to [`Settings::progress`](super::Settings::progress) and kept, it can be
/// asked from another thread.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    running: Arc<Mutex<Vec<Entry>>>,
}

/// A test that runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Running {
    /// Its file.
    pub path: PathBuf,
    /// The line of its query; none while the program is loaded.
    pub line: Option<usize>,
    /// So long already.
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
    /// What runs at present, that which has run longest first.
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

    /// A test runs from now on, until what is returned is dropped.
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

/// A test that runs as long as this is there.
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
