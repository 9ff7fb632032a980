//! The file system: the basis of the builtins on files and directories.
//!
//! Relative names of files depend on the working directory of the engine that works in this thread. At first that is
//! the working directory of the process, until the engine has one of its own ([`Directory`]).

use super::error::IoError;
use super::guest::grants::{FileUse, Guest, Mount};
use super::guest::path::GuestPath;
use super::os_names::{os_of_text, text_of_os};
use super::paths;
use super::target::{Guested, Target, guest_name, target};
use crate::base::growth::{Gather, Grow};
use crate::base::needs::{Kind, Permit, Place, Read, Write};
use crate::base::stop::Stop;
use std::cell::RefCell;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The view of an engine on files. It has the working directory, `None` for that of the process, and the granted
/// places if the engine is confined. In a confined engine the directory is a guest name, `/` if there is none.
#[derive(Clone, Default)]
pub(crate) struct Directory {
    own: Option<Arc<Path>>,
    guest: Option<Arc<Guest>>,
}

thread_local! {
    /// The view of the engine that works in this thread.
    static PRESENT: RefCell<Directory> = const { RefCell::new(Directory { own: None, guest: None }) };
}

/// A guard: an engine works in this thread until it is dropped.
pub(crate) struct AtWork(Directory);

impl Directory {
    /// Makes the view of an engine that sees only these places.
    pub(crate) fn confined(guest: Arc<Guest>) -> Directory {
        Directory {
            own: None,
            guest: Some(guest),
        }
    }

    /// Makes this the view of the engine that works in this thread.
    pub(crate) fn enter(&self) -> AtWork {
        AtWork(PRESENT.with(|present| present.replace(self.clone())))
    }

    /// Returns the view of the engine that works in this thread.
    pub(crate) fn present() -> Directory {
        PRESENT.with(|present| present.borrow().clone())
    }

    /// Returns the file of a name, as the process sees it, for an engine that is not confined.
    pub(crate) fn file(&self, path: &str) -> PathBuf {
        let name = os_of_text(path);
        match &self.own {
            // An empty name belongs to no file.
            Some(directory) if !name.is_empty() => directory.join(name),
            _ => name.into_owned().into(),
        }
    }

    /// Returns the places of a confined engine.
    pub(crate) fn guest(&self) -> Option<&Arc<Guest>> {
        self.guest.as_ref()
    }

    /// Takes over the working directory of the engine that works in this thread.
    pub(crate) fn follow_present(&mut self) {
        self.own = Directory::present().own;
    }

    /// Grants a confined engine a place that the host names.
    pub(crate) fn admit(&mut self, mount: Mount) -> Result<(), Stop> {
        let admitting = self.guest.as_ref().map(|guest| guest.admitting(mount));
        if let Some(guest) = admitting.transpose()?.flatten() {
            self.guest = Some(Arc::new(guest));
        }
        Ok(())
    }

    /// Returns the guest name of a file, relative to this directory.
    pub(crate) fn guest_path(&self, path: &str) -> GuestPath {
        let here = self.own.as_deref().map(|own| text_of_os(own.as_os_str()));
        here.map_or_else(GuestPath::root, |own| GuestPath::new(&own))
            .join(path)
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        PRESENT.with(|present| present.replace(std::mem::take(&mut self.0)));
    }
}

/// Returns the file of a name, as the process sees it.
pub(super) fn seen(path: &str) -> PathBuf {
    Directory::present().file(path)
}

/// Returns the working directory, if it is not that of the process and the engine is not confined.
pub(super) fn own_directory() -> Option<Arc<Path>> {
    let present = Directory::present();
    present.own.filter(|_| present.guest.is_none())
}

/// Returns whether there is such a file. Directories do not count.
pub(crate) fn exists_file<K: FileUse>(permit: &Permit<K>, path: &str) -> Result<bool, IoError> {
    let found = target(permit, path)?.found()?;
    Ok(found.is_some_and(|data| !data.is_dir))
}

/// Returns whether there is such a plain file. Directories, pipes and devices do not count.
pub(crate) fn is_plain_file<K: FileUse>(permit: &Permit<K>, path: &str) -> Result<bool, IoError> {
    let found = target(permit, path)?.found()?;
    Ok(found.is_some_and(|data| data.is_file))
}

/// Returns whether a file or directory of this name exists.
pub(crate) fn exists<K: FileUse>(permit: &Permit<K>, path: &str) -> Result<bool, IoError> {
    Ok(target(permit, path)?.found()?.is_some())
}

/// Data that change with a file: the time of its last change, and its number of bytes.
pub(crate) type Stamp = (Option<SystemTime>, u64);

/// Returns the stamp of a file, if there is one.
pub(crate) fn stamp<K: FileUse>(permit: &Permit<K>, path: &str) -> Option<Stamp> {
    let data = target(permit, path).ok()?.metadata().ok()?;
    Some((data.modified, data.len))
}

/// Returns whether there is such a directory.
pub(crate) fn exists_directory<K: FileUse>(
    permit: &Permit<K>,
    path: &str,
) -> Result<bool, IoError> {
    let found = target(permit, path)?.found()?;
    Ok(found.is_some_and(|data| data.is_dir))
}

/// Returns the number of bytes of a file.
pub(crate) fn size_file(read: &Permit<Read>, path: &str) -> Result<u64, IoError> {
    Ok(target(read, path)?.metadata()?.len)
}

/// Returns the time of the last change, in seconds since 1970.
pub(crate) fn time_file<K: FileUse>(permit: &Permit<K>, path: &str) -> Result<f64, IoError> {
    let time = target(permit, path)?.metadata()?.modified;
    let time = time.unwrap_or(UNIX_EPOCH);
    Ok(match time.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_secs_f64(),
        Err(before) => -before.duration().as_secs_f64(),
    })
}

/// Deletes a file, or a symbolic link.
pub(crate) fn delete_file(write: &Permit<Write>, path: &str) -> Result<(), IoError> {
    target(write, path)?.remove()
}

/// Writes a file as a whole. Readers see the old file or the new one. If the new one cannot be written, as on a full
/// disk, the old one stays. A file that is not plain, or whose folder permits no new file, is overwritten in place.
///
/// # Errors
/// Returns an error if the system does not let the file be written.
pub(crate) fn replace_file(write: &Permit<Write>, path: &str, bytes: &[u8]) -> Result<(), IoError> {
    match target(write, path)? {
        Target::System(path) => Ok(replace_in_system(path, bytes)?),
        guest @ Target::Guest(_) => {
            let mut writer = guest.writer()?;
            Ok(writer.write_all(bytes).and_then(|()| writer.flush())?)
        }
    }
}

/// Writes a file of the system as a whole.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn replace_in_system(path: PathBuf, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link.
    let path = fs::canonicalize(&path).unwrap_or(path);
    let former = fs::metadata(&path).ok();
    let in_place = |former: &Metadata| !former.is_file() || former.permissions().readonly();
    if former.as_ref().is_some_and(in_place) {
        return fs::write(&path, bytes);
    }
    let mut new = path.clone().into_os_string();
    new.push(format!(".{}.new", std::process::id()));
    let written = fs::write(&new, bytes).and_then(|()| {
        if let Some(former) = &former {
            fs::set_permissions(&new, former.permissions())?;
        }
        fs::rename(&new, &path)
    });
    match written {
        Ok(()) => Ok(()),
        Err(error) => {
            // The partial file is of no use.
            let _ = fs::remove_file(&new);
            match error.kind() {
                io::ErrorKind::PermissionDenied if former.is_some() => fs::write(&path, bytes),
                _ => Err(error),
            }
        }
    }
}

/// Checks that two files have the same holder and contain no denied place.
fn check_pair(one: &Guested, other: &Guested) -> Result<(), IoError> {
    let same = Arc::ptr_eq(&one.granted.files, &other.granted.files);
    let (guest, _) = guest_name("/").ok_or(IoError::Refused(Write::NEED))?;
    let holds_denied = [one, other]
        .iter()
        .any(|file| guest.holds_denied(&file.name));
    match same && !holds_denied {
        true => Ok(()),
        false => Err(IoError::Refused(Write::NEED)),
    }
}

/// Renames a file or a directory; a file of the new name is replaced.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn rename_file(write: &Permit<Write>, from: &str, to: &str) -> Result<(), IoError> {
    match (target(write, from)?, target(write, to)?) {
        (Target::System(from), Target::System(to)) => Ok(fs::rename(from, to)?),
        (Target::Guest(from), Target::Guest(to)) => {
            check_pair(&from, &to)?;
            from.call_holder(|granted| granted.files.rename(&granted.path, &to.granted.path))
        }
        _ => Err(IoError::Refused(Write::NEED)),
    }
}

/// Returns the content of a symbolic link, and the file at the end of the chain of links; `None` if the file is no
/// link.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn read_link(
    read: &Permit<Read>,
    path: &str,
) -> Result<Option<(String, String)>, IoError> {
    let link = match target(read, path)? {
        Target::System(path) => fs::read_link(path).map(|link| text_of_os(link.as_os_str())),
        Target::Guest(guest) => {
            match guest.call_holder(|granted| granted.files.read_link(&granted.path)) {
                Err(error @ IoError::Refused(_)) => return Err(error),
                found => found.map_err(|_| io::ErrorKind::InvalidInput.into()),
            }
        }
    };
    let Ok(link) = link else { return Ok(None) };
    let end = match real_path(read, path)? {
        Some(end) => Some(end),
        None => absolute(&link, Some(paths::directory_name(path))).ok(),
    };
    Ok(end.map(|end| (link, end)))
}

/// Returns the absolute name of an existing file, without symbolic links.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn real_path<K: FileUse>(
    permit: &Permit<K>,
    path: &str,
) -> Result<Option<String>, IoError> {
    match target(permit, path)? {
        Target::System(path) => Ok(fs::canonicalize(path)
            .ok()
            .map(|found| text_of_os(found.as_os_str()))),
        Target::Guest(guest) => real_guest_path(&guest),
    }
}

fn real_guest_path(guest: &Guested) -> Result<Option<String>, IoError> {
    match guest.call_holder(|granted| granted.files.real_path(&granted.path)) {
        Err(error @ IoError::Refused(_)) => Err(error),
        found => {
            let seen = |path: GuestPath| path.seen_at(&guest.granted.at).as_str().to_owned();
            Ok(found.ok().map(seen))
        }
    }
}

/// Returns a name that identifies the file: its absolute name without symbolic links. For a missing file only the
/// links to its directory are followed.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn real_name<K: FileUse>(permit: &Permit<K>, path: &str) -> String {
    let whole = match target(permit, path) {
        Ok(Target::System(path)) => path,
        Ok(Target::Guest(guest)) => {
            let found = real_guest_path(&guest).ok().flatten();
            return found.unwrap_or_else(|| guest.name.as_str().to_owned());
        }
        Err(_) => return absolute(path, None).unwrap_or_else(|_| path.to_owned()),
    };
    let found = fs::canonicalize(&whole).or_else(|error| {
        let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
            return Err(error);
        };
        let named = !folder.as_os_str().is_empty();
        let folder = if named { folder } else { Path::new(".") };
        fs::canonicalize(folder).map(|folder| folder.join(name))
    });
    match found {
        Ok(found) => text_of_os(found.as_os_str()),
        Err(_) => absolute(path, None).unwrap_or_else(|_| path.to_owned()),
    }
}

/// Makes another name for a file: a symbolic link or a hard link.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn link_file(
    write: &Permit<Write>,
    file: &str,
    link: &str,
    symbolic: bool,
) -> Result<(), IoError> {
    let link_at = match target(write, link)? {
        Target::Guest(link) => link,
        Target::System(link) => {
            return Ok(match symbolic {
                #[cfg(unix)]
                true => std::os::unix::fs::symlink(os_of_text(file), link),
                #[cfg(not(unix))]
                true => Err(std::io::ErrorKind::Unsupported.into()),
                false => fs::hard_link(seen(file), link),
            }?);
        }
    };
    // The content of a symbolic link is relative to its folder. Its maker must be allowed to change the file that it
    // leads to.
    let file = match symbolic {
        true => paths::join(paths::directory_name(link_at.name.as_str()), file),
        false => file.to_owned(),
    };
    let Target::Guest(file) = target(write, &file)? else {
        return Err(IoError::Refused(Write::NEED));
    };
    check_pair(&file, &link_at)?;
    link_at.call_holder(|granted| {
        granted
            .files
            .link(&file.granted.path, &granted.path, symbolic)
    })
}

/// Makes a directory.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn make_directory(write: &Permit<Write>, path: &str) -> Result<(), IoError> {
    match target(write, path)? {
        Target::System(path) => Ok(fs::create_dir(path)?),
        Target::Guest(guest) => guest.call_holder(|granted| granted.files.make_dir(&granted.path)),
    }
}

/// Makes a directory with those above it; an existing directory is no error.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn make_directory_path(write: &Permit<Write>, path: &str) -> Result<(), IoError> {
    let guest = match target(write, path)? {
        Target::System(path) => return Ok(fs::create_dir_all(path)?),
        Target::Guest(guest) => guest,
    };
    let mut missing = Vec::new();
    let mut folder = Some(guest.granted.path.clone());
    while let Some(path) = folder {
        match guest.call_holder(|granted| granted.files.metadata(&path)) {
            Ok(data) if data.is_dir => break,
            Ok(_) => return Err(IoError::NotDirectory),
            Err(error @ IoError::Refused(_)) => return Err(error),
            Err(_) => {}
        }
        folder = path.parent();
        missing.put(path)?;
    }
    for path in missing.iter().rev() {
        guest.call_holder(|granted| granted.files.make_dir(path))?;
    }
    Ok(())
}

/// Deletes an empty directory.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn delete_directory(write: &Permit<Write>, path: &str) -> Result<(), IoError> {
    match target(write, path)? {
        Target::System(path) => Ok(fs::remove_dir(path)?),
        Target::Guest(guest) => {
            guest.call_holder(|granted| granted.files.remove_dir(&granted.path))
        }
    }
}

/// Returns the names in a directory, in order, with `.` and `..`.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn directory_files(read: &Permit<Read>, path: &str) -> Result<Vec<String>, IoError> {
    let mut names = vec![".".to_string(), "..".to_string()];
    match target(read, path)? {
        Target::System(path) => {
            for entry in fs::read_dir(path)? {
                names.put(text_of_os(&entry?.file_name()))?;
            }
        }
        Target::Guest(guest) => {
            names.put_all(guest.call_holder(|granted| granted.files.list(&granted.path))?)?;
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Returns the home directory of a user, if the system keeps a list of users.
#[expect(
    clippy::disallowed_methods,
    reason = "the system's list of users, and reading reports refused memory"
)]
pub(crate) fn home_of(_: &Permit<Read>, user: &str) -> Result<Option<String>, IoError> {
    if Directory::present().guest.is_some() {
        return Err(IoError::Refused(Read::NEED));
    }
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut rows = users.lines().map(|line| line.split(':'));
    let row = rows.find_map(|mut row| (row.next() == Some(user)).then_some(row));
    Ok(row.and_then(|mut row| row.nth(4).map(str::to_owned)))
}

/// Returns the working directory, with a separator at its end. A deleted directory keeps its former name.
pub(crate) fn working_directory(_: &Permit<Place>) -> Result<String, IoError> {
    here()
}

#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
fn here() -> Result<String, IoError> {
    let present = Directory::present();
    let directory = match (present.own, present.guest) {
        (Some(directory), _) => directory.to_path_buf(),
        (None, Some(_)) => PathBuf::from("/"),
        (None, None) => {
            std::env::current_dir().or_else(|error| deleted_directory().ok_or(error))?
        }
    };
    let mut directory = text_of_os(directory.as_os_str());
    if !directory.ends_with(std::path::is_separator) {
        directory.put(std::path::MAIN_SEPARATOR)?;
    }
    Ok(directory)
}

/// Returns the working directory of the process after its deletion, if the system or the shell knows it.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
fn deleted_directory() -> Option<PathBuf> {
    let link = fs::read_link("/proc/self/cwd").ok();
    let directory = link.and_then(|link| {
        let name = text_of_os(link.as_os_str());
        let name = name.strip_suffix(" (deleted)")?;
        Some(os_of_text(name).into_owned().into())
    });
    let directory = directory.or_else(|| std::env::var_os("PWD").map(PathBuf::from));
    directory.filter(|path| path.is_absolute())
}

/// Changes the working directory of the engine that works in this thread. The process and its other engines keep
/// theirs.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn set_working_directory(read: &Permit<Read>, path: &str) -> Result<(), IoError> {
    if let Some((guest, name)) = guest_name(path) {
        // A change to the root reveals nothing.
        if name != GuestPath::root() && !target(read, path)?.metadata()?.is_dir {
            return Err(IoError::NotDirectory);
        }
        let directory = Directory {
            own: Some(PathBuf::from(name.as_str()).into()),
            guest: Some(guest),
        };
        PRESENT.with(|present| present.replace(directory));
        return Ok(());
    }
    let directory = fs::canonicalize(seen(path)).or_else(|error| {
        // From a deleted directory `..` still leads to the one above it.
        let absolute = absolute(path, None).map_err(|_| error)?;
        fs::canonicalize(&*os_of_text(&absolute))
    })?;
    if !directory.is_dir() {
        return Err(io::Error::from(io::ErrorKind::NotADirectory).into());
    }
    // An engine without permission to search the directory cannot work there.
    fs::metadata(directory.join("."))?;
    let directory = Directory {
        own: Some(directory.into()),
        guest: None,
    };
    PRESENT.with(|present| present.replace(directory));
    Ok(())
}

/// Returns the absolute name of `path` without `.` and `..`. The name is relative to `relative_to` or else to the
/// working directory.
pub(crate) fn absolute_file_name(
    _: &Permit<Place>,
    path: &str,
    relative_to: Option<&str>,
) -> Result<String, IoError> {
    absolute(path, relative_to)
}

/// Does the work of [`absolute_file_name`] for functions that look at files themselves.
pub(super) fn absolute(path: &str, relative_to: Option<&str>) -> Result<String, IoError> {
    if paths::is_absolute(path) {
        return Ok(paths::normalize(path));
    }
    let from = match relative_to {
        Some(directory) if paths::is_absolute(directory) => directory.to_string(),
        Some(directory) => paths::join(&here()?, directory),
        None => here()?,
    };
    Ok(paths::normalize(&paths::join(&from, path)))
}

/// Returns the name of a file that does not exist, in this directory; without one, in the system's directory of
/// temporary files. In a confined engine that is `/tmp`, and the name reveals nothing of the process.
#[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
pub(crate) fn unused_tmp_path(
    write: &Permit<Write>,
    directory: Option<&str>,
    base: &str,
    extension: &str,
) -> Result<String, IoError> {
    // A separator in the base would lead elsewhere.
    let base = base.chars();
    let base = base.map(|c| if std::path::is_separator(c) { '_' } else { c });
    let base = base.gather_text()?;
    let is_confined = Directory::present().guest.is_some();
    let start = match is_confined {
        true => 0,
        false => SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_nanos(),
    };
    let directory = match directory {
        Some(name) => os_of_text(name).into_owned().into(),
        None if is_confined => PathBuf::from("/tmp"),
        None => std::env::temp_dir(),
    };
    for attempt in 0..1000u128 {
        let number = start.wrapping_add(attempt);
        let name = match is_confined {
            true => format!("wamlet_{base}_{number}"),
            false => format!("wamlet_{base}_{}_{number:x}", std::process::id()),
        };
        let name = paths::with_extension(&name, extension);
        let path = directory.join(os_of_text(&name));
        let name = text_of_os(path.as_os_str());
        if !exists(write, &name)? {
            return Ok(name);
        }
    }
    Err(IoError::other(
        "there is there is there is no unused name for a temporary file",
    ))
}
