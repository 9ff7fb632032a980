//! Ending a run of tests early: those that are under way are interrupted, no other begins.

use crate::api::{Engine, InterruptHandle};
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread, ThreadId};
use std::time::Duration;

/// How long a wish to stop may go unnoticed.
const WAIT: Duration = Duration::from_millis(20);

/// What the threads of a run have in common for that.
pub(super) struct Stopping {
    wanted: AtomicBool,
    /// The engines that they use now.
    engines: Mutex<HashMap<ThreadId, InterruptHandle>>,
    /// How many threads work, and who waits for them.
    working: AtomicUsize,
    waiting: Thread,
}

impl Stopping {
    /// That of a run which this thread waits for.
    pub(super) fn new() -> Stopping {
        Stopping {
            wanted: AtomicBool::new(false),
            engines: Mutex::default(),
            working: AtomicUsize::new(0),
            waiting: thread::current(),
        }
    }

    /// Is the run to end?
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// This thread uses this engine now.
    #[expect(
        clippy::disallowed_methods,
        reason = "`run`, of the public interface, cannot fail; threads are few"
    )]
    pub(super) fn uses(&self, engine: &Engine) {
        if let Ok(mut engines) = self.engines.lock() {
            engines.insert(thread::current().id(), engine.interrupt_handle());
        }
    }

    /// One more thread works.
    pub(super) fn begin(&self) {
        self.working.fetch_add(1, Ordering::Relaxed);
    }

    /// One thread less does.
    pub(super) fn end(&self) {
        self.working.fetch_sub(1, Ordering::Release);
        self.waiting.unpark();
    }

    /// Waits for all threads, and has them end where this handle is asked to interrupt something.
    pub(super) fn watch(&self, handle: &InterruptHandle) {
        while self.working.load(Ordering::Acquire) > 0 {
            if handle.is_wanted() {
                self.wanted.store(true, Ordering::Relaxed);
                let engines = self.engines.lock();
                // Between two queries of an engine nobody hears it: it is said again.
                for engine in engines.iter().flat_map(|engines| engines.values()) {
                    engine.interrupt();
                }
            }
            thread::park_timeout(WAIT);
        }
    }
}
