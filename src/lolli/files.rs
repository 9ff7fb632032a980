//! The search for files of Lolli modules. The places are the folder of the file that names the module, the path from which
//! a program has loaded the module, and the working directory. Then come the directories that the host gives, those of the
//! environment variable `WAMLET_PATH`, and the library, which is part of Wamlet.

use crate::base::atom_table::FastMap;
use crate::base::growth::{Gather, Grow, joined_by};
use crate::base::needs::{Load, Permit};
use crate::base::stop::Stop;
use crate::io::environment;
use crate::io::error::IoError;
use crate::io::files::{exists, exists_directory, is_plain_file};
use crate::io::os_names::{os_of_text, text_of_os};
use crate::load::find::{known_name, loading_folder};
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::{LayerState, Part};
use crate::source::program_names::LOLLI_ENDING;
use crate::store::cell as term;
use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;

/// The environment variable with directories of modules.
const PATH_VARIABLE: &str = "WAMLET_PATH";

macro_rules! library {
    ($($name:literal)*) => {
        &[$((
            $name,
            concat!("library/", $name, ".ll"),
            include_str!(concat!("../../prelude/lolli/", $name, ".ll")),
        )),*]
    };
}

/// The modules of the library: name, path for messages, text.
const LIBRARY: &[(&str, &str, &str)] = library! { "lists" "arith" "convert" "io" };

/// Returns whether this is the path of a module of the library.
pub(super) fn is_library(path: &str) -> bool {
    library_text(path).is_some()
}

/// Returns the text of the library module with this path.
pub(super) fn library_text(path: &str) -> Option<&'static str> {
    let found = LIBRARY.iter().find(|&&(_, known, _)| known == path);
    found.map(|&(_, _, text)| text)
}

/// Folders of modules that the host has added.
#[derive(Clone, Default)]
pub(crate) struct LolliFolders(pub(crate) Vec<PathBuf>);

impl LayerState for LolliFolders {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

/// Paths of modules that programs have loaded, by the names of the modules, with the text of those that are no files.
#[derive(Clone, Default)]
pub(super) struct LoadedByName(pub(super) FastMap<Box<str>, (Box<str>, Option<FoundText>)>);

impl LayerState for LoadedByName {
    fn part(&self) -> Option<Part> {
        Part::of(self.clone())
    }
}

/// The text of a module that is no file of the operating system.
#[derive(Clone)]
pub(super) enum FoundText {
    /// A text of the library.
    Library(&'static str),
    /// A text that the host gave.
    Given(Arc<str>),
}

impl FoundText {
    pub(super) fn as_str(&self) -> &str {
        match self {
            FoundText::Library(text) => text,
            FoundText::Given(text) => text,
        }
    }
}

/// The file of a module.
pub(super) struct Found {
    /// The path of the module.
    pub(super) path: String,
    /// The text of the module, if the module is in no file.
    pub(super) text: Option<FoundText>,
    /// Whether the program named the file by its path, not by the name of its module.
    pub(super) by_path: bool,
}

/// Returns the module whose text the host gave under this file name.
pub(super) fn given_module(m: &mut Machine, name: &str) -> Option<Found> {
    let known = &m.world.layers.of::<LoadedByName>().0;
    let (path, text) = known.get(name).filter(|(path, _)| **path == *name)?;
    Some(Found {
        path: path.to_string(),
        text: Some(text.clone()?),
        by_path: true,
    })
}

/// Returns the file of the module with this name or path. `folder` is the folder of the file that names the module.
///
/// # Errors
/// Returns an error if no such file exists.
pub(super) fn find_module(
    m: &mut Machine,
    load: &Permit<Load>,
    name: &str,
    folder: Option<&str>,
) -> Result<Found, Throw> {
    if let Some(found) = given_module(m, name) {
        return Ok(found);
    }
    let by_path = name.ends_with(LOLLI_ENDING);
    let file = if by_path {
        name.to_owned()
    } else {
        format!("{name}{LOLLI_ENDING}")
    };
    let refused = Cell::new(None);
    let in_folder = |folder: &PathBuf| {
        let path = text_of_os(folder.join(os_of_text(&file)).as_os_str());
        match is_plain_file(load, &path) {
            Err(IoError::Refused(need)) => {
                refused.set(Some(need));
                None
            }
            is_there => is_there.unwrap_or(false).then_some(Found {
                path,
                text: None,
                by_path,
            }),
        }
    };
    let mut folders: Vec<PathBuf> = folder.map(PathBuf::from).into_iter().gather()?;
    folders.put_all(loading_folder(m).map(PathBuf::from))?;
    if let Some(found) = folders.iter().find_map(in_folder) {
        let path = known_name(m, &found.path, true);
        return Ok(Found { path, ..found });
    }
    if let Some((path, text)) = m.world.layers.of::<LoadedByName>().0.get(name) {
        return Ok(Found {
            path: path.to_string(),
            text: text.clone(),
            by_path,
        });
    }
    let beside = folders.len();
    folders.put(PathBuf::new())?;
    folders.put_all(m.world.layers.of::<LolliFolders>().0.iter().cloned())?;
    if m.world.host.policy.shows_variable(PATH_VARIABLE)
        && let Ok(environment) = m.permit()
    {
        folders.put_all(environment::folders(environment, PATH_VARIABLE)?)?;
    }
    if let Some(found) = folders[beside..].iter().find_map(in_folder) {
        let path = known_name(m, &found.path, false);
        return Ok(Found { path, ..found });
    }
    if let Some(&(_, path, text)) = LIBRARY.iter().find(|&&(known, ..)| known == name) {
        return Ok(Found {
            path: path.to_owned(),
            text: Some(FoundText::Library(text)),
            by_path,
        });
    }
    if let Some(need) = refused.get() {
        return Err(m.refused(need));
    }
    Err(not_found(m, load, name, &file, &folders)?)
}

/// Returns the error for a module whose file does not exist.
fn not_found(
    m: &mut Machine,
    load: &Permit<Load>,
    name: &str,
    file: &str,
    folders: &[PathBuf],
) -> Result<Throw, Stop> {
    let place = match folders.len() {
        1 => "the working directory".to_owned(),
        _ => {
            let mut names: Vec<String> = folders
                .iter()
                .map(|folder| folder.display().to_string())
                .filter(|name| !name.is_empty())
                .gather()?;
            names.dedup();
            format!("the working directory, {}", joined_by(&names, ", ")?)
        }
    };
    let mut message = format!(
        "there is no file {file} in {place} and no such module in the library; add directories with -L DIR or {PATH_VARIABLE}"
    );
    let stem = file.strip_suffix(LOLLI_ENDING).unwrap_or(file);
    if let Some(folder) = [file, stem]
        .iter()
        .find(|path| exists_directory(load, path) == Ok(true))
    {
        message = format!("{folder} is a directory; {message}");
    } else if let Some(path) = folders
        .iter()
        .map(|folder| text_of_os(folder.join(os_of_text(file)).as_os_str()))
        .find(|path| exists(load, path) == Ok(true))
    {
        message = format!("{path} is not a plain file; {message}");
    }
    let kind = m.world.symbols.intern("module")?;
    let name = term::Cell::atom(m.world.symbols.intern_passing(name)?);
    let functor = crate::base::atom_table::functors::EXISTENCE_ERROR;
    let formal = m.store.new_struct(functor, &[term::Cell::atom(kind), name]);
    Ok(m.throw_message(formal, Some(&message)))
}
