//! Files in memory.

use super::host_files::{FileMetadata, FileMode, HostFile, HostFiles};
use super::path::GuestPath;
use crate::base::growth::{Gather, Grow, GrowBy};
use crate::base::locks::lock;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Write};
use std::sync::{Arc, Mutex, MutexGuard};

/// The content of a place: the bytes of a file, or a directory.
type Entry = Option<Vec<u8>>;
type Entries = Arc<Mutex<BTreeMap<GuestPath, Entry>>>;

/// Files in memory: the host puts them there and takes them out. Clones share them.
///
/// ```
/// use std::sync::Arc;
/// use wamlet::{Capabilities, Engine, MemoryFiles};
///
/// # fn main() -> Result<(), wamlet::Error> {
/// let files = MemoryFiles::new().with("/rules/base.pl", "limit(10).");
/// let capabilities = Capabilities::pure().files(Arc::new(files.clone()));
/// let mut engine = Engine::builder().capabilities(capabilities).build()?;
/// engine.query_once("consult('/rules/base'), tell('/out.txt'), limit(N), write(N), told")?;
/// assert_eq!(files.get("/out.txt").as_deref(), Some(&b"10"[..]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles(Entries);

impl MemoryFiles {
    /// Makes a value without files.
    pub fn new() -> MemoryFiles {
        MemoryFiles::default()
    }

    /// Returns the same files with this one, and with the directories above it.
    #[must_use]
    pub fn with(self, path: &str, bytes: impl Into<Vec<u8>>) -> MemoryFiles {
        let path = GuestPath::new(path);
        let mut entries = self.entries();
        let mut above = path.parent();
        while let Some(folder) = above {
            above = folder.parent();
            put(&mut entries, folder, None);
        }
        put(&mut entries, path, Some(bytes.into()));
        drop(entries);
        self
    }

    /// Returns the bytes of a file, if there is one.
    pub fn get(&self, path: &str) -> Option<Vec<u8>> {
        self.entries().get(&GuestPath::new(path)).cloned()?
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<GuestPath, Entry>> {
        lock(&self.0)
    }
}

#[expect(clippy::disallowed_methods, reason = "the reserve has small blocks")]
fn put(entries: &mut BTreeMap<GuestPath, Entry>, path: GuestPath, entry: Entry) {
    entries.insert(path, entry);
}

/// Checks that the directory of this path exists.
fn check_folder(entries: &BTreeMap<GuestPath, Entry>, path: &GuestPath) -> io::Result<()> {
    match path.parent() {
        None => Err(ErrorKind::IsADirectory.into()),
        Some(folder) if folder == GuestPath::root() => Ok(()),
        Some(folder) => match entries.get(&folder) {
            Some(None) => Ok(()),
            Some(Some(_)) => Err(ErrorKind::NotADirectory.into()),
            None => Err(ErrorKind::NotFound.into()),
        },
    }
}

/// A file that is being written.
struct Writing {
    entries: Entries,
    path: GuestPath,
    at: usize,
}

impl Write for Writing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut entries = lock(&self.entries);
        // Writes to a file that was deleted meanwhile are dropped silently.
        if let Some(Some(held)) = entries.get_mut(&self.path) {
            self.at = self.at.min(held.len());
            let over = bytes.len().min(held.len() - self.at);
            held[self.at..self.at + over].copy_from_slice(&bytes[..over]);
            held.put_slice(&bytes[over..])?;
            self.at += bytes.len();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl HostFiles for MemoryFiles {
    fn open(&self, path: &GuestPath, mode: FileMode) -> io::Result<HostFile> {
        let mut entries = self.entries();
        let at = match entries.get_mut(path) {
            Some(None) => return Err(ErrorKind::IsADirectory.into()),
            Some(Some(bytes)) => match mode {
                FileMode::Read => return Ok(HostFile::bytes(Vec::of(bytes)?)),
                FileMode::Write => {
                    bytes.clear();
                    0
                }
                FileMode::Append => bytes.len(),
                FileMode::Update => 0,
            },
            None if mode == FileMode::Read => return Err(ErrorKind::NotFound.into()),
            None => {
                check_folder(&entries, path)?;
                put(&mut entries, path.clone(), Some(Vec::new()));
                0
            }
        };
        Ok(HostFile::writer(Writing {
            entries: Arc::clone(&self.0),
            path: path.clone(),
            at,
        }))
    }

    fn metadata(&self, path: &GuestPath) -> io::Result<FileMetadata> {
        let entries = self.entries();
        let entry = match entries.get(path) {
            None if *path == GuestPath::root() => &None,
            entry => entry.ok_or(ErrorKind::NotFound)?,
        };
        Ok(FileMetadata {
            is_dir: entry.is_none(),
            is_file: entry.is_some(),
            len: entry.as_ref().map_or(0, |bytes| bytes.len() as u64),
            modified: None,
            readonly: false,
        })
    }

    fn list(&self, path: &GuestPath) -> io::Result<Vec<String>> {
        if !self.metadata(path)?.is_dir {
            return Err(ErrorKind::NotADirectory.into());
        }
        let entries = self.entries();
        let mut names = Vec::new();
        for below in entries.keys().filter_map(|other| other.below(path)) {
            let name = below.relative();
            if !name.is_empty() && !name.contains('/') {
                names.put(name.to_owned())?;
            }
        }
        Ok(names)
    }

    fn remove(&self, path: &GuestPath) -> io::Result<()> {
        let mut entries = self.entries();
        match entries.get(path) {
            Some(Some(_)) => drop(entries.remove(path)),
            Some(None) => return Err(ErrorKind::IsADirectory.into()),
            None => return Err(ErrorKind::NotFound.into()),
        }
        Ok(())
    }

    fn remove_dir(&self, path: &GuestPath) -> io::Result<()> {
        if !self.list(path)?.is_empty() {
            return Err(ErrorKind::DirectoryNotEmpty.into());
        }
        self.entries().remove(path);
        Ok(())
    }

    fn rename(&self, from: &GuestPath, to: &GuestPath) -> io::Result<()> {
        let mut entries = self.entries();
        check_folder(&entries, to)?;
        if !entries.contains_key(from) {
            return Err(ErrorKind::NotFound.into());
        }
        if to.below(from).is_some() {
            return Err(ErrorKind::InvalidInput.into());
        }
        if entries.get(to).is_some_and(Option::is_none) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        let moved = entries.keys().filter(|path| path.below(from).is_some());
        for path in moved.cloned().gather()? {
            let new = path.below(from).map(|below| below.seen_at(to));
            if let (Some(new), Some(entry)) = (new, entries.remove(&path)) {
                put(&mut entries, new, entry);
            }
        }
        Ok(())
    }

    fn make_dir(&self, path: &GuestPath) -> io::Result<()> {
        let mut entries = self.entries();
        check_folder(&entries, path)?;
        if entries.contains_key(path) {
            return Err(ErrorKind::AlreadyExists.into());
        }
        put(&mut entries, path.clone(), None);
        Ok(())
    }
}
