//! Which file is meant, and what stands in place of one.

use super::consult::loader;
use super::image::replay::is_recorded;
use crate::base::symbol::functors;
use crate::io::files;
use crate::machine::state::Machine;
use crate::store::cell::Cell;
use crate::store::heap::View;
use std::sync::Arc;

/// The text that the host has given in place of a file of this name.
pub(super) fn given_text(m: &mut Machine, name: &str) -> Option<Arc<str>> {
    let texts = &mut loader(m).texts;
    let index = texts.iter().position(|(text, _)| text == name)?;
    Some(texts.remove(index).1)
}

/// The folder of the file that is being loaded.
pub(super) fn loading_folder(m: &mut Machine) -> Option<String> {
    let loading = loader(m).stack.last()?;
    let (folder, _) = loading.name.rsplit_once('/')?;
    Some(folder.to_owned())
}

/// The path of a file to be loaded: as it is, or with one of the usual extensions; relative to the
/// loading file first.
pub(super) fn find_source(m: &mut Machine, name: &str) -> Option<String> {
    let mut bases = Vec::new();
    if let Some(loading) = loader(m).stack.last()
        && let Some((directory, _)) = loading.name.rsplit_once('/')
    {
        bases.push(format!("{directory}/"));
    }
    bases.push(String::new());
    for base in bases {
        let start = if name.starts_with('/') {
            name.to_owned()
        } else {
            format!("{base}{name}")
        };
        for extension in ["", ".pl", ".pro", ".prolog", ".ll"] {
            let path = format!("{start}{extension}");
            let loader = loader(m);
            if loader.texts.iter().any(|(text, _)| *text == path)
                || loader.given_images.iter().any(|(name, _)| *name == path)
                || is_recorded(m, &path)
            {
                return Some(path);
            }
            if files::seen(&path).is_file() {
                return Some(path);
            }
        }
        if files::seen(&start).exists() {
            return Some(start);
        }
    }
    None
}

pub(super) fn text_of(m: &Machine, cell: Cell) -> Option<String> {
    match m.store.view(cell) {
        View::Atom(name) => Some(m.symbols.text(name).to_owned()),
        View::String(addr) => Some(m.store.text(addr).to_owned()),
        // `dir/file`, as SWI-Prolog reads it.
        View::Struct(functors::SLASH, args) => {
            let (a, b) = (m.store.arg(args, 0), m.store.arg(args, 1));
            Some(format!("{}/{}", text_of(m, a)?, text_of(m, b)?))
        }
        _ => None,
    }
}
