//! The search for files that may have tests.

use crate::base::growth::{Gather, Grow, Within};
use crate::base::stop::Stop;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// Endings of the names of files that may have tests.
const ENDINGS: [&str; 7] = ["queries", "pl", "pro", "prolog", "ll", "md", "markdown"];
/// The file that marks folders of generated files.
const MADE: &str = "CACHEDIR.TAG";

/// Returns the files that may have tests: the named files, and the files in and below the named folders, in the order
/// of their names. It skips hidden folders and those that tools fill.
///
/// # Errors
/// Returns an error if a file or folder cannot be read.
#[expect(
    clippy::disallowed_methods,
    reason = "the host runs tests of its own files"
)]
pub fn find(paths: &[PathBuf]) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let mut found = Vec::new();
    for path in paths {
        let is_folder = path
            .metadata()
            .map_err(|error| (path.clone(), error))?
            .is_dir();
        if is_folder {
            in_folder(path, &mut found)?;
        } else {
            found.put(path.clone()).map_err(in_path(path))?;
        }
    }
    // A link to a file that was found, too, is left out.
    let target = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let files = found.iter().filter(|path| !path.is_symlink()).map(target);
    let first = paths.first().map_or(Path::new(""), PathBuf::as_path);
    let files: HashSet<PathBuf> = files.gather_set().map_err(in_path(first))?;
    let mut known = HashSet::new();
    known.try_reserve(found.len()).map_err(in_path(first))?;
    found.retain(|path| {
        let (target, link) = (target(path), path.is_symlink());
        let fresh = !(link && files.contains(&target) || known.contains(&target));
        if fresh {
            known.put_within(target);
        }
        fresh
    });
    Ok(found)
}

/// Converts a lack of memory into an error of this path.
fn in_path<E: Into<Stop>>(path: &Path) -> impl Fn(E) -> (PathBuf, io::Error) {
    move |error| (path.to_owned(), error.into().into())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the host runs tests of its own files"
)]
fn in_folder(start: &Path, found: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
    let mut open = vec![start.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| (folder.clone(), error))?;
        for entry in entries {
            let entry = entry.map_err(|error| (folder.clone(), error))?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let path = plain(entry.path());
            let kind = entry.file_type().map_err(|error| (path.clone(), error))?;
            if kind.is_dir() {
                if !path.join(MADE).exists() {
                    open.put(path).map_err(in_path(&folder))?;
                }
                continue;
            }
            let ending = path.extension().and_then(|ending| ending.to_str());
            if ending.is_some_and(|ending| ENDINGS.contains(&ending)) && path.is_file() {
                files.put(path).map_err(in_path(&folder))?;
            }
        }
    }
    files.sort();
    found.put_all(files).map_err(in_path(start))
}

/// Returns the path without a `./` at its beginning.
fn plain(path: PathBuf) -> PathBuf {
    match path.strip_prefix(".") {
        Ok(rest) => rest.to_owned(),
        Err(_) => path,
    }
}
