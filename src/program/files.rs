//! The files that were loaded.

use super::predicate::PredId;
use crate::base::atom_table::{Atom, FastMap};
use crate::base::growth::{Grow, GrowMap, GrowTable};
use crate::base::needs::{Load, Permit, Place};
use crate::base::shared::Shared;
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::io::files::{absolute_file_name, real_name};
use crate::io::paths::has_parent;
use std::sync::Arc;

/// A loaded file.
#[derive(Clone, Debug, Default)]
pub(crate) struct File {
    /// Its path as it was first given, or the name given to a text: messages show this name. No other file has it.
    pub(crate) name: Box<str>,
    /// Its absolute name, or the same as `name` if the text cannot be a file.
    pub(crate) path: Box<str>,
    /// The module that the file defines or was loaded into.
    pub(crate) module: Option<Atom>,
    /// Predicates that it has defined so far.
    pub(crate) defines: Vec<PredId>,
    /// Predicates that it has declared.
    pub(crate) declares: Vec<PredId>,
    /// Whether the file is being loaded.
    pub(crate) loading: bool,
    /// Whether the load stopped before the end of the file.
    pub(crate) broken: bool,
    /// Its text, if the host passed it and it is not large: for messages about places in it.
    pub(crate) text: Option<Arc<str>>,
    /// The module that the file was loaded into.
    pub(crate) context: Option<Atom>,
    /// The dialect that the file declares; see `load::dialect`.
    pub(crate) dialect: Option<&'static str>,
    /// Time of its last change when it was loaded, in seconds since 1970; `None` for texts that are not files.
    pub(crate) time: Option<f64>,
    /// Files that the file includes.
    pub(crate) includes: Vec<u32>,
    /// Parts of its text that do not belong to the program: branches of conditions that were not read, and the text
    /// after `end_of_file`. An end that is not known yet is `u32::MAX`.
    pub(crate) unread: Vec<Span>,
    /// Names at the beginning of clauses with syntax errors, with their lines.
    pub(crate) refused: Vec<(Box<str>, u32)>,
    /// Whether a message has said that the file no longer exists.
    pub(crate) gone_reported: bool,
}

/// All files that an engine has loaded. Index 0 means no file.
///
/// One file has one entry, whatever path leads to it. Its name is the one that it was first loaded by. Callers that
/// get a name from elsewhere call [`Files::known_name`] first.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    table: Shared<Vec<Shared<File>>>,
    by_name: Shared<FastMap<Box<str>, u32>>,
    /// Files by their absolute names, with symbolic links and without.
    by_path: Shared<FastMap<Box<str>, u32>>,
}

fn place() -> &'static Permit<Place> {
    Permit::issue()
}

/// Returns the permit to identify files, whatever path leads to them.
fn own() -> &'static Permit<Load> {
    Permit::issue()
}

/// The absolute names of a file: with the symbolic links that lead to it, and without.
struct Paths {
    named: String,
    real: String,
}

impl Paths {
    fn new(name: &str) -> Paths {
        let real = real_name(own(), name);
        let named = absolute_file_name(place(), name, None).unwrap_or_else(|_| real.clone());
        // The name alone does not show where `..` leads after a link.
        match named == real || !has_parent(name) || real_name(own(), &named) == real {
            true => Paths { named, real },
            false => Paths {
                named: real.clone(),
                real,
            },
        }
    }
}

impl Default for Files {
    fn default() -> Files {
        Files {
            table: vec![Shared::default()].into(),
            by_name: Shared::default(),
            by_path: Shared::default(),
        }
    }
}

impl Files {
    /// Returns the name of the entry for the file with this name. It is another name if the file was loaded by that
    /// one, or if this name belongs to another file.
    pub(crate) fn known_name(&self, name: &str) -> String {
        let paths = Paths::new(name);
        match self.at_paths(&paths) {
            Some(known) => self.get(known).name.to_string(),
            None if self.by_name.contains_key(name) => paths.named,
            None => name.to_owned(),
        }
    }

    /// Returns the name of the entry for the file that a text with this name replaces. Texts of one name are one
    /// file, whatever the working directory is.
    pub(crate) fn given_name(&self, name: &str) -> String {
        match self.find(name) {
            Some(file) if self.get(file).time.is_none() => name.to_owned(),
            _ => self.known_name(name),
        }
    }

    fn at_paths(&self, paths: &Paths) -> Option<u32> {
        [&paths.named, &paths.real].into_iter().find_map(|path| {
            let known = *self.by_path.get(path.as_str())?;
            let own = &self.get(known).path;
            // A link may lead elsewhere by now.
            (**own == **path || real_name(self::own(), own) == paths.real).then_some(known)
        })
    }

    /// Returns the file with this name, and makes an entry if it is new.
    pub(crate) fn intern(&mut self, name: &str) -> Result<u32, Stop> {
        let paths = Paths::new(match self.by_name.get(name) {
            Some(&known) => &self.get(known).path,
            None => name,
        });
        let index = self.intern_text(name)?;
        for path in [&paths.named, &paths.real] {
            self.by_path.own().put_entry(path.as_str().into(), index)?;
        }
        self.table.own()[index as usize].own().path = paths.named.into();
        Ok(index)
    }

    /// Returns the entry of a text that cannot be a file. It is found by its name alone.
    pub(crate) fn intern_text(&mut self, name: &str) -> Result<u32, Stop> {
        if let Some(&index) = self.by_name.get(name) {
            return Ok(index);
        }
        self.by_name.own().make_room()?;
        let index = self.add_text(name)?;
        self.by_name.own().put_entry(name.into(), index)?;
        Ok(index)
    }

    /// Adds an entry for a text with this name that is not a file and is never found by its name.
    pub(crate) fn add_text(&mut self, name: &str) -> Result<u32, Stop> {
        let index = self.table.len() as u32;
        let file = File {
            name: name.into(),
            path: name.into(),
            ..File::default()
        };
        self.table.own().put(file.into())?;
        Ok(index)
    }

    /// Returns a file with all files that it includes, directly or through others.
    pub(crate) fn with_included(&self, file: u32) -> Result<Vec<u32>, Stop> {
        let mut found = Vec::new();
        let mut todo = vec![file];
        while let Some(file) = todo.pop() {
            if !found.contains(&file) {
                found.put(file)?;
                todo.put_all(self.get(file).includes.iter().copied())?;
            }
        }
        Ok(found)
    }

    /// Returns the file that was loaded when this one was included, or the file itself if it was not included.
    pub(crate) fn source(&self, file: u32) -> Result<u32, Stop> {
        if self.get(file).context.is_some() {
            return Ok(file);
        }
        for (loaded, _) in self.iter().filter(|(_, other)| other.context.is_some()) {
            if self.with_included(loaded)?.contains(&file) {
                return Ok(loaded);
            }
        }
        Ok(file)
    }

    /// Returns the file with this name, if there is one.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// Returns the file with this name, or else the file that the name leads to.
    pub(crate) fn seek(&self, name: &str) -> Option<u32> {
        self.find(name).or_else(|| self.at_paths(&Paths::new(name)))
    }

    /// Returns the path of the file with this name.
    pub(crate) fn path_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.find(name).map_or(name, |file| &self.get(file).path)
    }

    /// Returns a file; index 0 is the empty one.
    pub(crate) fn get(&self, index: u32) -> &File {
        self.table.get(index as usize).unwrap_or(&self.table[0])
    }

    /// Returns a file for changes.
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut File> {
        Some(self.table.own().get_mut(index as usize)?.own())
    }

    /// Returns all files with their indexes, in order of loading.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &File)> {
        self.table
            .iter()
            .enumerate()
            .skip(1)
            .map(|(index, file)| (index as u32, &**file))
    }
}
