//! The grants of an engine for the outside world.

use super::clock::{self, epoch};
use crate::base::needs::{Clock, Needs, Permit};
use std::time::{SystemTime, UNIX_EPOCH};

/// The grants of an engine. Files are also granted by places, see [`super::guest`].
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    /// The capabilities that the engine has, in whole or in part.
    pub(crate) granted: Needs,
    /// The variables of the environment that the engine sees. `None` means all of them, and the data of the process.
    pub(crate) variables: Option<Vec<String>>,
    /// The programs that the engine may run, without a shell. `None` means the shell, and so all programs.
    pub(crate) programs: Option<Vec<String>>,
    /// The fixed time of the clock of the engine.
    pub(crate) now: Option<SystemTime>,
    /// Seed of the random numbers of the engine.
    pub(crate) seed: Option<u64>,
    /// Whether the texts of the engine are from strangers. Such texts can define neither hooks nor names of the system.
    pub(crate) strangers: bool,
}

impl Policy {
    /// The policy that grants everything.
    pub(crate) const FULL: Policy = Policy {
        granted: Needs::CAPABILITIES,
        variables: None,
        programs: None,
        now: None,
        seed: None,
        strangers: false,
    };

    /// Returns whether this variable of the environment is granted.
    pub(crate) fn shows_variable(&self, name: &str) -> bool {
        let named = self.variables.as_ref();
        self.granted.any(Needs::ENVIRONMENT)
            && named.is_none_or(|names| names.iter().any(|known| known == name))
    }

    /// Returns whether all data of the process in the environment is granted.
    pub(crate) fn shows_process(&self) -> bool {
        self.granted.any(Needs::ENVIRONMENT) && self.variables.is_none()
    }

    /// Returns the seconds since 1970.
    pub(crate) fn epoch(&self, clock: &Permit<Clock>) -> f64 {
        match self.now {
            None => epoch(clock),
            Some(now) => now
                .duration_since(UNIX_EPOCH)
                .map_or(0.0, |time| time.as_secs_f64()),
        }
    }

    /// Returns the present moment of the monotonic clock.
    pub(crate) fn instant(&self, clock: &Permit<Clock>) -> std::time::Instant {
        clock::instant(clock)
    }
}
