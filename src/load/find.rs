//! The search for the file that a name denotes, and texts of the host that replace files.

use crate::base::growth::joined;
use crate::base::needs::{Kind, Load, Permit};
use crate::base::stop::Stop;
use crate::image::record::note_beside;
use crate::image::replay::is_recorded;
use crate::io::error::IoError;
use crate::io::files::{self, absolute_file_name, real_name};
use crate::io::paths::{has_parent, is_absolute, normalize};
use crate::io::target::is_admitted;
use crate::machine::state::Machine;
use crate::source::loading::loader;
use crate::source::permits;
use crate::source::program_names::OPTIONAL_ENDINGS;
use std::sync::Arc;

/// Removes and returns the text that the host registered instead of a file of this name.
pub(crate) fn given_text(m: &mut Machine, name: &str) -> Option<Arc<str>> {
    let texts = &mut loader(m).texts;
    let index = texts.iter().position(|(text, _)| text == name)?;
    Some(texts.remove(index).1)
}

/// Returns the folder of the file that is being loaded. It is relative, as in the file's name, if that
/// name leads to the file from the present working directory.
pub(crate) fn loading_folder(m: &mut Machine) -> Option<String> {
    let loading = loader(m).stack.last()?;
    let (file, name) = (loading.file, loading.name.clone());
    let path = &m.world.files.get(file).path;
    let here =
        absolute_file_name(permits::place(), &name, None).is_ok_and(|absolute| *absolute == **path);
    let seen: &str = if here { &name } else { path };
    let (folder, _) = seen.rsplit_once('/')?;
    Some(folder.to_owned())
}

/// Returns the name by which a file to be loaded is known. Names are tried unchanged and with the usual extensions,
/// first relative to the file that is being loaded.
///
/// # Errors
/// Returns an error if there is no memory. Also returns an error if the granted folders do not have the file, and
/// other folders are not granted.
pub(super) fn find_source(
    m: &mut Machine,
    load: &Permit<Load>,
    name: &str,
) -> Result<Option<String>, IoError> {
    let mut refused = None;
    let folder = loading_folder(m).filter(|_| !is_absolute(name));
    let folder = folder.map(|folder| joined(&[&folder, "/"])).transpose()?;
    for base in folder.into_iter().chain([String::new()]) {
        let start = joined(&[&base, name])?;
        for extension in [""].iter().chain(&OPTIONAL_ENDINGS) {
            let path = joined(&[&start, extension])?;
            let loader = loader(m);
            if loader.texts.iter().any(|(text, _)| *text == path)
                || loader.given_images.iter().any(|(name, _)| *name == path)
            {
                return Ok(Some(path));
            }
            let is_there = files::is_plain_file(load, &path);
            if is_there == Ok(true) || is_recorded(m, &path) {
                return Ok(Some(found(m, &path, !base.is_empty())?));
            }
            refused = is_there.err().or(refused);
        }
        if files::exists(load, &start) == Ok(true) {
            return Ok(Some(found(m, &start, !base.is_empty())?));
        }
    }
    // A grant of a program's folder covers names relative to the program. Other names are refused as usual.
    let beside = !is_absolute(name) && !has_parent(name);
    if !beside && is_admitted(load, name) {
        refused = Some(IoError::Refused(Load::NEED));
    }
    match refused {
        Some(error) => Err(error),
        None => Ok(None),
    }
}

/// Returns the name by which a file that was found is known. `beside` says that it was found next
/// to the text that names it.
fn found(m: &mut Machine, path: &str, beside: bool) -> Result<String, Stop> {
    let in_text = !loader(m).stack.is_empty();
    let name = known_name(m, path, in_text);
    if beside {
        note_beside(m, &name)?;
    }
    Ok(name)
}

/// Returns the name by which a file is known. A name in a text is written without `..`, if that leads to the same
/// file.
pub(crate) fn known_name(m: &Machine, name: &str, in_text: bool) -> String {
    let short = (in_text && has_parent(name)).then(|| normalize(name));
    let short =
        short.filter(|short| real_name(permits::load(), short) == real_name(permits::load(), name));
    m.world.files.known_name(short.as_deref().unwrap_or(name))
}
