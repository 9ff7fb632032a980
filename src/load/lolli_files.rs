//! Where the files of Lolli modules are: beside the file that names them, in the working directory,
//! in the directories that the host gives, in those of the environment variable `WAMLET_PATH`, in the
//! library, which is part of the program.

use super::consult::loading_folder;
use crate::machine::state::Machine;
use crate::machine::throw::Throw;
use crate::store::cell::Cell;
use std::path::{Path, PathBuf};

/// The environment variable that holds directories of modules.
const PATH_VARIABLE: &str = "WAMLET_PATH";
/// The ending of the names of files.
const ENDING: &str = ".ll";

macro_rules! library {
    ($($name:literal)*) => {
        &[$((
            $name,
            concat!("library/", $name, ".ll"),
            include_str!(concat!("../../prelude/lolli/", $name, ".ll")),
        )),*]
    };
}

/// The modules of the library: name, path that messages tell, text.
const LIBRARY: &[(&str, &str, &str)] = library! { "lists" "arith" "convert" "io" };

/// Directories that the host gave.
#[derive(Default)]
pub(crate) struct LolliFolders(pub(crate) Vec<PathBuf>);

/// A file of a module.
pub(super) struct Found {
    /// Its path.
    pub(super) path: String,
    /// Its text, if it is of the library.
    pub(super) text: Option<&'static str>,
    /// It was named by its path, not by the name of its module.
    pub(super) by_path: bool,
}

/// The file of the module of this name, or of this path. `folder` is that of the file that names it.
///
/// # Errors
/// There is none.
pub(super) fn find_module(
    m: &mut Machine,
    name: &str,
    folder: Option<&str>,
) -> Result<Found, Throw> {
    let by_path = name.ends_with(ENDING);
    let file = if by_path {
        name.to_owned()
    } else {
        format!("{name}{ENDING}")
    };
    let mut folders: Vec<PathBuf> = folder.map(PathBuf::from).into_iter().collect();
    folders.extend(loading_folder(m).map(PathBuf::from));
    folders.push(PathBuf::new());
    folders.extend(m.extensions.get::<LolliFolders>().0.iter().cloned());
    if let Some(more) = std::env::var_os(PATH_VARIABLE) {
        folders.extend(std::env::split_paths(&more));
    }
    for folder in &folders {
        let path = folder.join(&file);
        if Path::new(&path).is_file()
            && let Some(path) = path.to_str()
        {
            return Ok(Found {
                path: path.to_owned(),
                text: None,
                by_path,
            });
        }
    }
    if let Some(&(_, path, text)) = LIBRARY.iter().find(|&&(known, ..)| known == name) {
        return Ok(Found {
            path: path.to_owned(),
            text: Some(text),
            by_path,
        });
    }
    let place = match folders.len() {
        1 => "the working directory".to_owned(),
        _ => {
            let mut names: Vec<String> = folders
                .iter()
                .map(|folder| folder.display().to_string())
                .filter(|name| !name.is_empty())
                .collect();
            names.dedup();
            format!("the working directory, {}", names.join(", "))
        }
    };
    let message = format!(
        "there is no file {file} in {place}, and no such module in the library; -L DIR and {PATH_VARIABLE} add directories"
    );
    let kind = m.symbols.intern("module");
    let name = Cell::atom(m.symbols.intern(name));
    let functor = crate::base::symbol::functors::EXISTENCE_ERROR;
    let formal = m.store.new_struct(functor, &[Cell::atom(kind), name]);
    Err(m.throw_message(formal, Some(&message)))
}
