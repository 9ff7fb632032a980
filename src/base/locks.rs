//! Taking a lock.
#![forbid(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for a lock and takes it, also if a holder panicked.
///
/// Under `cfg(sanitized_threads)` it waits by trying: the sanitizer of threads does not see what the standard library does
/// while it waits, and reports races of what is behind the lock.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    #[cfg(sanitized_threads)]
    loop {
        use std::sync::TryLockError;
        match mutex.try_lock() {
            Ok(guard) => return guard,
            Err(TryLockError::Poisoned(guard)) => return guard.into_inner(),
            Err(TryLockError::WouldBlock) => std::thread::yield_now(),
        }
    }
    #[cfg(not(sanitized_threads))]
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
