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

/// A place that is granted.
#[derive(Clone)]
pub(crate) struct Mount {
    /// Its guest name.
    pub(crate) at: GuestPath,
    /// What it is granted for.
    pub(crate) uses: Needs,
    /// Who holds the files there.
    pub(crate) files: Arc<dyn HostFiles>,
    /// Was it admitted with a program that the host has named?
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
    /// Places that are granted to nobody, whatever is granted around them.
    denied: Vec<GuestPath>,
}

/// A file that is granted: who holds it, its path there, and where the root of that is.
pub(crate) struct Granted {
    pub(crate) files: Arc<dyn HostFiles>,
    pub(crate) path: GuestPath,
    pub(crate) at: GuestPath,
    pub(crate) admitted: bool,
}

impl Guest {
    /// These places.
    pub(crate) fn new(mounts: Vec<Mount>, denied: Vec<GuestPath>) -> Guest {
        Guest { mounts, denied }
    }

    /// These places with one that the host admits; none if it is there already. Of several places of a name the last
    /// one counts.
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

    /// The file of a guest name, if it is granted for this use: by the deepest place that grants it.
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

    /// Does a link lead to what is denied? Of a file that is not there the nearest folder that is says so; a link
    /// to a file that might be made leads anywhere.
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

    /// Is something denied below this path?
    pub(crate) fn holds_denied(&self, path: &GuestPath) -> bool {
        self.denied
            .iter()
            .any(|denied| denied.below(path).is_some())
    }
}
