//! The early end of a run of tests: running tests are interrupted, and no other test begins.

use crate::api::{Engine, InterruptHandle};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread, ThreadId};
use std::time::Duration;

/// The maximum delay until a request to stop is noticed.
const WAIT: Duration = Duration::from_millis(20);

/// The state that the threads of a run share to stop early.
pub(super) struct Stopping {
    wanted: AtomicBool,
    /// The engines that the threads use now.
    engines: Mutex<HashMap<ThreadId, InterruptHandle>>,
    /// The number of working threads, and the thread that waits for them.
    working: AtomicUsize,
    waiting: Thread,
}

impl Stopping {
    /// Returns the state for a run that this thread waits for.
    pub(super) fn new() -> Stopping {
        Stopping {
            wanted: AtomicBool::new(false),
            engines: Mutex::default(),
            working: AtomicUsize::new(0),
            waiting: thread::current(),
        }
    }

    /// Returns whether the run should end.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// Notes that this thread uses this engine now.
    #[expect(
        clippy::disallowed_methods,
        reason = "`run`, of the public interface, cannot fail; threads are few"
    )]
    pub(super) fn uses(&self, engine: &Engine) {
        if let Ok(mut engines) = self.engines.lock() {
            engines.insert(thread::current().id(), engine.interrupt_handle());
        }
    }

    /// Counts one more working thread.
    pub(super) fn begin(&self) {
        self.working.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts one working thread less.
    pub(super) fn end(&self) {
        self.working.fetch_sub(1, Ordering::Release);
        self.waiting.unpark();
    }

    /// Waits for all threads. Ends their tests when this handle requests an interrupt.
    pub(super) fn watch(&self, handle: &InterruptHandle) {
        while self.working.load(Ordering::Acquire) > 0 {
            if handle.is_wanted() {
                self.wanted.store(true, Ordering::Relaxed);
                let engines = self.engines.lock();
                // An engine between two queries ignores an interrupt, so the interrupt is repeated.
                for engine in engines.iter().flat_map(|engines| engines.values()) {
                    engine.interrupt();
                }
            }
            thread::park_timeout(WAIT);
        }
    }
}
