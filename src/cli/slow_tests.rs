//! Progress messages about slow tests.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;
use wamlet::testing::{Progress, Running};

/// The time after which a terminal shows the running tests.
const SHOWN_AFTER: Duration = Duration::from_secs(3);
/// The time after which another output gets a line about a running test.
const REPORTED_AFTER: Duration = Duration::from_secs(10);
/// The time between two looks at the running tests.
const PERIOD: Duration = Duration::from_millis(250);
/// Maximum number of tests that a message names.
const MOST: usize = 3;

/// Runs the work and reports slow tests on the standard error output meanwhile. A terminal shows a line that is
/// renewed and removed at the end. Any other output gets one line for each slow test.
pub(super) fn reporting_slow_tests<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    let terminal = io::stderr().is_terminal()
        && std::env::var_os("TERM").is_some_and(|name| !name.is_empty() && name != "dumb");
    thread::scope(|scope| {
        let (done, wait): (Sender<()>, Receiver<()>) = channel();
        let watch = move || {
            if terminal {
                renew_line(progress, &wait);
            } else {
                report_once(progress, &wait);
            }
        };
        // Without a thread, no tests are reported.
        let _watcher = thread::Builder::new().spawn_scoped(scope, watch);
        let result = work();
        drop(done);
        result
    })
}

/// Returns whether the work is still running after some time.
fn goes_on(wait: &Receiver<()>) -> bool {
    matches!(wait.recv_timeout(PERIOD), Err(RecvTimeoutError::Timeout))
}

/// Returns the place of a test.
fn place(test: &Running) -> String {
    let path = test.path.display();
    match test.line {
        Some(line) => format!("{path}:{line}"),
        None => format!("the program of {path}"),
    }
}

fn renew_line(progress: &Progress, wait: &Receiver<()>) {
    let mut shown = String::new();
    while goes_on(wait) {
        let mut running = progress.running();
        running.retain(|test| test.time >= SHOWN_AFTER);
        let seconds = running.iter().map(|test| test.time.as_secs()).max();
        let line = seconds.map_or(String::new(), |seconds| {
            let places: Vec<String> = running.iter().take(MOST).map(place).collect();
            let more = if running.len() > MOST { ", …" } else { "" };
            format!("% running for {seconds} s: {}{more}", places.join(", "))
        });
        if line != shown {
            // Only one line can be removed: without wrapping, the terminal cuts it at the margin.
            let _ = write!(io::stderr(), "\r\x1b[K\x1b[?7l{line}\x1b[?7h");
            shown = line;
        }
    }
    if !shown.is_empty() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

fn report_once(progress: &Progress, wait: &Receiver<()>) {
    let mut reported: Vec<String> = Vec::new();
    while goes_on(wait) {
        let places: Vec<String> = progress
            .running()
            .iter()
            .filter(|test| test.time >= REPORTED_AFTER)
            .map(place)
            .collect();
        for place in &places {
            if !reported.contains(place) {
                let seconds = REPORTED_AFTER.as_secs();
                let _ = writeln!(io::stderr(), "% still running after {seconds} s: {place}");
            }
        }
        reported = places;
    }
}
