//! Operations on names of files that do not look at the file system.

use std::path::{Component, Path, PathBuf, is_separator};

/// Returns whether the name begins at the root.
pub(crate) fn is_absolute(path: &str) -> bool {
    Path::new(path).is_absolute()
}

/// Returns the part after the last separator (`file_base_name/2`).
pub(crate) fn base_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches(is_separator);
    if trimmed.is_empty() {
        return root_of(path).unwrap_or("");
    }
    trimmed.rsplit(is_separator).next().unwrap_or(trimmed)
}

/// Returns the part before the last separator, `.` if there is none (`file_directory_name/2`).
pub(crate) fn directory_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches(is_separator);
    if trimmed.is_empty() {
        return root_of(path).unwrap_or(".");
    }
    match trimmed.rfind(is_separator) {
        None => ".",
        Some(at) => match trimmed[..at].trim_end_matches(is_separator) {
            "" => root_of(path).unwrap_or("."),
            directory => directory,
        },
    }
}

/// Returns the separator that the name begins with.
fn root_of(path: &str) -> Option<&str> {
    path.get(..1)
        .filter(|first| first.starts_with(is_separator))
}

/// Returns the name without its extension, and the extension without its dot; empty if there is none.
pub(crate) fn split_extension(path: &str) -> (&str, &str) {
    let start = path.rfind(is_separator).map_or(0, |at| at + 1);
    match path.rfind('.') {
        Some(dot) if dot >= start => (&path[..dot], &path[dot + 1..]),
        _ => (path, ""),
    }
}

/// Returns the name with this extension, with or without a dot, unless it already ends with it.
pub(crate) fn with_extension(path: &str, extension: &str) -> String {
    let extension = extension.strip_prefix('.').unwrap_or(extension);
    if extension.is_empty() || split_extension(path).1 == extension {
        path.to_string()
    } else {
        format!("{path}.{extension}")
    }
}

/// Returns `path` relative to `directory`.
pub(crate) fn join(directory: &str, path: &str) -> String {
    Path::new(directory)
        .join(path)
        .to_string_lossy()
        .into_owned()
}

/// Returns whether the name leads to a directory above one that it names.
pub(crate) fn has_parent(path: &str) -> bool {
    Path::new(path)
        .components()
        .any(|part| part == Component::ParentDir)
}

/// Returns the name without `.`, `..` and doubled separators. Ignores symbolic links.
pub(crate) fn normalize(path: &str) -> String {
    let mut clean = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match clean.components().next_back() {
                Some(Component::Normal(_)) => {
                    clean.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => clean.push(".."),
            },
            other => clean.push(other),
        }
    }
    if clean.as_os_str().is_empty() {
        return ".".to_string();
    }
    clean.to_string_lossy().into_owned()
}
