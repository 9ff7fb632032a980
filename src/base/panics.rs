//! Panics of the host's code, which the machine turns into exceptions. The panic hook of the process reports them
//! like any panic. No other code catches panics: limits, interrupts and shortage of memory are
//! [`Stop`](super::stop::Stop)s, and a panic of this library is a bug in it.
#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code of the host. Returns an error if it panicked.
pub(crate) fn in_host<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    catch_unwind(AssertUnwindSafe(work))
}

/// A value of the host, which may panic as it is dropped. The host's panic hook reports that panic; nothing else
/// needs to know of it.
pub(crate) struct Entrusted<T>(Option<T>);

impl<T> Entrusted<T> {
    /// Takes the value over.
    pub(crate) fn new(value: T) -> Entrusted<T> {
        Entrusted(Some(value))
    }

    /// Returns the value.
    pub(crate) fn get(&mut self) -> &mut T {
        match &mut self.0 {
            Some(value) => value,
            None => unreachable!("it is there until it is dropped"),
        }
    }
}

impl<T> Drop for Entrusted<T> {
    fn drop(&mut self) {
        let value = self.0.take();
        if let Err(payload) = in_host(|| drop(value)) {
            // The payload may panic in its turn when dropped, so it is leaked.
            let _ = Box::leak(payload);
        }
    }
}
