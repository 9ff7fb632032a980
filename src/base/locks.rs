//! Functions that take locks.
#![forbid(unsafe_code)]

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// Waits for a lock and takes it, even if a holder panicked.
///
/// Under `cfg(sanitized_threads)` it tries again and again instead. The thread sanitizer does not see how the
/// standard library waits, so it would report races on the data behind the lock.
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
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Releases a lock until there is news or the time is over, perhaps sooner, and takes it again.
pub(crate) fn wait<'a, T>(
    news: &Condvar,
    (mutex, guard): (&'a Mutex<T>, MutexGuard<'a, T>),
    most: Option<Duration>,
) -> MutexGuard<'a, T> {
    if cfg!(sanitized_threads) {
        drop(guard);
        std::thread::sleep(Duration::from_micros(100));
        return lock(mutex);
    }
    let guard = match most {
        None => news.wait(guard).map_err(|error| error.into_inner()),
        Some(most) => match news.wait_timeout(guard, most) {
            Ok((guard, _)) => Ok(guard),
            Err(error) => Err(error.into_inner().0),
        },
    };
    guard.unwrap_or_else(|guard| guard)
}
