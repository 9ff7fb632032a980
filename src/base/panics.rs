//! Panics of the host's code, which the machine turns into exceptions. The panic hook of the process tells of them,
//! as of any. Nothing else catches panics: limits, interrupts and shortage of memory are [`Stop`](super::stop::Stop)s,
//! and a panic of this library is a fault of its own.
#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Has code of the host do something; an error if it panicked.
pub(crate) fn in_host<T>(work: impl FnOnce() -> T) -> std::thread::Result<T> {
    catch_unwind(AssertUnwindSafe(work))
}

/// Something of the host's, which may panic as it is dropped: the host's hook tells of that, and nobody else
/// need know.
pub(crate) struct Entrusted<T>(Option<T>);

impl<T> Entrusted<T> {
    /// Takes it over.
    pub(crate) fn new(value: T) -> Entrusted<T> {
        Entrusted(Some(value))
    }

    /// What it is.
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
            // It may be of the same kind, and is left to nobody.
            let _ = Box::leak(payload);
        }
    }
}
