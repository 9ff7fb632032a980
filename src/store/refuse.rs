//! Recording of refused bindings (see `refusals`).
#![forbid(unsafe_code)]

use super::cell::Cell;
use super::heap::{Store, View};
use super::refusals::Refusal;
use super::stored::Attrs;
use crate::base::atom_table::functors;
use crate::base::stop::Stop;

impl Store {
    /// Records, if refusals are recorded, that no older variable may become `value` because of `held`. `held` is a
    /// part of `value`: an eigenvariable, or the older variable itself. The latter does not concern scopes and is
    /// not recorded.
    ///
    /// # Errors
    /// Returns an error if there is no room.
    #[cold]
    pub(crate) fn record_refusal(&mut self, held: Cell, value: Cell) -> Result<(), Stop> {
        if !self.refusals.wanted {
            return Ok(());
        }
        let View::Struct(functors::EIGENVARIABLE, args) = self.view(held) else {
            return Ok(());
        };
        let number = self.arg(args, 1).int_value();
        self.reserve(3)?;
        let top = self.heap_top;
        let pair = self.new_struct(functors::MINUS2, &[held, value]);
        let pair = self.keep_term(pair, Attrs::Drop);
        self.heap_top = top;
        let pair = pair?;
        self.refusals.last = Some(Box::new(Refusal { number, pair }));
        Ok(())
    }
}
