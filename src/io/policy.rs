//! What an engine may reach outside of itself.

use super::clock::{self, epoch};
use crate::base::needs::{Clock, Needs, Permit};
use std::time::{SystemTime, UNIX_EPOCH};

/// What an engine was granted. Files are granted by places besides, see [`super::guest`].
#[derive(Clone, Debug)]
pub(crate) struct Policy {
    /// The capabilities that it has, be it in part.
    pub(crate) granted: Needs,
    /// The variables of the environment that it sees; all, and what the process is, if none are named.
    pub(crate) variables: Option<Vec<String>>,
    /// The programs that it may run, without a shell; the shell, and so all, if none are named.
    pub(crate) programs: Option<Vec<String>>,
    /// The time that its clock shows for ever.
    pub(crate) now: Option<SystemTime>,
    /// What its random numbers begin with.
    pub(crate) seed: Option<u64>,
    /// Are its texts those of strangers? They take no hook and no name of the system's.
    pub(crate) strangers: bool,
}

impl Policy {
    /// Everything.
    pub(crate) const FULL: Policy = Policy {
        granted: Needs::CAPABILITIES,
        variables: None,
        programs: None,
        now: None,
        seed: None,
        strangers: false,
    };

    /// Is this variable of the environment granted?
    pub(crate) fn shows_variable(&self, name: &str) -> bool {
        let named = self.variables.as_ref();
        self.granted.any(Needs::ENVIRONMENT)
            && named.is_none_or(|names| names.iter().any(|known| known == name))
    }

    /// Is all granted that the environment tells of the process?
    pub(crate) fn shows_process(&self) -> bool {
        self.granted.any(Needs::ENVIRONMENT) && self.variables.is_none()
    }

    /// The seconds since 1970.
    pub(crate) fn epoch(&self, clock: &Permit<Clock>) -> f64 {
        match self.now {
            None => epoch(clock),
            Some(now) => now
                .duration_since(UNIX_EPOCH)
                .map_or(0.0, |time| time.as_secs_f64()),
        }
    }

    /// The present moment of the clock that never goes back.
    pub(crate) fn instant(&self, clock: &Permit<Clock>) -> std::time::Instant {
        clock::instant(clock)
    }
}
