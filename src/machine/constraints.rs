//! Propagation of constraints over integers after unification. All constraints run before any suspended goal.
#![forbid(unsafe_code)]

use super::control::throw::Throw;
use super::state::Machine;
use crate::base::atom_table::{atoms, functors};
use crate::base::growth::Grow;
use crate::fd::variable::Bound;
use crate::fd::{Fd, Halt};
use crate::store::cell::Cell;
use crate::store::heap::{View, deref};
use crate::store::raw;

impl Machine {
    /// Returns access to the constraints of this engine.
    #[inline(always)]
    pub(crate) fn fd(&mut self) -> Fd<'_> {
        Fd::new(&mut self.store, &mut self.run.propagation)
    }

    /// Takes the wake-ups of constraints out of the pending ones and propagates them. The wake-ups left are for
    /// goals. Returns false if the constraints have no solution.
    pub(super) fn wake_constraints(&mut self) -> Result<bool, Throw> {
        let pending = self.store.wakeups;
        self.store.set_wakeups(Cell::atom(atoms::NIL));
        let mut bindings: Vec<(Cell, Cell)> = Vec::new();
        let mut list = pending;
        while let View::List(pair) = self.store.view(list) {
            if let Some((functors::WAKEUP, args)) = self.store.compound(raw::cell(pair)) {
                bindings.put((self.store.arg(args, 0), self.store.arg(args, 1)))?;
            }
            list = self.store.arg(pair, 1);
        }
        let mut fd = self.fd();
        let mut no_integer = None;
        let result = bindings.iter().rev().try_for_each(|&(attributes, value)| {
            let (bound, rest) = fd.was_bound(attributes, value)?;
            if matches!(bound, Bound::NoInteger) {
                no_integer = Some(value);
            }
            if rest != Cell::atom(atoms::NIL) {
                fd.store.reserve(8)?;
                fd.store.schedule(rest, deref(value));
            }
            Ok(())
        });
        let result = match (result, no_integer) {
            (Ok(()), None) => fd.propagate(),
            (result, _) => {
                fd.forget();
                result
            }
        };
        match (result, no_integer) {
            (Err(Halt::Stop), _) => Err(crate::base::stop::Stop.into()),
            (Err(_), _) => Ok(false),
            (Ok(()), Some(value)) => Err(self.type_error(atoms::INTEGER, value)),
            (Ok(()), None) => Ok(true),
        }
    }
}
