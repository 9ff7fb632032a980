//! The capabilities that the policy of an engine grants to its goals.
#![forbid(unsafe_code)]

use super::control::throw::Throw;
use super::state::Machine;
use super::world::{Confinement, Host};
use crate::base::needs::{Kind, Needs, Permit};
use crate::store::cell::Cell;
use std::sync::Arc;

impl Machine {
    /// Returns a permit for a capability that a builtin needs for some of its arguments only.
    ///
    /// # Errors
    /// Returns an error if the policy does not grant the capability.
    pub(crate) fn permit<K: Kind>(&mut self) -> Result<&'static Permit<K>, Throw> {
        match self.grants(K::NEED) {
            true => Ok(Permit::issue()),
            false => Err(self.refused(K::NEED)),
        }
    }

    /// Returns whether the policy grants this at least in part.
    pub(crate) fn grants(&self, need: Needs) -> bool {
        self.world.host.policy.granted.any(need)
    }

    /// Returns the error `permission_error(use, capability, Capability)`.
    pub(crate) fn refused(&mut self, need: Needs) -> Throw {
        match self.world.symbols.intern(need.refused_word()) {
            Ok(word) => self.permission_error("use", "capability", Cell::atom(word)),
            Err(stop) => stop.into(),
        }
    }

    /// Confines the goals that run from now on. The standard streams and the random numbers start anew.
    pub(crate) fn confine(&mut self, to: &Confinement) {
        self.world.host = Host::new(&self.store, to);
    }

    /// Returns the confinement of the goals.
    pub(crate) fn confinement(&self) -> Confinement {
        let host = &self.world.host;
        Confinement {
            policy: Arc::clone(&host.policy),
            directory: host.directory.clone(),
            builtins: host.builtins,
        }
    }
}
