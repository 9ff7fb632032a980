//! Loading of images.

use super::bytes::{Input, Unread};
use super::format::{Image, OTHER_VERSION, Unfit, read_head};
use super::items::{Before, Kind};
use super::record::{self, folder_of};
use super::terms::Reading;
use crate::base::atom_table::{Atom, atoms, functors};
use crate::base::growth::{Gather, Grow, filled, joined, text_of};
use crate::base::needs::{Load, Permit};
use crate::base::source::Span;
use crate::base::stop::Stop;
use crate::base::warning::Warning;
use crate::builtins::streams::errors_io::may_take;
use crate::io::files::{is_plain_file, real_name};
use crate::io::fingerprint::fingerprint_of_file;
use crate::io::source_file::read_bytes_of;
use crate::machine::builtin::builtins;
use crate::machine::control::throw::Throw;
use crate::machine::state::Machine;
use crate::machine::upper_layers::LayerState;
use crate::source::diagnostic::{Diagnostic, Location, Severity};
use crate::source::loading::{InImage, loader};
use crate::source::permits;
use crate::source::report::report;
use crate::store::cell::Cell;
use crate::store::claims::{Claim, Life};

use std::path::Path;
use std::sync::Arc;

/// An image that is being loaded.
pub(crate) struct Open {
    image: Arc<Image>,
    /// The real paths of its files, which identify them.
    paths: Vec<String>,
    /// Whether each file was loaded.
    used: Vec<bool>,
    /// The memory of the image.
    #[expect(dead_code, reason = "it counts for as long as it lives")]
    claim: Claim,
}

/// The images that are being loaded, innermost last. `None` in place of an image whose texts are loaded instead.
#[derive(Default)]
struct Images(Vec<Option<Open>>);

impl LayerState for Images {}

/// Closes all images that are being loaded.
pub(crate) fn close_images(m: &mut Machine) {
    m.world.layers.of::<Images>().0.clear();
}

/// An item of an image: its kind, its module if that is not the present one, its place, and its term in the block.
pub(crate) struct Next {
    pub(crate) kind: Kind,
    pub(crate) module: Option<Atom>,
    pub(crate) span: Span,
    pub(crate) line: u32,
    pub(crate) root: u64,
    pub(crate) block: Vec<u64>,
}

/// A file of an image that is being loaded.
pub(crate) struct Replay {
    image: Arc<Image>,
    file: usize,
    at: usize,
    before: Before,
    reading: Reading,
}

// ---- opening ----------------------------------------------------------------------------------

/// Returns `permission_error(load, source_sink, Path)` with a message.
fn error(m: &mut Machine, path: &str, message: &str) -> Throw {
    let action = m.world.symbols.intern("load");
    let path = m.world.symbols.intern_passing(path);
    let (Ok(action), Ok(path)) = (action, path) else {
        return Stop.into();
    };
    let (action, path) = (Cell::atom(action), Cell::atom(path));
    let args = [action, Cell::atom(atoms::SOURCE_SINK), path];
    let formal = m.store.new_struct(functors::PERMISSION_ERROR, &args);
    m.throw_message(formal, Some(message))
}

fn unfit(m: &mut Machine, path: &str, unfit: Unfit) -> Throw {
    match unfit.message() {
        Ok(message) => error(
            m,
            path,
            &format!("{message}; make it again with `wamlet compile`"),
        ),
        Err(stop) => stop.into(),
    }
}

/// Returns the file of an image whose text has changed. A missing file has not changed.
fn changed<'a>(m: &Machine, load: &Permit<Load>, files: &'a [(String, u128)]) -> Option<&'a str> {
    let changed = files.iter().find(|(name, print)| {
        let now = fingerprint_of_file(load, name, &|bytes| may_take(&m.store, bytes));
        now.is_ok_and(|now| now != *print)
    });
    changed.map(|(name, _)| name.as_str())
}

/// Opens an image and returns the name of its program. From then on, loads take the files of the image from it. If a
/// text exists and has changed, the program is loaded from its texts.
fn open(m: &mut Machine, load: &Permit<Load>, path: &str) -> Result<String, Throw> {
    let images = &mut loader(m).given_images;
    let given = images.iter().position(|(name, _)| name == path);
    let given = given.map(|index| images.swap_remove(index).1);
    let is_given = given.is_some();
    let bytes: Arc<[u8]> = match given {
        Some(bytes) => bytes,
        None => match read_bytes_of(load, path, &|bytes| may_take(&m.store, bytes)) {
            Ok(bytes) => bytes.into(),
            Err(error) => {
                let culprit = Cell::atom(m.world.symbols.intern_passing(path)?);
                return Err(m.file_error(error, "open", "source_sink", culprit));
            }
        },
    };
    let claim = m.store.claim(2 * bytes.len() as u64, Life::Passing)?;
    let head = read_head(&bytes).map_err(|reason| unfit(m, path, reason))?;
    let folder = joined(&[folder_of(path), &head.folder])?;
    let named = head.files.iter().map(|file| {
        let name = match Path::new(&file.name).is_absolute() {
            true => text_of(&file.name)?,
            false => joined(&[&folder, &file.name])?,
        };
        Ok((name, file.fingerprint))
    });
    let named: Vec<(String, u128)> = named.gather_results::<_, Stop>()?;
    let Some((program, _)) = named.first() else {
        return Err(unfit(m, path, Unfit::NoImage));
    };
    let program = match is_given {
        true => m.world.files.given_name(program),
        false => m.world.files.known_name(program),
    };
    let reason = match changed(m, load, if is_given { &[] } else { &named }) {
        Some(name) => Some((
            name.to_owned(),
            format!("this text has changed since {path} was made"),
        )),
        None if !head.fits => Some((program.clone(), format!("{OTHER_VERSION}: {path}"))),
        None => None,
    };
    if let Some((name, reason)) = reason {
        if is_given || !is_plain_file(load, m.world.files.path_of(&program)).unwrap_or(false) {
            let message = match name == program {
                true => reason,
                false => format!("{name}: {reason}, and {program} does not exist"),
            };
            return Err(error(m, path, &message));
        }
        let hint = format!("make the image again with `wamlet compile {program} -o {path}`");
        let message = format!("{reason}; Wamlet loads the program from its text");
        let place = Location {
            file: Some(name.into()),
            line: 1,
            column: 1,
            source_line: String::new(),
            span: 0..0,
        };
        report(
            m,
            Diagnostic::at(Severity::Warning, place, message, Some(hint))
                .of_warning(Warning::Image),
        )?;
        m.world.layers.of::<Images>().0.put(None)?;
        return Ok(program);
    }
    let image = Image::new(bytes, head, &mut m.world.symbols);
    let image = image.map_err(|unread| unfit(m, path, unread.into()))?;
    let open = Open {
        used: filled(false, image.files.len())?,
        image: Arc::new(image),
        paths: named
            .iter()
            .map(|(name, _)| real_name(load, name))
            .gather()?,
        claim,
    };
    m.world.layers.of::<Images>().0.put(Some(open))?;
    Ok(program)
}

/// Returns whether an image that is being loaded contains this file.
pub(crate) fn is_recorded(m: &mut Machine, name: &str) -> bool {
    let images = &m.world.layers.of::<Images>().0;
    if images.is_empty() {
        return false;
    }
    let path = real_name(permits::load(), name);
    images
        .iter()
        .flatten()
        .any(|open| open.paths.contains(&path))
}

/// Returns the recorded contents of a file from an image that is being loaded.
pub(crate) fn find_recorded(m: &mut Machine, name: &str, included: bool) -> Option<Box<Replay>> {
    if m.world.layers.of::<Images>().0.is_empty() {
        return None;
    }
    let path = real_name(permits::load(), m.world.files.path_of(name));
    let parent = loader(m).stack.last_mut().and_then(|loading| {
        let replay = loading.own.of::<Option<Box<Replay>>>().as_ref()?;
        Some((Arc::as_ptr(&replay.image), replay.file))
    });
    let images = &mut m.world.layers.of::<Images>().0;
    images.iter_mut().rev().flatten().find_map(|open| {
        let image = &open.image;
        let fits = |&number: &usize| {
            open.paths[number] == path && image.files[number].included == included
        };
        // A file can be included several times, by several files.
        let rank = |&number: &usize| {
            let child = image.files[number]
                .parent
                .map(|parent| (Arc::as_ptr(image), parent));
            (child != parent || parent.is_none(), open.used[number])
        };
        let file = (0..image.files.len()).filter(fits).min_by_key(rank)?;
        open.used[file] = true;
        Some(Box::new(Replay {
            image: image.clone(),
            file,
            at: image.files[file].items.start,
            before: Before::default(),
            reading: Reading::default(),
        }))
    })
}

/// Reads the next item of the present load from its image. `block` is memory for its term. Returns `None` if nothing
/// is being loaded.
pub(crate) fn read_next(m: &mut Machine, block: Vec<u64>) -> Result<Option<Next>, Throw> {
    let Some(loading) = loader(m).stack.last_mut() else {
        return Ok(None);
    };
    let Some(mut replay) = loading.own.of::<Option<Box<Replay>>>().take() else {
        return Ok(None);
    };
    // After an error, the load continues from the present place.
    let read = replay.next(m, block);
    let Some(loading) = loader(m).stack.last_mut() else {
        return Ok(None);
    };
    *loading.own.of() = Some(replay);
    match read {
        Ok((next, place)) => {
            if let Some(known) = &mut loading.in_image {
                known.place = place;
            }
            loading.span = next.span;
            m.store.watch.did_clause(size_of_val(&*next.block));
            Ok(Some(next))
        }
        Err(unread) => {
            let name = loading.name.to_string();
            Err(unfit(m, &name, unread.into()))
        }
    }
}

impl Replay {
    /// Returns the data about the text of the file.
    pub(crate) fn in_image(&self) -> InImage {
        InImage {
            place: (1, 1),
            unread: Some(self.image.files[self.file].fingerprint),
        }
    }

    /// Reads the next item, with its line and column.
    fn next(&mut self, m: &Machine, mut block: Vec<u64>) -> Result<(Next, (u32, u32)), Unread> {
        let image = &*self.image;
        let end = image.files[self.file].items.end;
        let mut input = Input {
            bytes: &image.bytes[..end],
            at: self.at,
        };
        let (kind, module, place) = self.before.read(&image.names, &mut input)?;
        let mut root = 0;
        block.clear();
        if kind != Kind::End {
            let watch = &m.store.events.watch;
            root = self
                .reading
                .term(&image.names, &mut input, &mut block, watch)?;
            self.at = input.at;
        }
        let (span, line) = (place.span, place.line);
        let next = Next {
            kind,
            module,
            span,
            line,
            root,
            block,
        };
        Ok((next, (place.line, place.column)))
    }
}

builtins! { IMAGES =
    /// Opens the image of a program. `Program` is the name of its file, which is to be loaded next.
    iso "$open_image"("+path", "-program") needs load, effect = |m, [path, program]| {
        let name = m.file_arg(path)?;
        let found = open(m, load, &name)?;
        Ok(m.unify_text(program, &found)?)
    };
    /// Closes the image that was opened last.
    iso "$close_image"() needs effect = always |m, []| m.world.layers.of::<Images>().0.pop();
    /// Records a directive of the present load, if an image is being made.
    iso "$record_directive"("+goal") needs effect = always |m, [goal]| record::record_directive(m, goal)?;
    /// Succeeds if an image is being made from this program.
    iso "$makes_image"("+path") = |m, [path]| {
        let name = m.file_arg(path)?;
        Ok(record::is_program(m, &name))
    };
}
