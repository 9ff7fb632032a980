//! Taking a lock.
#![forbid(unsafe_code)]

use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

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
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Gives a lock up until there is news or the time is over, perhaps sooner, and takes it again.
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
