//! Values that are made once, by the first thread that needs them.
#![forbid(unsafe_code)]

use std::sync::OnceLock;
#[cfg(sanitized_threads)]
use std::sync::atomic::{AtomicBool, Ordering};

/// A value that is made once. Under `cfg(sanitized_threads)` a flag of its own says that the value is there: the
/// thread sanitizer does not see how the standard library does this.
pub(crate) struct Once<T> {
    value: OnceLock<T>,
    #[cfg(sanitized_threads)]
    made: AtomicBool,
}

impl<T> Once<T> {
    /// Returns an empty one.
    pub(crate) const fn new() -> Once<T> {
        Once {
            value: OnceLock::new(),
            #[cfg(sanitized_threads)]
            made: AtomicBool::new(false),
        }
    }

    /// Returns the value, if it has been made.
    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&T> {
        #[cfg(sanitized_threads)]
        if !self.made.load(Ordering::Acquire) {
            return None;
        }
        self.value.get()
    }

    /// Returns the value; `make` makes it if it has not been made. Other threads wait meanwhile.
    #[inline(always)]
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        #[cfg(sanitized_threads)]
        if !self.made.load(Ordering::Acquire) {
            let mut own = false;
            let _ = self.value.get_or_init(|| {
                own = true;
                make()
            });
            if own {
                self.made.store(true, Ordering::Release);
            }
            while !self.made.load(Ordering::Acquire) {
                std::thread::yield_now();
            }
            return self.value.get_or_init(|| unreachable!("it is made"));
        }
        self.value.get_or_init(make)
    }
}

impl<T> Default for Once<T> {
    fn default() -> Once<T> {
        Once::new()
    }
}
