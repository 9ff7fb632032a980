//! Values that engines have together until one of them changes its own.
#![forbid(unsafe_code)]

use std::ops::Deref;
use std::sync::Arc;

/// A value. Clones have it together.
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
    /// The value, to be changed: a copy of its own, if others have it, too. What is shared so is bounded by the texts
    /// that were loaded, not by data.
    pub(crate) fn own(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}
