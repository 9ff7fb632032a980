//! What the policy of an engine grants to the goals that run in it.
#![forbid(unsafe_code)]

use super::builtin::Builtin;
use super::control::throw::Throw;
use super::state::Machine;
use crate::base::needs::{Kind, Needs, Permit};
use crate::io::files::Directory;
use crate::io::policy::Policy;
use crate::store::cell::Cell;
use std::sync::Arc;

impl Machine {
    /// Leave for something that a builtin needs for some of its arguments only.
    ///
    /// # Errors
    /// The policy does not grant it.
    pub(crate) fn permit<K: Kind>(&mut self) -> Result<&'static Permit<K>, Throw> {
        match self.grants(K::NEED) {
            true => Ok(Permit::issue()),
            false => Err(self.refused(K::NEED)),
        }
    }

    /// Does the policy grant this, be it in part?
    pub(crate) fn grants(&self, need: Needs) -> bool {
        self.world.host.policy.granted.any(need)
    }

    /// `permission_error(use, capability, Capability)`
    pub(crate) fn refused(&mut self, need: Needs) -> Throw {
        match self.world.symbols.intern(need.refused_word()) {
            Ok(word) => self.permission_error("use", "capability", Cell::atom(word)),
            Err(stop) => stop.into(),
        }
    }

    /// Goals that run from now on have what this policy grants. The builtins are those that it leaves, with others in
    /// place of those that it refuses.
    pub(crate) fn confine(
        &mut self,
        policy: Arc<Policy>,
        directory: Directory,
        builtins: &'static [&'static Builtin],
    ) {
        let host = &mut self.world.host;
        host.streams.confine(policy.granted);
        host.directory = directory;
        host.builtins = builtins;
        host.policy = policy;
        self.restart_random(Permit::issue());
    }
}
