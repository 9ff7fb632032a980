//! A single file of the system under a guest name. A file that the host itself names is read, wherever links lead.

use super::host_files::{FileMetadata, FileMode, HostFile, HostFiles, refused_file};
use super::path::GuestPath;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// This file alone, at the root.
#[derive(Debug)]
pub(crate) struct OneFile(pub(crate) PathBuf);

impl OneFile {
    fn of(&self, path: &GuestPath) -> io::Result<&PathBuf> {
        match path.relative() {
            "" => Ok(&self.0),
            _ => Err(refused_file()),
        }
    }
}

impl HostFiles for OneFile {
    fn system_place(&self) -> Option<&Path> {
        Some(&self.0)
    }

    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    fn open(&self, path: &GuestPath, mode: FileMode) -> io::Result<HostFile> {
        match mode {
            FileMode::Read => Ok(HostFile::file(File::open(self.of(path)?)?)),
            _ => Err(refused_file()),
        }
    }

    #[expect(clippy::disallowed_methods, reason = "permits guard this way out")]
    fn metadata(&self, path: &GuestPath) -> io::Result<FileMetadata> {
        Ok(FileMetadata::of(&fs::metadata(self.of(path)?)?))
    }

    fn list(&self, path: &GuestPath) -> io::Result<Vec<String>> {
        self.of(path)?;
        Err(refused_file())
    }
}
