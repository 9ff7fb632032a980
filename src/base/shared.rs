//! Values that engines share until one of them changes its own.
#![forbid(unsafe_code)]

use std::ops::Deref;
use std::sync::Arc;

/// A shared value; clones share it.
#[derive(Debug, Default)]
pub(crate) struct Shared<T>(Arc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared(Arc::clone(&self.0))
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Shared<T> {
        Shared(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> Shared<T> {
    /// Returns the value, mutably. If others share it, this one gets a copy first. The size of such values depends
    /// on the texts that were loaded, not on data.
    pub(crate) fn own(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}
