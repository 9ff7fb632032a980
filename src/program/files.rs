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
    /// Its path as it was first named, or the name given to a text: what messages show. No other file has it.
    pub(crate) name: Box<str>,
    /// Its absolute name, or the same as `name` if it can be no file.
    pub(crate) path: Box<str>,
    /// The module that it defines or was loaded into.
    pub(crate) module: Option<Atom>,
    /// Predicates that it has defined so far.
    pub(crate) defines: Vec<PredId>,
    /// Predicates that it has declared to be something.
    pub(crate) declares: Vec<PredId>,
    /// Is it being loaded?
    pub(crate) loading: bool,
    /// Was it not loaded to its end?
    pub(crate) broken: bool,
    /// Its text, if the host gave it and it is not large: for messages about places in it.
    pub(crate) text: Option<Arc<str>>,
    /// The module that it was loaded into.
    pub(crate) context: Option<Atom>,
    /// The dialect that it declares; see `load::dialect`.
    pub(crate) dialect: Option<&'static str>,
    /// Time of its last change when it was loaded, in seconds since 1970; `None` of texts that are no
    /// files.
    pub(crate) time: Option<f64>,
    /// Files that it includes.
    pub(crate) includes: Vec<u32>,
    /// What of its text is no part of the program: branches of conditions that were not read, and what stands after
    /// `end_of_file`. An end that is not known yet is `u32::MAX`.
    pub(crate) unread: Vec<Span>,
    /// Names that clauses begin with which have syntax errors, with their lines.
    pub(crate) refused: Vec<(Box<str>, u32)>,
    /// Was it told that it is gone?
    pub(crate) told_gone: bool,
}

/// All files an engine has loaded. Index 0 stands for none.
///
/// One file is one entry, whatever path leads to it, and the name that it was first loaded by stands for it. So who
/// has a name from elsewhere asks for [`Files::known_name`] first.
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

/// Leave to tell files apart, whatever leads to them.
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
        // What `..` leads to after a link is not known from the name alone.
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
    /// The name that stands for the file of this name: another one, if it was loaded by that, or if another file
    /// was loaded by this one.
    pub(crate) fn known_name(&self, name: &str) -> String {
        let paths = Paths::new(name);
        match self.at_paths(&paths) {
            Some(known) => self.get(known).name.to_string(),
            None if self.by_name.contains_key(name) => paths.named,
            None => name.to_owned(),
        }
    }

    /// The name that stands for the file in whose place a text is given under this name. Texts of one name are one
    /// file, wherever the engine works when they are given.
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

    /// The file that this name stands for, made if it is new.
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

    /// The entry of a text that can be no file, found by its name alone.
    pub(crate) fn intern_text(&mut self, name: &str) -> Result<u32, Stop> {
        if let Some(&index) = self.by_name.get(name) {
            return Ok(index);
        }
        self.by_name.own().make_room()?;
        let index = self.add_text(name)?;
        self.by_name.own().put_entry(name.into(), index)?;
        Ok(index)
    }

    /// A new entry for a text that has this name but is no file, nor ever found by its name.
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

    /// A file with all that it includes, be it by way of others.
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

    /// The file that was loaded when this one was included; itself if it was not.
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

    /// The file that this name stands for, if there is one.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.by_name.get(name).copied()
    }

    /// The file that this name stands for, or else leads to.
    pub(crate) fn seek(&self, name: &str) -> Option<u32> {
        self.find(name).or_else(|| self.at_paths(&Paths::new(name)))
    }

    /// Where the file is that this name stands for.
    pub(crate) fn path_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.find(name).map_or(name, |file| &self.get(file).path)
    }

    /// A file; index 0 is the empty one.
    pub(crate) fn get(&self, index: u32) -> &File {
        self.table.get(index as usize).unwrap_or(&self.table[0])
    }

    /// A file, to be changed.
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut File> {
        Some(self.table.own().get_mut(index as usize)?.own())
    }

    /// Names of all files, in order of loading.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, &File)> {
        self.table
            .iter()
            .enumerate()
            .skip(1)
            .map(|(index, file)| (index as u32, &**file))
    }
}
