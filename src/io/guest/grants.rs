//! The places that a confined engine is granted, under guest names.

use super::host_files::HostFiles;
use super::path::GuestPath;
use crate::base::growth::Gather;
use crate::base::needs::{Kind, Load, Needs, Read, Write};
use crate::base::stop::Stop;
use std::fmt;
use std::sync::Arc;

/// A kind of permits for files.
pub(crate) trait FileUse: Kind {}

impl FileUse for Read {}
impl FileUse for Write {}
impl FileUse for Load {}

/// A granted place.
#[derive(Clone)]
pub(crate) struct Mount {
    /// The guest name of the mount.
    pub(crate) at: GuestPath,
    /// The uses that the mount is granted for.
    pub(crate) uses: Needs,
    /// The holder of the files.
    pub(crate) files: Arc<dyn HostFiles>,
    /// Whether the mount was admitted together with a program that the host has named.
    pub(crate) admitted: bool,
}

impl fmt::Debug for Mount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mount").field(&self.at).finish()
    }
}

/// The places of a confined engine.
#[derive(Debug, Default)]
pub(crate) struct Guest {
    mounts: Vec<Mount>,
    /// Places that are never granted, even inside granted places.
    denied: Vec<GuestPath>,
}

/// A granted file: its holder, its path there, and the guest name of the holder's root.
pub(crate) struct Granted {
    pub(crate) files: Arc<dyn HostFiles>,
    pub(crate) path: GuestPath,
    pub(crate) at: GuestPath,
    pub(crate) admitted: bool,
}

impl Guest {
    /// Makes a value with these places.
    pub(crate) fn new(mounts: Vec<Mount>, denied: Vec<GuestPath>) -> Guest {
        Guest { mounts, denied }
    }

    /// Returns these places with one that the host admits; `None` if it is already present. Of several places with
    /// one name the last one counts.
    pub(crate) fn admitting(&self, mount: Mount) -> Result<Option<Guest>, Stop> {
        let place = mount.files.system_place();
        let same = |known: &&Mount| known.at == mount.at && known.uses.any(mount.uses);
        let last = self.mounts.iter().rev().find(same);
        if place.is_some() && last.is_some_and(|known| known.files.system_place() == place) {
            return Ok(None);
        }
        let mounts = self.mounts.iter().cloned().chain([mount]).gather()?;
        let denied = self.denied.iter().cloned().gather()?;
        Ok(Some(Guest { mounts, denied }))
    }

    /// Returns the file of a guest name, if it is granted for this use. The deepest place that grants the use counts.
    pub(crate) fn find(&self, path: &GuestPath, need: Needs) -> Option<Granted> {
        if self.is_denied(path) {
            return None;
        }
        let granting = self.mounts.iter().filter(|mount| mount.uses.any(need));
        let found = granting.filter_map(|mount| Some((mount, path.below(&mount.at)?)));
        let (mount, below) = found.max_by_key(|(mount, _)| mount.at.as_str().len())?;
        let granted = Granted {
            files: Arc::clone(&mount.files),
            path: below,
            at: mount.at.clone(),
            admitted: mount.admitted,
        };
        (self.denied.is_empty() || !self.leads_to_denied(&granted)).then_some(granted)
    }

    /// Returns whether a link leads to a denied place. For a missing file the nearest existing folder decides. A link
    /// to a missing file might lead anywhere.
    fn leads_to_denied(&self, granted: &Granted) -> bool {
        let mut next = Some(granted.path.clone());
        while let Some(path) = next {
            if let Ok(real) = granted.files.real_path(&path) {
                return self.is_denied(&real.seen_at(&granted.at));
            }
            if granted.files.read_link(&path).is_ok() {
                return true;
            }
            next = path.parent();
        }
        true
    }

    fn is_denied(&self, path: &GuestPath) -> bool {
        self.denied
            .iter()
            .any(|denied| path.below(denied).is_some())
    }

    /// Returns whether a place below this path is denied.
    pub(crate) fn holds_denied(&self, path: &GuestPath) -> bool {
        self.denied
            .iter()
            .any(|denied| denied.below(path).is_some())
    }
}
