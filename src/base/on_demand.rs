//! A part of a record that most records do without.
#![forbid(unsafe_code)]

use std::ops::{Deref, DerefMut};

/// A value that takes room from when it is first changed on; until then it is the empty one.
#[derive(Default)]
pub(crate) struct OnDemand<T>(Option<Box<T>>);

/// What has an empty value that all can share.
pub(crate) trait Empty: Default + 'static {
    /// That value.
    fn empty() -> &'static Self;
}

impl<T: Empty> Deref for OnDemand<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        match &self.0 {
            Some(value) => value,
            None => T::empty(),
        }
    }
}

impl<T: Empty> DerefMut for OnDemand<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}
