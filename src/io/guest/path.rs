//! Guest names of files.

use std::fmt;

/// The name of a file in a confined engine: absolute, with `/` between its parts, without `.`, `..` and empty parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GuestPath(Box<str>);

impl GuestPath {
    /// Returns the path of a name relative to the root. `..` at the root leads to the root.
    pub fn new(name: &str) -> GuestPath {
        GuestPath::root().join(name)
    }

    /// Returns `/`.
    pub fn root() -> GuestPath {
        GuestPath("/".into())
    }

    /// Returns the path of a name relative to this directory.
    #[must_use]
    pub fn join(&self, name: &str) -> GuestPath {
        let start = if name.starts_with('/') { "" } else { &*self.0 };
        let mut text = String::new();
        for part in start.split('/').chain(name.split('/')) {
            match part {
                "" | "." => {}
                ".." => text.truncate(text.rfind('/').unwrap_or(0)),
                _ => {
                    text += "/";
                    text += part;
                }
            }
        }
        match text.is_empty() {
            true => GuestPath::root(),
            false => GuestPath(text.into()),
        }
    }

    /// Returns the text of the path.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name below the root of the holder: empty for the root.
    pub fn relative(&self) -> &str {
        self.0.trim_start_matches('/')
    }

    /// Returns the directory that contains it; `None` for the root.
    pub fn parent(&self) -> Option<GuestPath> {
        match self.0.rfind('/') {
            _ if &*self.0 == "/" => None,
            Some(0) | None => Some(GuestPath::root()),
            Some(at) => Some(GuestPath(self.0[..at].into())),
        }
    }

    /// Returns this path relative to a directory that contains it.
    pub(crate) fn below(&self, root: &GuestPath) -> Option<GuestPath> {
        if &*root.0 == "/" {
            return Some(self.clone());
        }
        match self.0.strip_prefix(&*root.0)? {
            "" => Some(GuestPath::root()),
            rest if rest.starts_with('/') => Some(GuestPath(rest.into())),
            _ => None,
        }
    }

    /// Returns this path with its root moved to `root`.
    pub(crate) fn seen_at(&self, root: &GuestPath) -> GuestPath {
        root.join(self.relative())
    }
}

impl fmt::Display for GuestPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::GuestPath;

    #[test]
    fn names_are_absolute_and_normal() {
        for (name, path) in [
            ("", "/"),
            (".", "/"),
            ("..", "/"),
            ("a", "/a"),
            ("/a//b/./c/", "/a/b/c"),
            ("a/../../../etc/passwd", "/etc/passwd"),
            ("/..", "/"),
        ] {
            assert_eq!(GuestPath::new(name).as_str(), path, "{name}");
        }
        let folder = GuestPath::new("/a/b");
        assert_eq!(folder.join("../c").as_str(), "/a/c");
        assert_eq!(folder.join("/c").as_str(), "/c");
        assert_eq!(folder.parent(), Some(GuestPath::new("a")));
        assert_eq!(GuestPath::root().parent(), None);
    }

    #[test]
    fn only_what_is_below_is_below() {
        let below = |path: &str, root: &str| {
            let path = GuestPath::new(path).below(&GuestPath::new(root))?;
            Some(path.as_str().to_owned())
        };
        assert_eq!(below("/a/b", "/a").as_deref(), Some("/b"));
        assert_eq!(below("/a", "/a").as_deref(), Some("/"));
        assert_eq!(below("/ab", "/a"), None);
        assert_eq!(below("/x", "/").as_deref(), Some("/x"));
    }
}
