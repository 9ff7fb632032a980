//! The file system: what the built-ins on files and directories stand on.
//!
//! Names of files that are relative are seen from the working directory of the engine that works in this
//! thread: that of the process at first, until the engine has one of its own ([`Directory`]).

use super::error::IoError;
use super::os_names::{os_of_text, text_of_os};
use super::paths;
use crate::base::growth::{Gather, Grow};
use crate::base::named::named;
use crate::base::needs::{Permit, Read, Write};
use std::cell::RefCell;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

named! {
    /// What a file is wanted for (`access(A)`).
    Access {
        /// Nothing: it need not exist.
        None "none",
        /// It has to exist.
        Exist "exist",
        /// It has to exist and let itself be read.
        Read "read" | "execute" | "search",
        /// It lets itself be written, or made.
        Write "write" | "append",
    }
}

/// What kind of file is wanted (`file_type(T)`).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Anything but a directory.
    File,
    /// A directory.
    Directory,
}

/// The working directory of an engine; none for that of the process.
#[derive(Clone, Default)]
pub(crate) struct Directory(Option<Arc<Path>>);

thread_local! {
    /// That of the engine that works in this thread.
    static PRESENT: RefCell<Directory> = const { RefCell::new(Directory(None)) };
}

/// An engine works in this thread, until this is dropped.
pub(crate) struct AtWork(Directory);

impl Directory {
    /// An engine that has this directory goes to work.
    pub(crate) fn enter(&self) -> AtWork {
        AtWork(PRESENT.with(|present| present.replace(self.clone())))
    }

    /// That of the engine that works in this thread.
    pub(crate) fn present() -> Directory {
        PRESENT.with(|present| present.borrow().clone())
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        PRESENT.with(|present| present.replace(std::mem::take(&mut self.0)));
    }
}

/// The file of a name, as the process sees it.
pub(super) fn seen(path: &str) -> PathBuf {
    let name = os_of_text(path);
    match Directory::present().0 {
        // An empty name is that of no file.
        Some(directory) if !name.is_empty() => directory.join(name),
        _ => name.into_owned().into(),
    }
}

/// The working directory, if it is not that of the process.
pub(super) fn own_directory() -> Option<Arc<Path>> {
    Directory::present().0
}

/// Is there such a file, not a directory?
pub(crate) fn exists_file(_: &Permit<Read>, path: &str) -> bool {
    fs::metadata(seen(path)).is_ok_and(|data| !data.is_dir())
}

/// Is there such a plain file, which is no directory, pipe or device?
pub(crate) fn is_plain_file(_: &Permit<Read>, path: &str) -> bool {
    seen(path).is_file()
}

/// Is there anything of this name?
pub(crate) fn exists(_: &Permit<Read>, path: &str) -> bool {
    seen(path).exists()
}

/// What tells whether a file has changed: the time of its last change, and its number of bytes.
pub(crate) type Stamp = (Option<SystemTime>, u64);

/// The stamp of a file, if there is one.
pub(crate) fn stamp(_: &Permit<Read>, path: &str) -> Option<Stamp> {
    let data = fs::metadata(seen(path)).ok()?;
    Some((data.modified().ok(), data.len()))
}

/// Is there such a directory?
pub(crate) fn exists_directory(_: &Permit<Read>, path: &str) -> bool {
    fs::metadata(seen(path)).is_ok_and(|data| data.is_dir())
}

/// Number of bytes of a file.
pub(crate) fn size_file(_: &Permit<Read>, path: &str) -> Result<u64, IoError> {
    Ok(fs::metadata(seen(path))?.len())
}

/// Time of the last change, in seconds since 1970.
pub(crate) fn time_file(_: &Permit<Read>, path: &str) -> Result<f64, IoError> {
    let time = fs::metadata(seen(path))?.modified()?;
    Ok(match time.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_secs_f64(),
        Err(before) => -before.duration().as_secs_f64(),
    })
}

/// Deletes a file, or a symbolic link.
pub(crate) fn delete_file(_: &Permit<Write>, path: &str) -> Result<(), IoError> {
    if fs::symlink_metadata(seen(path))?.is_dir() {
        return Err(IoError::IsDirectory);
    }
    Ok(fs::remove_file(seen(path))?)
}

/// Writes a file as a whole: who reads it has the old one or the new one, and where it cannot be written, as on a full
/// disk, the old one stays. What is no plain file, or stands where no other may be made, is written in its place.
///
/// # Errors
/// The system does not let the file be written.
pub(crate) fn replace_file(_: &Permit<Write>, path: &str, bytes: &[u8]) -> io::Result<()> {
    let path = seen(path);
    // A link stays one.
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
            // What is left of it is of no use.
            let _ = fs::remove_file(&new);
            match error.kind() {
                io::ErrorKind::PermissionDenied if former.is_some() => fs::write(&path, bytes),
                _ => Err(error),
            }
        }
    }
}

/// Renames a file or a directory; a file of the new name is replaced.
pub(crate) fn rename_file(_: &Permit<Write>, from: &str, to: &str) -> Result<(), IoError> {
    Ok(fs::rename(seen(from), seen(to))?)
}

/// What a symbolic link holds, and the file that it leads to in the end; none if the file is no link.
pub(crate) fn read_link(read: &Permit<Read>, path: &str) -> Option<(String, String)> {
    let link = text_of_os(fs::read_link(seen(path)).ok()?.as_os_str());
    let target = real_path(read, path)
        .or_else(|| absolute_file_name(read, &link, Some(paths::directory_name(path))).ok())?;
    Some((link, target))
}

/// The absolute name of an existing file, without symbolic links.
pub(crate) fn real_path(_: &Permit<Read>, path: &str) -> Option<String> {
    let found = fs::canonicalize(seen(path)).ok()?;
    Some(text_of_os(found.as_os_str()))
}

/// What tells one file from all others: its absolute name without symbolic links. Of a file that is not there only
/// the links to its directory are followed.
pub(crate) fn real_name(read: &Permit<Read>, path: &str) -> String {
    let whole = seen(path);
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
        Err(_) => absolute_file_name(read, path, None).unwrap_or_else(|_| path.to_owned()),
    }
}

/// Makes a link to a file that has one name: a symbolic one, or another name for it.
pub(crate) fn link_file(
    _: &Permit<Write>,
    target: &str,
    link: &str,
    symbolic: bool,
) -> Result<(), IoError> {
    let made = match symbolic {
        #[cfg(unix)]
        true => std::os::unix::fs::symlink(os_of_text(target), seen(link)),
        #[cfg(not(unix))]
        true => Err(std::io::ErrorKind::Unsupported.into()),
        false => fs::hard_link(seen(target), seen(link)),
    };
    Ok(made?)
}

/// Makes a directory.
pub(crate) fn make_directory(_: &Permit<Write>, path: &str) -> Result<(), IoError> {
    Ok(fs::create_dir(seen(path))?)
}

/// Makes a directory with those above it; one that is there already is no error.
pub(crate) fn make_directory_path(_: &Permit<Write>, path: &str) -> Result<(), IoError> {
    Ok(fs::create_dir_all(seen(path))?)
}

/// Deletes an empty directory.
pub(crate) fn delete_directory(_: &Permit<Write>, path: &str) -> Result<(), IoError> {
    Ok(fs::remove_dir(seen(path))?)
}

/// The names in a directory, in order, with `.` and `..`.
pub(crate) fn directory_files(_: &Permit<Read>, path: &str) -> Result<Vec<String>, IoError> {
    let mut names = vec![".".to_string(), "..".to_string()];
    for entry in fs::read_dir(seen(path))? {
        names.put(text_of_os(&entry?.file_name()))?;
    }
    names.sort_unstable();
    Ok(names)
}

/// The home directory of a user, where the system keeps a list of users.
#[expect(
    clippy::disallowed_methods,
    reason = "the system's list of users, and reading tells of refused memory"
)]
pub(crate) fn home_of(_: &Permit<Read>, user: &str) -> Option<String> {
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let mut rows = users.lines().map(|line| line.split(':'));
    let mut row = rows.find_map(|mut row| (row.next() == Some(user)).then_some(row))?;
    row.nth(4).map(str::to_owned)
}

/// The working directory, with a separator at its end. One that was deleted has the name that it had.
pub(crate) fn working_directory(_: &Permit<Read>) -> Result<String, IoError> {
    let directory = match own_directory() {
        Some(directory) => directory.to_path_buf(),
        None => std::env::current_dir().or_else(|error| deleted_directory().ok_or(error))?,
    };
    let mut directory = text_of_os(directory.as_os_str());
    if !directory.ends_with(std::path::is_separator) {
        directory.put(std::path::MAIN_SEPARATOR)?;
    }
    Ok(directory)
}

/// The working directory of the process, which was deleted, as far as the system or the shell tells.
fn deleted_directory() -> Option<PathBuf> {
    let told = fs::read_link("/proc/self/cwd").ok();
    let told = told.and_then(|link| {
        let name = text_of_os(link.as_os_str());
        let name = name.strip_suffix(" (deleted)")?;
        Some(os_of_text(name).into_owned().into())
    });
    let told = told.or_else(|| std::env::var_os("PWD").map(PathBuf::from));
    told.filter(|path| path.is_absolute())
}

/// Gives the engine that works in this thread another working directory. The process and its other engines
/// keep theirs.
pub(crate) fn set_working_directory(read: &Permit<Read>, path: &str) -> Result<(), IoError> {
    let directory = fs::canonicalize(seen(path)).or_else(|error| {
        // From a directory that was deleted `..` still leads to the one above it.
        let absolute = absolute_file_name(read, path, None).map_err(|_| error)?;
        fs::canonicalize(&*os_of_text(&absolute))
    })?;
    if !directory.is_dir() {
        return Err(io::Error::from(io::ErrorKind::NotADirectory).into());
    }
    // Who may not search it cannot work there.
    fs::metadata(directory.join("."))?;
    PRESENT.with(|present| present.replace(Directory(Some(directory.into()))));
    Ok(())
}

/// The absolute name of `path`, seen from `relative_to` or else the working directory, without
/// `.` and `..`.
pub(crate) fn absolute_file_name(
    read: &Permit<Read>,
    path: &str,
    relative_to: Option<&str>,
) -> Result<String, IoError> {
    if paths::is_absolute(path) {
        return Ok(paths::normalize(path));
    }
    let from = match relative_to {
        Some(directory) if paths::is_absolute(directory) => directory.to_string(),
        Some(directory) => paths::join(&working_directory(read)?, directory),
        None => working_directory(read)?,
    };
    Ok(paths::normalize(&paths::join(&from, path)))
}

/// The first of the absolute names of `path` with one of the `extensions` (in their order; an
/// empty one stands for `path` itself, and so does an empty list) that grants `access`.
pub(crate) fn find_file(
    read: &Permit<Read>,
    path: &str,
    extensions: &[&str],
    kind: FileKind,
    access: Access,
    relative_to: Option<&str>,
) -> Result<Option<String>, IoError> {
    let absolute = absolute_file_name(read, path, relative_to)?;
    let extensions = if extensions.is_empty() {
        &[""]
    } else {
        extensions
    };
    for extension in extensions {
        let candidate = paths::with_extension(&absolute, extension);
        if grants(read, &candidate, kind, access) {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}

/// Does the file grant this access?
pub(crate) fn grants(_: &Permit<Read>, path: &str, kind: FileKind, access: Access) -> bool {
    let data = fs::metadata(seen(path));
    let right_kind = |data: &Metadata| data.is_dir() == (kind == FileKind::Directory);
    match (access, data) {
        (Access::None, _) => true,
        (Access::Exist, Ok(data)) => right_kind(&data),
        (Access::Read, Ok(data)) if data.is_file() => {
            right_kind(&data) && File::open(seen(path)).is_ok()
        }
        // Opening a pipe or a device might wait or take something away.
        (Access::Read, Ok(data)) => right_kind(&data),
        (Access::Write, Ok(data)) if data.is_file() => {
            right_kind(&data) && File::options().write(true).open(seen(path)).is_ok()
        }
        (Access::Write, Ok(data)) => right_kind(&data) && !data.permissions().readonly(),
        (Access::Write, Err(_)) => fs::metadata(seen(paths::directory_name(path)))
            .is_ok_and(|data| data.is_dir() && !data.permissions().readonly()),
        (Access::Exist | Access::Read, Err(_)) => false,
    }
}

/// The name of a file that is not there, in this directory; without one, in the system's directory of temporary files.
pub(crate) fn unused_tmp_path(
    _: &Permit<Write>,
    directory: Option<&str>,
    base: &str,
    extension: &str,
) -> Result<String, IoError> {
    let directory = directory.map_or_else(std::env::temp_dir, |name| {
        os_of_text(name).into_owned().into()
    });
    // A separator in the base would lead elsewhere.
    let base = base.chars();
    let base = base.map(|c| if std::path::is_separator(c) { '_' } else { c });
    let base = base.gather_text()?;
    let process = std::process::id();
    let clock = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos();
    for attempt in 0..1000u128 {
        let name = format!("wamlet_{base}_{process}_{:x}", clock.wrapping_add(attempt));
        let name = paths::with_extension(&name, extension);
        let path = directory.join(os_of_text(&name));
        let name = text_of_os(path.as_os_str());
        if !seen(&name).exists() {
            return Ok(name);
        }
    }
    Err(IoError::other("no unused name for a temporary file"))
}
