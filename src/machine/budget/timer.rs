//! The thread that tells a machine when a time has come.
#![forbid(unsafe_code)]

use crate::store::events::Events;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// The present moment, which budgets of time are held against. No text sees it.
#[expect(clippy::disallowed_methods, reason = "no text sees when budgets end")]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// Tells the machine when a certain time has come, and when the one has that counts while the work is
/// shielded.
#[derive(Debug)]
pub(in crate::machine) struct Timer {
    shared: Arc<(Mutex<Wanted>, Condvar)>,
}

#[derive(Copy, Clone, Debug)]
pub(in crate::machine) enum Wanted {
    /// No time is waited for.
    Nothing,
    /// The time, the later one, and their number.
    At(Instant, Instant, u64),
    /// The later one alone.
    Late(Instant, u64),
    /// The thread is to end.
    End,
}

impl Wanted {
    /// What is waited for.
    fn time(self) -> Option<Instant> {
        match self {
            Wanted::At(time, ..) | Wanted::Late(time, _) => Some(time),
            Wanted::Nothing | Wanted::End => None,
        }
    }

    /// Tells that it has come: what is waited for then.
    fn ring(self, events: &Events) -> Wanted {
        match self {
            Wanted::At(_, late, number) => {
                events.ring(number, false);
                Wanted::Late(late, number)
            }
            Wanted::Late(_, number) => {
                events.ring(number, true);
                Wanted::Nothing
            }
            Wanted::Nothing | Wanted::End => self,
        }
    }
}

impl Timer {
    /// Begins a thread; nothing if the system has none.
    pub(in crate::machine) fn new(events: Arc<Events>) -> Option<Timer> {
        let shared = Arc::new((Mutex::new(Wanted::Nothing), Condvar::new()));
        let timer = Timer {
            shared: Arc::clone(&shared),
        };
        let run = move || {
            let (wanted, changed) = &*shared;
            let mut state = wanted.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                state = match state.time() {
                    None if matches!(*state, Wanted::End) => return,
                    None => changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                    Some(time) => {
                        let left = time.saturating_duration_since(now());
                        if left.is_zero() {
                            *state = state.ring(&events);
                            state
                        } else {
                            let waited = changed.wait_timeout(state, left);
                            waited.unwrap_or_else(PoisonError::into_inner).0
                        }
                    }
                };
            }
        };
        let builder = std::thread::Builder::new().name("wamlet-timer".to_owned());
        builder.spawn(run).ok()?;
        Some(timer)
    }

    /// Waits for this from now on.
    pub(in crate::machine) fn set(&self, wanted: Wanted) {
        let (state, changed) = &*self.shared;
        *state.lock().unwrap_or_else(PoisonError::into_inner) = wanted;
        changed.notify_one();
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.set(Wanted::End);
    }
}
