//! What was refused because an eigenvariable would have left its scope: for who wants to know why a
//! goal fails.
#![forbid(unsafe_code)]

use super::cell::Cell;
use super::copy::{Attrs, Stored};
use super::heap::{Store, View};
use crate::base::stop::Stop;
use crate::base::symbol::functors;

/// An older variable, or what was to be free of the eigenvariable, would have held it.
pub(crate) struct Refusal {
    /// The number of the eigenvariable.
    pub(crate) number: i64,
    /// `$eigen(Name, Number)-Value`: what the older variable would have become.
    pub(crate) told: Stored,
}

/// The last refusal, while somebody wants to know.
#[derive(Default)]
pub(crate) struct Refusals {
    /// Does somebody?
    pub(crate) wanted: bool,
    last: Option<Box<Refusal>>,
}

impl Refusals {
    /// The last one, once.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<Box<Refusal>> {
        self.last.take()
    }
}

impl Store {
    /// Notes, if that is wanted, that nothing older may become `value`, because of what it holds:
    /// an eigenvariable, or the older variable itself, which is no matter of scopes.
    ///
    /// # Errors
    /// There is no room.
    #[cold]
    pub(crate) fn refuse(&mut self, held: Cell, value: Cell) -> Result<(), Stop> {
        if !self.refusals.wanted {
            return Ok(());
        }
        let View::Struct(functors::EIGENVARIABLE, args) = self.view(held) else {
            return Ok(());
        };
        let number = self.arg(args, 1).int_value();
        self.reserve(3)?;
        let top = self.heap_top;
        let told = self.new_struct(functors::MINUS2, &[held, value]);
        let told = self.keep_term(told, Attrs::Drop);
        self.heap_top = top;
        let told = told?;
        self.refusals.last = Some(Box::new(Refusal { number, told }));
        Ok(())
    }
}
