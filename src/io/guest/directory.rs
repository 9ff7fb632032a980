//! A directory of the system under a guest name. Its files are opened relative to a handle of the directory. So
//! neither `..` nor a symbolic link leads out of it, even if a link is made at the same time.

use super::super::os_names::{os_of_text, text_of_os};
use super::host_files::{FileMetadata, FileMode, HostFile, HostFiles, refused_file};
use super::path::GuestPath;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The files below a directory of the system. It is opened at the first access to a file and stays open.
#[derive(Debug)]
pub struct DirectoryFiles {
    directory: PathBuf,
    opened: OnceLock<Dir>,
}

impl DirectoryFiles {
    /// Makes the files below this directory available. A relative name depends on the present working directory of
    /// the process.
    pub fn new(directory: impl AsRef<Path>) -> DirectoryFiles {
        let given = directory.as_ref();
        DirectoryFiles {
            directory: std::path::absolute(given).unwrap_or_else(|_| given.to_owned()),
            opened: OnceLock::new(),
        }
    }

    fn opened(&self) -> io::Result<&Dir> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = Dir::open_ambient_dir(&self.directory, ambient_authority())?;
        Ok(self.opened.get_or_init(|| opened))
    }

    fn does<T>(
        &self,
        path: &GuestPath,
        work: impl FnOnce(&Dir, &Path) -> io::Result<T>,
    ) -> io::Result<T> {
        work(self.opened()?, &beneath(path)).map_err(as_refusal)
    }
}

/// Returns the path below the directory.
fn beneath(path: &GuestPath) -> PathBuf {
    match path.relative() {
        "" => PathBuf::from("."),
        name => PathBuf::from(os_of_text(name).into_owned()),
    }
}

/// Turns the error of a path that leads out of the directory into a refusal. The system has no such error.
fn as_refusal(error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::PermissionDenied if error.raw_os_error().is_none() => refused_file(),
        _ => error,
    }
}

fn known(data: &Metadata) -> FileMetadata {
    FileMetadata {
        is_dir: data.is_dir(),
        is_file: data.is_file(),
        len: data.len(),
        modified: data
            .modified()
            .ok()
            .map(cap_std::time::SystemTime::into_std),
        readonly: data.permissions().readonly(),
    }
}

impl HostFiles for DirectoryFiles {
    fn system_place(&self) -> Option<&Path> {
        Some(&self.directory)
    }

    fn open(&self, path: &GuestPath, mode: FileMode) -> io::Result<HostFile> {
        let mut options = OpenOptions::new();
        match mode {
            FileMode::Read => options.read(true),
            FileMode::Write => options.write(true).create(true).truncate(true),
            FileMode::Append => options.append(true).create(true),
            FileMode::Update => options.write(true).create(true).truncate(false),
        };
        self.does(path, |dir, path| {
            Ok(HostFile::file(dir.open_with(path, &options)?.into_std()))
        })
    }

    fn metadata(&self, path: &GuestPath) -> io::Result<FileMetadata> {
        self.does(path, |dir, path| Ok(known(&dir.metadata(path)?)))
    }

    fn list(&self, path: &GuestPath) -> io::Result<Vec<String>> {
        self.does(path, |dir, path| {
            let names = dir
                .read_dir(path)?
                .map(|entry| Ok(text_of_os(&entry?.file_name())));
            crate::base::growth::Gather::gather_results(names)
        })
    }

    fn real_path(&self, path: &GuestPath) -> io::Result<GuestPath> {
        self.does(path, |dir, path| {
            Ok(GuestPath::new(&text_of_os(
                dir.canonicalize(path)?.as_os_str(),
            )))
        })
    }

    fn read_link(&self, path: &GuestPath) -> io::Result<String> {
        self.does(path, |dir, path| {
            Ok(text_of_os(dir.read_link(path)?.as_os_str()))
        })
    }

    fn remove(&self, path: &GuestPath) -> io::Result<()> {
        self.does(path, |dir, path| dir.remove_file(path))
    }

    fn remove_dir(&self, path: &GuestPath) -> io::Result<()> {
        self.does(path, |dir, path| dir.remove_dir(path))
    }

    fn rename(&self, from: &GuestPath, to: &GuestPath) -> io::Result<()> {
        self.does(from, |dir, from| dir.rename(from, dir, beneath(to)))
    }

    fn make_dir(&self, path: &GuestPath) -> io::Result<()> {
        self.does(path, |dir, path| dir.create_dir(path))
    }

    fn link(&self, target: &GuestPath, link: &GuestPath, symbolic: bool) -> io::Result<()> {
        if !symbolic {
            return self.does(target, |dir, target| {
                dir.hard_link(target, dir, beneath(link))
            });
        }
        // The way from the folder of the link up to the root, and down.
        let depth = link.relative().matches('/').count();
        let mut way = PathBuf::new();
        for _ in 0..depth {
            way.push("..");
        }
        way.push(beneath(target));
        self.does(link, |dir, link| symbolic_link(dir, &way, link))
    }
}

#[cfg(unix)]
fn symbolic_link(dir: &Dir, target: &Path, link: &Path) -> io::Result<()> {
    dir.symlink(target, link)
}

#[cfg(not(unix))]
fn symbolic_link(_: &Dir, _: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}
