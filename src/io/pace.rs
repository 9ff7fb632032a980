//! The times when lines of a standard output that is no terminal leave the process: each one at once, but many
//! together in a long run of lines.
//!
//! A system call takes longer than making a line. So a run of more than [`FEW`] lines within [`PAUSE`] is held back.
//! It is written when the buffer is full, before the engine waits for anything or writes an error, and every
//! [`PAUSE`]. A thread measures that time while lines are held back. A computation that writes no more lines writes
//! them at its next call.

use crate::base::watch::Watch;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

/// Maximum time for which a line is held back.
const PAUSE: Duration = Duration::from_millis(10);
/// Number of lines within that time that are written one by one.
const FEW: u32 = 64;

/// No thread runs.
const IDLE: u8 = 0;
/// A thread runs, and no line is held back.
const QUIET: u8 = 1;
/// Lines are held back.
const HELD: u8 = 2;
/// Lines are due to be written.
const DUE: u8 = 3;

/// Decides which lines are written at once.
pub(crate) struct Pace {
    since: Option<Instant>,
    /// Number of lines that were written one by one since then.
    lines: u32,
    state: Arc<AtomicU8>,
}

impl Pace {
    /// Makes a pace that first writes each line at once.
    pub(crate) fn new() -> Pace {
        Pace {
            since: None,
            lines: 0,
            state: Arc::new(AtomicU8::new(IDLE)),
        }
    }

    /// Returns whether a line that has ended is to be written at once.
    #[inline]
    pub(crate) fn is_due(&mut self, watch: &Arc<Watch>) -> bool {
        match self.state.load(Ordering::Relaxed) {
            HELD => false,
            QUIET if self.goes(QUIET, HELD) => false,
            DUE => true,
            _ => self.one_by_one(watch),
        }
    }

    /// Notes that the lines held back are written.
    pub(crate) fn written(&self) {
        let _ = self.goes(HELD, QUIET) || self.goes(DUE, QUIET);
    }

    fn goes(&self, from: u8, to: u8) -> bool {
        goes(&self.state, from, to)
    }

    #[cold]
    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    fn one_by_one(&mut self, watch: &Arc<Watch>) -> bool {
        let now = Instant::now();
        if self.since.is_none_or(|since| now - since > PAUSE) {
            self.since = Some(now);
            self.lines = 0;
        }
        self.lines += 1;
        if self.lines <= FEW {
            return true;
        }
        self.state.store(HELD, Ordering::Relaxed);
        let (state, watch) = (Arc::clone(&self.state), Arc::clone(watch));
        let builder = Builder::new().name("wamlet-output".to_owned());
        let begun = builder.spawn(move || measure(&state, &watch)).is_ok();
        if !begun {
            self.state.store(IDLE, Ordering::Relaxed);
        }
        !begun
    }
}

fn goes(state: &AtomicU8, from: u8, to: u8) -> bool {
    let order = Ordering::Relaxed;
    state.compare_exchange(from, to, order, order).is_ok()
}

/// Requests the lines held back to be written from time to time, until there are none.
fn measure(state: &AtomicU8, watch: &Watch) {
    while !goes(state, QUIET, IDLE) {
        sleep(PAUSE);
        if goes(state, HELD, DUE) || state.load(Ordering::Relaxed) == DUE {
            watch.want_output();
        }
    }
}
